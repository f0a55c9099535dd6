//! `/accounts/connect`: one button that leads to the provider.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;
use playout_domain::workspace::Workspace;
use playout_wire::platforms::{ConnectPlatform, PROVIDERS};
use playout_wire::read::parse_uuid;
use serde_json::json;

use super::{CONNECT, Membership, Person, enter_workspace, least};
use crate::api::auth::Visitor;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::pages::frame::{Page, PageError};
use crate::api::params::Query;
use crate::app::App;
use crate::app::organizations::not_a_member;

/// `GET /accounts/connect`.
pub async fn connect_page(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    mut query: Query,
) -> Result<Page, PageError> {
    let memberships = app.store.list_workspaces_of(signed_in.user().id).await?;
    let wanted = query.text("organization").and_then(|text| parse_uuid(&text));
    let mut html = Html::default();
    write(&mut html, &app, (&memberships, wanted));
    let page = Page::new("Connect an account", &Visitor(Some(signed_in)), html);
    let origins: Vec<String> = PROVIDERS
        .iter()
        .filter_map(|provider| Some(app.provider(provider)?.consent_origin()))
        .collect();
    Ok(page.with_forms_to(origins.join(" ")))
}

/// `POST /accounts/connect`: off to the provider.
pub async fn connect(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    form: Form,
) -> Result<Response, PageError> {
    let id = parse_uuid(form.text("organizationId")).ok_or_else(not_a_member)?;
    let role = least(&Method::POST, CONNECT);
    let caller = enter_workspace(&app, &signed_in, (id, role)).await?;
    let body = json!({ "provider": form.text("provider") });
    let request = ConnectPlatform::read(&body).map_err(Refusal::invalid)?;
    let link = app
        .start_connecting_for(caller.workspace().id, request.provider, &signed_in.connector())
        .await?;
    Ok(Redirect::to(&link).into_response())
}

fn write(html: &mut Html, app: &App, (memberships, wanted): (&[Membership], Option<WorkspaceId>)) {
    let role = least(&Method::POST, CONNECT);
    let may = memberships.iter().filter(|(_, has)| has.covers(role));
    let workspaces: Vec<&Workspace> = may.map(|(workspace, _)| workspace).collect();
    let providers: Vec<_> = PROVIDERS.iter().filter_map(|id| app.provider(id)).collect();
    if workspaces.is_empty() {
        html.raw("<p>Only owners and admins of a workspace connect accounts. Ask one of them.</p>");
    } else if providers.is_empty() {
        html.raw(
            "<p>This service is not set up for any provider yet. Whoever runs it has to do that first.</p>",
        );
    }
    for provider in providers.iter().filter(|_| !workspaces.is_empty()) {
        let name = provider.name();
        html.raw("<p>You are led to ").text(name);
        html.raw(", where you choose the account and what to allow. Leave every permission on: without them nothing can be posted.</p>");
        html.form("/accounts/connect", |html| {
            html.hidden("provider", provider.id());
            choice(html, (&workspaces, wanted));
            html.button(&format!("Continue to {name}"));
        });
    }
    html.raw("<p class=\"else\"><a href=\"/accounts\">Back to the accounts</a></p>");
}

/// The workspace that gets the account: the one there is, or one to choose.
fn choice(html: &mut Html, (workspaces, wanted): (&[&Workspace], Option<WorkspaceId>)) {
    if let [only] = workspaces {
        html.raw("<p class=\"soft\">It will belong to the workspace ")
            .text(&only.name)
            .raw(".</p>");
        html.hidden("organizationId", &only.id.to_string());
        return;
    }
    html.raw("<label for=\"organizationId\">Workspace</label>");
    html.raw("<select id=\"organizationId\" name=\"organizationId\">");
    for workspace in workspaces {
        let selected = if Some(workspace.id) == wanted {
            " selected"
        } else {
            ""
        };
        html.raw("<option value=\"")
            .text(&workspace.id.to_string())
            .raw("\"")
            .raw(selected)
            .raw(">");
        html.text(&workspace.name).raw("</option>");
    }
    html.raw("</select>");
}
