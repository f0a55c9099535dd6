//! `/sign-in` and its second step, `/sign-up`, `/sign-out`.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use playout_domain::error::{Code, Refusal};
use playout_domain::people::MIN_PASSWORD_CHARS;
use playout_domain::secret::Secret;
use playout_wire::people::{SignIn, SignUp};
use playout_wire::second_factor::ConfirmSecondFactor;
use serde_json::{Map, Value};

use super::frame::{Page, PageError};
use super::next::{local, with_next};
use super::outcome::refused;
use super::person::Person;
use super::problems::Problems;
use crate::api::auth::Visitor;
use crate::api::form::Form;
use crate::api::params::Query;
use crate::api::session::{clear_cookie, device_cookie, set_cookie};
use crate::app::second_factor::SignInStep;
use crate::app::sessions::Begun;
use crate::app::whence::Whence;
use crate::app::{App, AppError};

#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignInPage<'a> {
    email: &'a str,
    next: &'a str,
    problems: &'a Problems,
    /// The address of the page for new users.
    sign_up: String,
}

#[derive(Template)]
#[template(path = "pages/sign_in_code.html")]
struct CodePage<'a> {
    step: &'a str,
    next: &'a str,
    problems: &'a Problems,
    /// The address of the first step.
    sign_in: String,
}

#[derive(Template)]
#[template(path = "pages/sign_up.html")]
struct SignUpPage<'a> {
    email: &'a str,
    name: &'a str,
    next: &'a str,
    setup_code_required: bool,
    problems: &'a Problems,
    /// The address of the page for users who have an account.
    sign_in: String,
}

/// `GET /sign-in`.
pub async fn sign_in_page(visitor: Visitor, mut query: Query) -> Response {
    let next = query.text("next").unwrap_or_default();
    match visitor.0 {
        Some(_) => Redirect::to(local(&next)).into_response(),
        None => sign_in_form("", &next, &Problems::default()).into_response(),
    }
}

/// `POST /sign-in`.
pub async fn sign_in(State(app): State<Arc<App>>, from: Whence, form: Form) -> Result<Response, PageError> {
    let body = object(&form, &["email", "password"]);
    let step = match SignIn::read(&body).map_err(Refusal::invalid) {
        Ok(request) => app.sign_in_by_steps(request, from).await,
        Err(refusal) => Err(refusal.into()),
    };
    let (email, next) = (form.text("email"), form.text("next"));
    Ok(match step {
        Ok(SignInStep::In(begun)) => go_on(&app, &begun, next),
        Ok(SignInStep::CodeAwaited(token)) => {
            code_form(token.expose(), next, &Problems::default()).into_response()
        }
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| sign_in_form(email, next, problems)),
        Err(error) => return Err(error.into()),
    })
}

/// `GET /sign-in/code`: back to the first step.
pub async fn back() -> Redirect {
    Redirect::to("/sign-in")
}

/// `POST /sign-in/code`.
pub async fn sign_in_code(
    State(app): State<Arc<App>>,
    from: Whence,
    form: Form,
) -> Result<Response, PageError> {
    let (step, next) = (form.text("step"), form.text("next"));
    let begun = match ConfirmSecondFactor::read(&object(&form, &["code"])).map_err(Refusal::invalid) {
        Ok(request) => app.finish_sign_in(&Secret::new(step), &request.code, from).await,
        Err(refusal) => Err(refusal.into()),
    };
    Ok(match begun {
        Ok(begun) => go_on(&app, &begun, next),
        Err(AppError::Refused(refusal)) if refusal.code == Code::InvalidSession => {
            refused(&refusal, |problems| sign_in_form("", next, problems))
        }
        Err(AppError::Refused(refusal)) => refused(&refusal, |problems| code_form(step, next, problems)),
        Err(error) => return Err(error.into()),
    })
}

/// `GET /sign-up`.
pub async fn sign_up_page(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    mut query: Query,
) -> Result<Response, PageError> {
    let next = query.text("next").unwrap_or_default();
    if visitor.0.is_some() {
        return Ok(Redirect::to(local(&next)).into_response());
    }
    let page = SignUpPage {
        email: "",
        name: "",
        next: &next,
        setup_code_required: app.sign_up_conditions().await?.setup_code_required,
        problems: &Problems::default(),
        sign_in: with_next("/sign-in", &next),
    };
    Ok(Page::new(&page).into_response())
}

/// `POST /sign-up`.
pub async fn sign_up(State(app): State<Arc<App>>, from: Whence, form: Form) -> Result<Response, PageError> {
    let body = object(&form, &["email", "password", "name", "setupCode"]);
    let begun = match SignUp::read(&body).map_err(Refusal::invalid) {
        Ok(request) => app.sign_up(request, from).await,
        Err(refusal) => Err(refusal.into()),
    };
    match begun {
        Ok(begun) => Ok(go_on(&app, &begun, form.text("next"))),
        Err(AppError::Refused(refusal)) => {
            let conditions = app.sign_up_conditions().await?;
            Ok(refused(&refusal, |problems| {
                Page::new(&SignUpPage {
                    email: form.text("email"),
                    name: form.text("name"),
                    next: form.text("next"),
                    setup_code_required: conditions.setup_code_required,
                    problems,
                    sign_in: with_next("/sign-in", form.text("next")),
                })
            }))
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /sign-out`.
pub async fn sign_out(State(app): State<Arc<App>>, Person(signed_in): Person) -> Result<Response, PageError> {
    app.sign_out(&signed_in.presented.token, &signed_in.actor).await?;
    let cookie = [(SET_COOKIE, clear_cookie(&app.config.base_url))];
    Ok((cookie, Redirect::to("/sign-in")).into_response())
}

/// The fields that were filled in, as a body of the API.
pub(super) fn object(form: &Form, names: &[&str]) -> Value {
    let given = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), form.given(name)?.into())));
    Value::Object(given.collect::<Map<_, _>>())
}

/// Redirects the browser, with its cookies.
pub(super) fn go_on(app: &App, begun: &Begun, next: &str) -> Response {
    let cookies = AppendHeaders([
        (SET_COOKIE, set_cookie(&app.config.base_url, &begun.token)),
        (SET_COOKIE, device_cookie(&app.config.base_url, &begun.device)),
    ]);
    (StatusCode::SEE_OTHER, cookies, Redirect::to(local(next))).into_response()
}

fn sign_in_form(email: &str, next: &str, problems: &Problems) -> Page {
    let sign_up = with_next("/sign-up", next);
    Page::new(&SignInPage {
        email,
        next,
        problems,
        sign_up,
    })
}

fn code_form(step: &str, next: &str, problems: &Problems) -> Page {
    let sign_in = with_next("/sign-in", next);
    Page::new(&CodePage {
        step,
        next,
        problems,
        sign_in,
    })
}
