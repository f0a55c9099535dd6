//! What a page makes of an outcome.

use axum::response::{IntoResponse, Response};
use playout_domain::error::Refusal;

use super::frame::Page;
use super::problems::Problems;
use crate::api::error::status_of;

/// The page again, with its problems and their status.
pub(super) fn refused(refusal: &Refusal, page: impl FnOnce(&Problems) -> Page) -> Response {
    let page = page(&Problems::from(refusal)).with_status(status_of(refusal.code));
    page.into_response()
}
