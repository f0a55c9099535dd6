//! `/audit`: who did what.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use playout_store::Page;
use playout_wire::audit::{AuditBody, AuditList};
use playout_wire::page::Cursor;

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::api::params::Query;
use crate::app::App;

/// List what was done
///
/// To the workspace, its people, its keys and its accounts: who did it, from which session or key, and from which network address.
/// Newest first. Entries are only ever added.
#[utoipa::path(get, path = "/audit", operation_id = "listAudit", tag = "Audit",
    params(
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "The most entries of a page; 1000 unless given."),
        ("cursor" = Option<String>, Query, nullable = false, pattern = "^[A-Za-z0-9_-]{32}$", description = "`nextCursor` of the page before.")),
    responses((status = 200, description = "The entries.", body = AuditList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    mut query: Query,
) -> Result<Json<AuditList>, ApiError> {
    let (limit, cursor) = query.page();
    query.done()?;
    let page = Page {
        limit: limit + 1,
        after: cursor.map(|cursor| (cursor.at, cursor.id)),
    };
    let mut entries = app.store.list_audit(caller.workspace().id, page).await?;
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
