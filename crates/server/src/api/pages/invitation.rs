//! `/accept-invitation`, to which an invitation's mail links: signed-in users join, others sign up.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::people::{Invitation, MIN_PASSWORD_CHARS};
use playout_domain::secret::Secret;
use playout_wire::people::SignUp;

use super::frame::{Page, PageError};
use super::next::{HOME, with_next};
use super::outcome::refused;
use super::parts::{Field, Problems};
use super::sign::{address, go_on, name, object};
use crate::api::auth::Visitor;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::params::Query;
use crate::app::sessions::Begun;
use crate::app::whence::Whence;
use crate::app::{App, AppError};

/// The data of the page.
struct Invited<'a> {
    token: &'a str,
    invitation: &'a Invitation,
    workspace: &'a str,
}

/// `GET /accept-invitation`.
pub async fn page(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    mut query: Query,
) -> Result<Response, PageError> {
    let token = query.text("token").unwrap_or_default();
    show(&app, &visitor, &token, |invited| {
        let (visitor, problems) = (&visitor, &Problems::default());
        match visitor.0 {
            Some(_) => join_form(invited, visitor, problems).into_response(),
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
        refused(refusal, |problems| match visitor.0 {
            Some(_) => join_form(invited, visitor, problems),
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
            let mut html = Html::default();
            html.problem(problems)
                .raw("<p>Ask the person who invited you for another.</p>");
            Page::new("This invitation does not work", visitor, html)
        }),
        Err(error) => return Err(error.into()),
    })
}

fn join_form(invited: &Invited<'_>, visitor: &Visitor, problems: &Problems) -> Page {
    let mut html = Html::default();
    let email = visitor.0.as_ref().map_or("", |signed_in| &signed_in.user().email);
    html.problem(problems);
    if email == invited.invitation.email {
        html.raw("<p>You are signed in as ").text(email);
        html.raw(", and will belong to the workspace as ")
            .text(invited.invitation.role.as_str());
        html.raw(".</p>").form("/accept-invitation", |html| {
            let label = format!(
                "Join {} as {}",
                invited.workspace,
                invited.invitation.role.as_str()
            );
            html.hidden("token", invited.token).button(&label);
        });
    } else {
        html.raw("<p class=\"notice warn\">This invitation is for ")
            .text(&invited.invitation.email)
            .raw(", and you are signed in as ");
        html.text(email)
            .raw(". Sign out above, and open the link again.</p>");
    }
    Page::new(format!("Join {}", invited.workspace), visitor, html)
}

fn sign_up_form(invited: &Invited<'_>, typed_name: &str, problems: &Problems) -> Page {
    let mut html = Html::default();
    let email = Field {
        is_fixed: true,
        ..address(&invited.invitation.email)
    };
    let hint = format!("At least {MIN_PASSWORD_CHARS} characters.");
    html.raw("<p>You are invited as ")
        .text(invited.invitation.role.as_str())
        .raw(".</p>");
    html.problem(problems).form("/accept-invitation", |html| {
        html.hidden("token", invited.token).field(email, problems);
        html.field(name(typed_name), problems)
            .field(Field::password("new-password", Some(&hint)), problems)
            .button("Sign up and join");
    });
    let back: String = url::form_urlencoded::byte_serialize(invited.token.as_bytes()).collect();
    html.raw("<p class=\"else\">Here already? <a href=\"")
        .text(&with_next(
            "/sign-in",
            &format!("/accept-invitation?token={back}"),
        ))
        .raw("\">Sign in</a></p>");
    Page::new(format!("Join {}", invited.workspace), &Visitor::default(), html)
}
