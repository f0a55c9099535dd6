//! `auth login` without a key: the person approves in a browser.

use playout_client::{Api, Device, Error, Kind, SystemClock};
use playout_domain::secret::Secret;
use playout_domain::time::Clock;
use serde_json::json;
use url::Url;

use crate::cli::bars::Spinner;
use crate::cli::open::browse;
use crate::cli::screen::{Colour, clean};
use crate::cli::session::Session;

/// Starts the flow, opens its page if `opens_browser`, and waits for the key.
///
/// # Errors
/// If the service has no such flow, the person refuses, or the code expires first.
pub(super) async fn approved_key(session: &Session, opens_browser: bool) -> Result<Secret, Error> {
    let api = session.api_with(None)?;
    let name = format!(
        "playout {} on {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS
    );
    let device = api.start_device(&name).await.map_err(explain)?;
    show(session, &device);
    if opens_browser {
        let page = device.verification_uri_complete.as_ref();
        let page = Url::parse(page.unwrap_or(&device.verification_uri));
        // Only http and https pages are opened, whatever the service returns.
        if let Some(page) = page.ok().filter(|page| matches!(page.scheme(), "http" | "https")) {
            browse(&session.environment, &page);
        }
    }
    approved(session, &api, device).await
}

/// On standard error, because standard output is for the result: text for people, a document for programs.
fn show(session: &Session, device: &Device) {
    let screen = &session.screen;
    if screen.is_json {
        let device = json!({
            "userCode": device.user_code,
            "verificationUri": device.verification_uri,
            "verificationUriComplete": device.verification_uri_complete,
            "expiresIn": device.expires_in.as_secs(),
        });
        screen.tell_program(&json!({ "device": device }));
        return;
    }
    let code = screen.paint(Colour::Strong, &clean(&device.user_code));
    let page = clean(&device.verification_uri);
    screen.remark(&format!("Open {page}\nand approve the code {code}"));
}

async fn approved(session: &Session, api: &Api, mut device: Device) -> Result<Secret, Error> {
    let spinner = Spinner::new(&session.screen);
    spinner.say("waiting for your approval".to_owned());
    let end = SystemClock.now().plus(device.expires_in);
    while SystemClock.now() < end {
        tokio::time::sleep(device.interval).await;
        if let Some(key) = api.poll_device(&mut device).await.map_err(explain)? {
            return Ok(key);
        }
    }
    Err(explain(Error::new(Kind::Refused, "expired_token", "")))
}

/// The flow's own errors, in words.
fn explain(error: Error) -> Error {
    let message = match (error.code.as_str(), error.status) {
        ("access_denied", _) => "It was not approved in the browser.",
        ("expired_token", _) => "The code is no longer valid: run `playout auth login` again.",
        ("not_found" | "unexpected_answer", Some(404)) => {
            "This service has no sign-in by browser: create a key there and run `playout auth login --api-key=-`."
        }
        _ => return error,
    };
    Error {
        message: message.to_owned(),
        ..error
    }
}
