//! Pages for people: signing in, and what must work in any browser. Plain HTML made here, without a script.
//!
//! A page's form posts to the page's own path; what went well answers with a redirect (303), what did not with the page
//! again, the problem beside its field. Nothing here decides anything: all goes through the same use cases as the API.
//!
//! It looks at the layers of `api`, at `app`, and for the way back from a provider at `provider_callbacks`.

pub mod accounts;
pub mod device;
pub mod frame;
pub mod invitation;
pub mod next;
pub mod parts;
pub mod password;
mod qr;
pub mod security;
pub mod sign;
pub mod verification;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::address::Address;
use super::auth::{SignedIn, Visitor, visit};
use super::error::{panicked, status_of};
use super::provider_callbacks::oauth;
use super::router::limit_time;
use crate::app::{App, AppError};
use crate::web;
use frame::{Page, PageError};
use parts::Problems;
use playout_domain::error::Refusal;

/// Every page.
pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let open = Router::new()
        .route("/", get(async || Redirect::to(next::HOME)))
        .route("/sign-in", get(sign::sign_in_page).post(sign::sign_in))
        .route("/sign-in/code", get(sign::back).post(sign::sign_in_code))
        .route("/sign-up", get(sign::sign_up_page).post(sign::sign_up))
        .route(
            "/forgot-password",
            get(password::forgot_page).post(password::forgot),
        )
        .route("/reset-password", get(password::reset_page).post(password::reset))
        .route(
            "/verify-email",
            get(verification::page).post(verification::verify),
        )
        .route(
            "/accept-invitation",
            get(invitation::page).post(invitation::accept),
        )
        .layer(from_fn_with_state(Arc::clone(app), limit_posts));
    open.merge(own())
        .layer(from_fn_with_state(Arc::clone(app), web::instead))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(app), limit_time))
        .layer(from_fn_with_state(Arc::clone(app), visit))
        .route("/pages.css", get(frame::style))
        .layer(CompressionLayer::new())
}

/// What is there for those who are signed in.
fn own() -> Router<Arc<App>> {
    Router::new()
        .route("/sign-out", post(sign::sign_out))
        .route("/security", get(security::page).post(security::set_up))
        .route("/security/confirm", get(security::page).post(security::confirm))
        .route(
            "/security/recovery-codes",
            get(security::recovery_codes_page).post(security::renew_recovery_codes),
        )
        .route(
            "/security/off",
            get(security::turn_off_page).post(security::turn_off),
        )
        .route("/accounts", get(accounts::page))
        .route(
            "/accounts/connect",
            get(accounts::connect_page).post(accounts::connect),
        )
        .route("/accounts/{id}", post(accounts::switch))
        .route(
            "/accounts/{id}/disconnect",
            get(accounts::disconnect_page).post(accounts::disconnect),
        )
        .route("/oauth/{provider}/callback", get(oauth::callback))
        .route("/oauth/{provider}/callback/", get(oauth::callback))
        .route("/device", get(device::ask).post(device::decide))
        .route("/device/approved", get(device::approved))
        .route("/device/denied", get(device::denied))
}

/// What came out, or the refusal that the page shows; a fault of ours is a page by itself.
fn reported<T>(outcome: Result<T, AppError>) -> Result<Result<T, Refusal>, PageError> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(AppError::Refused(refusal)) => Ok(Err(refusal)),
        Err(internal) => Err(internal.into()),
    }
}

/// The page again, with what was wrong and its status.
fn refused(refusal: &Refusal, page: impl FnOnce(&Problems) -> Page) -> Response {
    let page = page(&Problems::from(refusal)).with_status(status_of(refusal.code));
    page.into_response()
}

/// Lets each network address send so many forms that need no session.
async fn limit_posts(
    State(app): State<Arc<App>>,
    Address(address): Address,
    request: Request,
    next: Next,
) -> Response {
    let taken = match request.method().is_safe() {
        true => Ok(()),
        false => app.take_from_address(address),
    };
    match taken {
        Ok(()) => next.run(request).await,
        Err(refusal) => PageError::from(refusal).into_response(),
    }
}

/// Whoever is signed in. Everybody else is sent to sign in, and comes back to this page then.
pub struct Person(pub SignedIn);

impl<S: Sync> FromRequestParts<S> for Person {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let visitor = parts.extensions.get::<Visitor>().cloned().unwrap_or_default();
        visitor.0.map(Self).ok_or_else(|| next::sign_in_first(parts))
    }
}
