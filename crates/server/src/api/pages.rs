//! Pages for people: signing in, and everything that must work in any browser. Plain HTML without a script, from the templates in
//! `templates/pages/`.
//!
//! A page's form posts to the page's own path; success returns a redirect (303), failure the page with the problem beside its
//! field. The pages hold no rules: they use the same use cases as the API.
//!
//! Imports the callback of `provider_callbacks`, the layers of `api`, and `app`, but no other room.

pub mod accounts;
pub mod device;
pub mod frame;
pub mod invitation;
pub mod next;
mod outcome;
pub mod password;
pub mod person;
pub mod problems;
mod qr;
pub mod security;
pub mod sign;
pub mod verification;
mod visit;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::address::Address;
use super::error::panicked;
use super::limits::limit_time;
use super::provider_callbacks::oauth;
use super::web;
use crate::app::App;
use frame::PageError;
use visit::visit;

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

/// The pages for signed-in users.
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

/// Limits, per network address, the forms that need no session.
async fn limit_posts(
    State(app): State<Arc<App>>,
    Address(address): Address,
    request: Request,
    next: Next,
) -> Response {
    let taken = match request.method().is_safe() {
        true => Ok(()),
        false => app.take_from_address(address).await,
    };
    match taken {
        Ok(()) => next.run(request).await,
        Err(refusal) => PageError::from(refusal).into_response(),
    }
}
