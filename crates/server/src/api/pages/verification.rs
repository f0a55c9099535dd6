//! `/verify-email`, to which the mail links. Opening the link changes nothing, because mail programs open links; the button does.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_wire::people::read_verification;

use super::frame::{Page, PageError};
use super::outcome::refused;
use super::problems::Problems;
use super::sign::object;
use crate::api::form::Form;
use crate::api::params::Query;
use crate::app::{App, AppError};

#[derive(Template)]
#[template(path = "pages/verify_email.html")]
struct VerifyEmailPage<'a> {
    token: &'a str,
}

#[derive(Template)]
#[template(path = "pages/verify_email_unusable.html")]
struct UnusablePage<'a> {
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/verify_email_done.html")]
struct DonePage;

/// `GET /verify-email`.
pub async fn page(mut query: Query) -> Page {
    if query.flag("done") {
        return Page::new(&DonePage);
    }
    let token = query.text("token").unwrap_or_default();
    Page::new(&VerifyEmailPage { token: &token })
}

/// `POST /verify-email`.
pub async fn verify(State(app): State<Arc<App>>, form: Form) -> Result<Response, PageError> {
    let verified = match read_verification(&object(&form, &["token"])).map_err(Refusal::invalid) {
        Ok(token) => app.verify_email(&token).await,
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match verified {
        Ok(_) => Redirect::to("/verify-email?done=true").into_response(),
        Err(AppError::Refused(refusal)) => {
            refused(&refusal, |problems| Page::new(&UnusablePage { problems }))
        }
        Err(error) => return Err(error.into()),
    })
}
