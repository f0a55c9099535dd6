//! `platforms connect`: a person approves in the browser, at the service and at the provider; this program polls until the
//! account is connected.

use std::collections::HashMap;
use std::time::Duration;

use playout_client::{Api, Error, Kind, Platform, Reply, SystemClock};
use playout_domain::time::Clock;
use serde_json::{Value, json};
use url::Url;

use crate::cli::bars::Spinner;
use crate::cli::moment::read_length;
use crate::cli::open::browse;
use crate::cli::report::{Outcome, Report};
use crate::cli::screen::clean;
use crate::cli::session::Session;

const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wanted {
    /// Do not open the browser; the address is still printed.
    #[arg(long)]
    no_browser: bool,
    /// Print the address and do not wait for the account.
    #[arg(long)]
    no_wait: bool,
    /// Stop waiting after this time, such as 90s or 10m.
    #[arg(long, value_name = "LENGTH", default_value = "15m")]
    timeout: String,
}

/// The accounts seen so far: by ID, when their access token expires. Connecting an account changes that time.
type Known = HashMap<String, Option<String>>;

pub(super) async fn run(wanted: Wanted, session: &Session) -> Outcome {
    let timeout = read_length(&wanted.timeout)?;
    let api = session.api()?;
    let before = known(&api.platforms().await?.value.platforms);
    let page = page(&session.access.url)?;
    if !wanted.no_wait {
        show(session, &page);
    }
    let opened = !wanted.no_browser && browse(&session.environment, &page);
    if wanted.no_wait {
        let json = json!({ "url": page.as_str(), "opened": opened, "platform": null });
        return Ok(Report::new(json, page.as_str()));
    }
    let (platform, found) = connected(session, &api, &before, timeout).await?;
    let name = platform
        .display_handle
        .as_ref()
        .or(platform.display_name.as_ref());
    let text = format!(
        "Connected {} ({}).",
        clean(name.unwrap_or(&platform.id)),
        clean(&platform.id)
    );
    let json = json!({ "url": page.as_str(), "opened": opened, "platform": found });
    Ok(Report::new(json, text))
}

fn page(service: &Url) -> Result<Url, Error> {
    let page = format!("{}/accounts/connect", service.as_str().trim_end_matches('/'));
    Url::parse(&page).map_err(|error| Error::usage(error.to_string()))
}

/// On standard error: standard output is for the result.
fn show(session: &Session, page: &Url) {
    match session.screen.is_json {
        true => session
            .screen
            .tell_program(&json!({ "connect": { "url": page.as_str() } })),
        false => session.screen.remark(&format!("Connect the account at {page}")),
    }
}

async fn connected(
    session: &Session,
    api: &Api,
    before: &Known,
    timeout: Duration,
) -> Result<(Platform, Value), Error> {
    let spinner = Spinner::new(&session.screen);
    spinner.say("waiting for the account".to_owned());
    let end = SystemClock.now().plus(timeout);
    while SystemClock.now() < end {
        tokio::time::sleep(LOOK_EVERY).await;
        let reply = api.platforms().await?;
        let is_new = |platform: &&Platform| before.get(&platform.id) != Some(&platform.token_expires_at);
        if let Some(platform) = reply.value.platforms.iter().find(is_new) {
            let found = found(&reply, &platform.id);
            return Ok((platform.clone(), found));
        }
    }
    let message = "No account was connected. The page of the accounts shows what happened.";
    Err(Error::new(Kind::Refused, "not_connected", message))
}

fn known(platforms: &[Platform]) -> Known {
    let pairs = platforms.iter();
    pairs
        .map(|platform| (platform.id.clone(), platform.token_expires_at.clone()))
        .collect()
}

/// The account in the service's response.
fn found<T>(reply: &Reply<T>, id: &str) -> Value {
    let all = reply.json["platforms"].as_array();
    let found = all.into_iter().flatten().find(|platform| platform["id"] == id);
    found.cloned().unwrap_or_default()
}
