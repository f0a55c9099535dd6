//! `media import`: a file that the service fetches.

use std::time::Duration;

use playout_client::{Api, Error, Kind, Media, Progress, Reply};

use super::facts::describe;
use crate::cli::bars::Bars;
use crate::cli::doubt;
use crate::cli::find;
use crate::cli::report::{Outcome, Report};
use crate::cli::screen::clean;
use crate::cli::session::Session;

/// How often to ask how far it is.
const LOOK_EVERY: Duration = Duration::from_millis(500);

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wanted {
    /// The address of the file, http or https.
    url: String,
    /// The folder to put it into: its ID or name.
    #[arg(long)]
    folder: Option<String>,
    /// Another name than the one in its address.
    #[arg(long)]
    name: Option<String>,
    /// Return at once; `playout media get` shows how far it is.
    #[arg(long)]
    no_wait: bool,
    /// Requests with the same key within 24 hours import the file once, also across runs; a random key by default.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

pub(super) async fn run(wanted: Wanted, session: &Session, api: &Api) -> Outcome {
    let folder_id = match &wanted.folder {
        Some(name) => find::folder_id(api, name).await?,
        None => None,
    };
    let key = wanted
        .idempotency_key
        .unwrap_or_else(playout_client::idempotency_key);
    let (name, folder) = (wanted.name.as_deref(), folder_id.as_deref());
    let request = api.import_media(&wanted.url, name, folder, Some(&key));
    let begun = doubt::send(session, &doubt::with_key("The media object", &key), request).await?;
    let reply = match wanted.no_wait {
        true => begun,
        false => ended(session, api, begun).await?,
    };
    let error = reply.value.failure.as_ref().map(|failure| {
        let message = format!("The file was not imported: {}", failure.message);
        Error::new(Kind::Refused, &failure.code, message)
    });
    let text = describe(&session.screen, &reply);
    Ok(Report::new(reply.json, text).but(error))
}

/// The object once it is READY or has failed.
async fn ended(session: &Session, api: &Api, mut reply: Reply<Media>) -> Result<Reply<Media>, Error> {
    let id = reply.value.id.clone();
    session.interrupts.watch(&session.screen);
    session.interrupts.next(format!(
        "The service goes on: `playout media get {id}` shows how far it is."
    ));
    let (progress, bars) = (Progress::default(), Bars::new(&session.screen));
    let name = reply.value.original_file_name.clone();
    if !session.screen.has_bars() {
        let remark = format!("The service fetches {name} as {id}.");
        session.screen.remark(&clean(&remark));
    }
    let work = async {
        while reply.value.status == "PENDING" && reply.value.failure.is_none() {
            tokio::time::sleep(LOOK_EVERY).await;
            reply = api.media(&id).await?;
            progress.set(reply.value.received_bytes.unwrap_or_default());
            progress.set_total(reply.value.size);
        }
        Ok(reply)
    };
    bars.follow(&name, 0, &progress, work).await
}
