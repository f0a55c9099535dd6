//! `/device`: where a person approves a program without a browser (RFC 8628 §3.3). They type its code, or confirm the one in the
//! address, see the program and the permissions, and decide. An address alone never decides anything (§5.4).

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::device::{PendingDevice, UserCode};
use playout_domain::error::{Issue, IssueCode, Refusal, Violation};
use playout_domain::workspace::{Role, Workspace};
use playout_wire::read::parse_uuid;

use super::frame::{Page, PageError};
use super::person::Person;
use super::problems::Problems;
use crate::api::auth::{SignedIn, Visitor, enter_workspace};
use crate::api::error::status_of;
use crate::api::form::Form;
use crate::api::params::Query;
use crate::app::{App, AppError};

/// A program that requests a key, and its user code.
struct DeviceRequest {
    code: UserCode,
    device: PendingDevice,
}

#[derive(Template)]
#[template(path = "pages/device_code.html")]
struct CodePage<'a> {
    signed_in: &'a SignedIn,
    code: &'a str,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/device_decision.html")]
struct DecisionPage<'a> {
    signed_in: &'a SignedIn,
    request: &'a DeviceRequest,
    /// When it was made, in words.
    requested: String,
    /// Those in which the user may create keys.
    workspaces: Vec<Workspace>,
    problems: &'a Problems,
}

#[derive(Template)]
#[template(path = "pages/device_approved.html")]
struct ApprovedPage {
    visitor: Visitor,
}

#[derive(Template)]
#[template(path = "pages/device_denied.html")]
struct DeniedPage {
    visitor: Visitor,
}

/// `GET /device`: asks for the code, or to confirm the one in the address.
pub async fn ask(Person(signed_in): Person, mut query: Query) -> Page {
    let given = query.text("user_code").unwrap_or_default();
    let shown = UserCode::parse(&given).map_or(given, |code| code.to_string());
    code_form(&signed_in, &shown, &Problems::default())
}

/// `POST /device`: shows the request, and then carries out the decision.
pub async fn decide(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let typed = form.text("user_code");
    match find(&app, &signed_in, typed).await {
        Ok(request) => act(&app, &signed_in, &form, &request).await,
        Err(AppError::Refused(refusal)) => {
            let page = code_form(&signed_in, typed, &Problems::from(&refusal));
            Ok(page.with_status(status_of(refusal.code)).into_response())
        }
        Err(internal) => Err(internal.into()),
    }
}

async fn act(
    app: &App,
    signed_in: &SignedIn,
    form: &Form,
    request: &DeviceRequest,
) -> Result<Response, PageError> {
    match form.text("decision") {
        "approve" => approve(app, signed_in, form, request).await,
        "deny" => {
            app.deny_device(request.device.id).await?;
            Ok(Redirect::to("/device/denied").into_response())
        }
        _ => {
            let page = decision_form(app, signed_in, request, &Problems::default()).await?;
            Ok(page.into_response())
        }
    }
}

/// `GET /device/approved`.
pub async fn approved(visitor: Visitor) -> Page {
    Page::new(&ApprovedPage { visitor })
}

/// `GET /device/denied`.
pub async fn denied(visitor: Visitor) -> Page {
    Page::new(&DeniedPage { visitor })
}

/// An empty code is not counted as a wrong one.
async fn find(app: &App, signed_in: &SignedIn, typed: &str) -> Result<DeviceRequest, AppError> {
    match typed.trim() {
        "" => Err(Refusal::invalid(vec![Issue::field("user_code", Violation::required())]).into()),
        typed => {
            let (code, device) = app.get_device(signed_in.user(), typed).await?;
            Ok(DeviceRequest { code, device })
        }
    }
}

async fn approve(
    app: &App,
    signed_in: &SignedIn,
    form: &Form,
    request: &DeviceRequest,
) -> Result<Response, PageError> {
    let Some(workspace) = parse_uuid(form.text("organization")) else {
        let refusal = Refusal::invalid(vec![Issue::field(
            "organization",
            IssueCode::Required.with("choose a workspace"),
        )]);
        let page = decision_form(app, signed_in, request, &Problems::from(&refusal)).await?;
        return Ok(page.with_status(StatusCode::BAD_REQUEST).into_response());
    };
    let caller = enter_workspace(app, signed_in, workspace, Role::Admin).await?;
    app.approve_device(workspace, request.device.id, caller.member()?.actor)
        .await?;
    Ok(Redirect::to("/device/approved").into_response())
}

fn code_form(signed_in: &SignedIn, code: &str, problems: &Problems) -> Page {
    Page::new(&CodePage {
        signed_in,
        code,
        problems,
    })
}

async fn decision_form(
    app: &App,
    signed_in: &SignedIn,
    request: &DeviceRequest,
    problems: &Problems,
) -> Result<Page, AppError> {
    let workspaces = app.store.list_workspaces_of(signed_in.user().id).await?;
    let administered = workspaces
        .into_iter()
        .filter(|(_, role)| role.covers(Role::Admin));
    let minutes = app.now().since(request.device.created_at).as_secs() / 60;
    Ok(Page::new(&DecisionPage {
        signed_in,
        request,
        requested: ago(minutes),
        workspaces: administered.map(|(workspace, _)| workspace).collect(),
        problems,
    }))
}

fn ago(minutes: u64) -> String {
    match minutes {
        0 => "just now".to_owned(),
        1 => "a minute ago".to_owned(),
        minutes => format!("{minutes} minutes ago"),
    }
}
