//! JSON responses.

pub(super) mod written;

use axum::response::{IntoResponse, Response};
use serde::Serialize;

use self::written::{written, written_in};
use super::error::internal_error;

/// A body in JSON.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        written(&self.0).unwrap_or_else(internal_error)
    }
}

/// A body in JSON that takes about so many bytes, for lists that may be long.
#[derive(Debug, Clone, Copy)]
pub struct LongJson<T> {
    /// The body.
    pub body: T,
    /// About how many bytes it is.
    pub bytes: usize,
}

impl<T: Serialize> IntoResponse for LongJson<T> {
    fn into_response(self) -> Response {
        written_in(&self.body, self.bytes).unwrap_or_else(internal_error)
    }
}
