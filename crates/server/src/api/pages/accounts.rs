//! `/accounts`: the connected accounts of all workspaces of the signed-in user, and the page after a provider's redirect.

mod connecting;
mod list;
mod membership;
mod notice;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::id::{PlatformId, UserId};
use playout_domain::platform::Platform;
use playout_domain::workspace::Workspace;
use playout_wire::platforms::UpdatePlatform;

use super::frame::{Page, PageError};
use super::next::HOME;
use super::person::Person;
use crate::api::auth::SignedIn;
use crate::api::form::Form;
use crate::api::params::{Id, Query};
use crate::app::App;
use crate::app::expected::Expected;
use crate::app::platforms::no_platform;
use crate::app::refusals::role_too_low;

pub use connecting::{connect, connect_page};

use list::Section;
use membership::{ACCOUNT, Membership, least};
use notice::Notice;

#[derive(Template)]
#[template(path = "pages/accounts.html")]
struct AccountsPage<'a> {
    signed_in: &'a SignedIn,
    notice: Option<Notice>,
    sections: Vec<Section<'a>>,
}

#[derive(Template)]
#[template(path = "pages/disconnect_account.html")]
struct DisconnectPage<'a> {
    signed_in: &'a SignedIn,
    workspace: &'a Workspace,
    account: &'a Platform,
}

/// `GET /accounts`.
pub async fn page(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    mut query: Query,
) -> Result<Page, PageError> {
    let mut connected = Vec::new();
    for membership in app.store.list_workspaces_of(signed_in.user().id).await? {
        let accounts = app.store.list_platforms(membership.0.id).await?;
        connected.push((membership, accounts));
    }
    Ok(Page::new(&AccountsPage {
        signed_in: &signed_in,
        notice: notice::read(&app, &mut query, &connected),
        sections: list::sections(&app, &connected),
    }))
}

/// `POST /accounts/{id}`: switches an account off or on.
pub async fn switch(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    Id(id): Id<PlatformId>,
    form: Form,
) -> Result<Response, PageError> {
    let ((workspace, _), _) = find(&app, signed_in.user().id, Method::PATCH, id).await?;
    let changes = UpdatePlatform {
        disabled: Some(form.text("disabled") == "true"),
        settings: None,
    };
    app.update_platform(workspace.id, id, changes, &signed_in.actor, &Expected::Any)
        .await?;
    Ok(Redirect::to(HOME).into_response())
}

/// `GET /accounts/{id}/disconnect`: asks for confirmation.
pub async fn disconnect_page(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    Id(id): Id<PlatformId>,
) -> Result<Page, PageError> {
    let ((workspace, _), account) = find(&app, signed_in.user().id, Method::DELETE, id).await?;
    Ok(Page::new(&DisconnectPage {
        signed_in: &signed_in,
        workspace: &workspace,
        account: &account,
    }))
}

/// `POST /accounts/{id}/disconnect`.
pub async fn disconnect(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    Id(id): Id<PlatformId>,
) -> Result<Response, PageError> {
    let ((workspace, _), _) = find(&app, signed_in.user().id, Method::DELETE, id).await?;
    app.remove_platform(workspace.id, id, &signed_in.actor, &Expected::Any)
        .await?;
    Ok(Redirect::to(&format!("{HOME}?disconnected=1")).into_response())
}

/// An account in one of the user's workspaces, if their role allows the operation.
async fn find(
    app: &App,
    user: UserId,
    method: Method,
    id: PlatformId,
) -> Result<(Membership, Platform), PageError> {
    for (workspace, role) in app.store.list_workspaces_of(user).await? {
        let Some(account) = app.store.find_platform(workspace.id, id).await? else {
            continue;
        };
        return match role.covers(least(&method, ACCOUNT)) {
            true => Ok(((workspace, role), account)),
            false => Err(role_too_low().into()),
        };
    }
    Err(no_platform().into())
}
