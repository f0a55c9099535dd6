//! Interprets a failed request: who can act on it, and whether a retry may succeed.

use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use serde_json::Value;
use url::Url;

use crate::answers::ErrorBody;
use crate::error::{Error, Kind};

/// A failed sending.
pub(crate) struct Failed {
    pub(crate) error: Error,
    /// `Retry-After`, if the service sent it.
    pub(crate) after: Option<Duration>,
    /// Whether the request certainly had no effect.
    pub(super) nothing_done: bool,
    /// Whether a retry may succeed.
    pub(crate) is_temporary: bool,
    /// The body of the response, if there was one.
    pub(crate) body: Option<Vec<u8>>,
}

impl Failed {
    /// Whether the request may have taken effect: no response says that it was rejected. One that took too long goes on, and so does an
    /// earlier one with the same idempotency key.
    pub(super) fn may_be_done(&self) -> bool {
        let goes_on = ["request_timeout", "idempotency_in_progress"].contains(&self.error.code.as_str());
        !self.nothing_done && (goes_on || matches!(self.error.kind, Kind::Network | Kind::Server))
    }

    /// The failure of a connection without progress.
    pub(crate) fn stalled() -> Self {
        let message = "Cannot reach the service: the connection is open, but no data is transferred.";
        Self {
            error: Error::new(Kind::Network, "network_error", message),
            after: None,
            nothing_done: false,
            is_temporary: true,
            body: None,
        }
    }

    /// The failure of a request that could not be made.
    pub(crate) fn unsent(error: Error) -> Self {
        Self {
            error,
            after: None,
            nothing_done: true,
            is_temporary: false,
            body: None,
        }
    }
}

pub(super) fn network_error(error: &reqwest::Error) -> Error {
    let mut causes = Vec::new();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        causes.push(inner.to_string());
        cause = inner.source();
    }
    let place = error.url().map_or("the service", Url::as_str);
    let why = match causes.pop() {
        _ if error.is_timeout() => "it did not answer in time".to_owned(),
        Some(deepest) => deepest,
        None => error.to_string(),
    };
    let message = format!("Cannot reach {place}: {why}.");
    Error::new(Kind::Network, "network_error", message)
}

pub(super) fn failed(status: u16, headers: &HeaderMap, body: &[u8]) -> Failed {
    let named = read_error(body);
    let code = named.as_ref().map(|body| body.code.as_str());
    // Other codes of a 503 mean that something is not set up, or does not answer: a retry does not help.
    let is_of_service = |code: &str| ["unavailable", "internal_error"].contains(&code);
    let is_fault = matches!(status, 500 | 502 | 504) || (status == 503 && code.is_none_or(is_of_service));
    let is_waiting = code == Some("idempotency_in_progress");
    let kind = match status {
        401 => Kind::NotSignedIn,
        _ if code == Some("captions_unavailable") => Kind::Unavailable,
        500.. => Kind::Server,
        400..500 if named.is_some() => Kind::Refused,
        _ => Kind::Server,
    };
    Failed {
        after: retry_after(headers),
        nothing_done: matches!(status, 423 | 429),
        is_temporary: is_fault || is_waiting || matches!(status, 408 | 423 | 429),
        error: explained(kind, status, named, headers),
        body: Some(body.to_vec()),
    }
}

/// The error in a body: in this API's form, or in OAuth's (RFC 6749 §5.2), which the device flow uses.
fn read_error(body: &[u8]) -> Option<ErrorBody> {
    let body: Value = serde_json::from_slice(body).ok()?;
    if let Some(code) = body["error"].as_str() {
        let message = body["error_description"].as_str();
        return Some(ErrorBody {
            code: code.to_owned(),
            message: message.map_or_else(
                || format!("The service returned the error {code}."),
                str::to_owned,
            ),
            details: None,
        });
    }
    serde_json::from_value(body).ok()
}

fn explained(kind: Kind, status: u16, named: Option<ErrorBody>, headers: &HeaderMap) -> Error {
    let Some(body) = named else {
        let error = Error::new(kind, "unexpected_answer", unexplained(status, headers));
        return Error {
            status: Some(status),
            ..error
        };
    };
    let mut message = body.message;
    if let (Kind::Server, Some(id)) = (kind, headers.get("x-request-id")) {
        message = format!("{message} Request {}.", String::from_utf8_lossy(id.as_bytes()));
    }
    Error {
        kind,
        code: body.code,
        message,
        details: body.details.map(Box::new),
        status: Some(status),
        may_be_done: false,
    }
}

/// Redirects are not followed, because a key must be sent only to its service.
fn unexplained(status: u16, headers: &HeaderMap) -> String {
    let location = headers.get(LOCATION).and_then(|to| to.to_str().ok());
    match (status, location) {
        (300..400, Some(to)) => {
            format!(
                "The service redirects to {to}, and a key is never sent to another address: is that the service (--api-url)?"
            )
        }
        // Playout's own errors always have a code.
        (413, _) => {
            "A proxy in front of the service refused the request as too large (413): its limit on request \
                     bodies must be raised, in nginx with `client_max_body_size 0`."
                .to_owned()
        }
        _ => {
            format!("The service returned {status} without an error code. Is this address a Playout service?")
        }
    }
}

/// `Retry-After` in seconds; this service never sends a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn a_redirect_names_the_address_that_it_leads_to() {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_static("https://posts.example"));
        let failed = failed(308, &headers, b"");
        assert_eq!(failed.error.kind, Kind::Server);
        assert!(
            failed.error.message.contains("https://posts.example"),
            "{}",
            failed.error.message
        );
        assert!(!failed.is_temporary);
    }

    #[test]
    fn a_413_without_the_error_body_of_the_service_is_a_proxys() {
        let page = b"<html><head><title>413 Request Entity Too Large</title></head></html>";
        let error = failed(413, &HeaderMap::new(), page).error;
        assert_eq!((error.kind, error.status), (Kind::Server, Some(413)));
        assert!(error.message.contains("proxy"), "{error}");
        let own = br#"{ "code": "media_too_large", "message": "The file is too large." }"#;
        let error = failed(413, &HeaderMap::new(), own).error;
        assert_eq!(
            (error.kind, error.message.as_str()),
            (Kind::Refused, "The file is too large.")
        );
    }

    #[test]
    fn an_error_is_read_in_the_form_of_oauth_too() {
        let failed = failed(400, &HeaderMap::new(), br#"{ "error": "slow_down" }"#);
        assert_eq!(
            (failed.error.kind, failed.error.code.as_str()),
            (Kind::Refused, "slow_down")
        );
    }
}
