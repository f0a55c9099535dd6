//! `/verify-email`, to which the mail links. Opening the link changes nothing, because mail programs open links; the button does.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_wire::people::read_verification;

use super::frame::{Page, PageError};
use super::outcome::refused;
use super::parts::Problems;
use super::sign::object;
use crate::api::auth::Visitor;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::params::Query;
use crate::app::{App, AppError};

/// `GET /verify-email`.
pub async fn page(mut query: Query) -> Response {
    if query.flag("done") {
        return done();
    }
    let token = query.text("token").unwrap_or_default();
    let mut html = Html::default();
    html.raw("<p>Only if you use this address for Playout yourself.</p>")
        .form("/verify-email", |html| {
            html.hidden("token", &token).button("Confirm the address");
        });
    Page::new("Confirm your address", &Visitor::default(), html).into_response()
}

/// `POST /verify-email`.
pub async fn verify(State(app): State<Arc<App>>, form: Form) -> Result<Response, PageError> {
    let verified = match read_verification(&object(&form, &["token"])).map_err(Refusal::invalid) {
        Ok(token) => app.verify_email(&token).await,
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match verified {
        Ok(_) => Redirect::to("/verify-email?done=true").into_response(),
        Err(AppError::Refused(refusal)) => refused(&refusal, unusable),
        Err(error) => return Err(error.into()),
    })
}

fn unusable(problems: &Problems) -> Page {
    let mut html = Html::default();
    html.problem(problems).raw(
        "<p>Sign in to have another link sent.</p><p><a class=\"button\" href=\"/sign-in\">Sign in</a></p>",
    );
    Page::new("This link does not work", &Visitor::default(), html)
}

fn done() -> Response {
    let mut html = Html::default();
    html.raw("<p class=\"notice\" role=\"status\">Your address is confirmed.</p>")
        .raw("<p><a class=\"button primary\" href=\"/\">Continue</a></p>");
    Page::new("Your address", &Visitor::default(), html).into_response()
}
