//! `/accounts/connect`: a button that leads to the provider.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;
use playout_domain::platform::ProviderConnection;
use playout_domain::provider::Provider;
use playout_domain::workspace::Workspace;
use playout_wire::platforms::ConnectPlatform;
use playout_wire::read::parse_uuid;
use serde_json::json;

use super::membership::{CONNECT, least};
use crate::api::auth::{SignedIn, enter_workspace};
use crate::api::form::Form;
use crate::api::pages::frame::{Page, PageError};
use crate::api::pages::person::Person;
use crate::api::params::Query;
use crate::app::App;
use crate::app::refusals::not_a_member;

#[derive(Template)]
#[template(path = "pages/connect_account.html")]
struct ConnectPage<'a> {
    signed_in: &'a SignedIn,
    providers: Vec<&'a dyn Provider>,
    /// Those in which the user may connect accounts.
    workspaces: Vec<Workspace>,
    /// The workspace that the address names.
    wanted: Option<WorkspaceId>,
}

impl ConnectPage<'_> {
    fn is_wanted(&self, workspace: &Workspace) -> bool {
        self.wanted == Some(workspace.id)
    }
}

/// `GET /accounts/connect`.
pub async fn connect_page(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    mut query: Query,
) -> Result<Page, PageError> {
    let memberships = app.store.list_workspaces_of(signed_in.user().id).await?;
    let role = least(&Method::POST, CONNECT);
    let may = memberships.into_iter().filter(|(_, has)| has.covers(role));
    let page = Page::new(&ConnectPage {
        signed_in: &signed_in,
        providers: app.providers().map(|provider| provider.as_ref()).collect(),
        workspaces: may.map(|(workspace, _)| workspace).collect(),
        wanted: query.text("organization").and_then(|text| parse_uuid(&text)),
    });
    let mut origins: Vec<String> = app
        .providers()
        .map(|provider| provider.consent_origin())
        .collect();
    origins.dedup();
    Ok(page.with_forms_to(origins.join(" ")))
}

/// `POST /accounts/connect`: redirects to the provider.
pub async fn connect(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let id = parse_uuid(form.text("organizationId")).ok_or_else(not_a_member)?;
    let role = least(&Method::POST, CONNECT);
    let caller = enter_workspace(&app, &signed_in, id, role).await?;
    let connection = Some(form.text("connection")).filter(|word| !word.is_empty());
    let body = json!({ "provider": form.text("provider"), "connection": connection });
    let request = ConnectPlatform::read(&body).map_err(Refusal::invalid)?;
    let wanted = ProviderConnection {
        provider: request.provider,
        connection: request.connection,
    };
    let link = app
        .start_connecting_for(caller.workspace().id, wanted, &signed_in.connector())
        .await?;
    Ok(Redirect::to(&link).into_response())
}
