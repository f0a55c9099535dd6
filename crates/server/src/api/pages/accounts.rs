//! `/accounts`: the connected accounts of all workspaces of the signed-in user, and the page after a provider's redirect.

mod connecting;
mod list;
mod membership;
mod notice;

use std::sync::Arc;

use axum::extract::State;
use axum::http::Method;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::id::{PlatformId, UserId};
use playout_domain::platform::Platform;
use playout_wire::platforms::UpdatePlatform;

use super::frame::{Page, PageError};
use super::next::HOME;
use super::person::Person;
use crate::api::auth::Visitor;
use crate::api::form::Form;
use crate::api::html::Html;
use crate::api::params::{Id, Query};
use crate::app::App;
use crate::app::platforms::no_platform;
use crate::app::refusals::role_too_low;

pub use connecting::{connect, connect_page};

use membership::{ACCOUNT, Membership, least};

/// `GET /accounts`.
pub async fn page(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    mut query: Query,
) -> Result<Page, PageError> {
    let mut sections = Vec::new();
    for membership in app.store.list_workspaces_of(signed_in.user().id).await? {
        let accounts = app.store.list_platforms(membership.0.id).await?;
        sections.push((membership, accounts));
    }
    let mut html = Html::default();
    notice::write(&mut html, &app, &mut query, &sections);
    list::write(&mut html, &app, &sections);
    Ok(Page::new("Accounts", &Visitor(Some(signed_in)), html))
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
    app.update_platform(workspace.id, id, changes, &signed_in.actor)
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
    let html = list::really(&workspace, &account);
    Ok(Page::new("Disconnect", &Visitor(Some(signed_in)), html))
}

/// `POST /accounts/{id}/disconnect`.
pub async fn disconnect(
    State(app): State<Arc<App>>,
    Person(signed_in): Person,
    Id(id): Id<PlatformId>,
) -> Result<Response, PageError> {
    let ((workspace, _), _) = find(&app, signed_in.user().id, Method::DELETE, id).await?;
    app.remove_platform(workspace.id, id, &signed_in.actor).await?;
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
