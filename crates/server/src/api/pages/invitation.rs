//! `/accept-invitation`, to which an invitation's mail links: signed-in users join, others sign up.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::people::{Invitation, MIN_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use playout_wire::people::SignUp;

use super::frame::{Page, PageError};
use super::next::{HOME, with_next};
use super::outcome::refused;
use super::problems::Problems;
use super::sign::{go_on, object};
use crate::api::auth::{SignedIn, Visitor};
use crate::api::form::Form;
use crate::api::params::Query;
use crate::app::sessions::Begun;
use crate::app::whence::Whence;
use crate::app::{App, AppError};

/// An invitation that can be accepted.
struct Invited<'a> {
    token: &'a str,
    invitation: &'a Invitation,
    workspace: &'a str,
}

#[derive(Template)]
#[template(path = "pages/join.html")]
struct JoinPage<'a> {
    invited: &'a Invited<'a>,
    signed_in: &'a SignedIn,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/sign_up_and_join.html")]
struct SignUpAndJoinPage<'a> {
    invited: &'a Invited<'a>,
    name: &'a str,
    problems: &'a Problems,
    /// The address of the page for users who have an account, which leads back here.
    sign_in: String,
}

#[derive(Template)]
#[template(path = "pages/invitation_unusable.html")]
struct UnusablePage<'a> {
    visitor: &'a Visitor,
    problems: &'a Problems,
}

/// `GET /accept-invitation`.
pub async fn page(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    mut query: Query,
) -> Result<Response, PageError> {
    let token = query.text("token").unwrap_or_default();
    show(&app, &visitor, &token, |invited| {
        let problems = &Problems::default();
        match &visitor.0 {
            Some(signed_in) => join_form(invited, signed_in, problems).into_response(),
            None => sign_up_form(invited, "", problems).into_response(),
        }
    })
    .await
}

/// `POST /accept-invitation`.
pub async fn accept(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    from: Whence,
    form: Form,
) -> Result<Response, PageError> {
    let token = Secret::new(form.text("token"));
    let outcome = match &visitor.0 {
        Some(signed_in) => app
            .accept_invitation(&token, signed_in.user(), &signed_in.actor)
            .await
            .map(|_| None),
        None => sign_up(&app, &form, from).await.map(Some),
    };
    match outcome {
        Ok(Some(begun)) => Ok(go_on(&app, &begun, HOME)),
        Ok(None) => Ok(Redirect::to(HOME).into_response()),
        Err(AppError::Refused(refusal)) => again(&app, &visitor, &form, &refusal).await,
        Err(error) => Err(error.into()),
    }
}

async fn sign_up(app: &Arc<App>, form: &Form, from: Whence) -> Result<Begun, AppError> {
    let mut body = object(form, &["email", "password", "name"]);
    body["invitation"] = form.text("token").into();
    app.sign_up(SignUp::read(&body).map_err(Refusal::invalid)?, from)
        .await
}

/// The page with its problems.
async fn again(app: &App, visitor: &Visitor, form: &Form, refusal: &Refusal) -> Result<Response, PageError> {
    show(app, visitor, form.text("token"), |invited| {
        refused(refusal, |problems| match &visitor.0 {
            Some(signed_in) => join_form(invited, signed_in, problems),
            None => sign_up_form(invited, form.text("name"), problems),
        })
    })
    .await
}

/// `page` for an invitation that can be accepted; for any other, a page that it is not valid.
async fn show(
    app: &App,
    visitor: &Visitor,
    token: &str,
    page: impl FnOnce(&Invited<'_>) -> Response,
) -> Result<Response, PageError> {
    Ok(match app.get_invitation(&Secret::new(token)).await {
        Ok((invitation, workspace)) => page(&Invited {
            token,
            invitation: &invitation,
            workspace: &workspace,
        }),
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| {
            Page::new(&UnusablePage { visitor, problems })
        }),
        Err(error) => return Err(error.into()),
    })
}

fn join_form(invited: &Invited<'_>, signed_in: &SignedIn, problems: &Problems) -> Page {
    Page::new(&JoinPage {
        invited,
        signed_in,
        problems,
    })
}

fn sign_up_form(invited: &Invited<'_>, name: &str, problems: &Problems) -> Page {
    let token: String = url::form_urlencoded::byte_serialize(invited.token.as_bytes()).collect();
    let back = format!("/accept-invitation?token={token}");
    Page::new(&SignUpAndJoinPage {
        invited,
        name,
        problems,
        sign_in: with_next("/sign-in", &back),
    })
}
