//! Every response carries `x-request-id`; a valid one of the request is kept (`docs/contract.md#request-id`).

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::Response;
use playout_domain::id::uuid_v7;
use playout_store::with_time_budget;
use tracing::Instrument;

use super::error::{X_REQUEST_ID, refusal_response, unavailable_because};
use super::heads::check;
use super::protect::protect;
use crate::app::App;
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
    let is_sign_of_life = matches!(request.uri().path(), "/healthz" | "/readyz");
    let mut response = match check(&request) {
        Ok(()) if !is_sign_of_life && !app.identity.may_serve().await => unavailable_because(NOT_SERVED),
        Ok(()) => with_time_budget(DATABASE_BUDGET, next.run(request).instrument(span)).await,
        Err(refusal) => refusal_response(refusal),
    };
    response.headers_mut().insert(X_REQUEST_ID, id);
    protect(&app.config.base_url, &mut response);
    response
}

fn made(app: &App) -> HeaderValue {
    let id = uuid_v7(app.now(), chance::bytes()).to_string();
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("unnamed"))
}

fn is_fit(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    (1..=128).contains(&bytes.len())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}
