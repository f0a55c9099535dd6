//! What a page makes of an outcome.

use axum::response::{IntoResponse, Response};
use playout_domain::error::Refusal;

use super::frame::{Page, PageError};
use super::parts::Problems;
use crate::api::error::status_of;
use crate::app::AppError;

/// The outcome, or the refusal that the page shows; an internal error has a page of its own.
pub(super) fn reported<T>(outcome: Result<T, AppError>) -> Result<Result<T, Refusal>, PageError> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(AppError::Refused(refusal)) => Ok(Err(refusal)),
        Err(internal) => Err(internal.into()),
    }
}

/// The page again, with its problems and their status.
pub(super) fn refused(refusal: &Refusal, page: impl FnOnce(&Problems) -> Page) -> Response {
    let page = page(&Problems::from(refusal)).with_status(status_of(refusal.code));
    page.into_response()
}
