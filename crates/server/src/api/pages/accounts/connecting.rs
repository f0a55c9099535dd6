//! `/accounts/connect`: a button that leads to the provider.

use std::sync::Arc;

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

use super::membership::{CONNECT, Membership, least};
use crate::api::auth::{Visitor, enter_workspace};
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::pages::frame::{Page, PageError};
use crate::api::pages::person::Person;
use crate::api::params::Query;
use crate::app::App;
use crate::app::refusals::not_a_member;

/// `GET /accounts/connect`.
pub async fn connect_page(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    mut query: Query,
) -> Result<Page, PageError> {
    let memberships = app.store.list_workspaces_of(signed_in.user().id).await?;
    let wanted = query.text("organization").and_then(|text| parse_uuid(&text));
    let mut html = Html::default();
    write(&mut html, &app, &memberships, wanted);
    let page = Page::new("Connect an account", &Visitor(Some(signed_in)), html);
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

fn write(html: &mut Html, app: &App, memberships: &[Membership], wanted: Option<WorkspaceId>) {
    let role = least(&Method::POST, CONNECT);
    let may = memberships.iter().filter(|(_, has)| has.covers(role));
    let workspaces: Vec<&Workspace> = may.map(|(workspace, _)| workspace).collect();
    let providers: Vec<_> = app.providers().collect();
    if workspaces.is_empty() {
        html.raw("<p>Only owners and admins of a workspace connect accounts. Ask one of them.</p>");
    } else if providers.is_empty() {
        html.raw(
            "<p>This service is not set up for any provider yet. Its operator has to do that first.</p>",
        );
    }
    for provider in providers.iter().filter(|_| !workspaces.is_empty()) {
        offer(html, provider.as_ref(), &workspaces, wanted);
    }
    html.raw("<p class=\"else\"><a href=\"/accounts\">Back to the accounts</a></p>");
}

/// One kind of connection: its description, and the button.
fn offer(html: &mut Html, provider: &dyn Provider, workspaces: &[&Workspace], wanted: Option<WorkspaceId>) {
    let (name, notes, connection) = (
        provider.name(),
        provider.connection_notes(),
        provider.connection().as_str(),
    );
    if !notes.is_empty() {
        html.raw("<h2>")
            .text(name)
            .raw(" (")
            .text(connection)
            .raw(")</h2><p>")
            .text(notes)
            .raw("</p>");
    }
    html.raw("<p>You are led to ").text(name);
    html.raw(", where you choose the account and what to allow. Leave every permission on: posting needs all of them.</p>");
    html.form("/accounts/connect", |html| {
        html.hidden("provider", provider.id());
        html.hidden("connection", connection);
        choice(html, workspaces, wanted, connection);
        html.button(&match notes.is_empty() {
            true => format!("Continue to {name}"),
            false => format!("Continue to {name} as a {connection}"),
        });
    });
}

/// The workspace that gets the account: the only one, or a choice.
fn choice(html: &mut Html, workspaces: &[&Workspace], wanted: Option<WorkspaceId>, connection: &str) {
    if let [only] = workspaces {
        html.raw("<p class=\"soft\">It will belong to the workspace ")
            .text(&only.name)
            .raw(".</p>");
        html.hidden("organizationId", &only.id.to_string());
        return;
    }
    // Every form has this field, and element IDs are unique on a page.
    let id = format!("organizationId-{connection}");
    html.raw("<label for=\"").raw(&id).raw("\">Workspace</label>");
    html.raw("<select id=\"")
        .raw(&id)
        .raw("\" name=\"organizationId\">");
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
