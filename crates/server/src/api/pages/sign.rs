//! `/sign-in`, `/sign-up`, `/sign-out`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::people::MIN_PASSWORD_CHARS;
use playout_wire::people::{SignIn, SignUp};
use serde_json::{Map, Value};

use super::Person;
use super::frame::{Page, PageError};
use super::next::{local, with_next};
use super::parts::{Field, Problems};
use crate::api::address::Address;
use crate::api::auth::Visitor;
use crate::api::error::status_of;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::params::Query;
use crate::api::session::{clear_cookie, set_cookie};
use crate::app::sessions::Begun;
use crate::app::{App, AppError};

/// `GET /sign-in`.
pub async fn sign_in_page(visitor: Visitor, mut query: Query) -> Response {
    let next = query.text("next").unwrap_or_default();
    match visitor.0 {
        Some(_) => Redirect::to(local(&next)).into_response(),
        None => sign_in_form("", &next, &Problems::default()).into_response(),
    }
}

/// `POST /sign-in`.
pub async fn sign_in(
    State(app): State<Arc<App>>,
    Address(from): Address,
    form: Form,
) -> Result<Response, PageError> {
    let body = object(&form, &["email", "password"]);
    let begun = match SignIn::read(&body).map_err(Refusal::invalid) {
        Ok(request) => app.sign_in(request, from).await,
        Err(refusal) => Err(refusal.into()),
    };
    let (email, next) = (form.text("email"), form.text("next"));
    match begun {
        Ok(begun) => Ok(go_on(&app, &begun, next)),
        Err(AppError::Refused(refusal)) => {
            let page = sign_in_form(email, next, &Problems::from(&refusal));
            Ok(page.with_status(status_of(refusal.code)).into_response())
        }
        Err(internal) => Err(internal.into()),
    }
}

/// `GET /sign-up`.
pub async fn sign_up_page(visitor: Visitor, mut query: Query) -> Response {
    let next = query.text("next").unwrap_or_default();
    match visitor.0 {
        Some(_) => Redirect::to(local(&next)).into_response(),
        None => sign_up_form(["", ""], &next, &Problems::default()).into_response(),
    }
}

/// `POST /sign-up`.
pub async fn sign_up(
    State(app): State<Arc<App>>,
    Address(from): Address,
    form: Form,
) -> Result<Response, PageError> {
    let body = object(&form, &["email", "password", "name"]);
    let begun = match SignUp::read(&body).map_err(Refusal::invalid) {
        Ok(request) => app.sign_up(request, from).await,
        Err(refusal) => Err(refusal.into()),
    };
    let (kept, next) = ([form.text("email"), form.text("name")], form.text("next"));
    match begun {
        Ok(begun) => Ok(go_on(&app, &begun, next)),
        Err(AppError::Refused(refusal)) => {
            let page = sign_up_form(kept, next, &Problems::from(&refusal));
            Ok(page.with_status(status_of(refusal.code)).into_response())
        }
        Err(internal) => Err(internal.into()),
    }
}

/// `POST /sign-out`.
pub async fn sign_out(State(app): State<Arc<App>>, Person(signed_in): Person) -> Result<Response, PageError> {
    app.sign_out(&signed_in.presented.token).await?;
    let cookie = [(SET_COOKIE, clear_cookie(&app.config.base_url))];
    Ok((cookie, Redirect::to("/sign-in")).into_response())
}

/// The fields that were filled in, as a body of the API.
fn object(form: &Form, names: &[&str]) -> Value {
    let given = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), form.given(name)?.into())));
    Value::Object(given.collect::<Map<_, _>>())
}

/// The browser gets its cookie and goes on.
fn go_on(app: &App, begun: &Begun, next: &str) -> Response {
    let cookie = [(SET_COOKIE, set_cookie(&app.config.base_url, &begun.token))];
    (StatusCode::SEE_OTHER, cookie, Redirect::to(local(next))).into_response()
}

fn sign_in_form(email: &str, next: &str, problems: &Problems) -> Page {
    let mut html = Html::default();
    html.problem(problems).form("/sign-in", |html| {
        html.hidden("next", next)
            .field(address(email), problems)
            .field(password("current-password", None), problems)
            .button("Sign in");
    });
    html.raw("<p class=\"else\">New here? <a href=\"")
        .text(&with_next("/sign-up", next))
        .raw("\">Sign up</a></p>");
    Page::new("Sign in", &Visitor::default(), html)
}

fn sign_up_form([email, name]: [&str; 2], next: &str, problems: &Problems) -> Page {
    let mut html = Html::default();
    let hint = format!("At least {MIN_PASSWORD_CHARS} characters.");
    html.problem(problems).form("/sign-up", |html| {
        html.hidden("next", next)
            .field(address(email), problems)
            .field(
                Field {
                    name: "name",
                    label: "Your name",
                    kind: "text",
                    autocomplete: "name",
                    value: name,
                    is_optional: true,
                    ..Field::default()
                },
                problems,
            )
            .field(password("new-password", Some(&hint)), problems)
            .button("Sign up");
    });
    html.raw("<p class=\"else\">Here already? <a href=\"")
        .text(&with_next("/sign-in", next))
        .raw("\">Sign in</a></p>");
    Page::new("Sign up", &Visitor::default(), html)
}

fn address(value: &str) -> Field<'_> {
    Field {
        name: "email",
        label: "E-mail",
        kind: "email",
        autocomplete: "username",
        value,
        ..Field::default()
    }
}

fn password<'a>(autocomplete: &'a str, hint: Option<&'a str>) -> Field<'a> {
    Field {
        name: "password",
        label: "Password",
        kind: "password",
        autocomplete,
        hint,
        ..Field::default()
    }
}
