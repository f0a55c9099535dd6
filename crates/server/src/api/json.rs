//! JSON responses.

pub(super) mod written;

use axum::response::{IntoResponse, Response};
use serde::Serialize;

use self::written::written;
use super::error::internal_error;

/// A body in JSON.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        written(&self.0).unwrap_or_else(internal_error)
    }
}
