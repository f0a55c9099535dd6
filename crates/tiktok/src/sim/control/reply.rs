//! Bodies in and out.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::sim::answer::with_headers;
use crate::sim::core::Core;

/// 200 with `body` as JSON.
pub(super) fn answer(body: &impl Serialize) -> Response {
    match serde_json::to_string(body) {
        Ok(text) => with_headers(200, &[("content-type", "application/json")], text),
        Err(error) => refuse(500, &error.to_string()),
    }
}

/// 200 with an empty object.
pub(super) fn done() -> Response {
    answer(&json!({}))
}

/// An error with a sentence that explains what is wrong.
pub(super) fn refuse(status: u16, message: &str) -> Response {
    let body = json!({ "error": message }).to_string();
    with_headers(status, &[("content-type", "application/json")], body)
}

/// The body as a `T`; the rejection explains what is wrong with it. An empty body is an empty object.
pub(super) struct Told<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Arc<Core>> for Told<T> {
    type Rejection = Response;

    async fn from_request(request: Request, core: &Arc<Core>) -> Result<Self, Response> {
        let body = Bytes::from_request(request, core)
            .await
            .map_err(|error| refuse(400, &error.to_string()))?;
        let text: &[u8] = if body.is_empty() { b"{}" } else { &body };
        serde_json::from_slice(text)
            .map(Self)
            .map_err(|error| refuse(400, &error.to_string()))
    }
}
