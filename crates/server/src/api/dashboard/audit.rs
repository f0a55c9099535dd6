//! `/audit`: the audit trail of a workspace. `/me/activity`: the sign-ins and credential changes of a user.

use std::sync::Arc;

use axum::extract::State;
use playout_domain::audit::Action;
use playout_domain::error::IssueCode;
use playout_store::{AuditFilter, Page};
use playout_wire::audit::{Actions, ActivityBody, ActivityList, AuditBody, AuditList};
use playout_wire::page::Cursor;

use crate::api::auth::{Caller, SignedIn};
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Query;
use crate::app::App;

/// List audit entries
///
/// What was done to the workspace, its people, its keys and its accounts: who did it, from which session or key, and from which
/// network address. Newest first. Entries are never changed or deleted.
#[utoipa::path(get, path = "/audit", operation_id = "listAudit", tag = "Audit",
    params(
        ("actor" = Option<Uuid>, Query, nullable = false, description = "Only what this user or key did."),
        ("action" = inline(Option<Actions>), Query, nullable = false, description = "Only this action."),
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "The most entries of a page; default 1000."),
        ("cursor" = Option<String>, Query, nullable = false, pattern = "^[A-Za-z0-9_-]{32}$", description = "`nextCursor` of the previous page.")),
    responses((status = 200, description = "The entries.", body = AuditList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    mut query: Query,
) -> Result<Json<AuditList>, ApiError> {
    let filter = AuditFilter {
        actor: query.id("actor"),
        action: read_action(&mut query),
    };
    let (limit, cursor) = query.page();
    query.done()?;
    let page = Page {
        limit: limit + 1,
        after: cursor.map(|cursor| (cursor.at, cursor.id)),
    };
    let mut entries = app
        .store
        .search_audit(caller.workspace().id, filter, page)
        .await?;
    let more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let last = entries.last().filter(|_| more);
    let next_cursor = last.map(|entry| {
        let (at, id) = (entry.created_at, entry.id.0);
        Cursor { at, id }.encode()
    });
    Ok(Json(AuditList {
        entries: entries.into_iter().map(AuditBody::from).collect(),
        next_cursor,
    }))
}

fn read_action(query: &mut Query) -> Option<Action> {
    let word = query.text("action")?;
    let action = Action::parse(&word);
    if action.is_none() {
        query.problem(
            "action",
            IssueCode::UnknownValue.with("is not an action of the trail"),
        );
    }
    action
}

/// List account activity
///
/// The user's own sign-ins, failed ones included, ended sessions, and changes of password, address, name and second factor.
/// Failed sign-ins of one minute are one entry with a `count`. Newest first; no one else can read it.
#[utoipa::path(get, path = "/me/activity", operation_id = "listActivity", tag = "Sessions",
    params(
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "The most entries of a page; default 1000."),
        ("cursor" = Option<String>, Query, nullable = false, pattern = "^[A-Za-z0-9_-]{32}$", description = "`nextCursor` of the previous page.")),
    responses((status = 200, description = "The entries.", body = ActivityList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list_own(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    mut query: Query,
) -> Result<Json<ActivityList>, ApiError> {
    let (limit, cursor) = query.page();
    query.done()?;
    let page = Page {
        limit: limit + 1,
        after: cursor.map(|cursor| (cursor.at, cursor.id)),
    };
    let mut entries = app.store.list_activity(signed_in.user().id, page).await?;
    let more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let last = entries.last().filter(|_| more);
    let next_cursor = last.map(|entry| {
        let (at, id) = (entry.created_at, entry.id.0);
        Cursor { at, id }.encode()
    });
    Ok(Json(ActivityList {
        entries: entries.into_iter().map(ActivityBody::from).collect(),
        next_cursor,
    }))
}
