//! `/device`: where a person approves a program without a browser (RFC 8628 §3.3). They type its code, or confirm the one in the
//! address, see the program and the permissions, and decide. An address alone never decides anything (§5.4).

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::access::{Scope, Scopes};
use playout_domain::device::{PendingDevice, UserCode};
use playout_domain::error::{Code, Issue, IssueCode, Refusal, Violation};
use playout_domain::id::PlatformId;
use playout_domain::platform::Platform;
use playout_domain::time::Time;
use playout_domain::workspace::{Role, Workspace};
use playout_wire::keys::GrantFields;
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
    /// Those in which the user may create keys, with their accounts.
    workspaces: Vec<Administered>,
    choice: &'a Choice,
    problems: &'a Problems,
}

/// A workspace in which the user may create keys.
struct Administered {
    workspace: Workspace,
    accounts: Vec<ListedAccount>,
}

/// An account that the key may be limited to.
struct ListedAccount {
    id: PlatformId,
    name: String,
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
            let choice = Choice::all(request.device.asked);
            let page = decision_form(app, signed_in, request, &choice, &Problems::default()).await?;
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
    let choice = Choice::read(form, request.device.asked);
    if let Err(issue) = &choice.accounts {
        let refusal = Refusal::invalid(vec![issue.clone()]);
        return refused(app, signed_in, request, &choice, &refusal).await;
    }
    let Some(workspace) = parse_uuid(form.text("organization")) else {
        let refusal = Refusal::invalid(vec![Issue::field(
            "organization",
            IssueCode::Required.with("choose a workspace"),
        )]);
        return refused(app, signed_in, request, &choice, &refusal).await;
    };
    if choice.scopes == Scopes::NONE {
        let refusal = Refusal::invalid(vec![Issue::field(
            "scope",
            IssueCode::Required.with("choose what it may do, or refuse it"),
        )]);
        return refused(app, signed_in, request, &choice, &refusal).await;
    }
    let caller = enter_workspace(app, signed_in, workspace, Role::Admin).await?;
    let grant = choice.grant(app.now());
    let actor = caller.member()?.actor;
    match app
        .approve_device(workspace, &request.device, &grant, actor)
        .await
    {
        Ok(()) => Ok(Redirect::to("/device/approved").into_response()),
        Err(AppError::Refused(refusal)) if refusal.code == Code::InvalidRequest => {
            refused(app, signed_in, request, &choice, &refusal).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The decision again, with what is wrong with it.
async fn refused(
    app: &App,
    signed_in: &SignedIn,
    request: &DeviceRequest,
    choice: &Choice,
    refusal: &Refusal,
) -> Result<Response, PageError> {
    let page = decision_form(app, signed_in, request, choice, &Problems::from(refusal)).await?;
    Ok(page.with_status(status_of(refusal.code)).into_response())
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
    choice: &Choice,
    problems: &Problems,
) -> Result<Page, AppError> {
    let workspaces = app.store.list_workspaces_of(signed_in.user().id).await?;
    let mut administered = Vec::new();
    for (workspace, _) in workspaces
        .into_iter()
        .filter(|(_, role)| role.covers(Role::Admin))
    {
        let accounts = app.store.list_platforms(workspace.id).await?.into_iter();
        let listed = |platform: Platform| ListedAccount {
            id: platform.id,
            name: platform.shown_name().to_owned(),
        };
        administered.push(Administered {
            accounts: accounts.map(listed).collect(),
            workspace,
        });
    }
    let minutes = app.now().since(request.device.created_at).as_secs() / 60;
    Ok(Page::new(&DecisionPage {
        signed_in,
        request,
        requested: ago(minutes),
        workspaces: administered,
        choice,
        problems,
    }))
}

/// What a person chose to grant.
struct Choice {
    asked: Scopes,
    scopes: Scopes,
    /// The accounts, where not all are granted; or what is wrong with the choice.
    accounts: Result<Option<Vec<PlatformId>>, Issue>,
    /// For how many days; `None` is for ever.
    days: Option<u64>,
}

impl Choice {
    /// How long a key may last, in days. The third is what a person has who chooses nothing.
    const DAYS: [u64; 4] = [7, 30, 90, 365];

    /// What is chosen at first: everything that is asked for, for 90 days.
    fn all(asked: Scopes) -> Self {
        Self {
            asked,
            scopes: asked,
            accounts: Ok(None),
            days: Some(Self::DAYS[2]),
        }
    }

    fn read(form: &Form, asked: Scopes) -> Self {
        let named = form.all("scope").filter_map(Scope::parse);
        Self {
            asked,
            scopes: named.collect(),
            accounts: read_accounts(form),
            days: match form.all("days").next() {
                Some("") => None,
                days => {
                    let days = days.and_then(|days| days.parse().ok());
                    days.filter(|days| Self::DAYS.contains(days))
                        .or(Some(Self::DAYS[2]))
                }
            },
        }
    }

    fn grant(&self, now: Time) -> GrantFields {
        let lifetime = |days: u64| Duration::from_secs(days * 24 * 3600);
        GrantFields {
            scopes: Some(self.scopes),
            platform_ids: self.accounts.clone().unwrap_or_default(),
            expires_at: self.days.map(|days| now.plus(lifetime(days))),
        }
    }

    fn sees_all(&self) -> bool {
        matches!(self.accounts, Ok(None))
    }

    fn has(&self, account: &PlatformId) -> bool {
        let some = self.accounts.as_ref().ok().and_then(Option::as_ref);
        some.is_some_and(|accounts| accounts.contains(account))
    }
}

/// The accounts that a form names. One that says "every account" beside some of them says two things.
fn read_accounts(form: &Form) -> Result<Option<Vec<PlatformId>>, Issue> {
    let refuse = |message| Err(Issue::field("platformIds", IssueCode::Conflict.with(message)));
    let mut named: Vec<&str> = form.all("platform").collect();
    named.sort_unstable();
    named.dedup();
    match (
        form.all("accounts").collect::<Vec<_>>().as_slice(),
        named.as_slice(),
    ) {
        (["all"], []) => Ok(None),
        (["some"], []) => refuse("choose at least one account, or every account"),
        (["some"], named) => match named.iter().map(|id| parse_uuid(id)).collect() {
            Some(accounts) => Ok(Some(accounts)),
            None => refuse("name no accounts of the workspace"),
        },
        _ => refuse("choose every account, or the accounts alone that are ticked"),
    }
}

fn ago(minutes: u64) -> String {
    match minutes {
        0 => "just now".to_owned(),
        1 => "a minute ago".to_owned(),
        minutes => format!("{minutes} minutes ago"),
    }
}
