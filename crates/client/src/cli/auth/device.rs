//! `auth login` without a key: the person approves in a browser.

use playout_client::{Api, Device, DeviceKey, Error, Kind, SystemClock};
use playout_domain::access::{Scope, Scopes};
use playout_domain::time::Clock;
use serde_json::json;
use url::Url;

use crate::cli::bars::Spinner;
use crate::cli::open::browse;
use crate::cli::report::Report;
use crate::cli::scopes::summary;
use crate::cli::screen::{Colour, clean};
use crate::cli::session::Session;

/// Starts the flow with these scopes, opens its page if `opens_browser`, and waits for the key.
///
/// # Errors
/// If the service has no such flow, the person refuses, or the code expires first.
pub(super) async fn approved_key(
    session: &Session,
    scopes: &[Scope],
    opens_browser: bool,
) -> Result<DeviceKey, Error> {
    let api = session.api_with(None)?;
    let name = format!(
        "playout {} on {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS
    );
    let device = api.start_device(&name, scopes).await.map_err(explain)?;
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

async fn approved(session: &Session, api: &Api, mut device: Device) -> Result<DeviceKey, Error> {
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

/// The report with what the person granted, if the sign-in named scopes.
pub(super) fn with_scopes(report: Report, key: &DeviceKey, asked: &[Scope]) -> Report {
    let Some(scopes) = &key.scopes else {
        return report;
    };
    let is_missing = |word: &&str| scopes.iter().all(|granted| granted != word);
    let missing = asked.iter().map(|scope| scope.as_str()).filter(is_missing);
    let missing: Vec<&str> = missing.collect();
    let mut text = format!("{}\nIts scopes: {}.", report.text, summary(Some(scopes)));
    if !missing.is_empty() {
        text.push_str(&format!(" Not granted: {}.", missing.join(", ")));
    }
    let granted = scopes.iter().filter_map(|scope| Scope::parse(scope));
    if !Scopes::from_iter(asked.iter().copied()).cover(granted.collect()) {
        let wider =
            " That is more than requested: this service is of an earlier version, and knows no scopes.";
        text.push_str(wider);
    }
    let mut json = report.json.clone();
    json["scopes"] = json!(scopes);
    Report { json, text, ..report }
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

#[cfg(test)]
mod tests {
    use playout_domain::secret::Secret;

    use super::*;

    /// What a person reads who asked for drafts and media, and granted these scopes.
    fn text_of(granted: &str) -> String {
        let key = DeviceKey {
            key: Secret::new("key"),
            scopes: Some(granted.split_whitespace().map(str::to_owned).collect()),
        };
        with_scopes(
            Report::new(json!({}), "Signed in."),
            &key,
            &[Scope::Drafts, Scope::Media],
        )
        .text
    }

    #[test]
    fn what_was_granted_is_compared_with_what_was_requested() {
        assert_eq!(
            text_of("read media drafts"),
            "Signed in.\nIts scopes: media, drafts."
        );
        assert_eq!(
            text_of("read media"),
            "Signed in.\nIts scopes: media. Not granted: drafts."
        );
        let everything = text_of(&Scopes::ALL.words());
        assert!(
            everything.contains("everything. That is more than requested"),
            "{everything}"
        );
    }
}
