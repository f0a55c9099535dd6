//! The parts of the flow that OAuth standardizes: its errors (RFC 6749 §5.2), its grant (RFC 8628 §3.4), and the metadata
//! document (RFC 8414).

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_wire::devices::{DEVICE_GRANT, ServerMetadata};
use serde_json::{Value, json};

use crate::api::body::FormOrJson;
use crate::api::error::internal_error;
use crate::api::json::Json;
use crate::app::App;

/// The largest error response.
const MAX_REFUSAL_BYTES: usize = 4 * 1024 * 1024;

/// An OAuth error code with its description.
#[derive(Debug)]
pub struct OAuthError(pub &'static str, pub &'static str);

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.0, "error_description": self.1 });
        (StatusCode::BAD_REQUEST, Json(body)).into_response()
    }
}

/// A form must name its grant; clients that send JSON may omit it.
pub fn check_grant(body: &FormOrJson) -> Result<(), OAuthError> {
    match &body.value["grant_type"] {
        Value::Null if body.is_form => {
            Err(OAuthError("invalid_request", "grant_type is required in a form."))
        }
        Value::Null => Ok(()),
        grant if grant == DEVICE_GRANT => Ok(()),
        Value::String(_) => Err(OAuthError(
            "unsupported_grant_type",
            "The only supported grant: urn:ietf:params:oauth:grant-type:device_code.",
        )),
        _ => Err(OAuthError("invalid_request", "grant_type must be a string.")),
    }
}

/// Adds the fields of OAuth to every error: `error` and `error_description` beside this API's `code` and `message`.
pub async fn speak_oauth(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.status().as_u16() < 400 {
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, MAX_REFUSAL_BYTES).await else {
        return internal_error();
    };
    let Ok(mut body) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    if body.get("error").is_none() {
        body["error"] = word_of(parts.status).into();
        body["error_description"] = plain(body["message"].as_str().unwrap_or_default()).into();
    }
    let mut response = (parts.status, Json(body)).into_response();
    let headers = parts
        .headers
        .into_iter()
        .filter_map(|(name, value)| Some((name?, value)));
    let (ours, length) = (response.headers_mut(), axum::http::header::CONTENT_LENGTH);
    headers
        .filter(|(name, _)| *name != length)
        .for_each(|(name, value)| {
            ours.insert(name, value);
        });
    response
}

/// The OAuth error code to which a client reacts correctly.
pub fn word_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::TOO_MANY_REQUESTS => "slow_down",
        StatusCode::REQUEST_TIMEOUT => "server_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request",
    }
}

/// The text with only the characters that a description may have (RFC 6749 §5.2).
fn plain(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, ' '..='!' | '#'..='[' | ']'..='~');
    text.chars()
        .map(|c| if is_allowed(c) { c } else { '\'' })
        .collect()
}

/// Get the server metadata
///
/// The authorization server metadata (RFC 8414): an OAuth client needs only the base address.
#[utoipa::path(get, path = "/.well-known/oauth-authorization-server", operation_id = "getServerMetadata",
    tag = "Device authorization",
    responses((status = 200, description = "The addresses, and what is supported.", body = ServerMetadata)))]
pub async fn metadata(State(app): State<Arc<App>>) -> Json<ServerMetadata> {
    Json(ServerMetadata::new(&app.config.base_url))
}
