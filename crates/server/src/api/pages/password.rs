//! `/forgot-password`, and `/reset-password`, to which the mail links.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::people::MIN_PASSWORD_CHARS;
use playout_domain::secret::Secret;
use playout_wire::people::{ForgotPassword, ResetPassword};

use super::frame::{Page, PageError};
use super::outcome::refused;
use super::parts::{Field, Problems};
use super::sign::{address, object};
use crate::api::auth::Visitor;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::params::Query;
use crate::api::session::device_cookie;
use crate::app::whence::Whence;
use crate::app::{App, AppError};

/// `GET /forgot-password`.
pub async fn forgot_page(mut query: Query) -> Response {
    match query.flag("sent") {
        true => sent(),
        false => forgot_form("", &Problems::default()).into_response(),
    }
}

/// `POST /forgot-password`.
pub async fn forgot(State(app): State<Arc<App>>, form: Form) -> Result<Response, PageError> {
    let asked = match ForgotPassword::read(&object(&form, &["email"])).map_err(Refusal::invalid) {
        Ok(request) => app.forgot_password(request.email.as_str().to_owned()).await,
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match asked {
        Ok(()) => Redirect::to("/forgot-password?sent=true").into_response(),
        Err(AppError::Refused(refusal)) => {
            refused(&refusal, |problems| forgot_form(form.text("email"), problems))
        }
        Err(error) => return Err(error.into()),
    })
}

/// `GET /reset-password`.
pub async fn reset_page(State(app): State<Arc<App>>, mut query: Query) -> Result<Response, PageError> {
    if query.flag("done") {
        return Ok(done());
    }
    let token = query.text("token").unwrap_or_default();
    let checked = app.check_password_reset(&Secret::new(token.clone())).await;
    Ok(match checked {
        Ok(()) => reset_form(&token, &Problems::default()).into_response(),
        Err(AppError::Refused(refusal)) => refused(&refusal, unusable),
        Err(error) => return Err(error.into()),
    })
}

/// `POST /reset-password`.
pub async fn reset(State(app): State<Arc<App>>, from: Whence, form: Form) -> Result<Response, PageError> {
    let body = object(&form, &["token", "password"]);
    let is_reset = match ResetPassword::read(&body).map_err(Refusal::invalid) {
        Ok(request) => app.reset_password(request, &from).await,
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match is_reset {
        Ok(device) => {
            let cookie = device_cookie(&app.config.base_url, &device);
            let done = Redirect::to("/reset-password?done=true");
            (AppendHeaders([(SET_COOKIE, cookie)]), done).into_response()
        }
        Err(AppError::Refused(refusal)) if refusal.details.is_some() => {
            refused(&refusal, |problems| reset_form(form.text("token"), problems))
        }
        Err(AppError::Refused(refusal)) => refused(&refusal, unusable),
        Err(error) => return Err(error.into()),
    })
}

fn forgot_form(email: &str, problems: &Problems) -> Page {
    let mut html = Html::default();
    html.raw("<p>We mail you a link to choose a new one.</p>");
    html.problem(problems).form("/forgot-password", |html| {
        let field = Field {
            is_first: true,
            ..address(email)
        };
        html.field(field, problems).button("Send the link");
    });
    html.raw("<p class=\"else\"><a href=\"/sign-in\">Sign in</a></p>");
    Page::new("Forgotten password", &Visitor::default(), html)
}

/// The same whether or not the address has a user.
fn sent() -> Response {
    let mut html = Html::default();
    html.raw("<p>If this address has an account, a mail with a link is on its way. It works once, for an hour.</p>")
        .raw("<p class=\"else\"><a href=\"/sign-in\">Sign in</a></p>");
    Page::new("Check your mail", &Visitor::default(), html).into_response()
}

fn reset_form(token: &str, problems: &Problems) -> Page {
    let mut html = Html::default();
    let hint = format!("At least {MIN_PASSWORD_CHARS} characters. This signs you out everywhere.");
    html.problem(problems).form("/reset-password", |html| {
        let field = Field {
            label: "New password",
            is_first: true,
            ..Field::password("new-password", Some(&hint))
        };
        html.hidden("token", token).field(field, problems).button("Save");
    });
    Page::new("Choose a new password", &Visitor::default(), html)
}

fn unusable(problems: &Problems) -> Page {
    let mut html = Html::default();
    html.problem(problems)
        .raw("<p><a class=\"button\" href=\"/forgot-password\">Send another link</a></p>");
    Page::new("This link does not work", &Visitor::default(), html)
}

fn done() -> Response {
    let mut html = Html::default();
    html.raw(
        "<p class=\"notice\" role=\"status\">You have a new password, and are signed out everywhere.</p>",
    )
    .raw("<p><a class=\"button primary\" href=\"/sign-in\">Sign in</a></p>");
    Page::new("Your new password", &Visitor::default(), html).into_response()
}
