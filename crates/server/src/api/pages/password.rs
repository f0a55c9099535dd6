//! `/forgot-password`, and `/reset-password`, to which the mail links.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::people::MIN_PASSWORD_CHARS;
use playout_domain::secret::Secret;
use playout_wire::people::{ForgotPassword, ResetPassword};

use super::frame::{Page, PageError};
use super::outcome::refused;
use super::problems::Problems;
use super::sign::object;
use crate::api::form::Form;
use crate::api::params::Query;
use crate::api::session::device_cookie;
use crate::app::whence::Whence;
use crate::app::{App, AppError};

#[derive(Template)]
#[template(path = "pages/forgot_password.html")]
struct ForgotPage<'a> {
    email: &'a str,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/forgot_password_sent.html")]
struct SentPage;

#[derive(Template)]
#[template(path = "pages/reset_password.html")]
struct ResetPage<'a> {
    token: &'a str,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/reset_password_unusable.html")]
struct UnusablePage<'a> {
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/reset_password_done.html")]
struct DonePage;

/// `GET /forgot-password`.
pub async fn forgot_page(mut query: Query) -> Page {
    match query.flag("sent") {
        true => Page::new(&SentPage),
        false => forgot_form("", &Problems::default()),
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
        return Ok(Page::new(&DonePage).into_response());
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
    Page::new(&ForgotPage { email, problems })
}

fn reset_form(token: &str, problems: &Problems) -> Page {
    Page::new(&ResetPage { token, problems })
}

fn unusable(problems: &Problems) -> Page {
    Page::new(&UnusablePage { problems })
}
