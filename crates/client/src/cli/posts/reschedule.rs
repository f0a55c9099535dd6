//! `posts reschedule`: a new time, or the planned one moved.

use playout_client::{Api, Error, Group, Kind, Reply};

use crate::cli::doubt;
use crate::cli::moment::{Here, here};
use crate::cli::session::Session;
use crate::cli::version::{explained, of_post};

/// When a post is published from now on.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(in crate::cli) struct NewTime {
    /// RFC 3339, or local: 2026-12-01 09:00, tomorrow 09:00, tomorrow 09:00[Europe/Berlin], +90m, +3d, +1w.
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Move its planned time by this: +1d, -2h, +1w. A day is one on the local clock, so that +1d keeps the hour.
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    by: Option<String>,
}

/// Sets the time of a post, only of this version if one is given. Its planned time is moved only if it is still the one that was read.
pub(super) async fn run(
    session: &Session,
    api: &Api,
    id: &str,
    time: &NewTime,
    version: Option<String>,
) -> Result<Reply<Group>, Error> {
    let here = here();
    if let Some(at) = &time.at {
        let request = api.reschedule_post(id, here.read(at)?, version.as_deref());
        return doubt::change(session, "The post may have been moved.", &of_post(id), request).await;
    }
    let length = Here::read_shift(time.by.as_deref().unwrap_or_default())?;
    let read = api.post_group(id).await?;
    let planned = read.value.root.scheduled_for.ok_or_else(without_time)?;
    let at = here.shifted(planned, length)?;
    let in_doubt = format!(
        "The post may have been moved: repeat the command with `--at {at}` instead of --by, which moves it no further."
    );
    let version = version.or(read.etag);
    let request = api.reschedule_post(id, at, version.as_deref());
    let sent = doubt::send(session, &in_doubt, request).await;
    sent.map_err(|error| explained(error, &of_post(id)))
}

fn without_time() -> Error {
    let message = "The post has no time that --by could move: set one with --at.";
    Error::new(Kind::Refused, "post_has_no_time", message)
}
