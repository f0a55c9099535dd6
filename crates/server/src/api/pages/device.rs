//! `/device`: where a person approves a program without a browser (RFC 8628 §3.3). They type its code, or confirm the one in the
//! address, see the program and the permissions, and decide. An address alone never decides anything (§5.4).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::device::{PendingDevice, UserCode};
use playout_domain::error::{Issue, IssueCode, Refusal, Violation};
use playout_domain::workspace::{Role, Workspace};
use playout_wire::read::parse_uuid;

use super::frame::{Page, PageError};
use super::parts::{Field, Problems};
use super::person::Person;
use crate::api::auth::{SignedIn, Visitor, enter_workspace};
use crate::api::error::status_of;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::params::Query;
use crate::app::{App, AppError};

/// The warning against codes that someone else sent (RFC 8628 §5.4).
const WARNING: &str = "Continue only if you started this yourself, just now, and your program shows exactly this code. If someone \
    sent you the code or a link, they want to act in your name: deny it.";
/// What the key may do.
const ABILITY: &str = "With your approval it gets a key of the workspace: it can see the connected accounts, upload and delete \
    media, and publish, change and delete posts, until the key is revoked.";

/// A program that requests a key, and its user code.
struct DeviceRequest {
    code: UserCode,
    device: PendingDevice,
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
    let text =
        "Approved. Go back to your program: it gets its key with its next poll. You can close this page.";
    let outcome = Outcome {
        title: "All set",
        class: "notice",
        text,
    };
    outcome.page(&visitor)
}

/// `GET /device/denied`.
pub async fn denied(visitor: Visitor) -> Page {
    let text = "Denied. The program gets no key, and reports that. You can close this page.";
    let outcome = Outcome {
        title: "Refused",
        class: "notice warn",
        text,
    };
    outcome.page(&visitor)
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
    let mut html = Html::default();
    html.problem(problems);
    if !code.is_empty() {
        html.raw("<p>Is this the code that your program shows?</p>");
    }
    let field = Field {
        name: "user_code",
        label: "Code",
        kind: "text",
        autocomplete: "off",
        value: code,
        hint: Some("Your program shows it, such as SVC-WDJB-MJHT. Case, spaces and dashes do not matter."),
        ..Field::default()
    };
    html.form("/device", |html| {
        html.field(field, problems).button("Continue");
    });
    Page::new("Approve a program", &Visitor(Some(signed_in.clone())), html)
}

async fn decision_form(
    app: &App,
    signed_in: &SignedIn,
    request: &DeviceRequest,
    problems: &Problems,
) -> Result<Page, AppError> {
    let mut workspaces = app.store.list_workspaces_of(signed_in.user().id).await?;
    workspaces.retain(|(_, role)| role.covers(Role::Admin));
    let mut html = Html::default();
    html.problem(problems);
    let minutes = app.now().since(request.device.created_at).as_secs() / 60;
    tell(&mut html, request, minutes);
    html.form("/device", |html| {
        html.hidden("user_code", &request.code.to_string());
        choice(html, &workspaces, problems);
        html.raw("<div class=\"actions\">");
        if !workspaces.is_empty() {
            html.raw("<button class=\"primary\" name=\"decision\" value=\"approve\">Approve</button>");
        }
        html.raw(
            "<button class=\"danger\" name=\"decision\" value=\"deny\" formnovalidate>Refuse</button></div>",
        );
    });
    Ok(Page::new(
        "Approve this program?",
        &Visitor(Some(signed_in.clone())),
        html,
    ))
}

/// The program, when it asked, for what, and the warning.
fn tell(html: &mut Html, request: &DeviceRequest, minutes: u64) {
    let DeviceRequest { code, device } = request;
    html.raw("<p class=\"notice warn\">").text(WARNING);
    html.raw("</p><dl>");
    fact(html, "Code", &code.to_string());
    fact(
        html,
        "Program",
        device.client_name.as_deref().unwrap_or("gave no name"),
    );
    fact(
        html,
        "Requested from",
        device.client_address.as_deref().unwrap_or("an unknown address"),
    );
    fact(html, "Requested", &ago(minutes));
    html.raw("</dl><p class=\"soft\">The program has chosen its name itself.</p><p>")
        .text(ABILITY)
        .raw("</p>");
}

/// The workspace of the key: a choice, if there are several.
fn choice(html: &mut Html, workspaces: &[(Workspace, Role)], problems: &Problems) {
    match workspaces {
        [] => {
            html.raw(
                "<p class=\"notice warn\">You may not create keys in any workspace: ask an owner or an admin.</p>",
            );
        }
        [(only, _)] => {
            html.raw("<p>Workspace: <strong>")
                .text(&only.name)
                .raw("</strong></p>");
            html.hidden("organization", &only.id.to_string());
        }
        several => {
            let options: Vec<(String, &str)> = several
                .iter()
                .map(|(known, _)| (known.id.to_string(), known.name.as_str()))
                .collect();
            html.select(("organization", "Workspace"), &options, problems);
        }
    }
}

fn fact(html: &mut Html, name: &str, value: &str) {
    html.raw("<dt>")
        .text(name)
        .raw("</dt><dd>")
        .text(value)
        .raw("</dd>");
}

fn ago(minutes: u64) -> String {
    match minutes {
        0 => "just now".to_owned(),
        1 => "a minute ago".to_owned(),
        minutes => format!("{minutes} minutes ago"),
    }
}

/// The outcome of a decision.
struct Outcome {
    title: &'static str,
    /// The CSS classes of the text.
    class: &'static str,
    text: &'static str,
}

impl Outcome {
    fn page(&self, visitor: &Visitor) -> Page {
        let mut html = Html::default();
        html.raw("<p role=\"status\" class=\"")
            .text(self.class)
            .raw("\">")
            .text(self.text)
            .raw("</p>");
        Page::new(self.title, visitor, html)
    }
}
