//! Who a page is for, where it needs a session.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;

use super::next::sign_in_first;
use crate::api::auth::{SignedIn, Visitor};

/// The signed-in user. Other visitors are redirected to sign in, and then back to this page.
pub struct Person(pub SignedIn);

impl<S: Sync> FromRequestParts<S> for Person {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let visitor = parts.extensions.get::<Visitor>().cloned().unwrap_or_default();
        visitor.0.map(Self).ok_or_else(|| sign_in_first(parts))
    }
}
