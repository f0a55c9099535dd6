//! The endpoint for notifications of providers.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Code, Refusal};
use playout_domain::platform::Connection;

use crate::api::error::{ApiError, not_found};
use crate::api::params::Names;
use crate::app::App;

/// Receives one notification. One that is not genuine gets 401 and changes nothing.
pub async fn receive(
    State(app): State<Arc<App>>,
    Names(provider): Names<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let Some(known) = app.provider(&provider, Connection::Creator) else {
        return Ok(not_found());
    };
    let body = body.map_err(|_| Refusal::new(Code::PayloadTooLarge, "The notification is too large."))?;
    let header = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    let Some(event) = known.read_event(&header, &body, app.now()) else {
        if let Some(count) = app.forged_notifications.count(app.now()) {
            tracing::warn!(
                count,
                "rejected {count} notifications that {provider} did not sign; logged once a minute"
            );
        }
        return Ok(StatusCode::UNAUTHORIZED.into_response());
    };
    app.take_event(&provider, &event).await?;
    Ok(StatusCode::OK.into_response())
}
