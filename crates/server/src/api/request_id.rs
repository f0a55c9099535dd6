//! Every response carries `x-request-id`; a valid one of the request is kept (`docs/contract.md#request-id`).

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_domain::id::uuid_v7;
use playout_store::with_time_budget;
use tracing::Instrument;

use super::error::{ApiError, X_REQUEST_ID, refusal_response, unavailable_because};
use super::heads::check;
use super::protect::protect;
use crate::app::{App, AppError};
use crate::chance;

/// The message of a node that serves no requests; the reason is in its log.
const NOT_SERVED: &str = "This node cannot serve requests at the moment: it does not fit its database. Its log has the reason and what to do.";

/// How long the database may delay a request, so that an error is returned within five seconds.
const DATABASE_BUDGET: Duration = Duration::from_millis(4500);

/// Gives the request an ID, in its response and in every log line; checks its head and completes the headers of the response. All
/// in one layer, because every request needs them.
pub async fn name_request(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let given = request
        .headers()
        .get(&X_REQUEST_ID)
        .filter(|value| is_fit(value))
        .cloned();
    let id = given.unwrap_or_else(|| made(&app));
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = %request.method(),
        path = request.uri().path()
    );
    request.headers_mut().insert(X_REQUEST_ID, id.clone());
    allow_plain(request.headers_mut());
    let is_sign_of_life = matches!(request.uri().path(), "/healthz" | "/readyz");
    let is_change = !request.method().is_safe();
    let mut response = match check(&request) {
        Ok(()) if !is_sign_of_life && !app.identity.may_serve().await => unavailable_because(NOT_SERVED),
        Ok(()) => with_time_budget(DATABASE_BUDGET, next.run(request).instrument(span)).await,
        Err(refusal) => refusal_response(refusal),
    };
    // What it was refused for may not be on the disk yet, as that the post was deleted by the same request before.
    if is_change
        && is_about_others(response.status())
        && let Err(error) = app.store.settled().await
    {
        response = ApiError::from(AppError::from(error)).into_response();
    }
    response.headers_mut().insert(X_REQUEST_ID, id);
    protect(&app.config.base_url, &mut response);
    response
}

/// Whether a change was refused for what is stored. Other refusals, as of a key or a rate, wait for no other request.
fn is_about_others(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED
    )
}

fn made(app: &App) -> HeaderValue {
    let id = uuid_v7(app.now(), chance::bytes()).to_string();
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("unnamed"))
}

/// Ignores what in an `Accept-Encoding` forbids a response without a content coding, as RFC 9110 allows (section 12.5.3): the work would
/// be done, and the response be 406.
fn allow_plain(headers: &mut HeaderMap) {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let codings: Vec<&[u8]> = values
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .collect();
    if !codings.iter().any(|coding| forbids_plain(coding)) {
        return;
    }
    let others: Vec<&[u8]> = codings
        .into_iter()
        .filter(|coding| !forbids_plain(coding))
        .collect();
    match HeaderValue::from_bytes(&others.join(&b',')) {
        Ok(value) if !value.is_empty() => drop(headers.insert(ACCEPT_ENCODING, value)),
        _ => drop(headers.remove(ACCEPT_ENCODING)),
    }
}

/// Whether it is `identity` or `*` with a weight of 0.
fn forbids_plain(coding: &[u8]) -> bool {
    let mut parts = coding.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    let is_plain = parts
        .next()
        .is_some_and(|name| name.eq_ignore_ascii_case(b"identity") || name == b"*");
    let weight = parts
        .next()
        .and_then(|weight| weight.get(2..))
        .unwrap_or_default();
    is_plain && weight.starts_with(b"0") && weight.iter().all(|byte| matches!(byte, b'0' | b'.'))
}

fn is_fit(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    (1..=128).contains(&bytes.len())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}
