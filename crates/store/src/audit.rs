//! The audit trail of a workspace. A row is written in the transaction of the change that it records, and never changed.
//! It outlives the workspace by [`ENDED_TRAIL_LIFETIME`]. Entries of a person that belong to no workspace are in
//! `people/activity.rs`.

use std::time::Duration;

use playout_domain::audit::{Action, Actor, ActorKind, AuditEntry};
use playout_domain::id::{AuditId, WorkspaceId};
use playout_domain::time::Time;
use serde_json::Value;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::db::{Fields, Page, Param, Result, Row, Store, Tx, new_id, params, read_all, read_one};

/// How long the trail of a deleted workspace can still be read, by the operator alone.
pub const ENDED_TRAIL_LIFETIME: Duration = Duration::from_secs(90 * 86_400);

/// Who makes a change, and when: what the trail needs beside the change.
#[derive(Debug, Clone, Copy)]
pub struct Authorship<'a> {
    /// Who.
    pub by: &'a Actor,
    /// When.
    pub at: Time,
}

/// What is noted of an action beside who did it.
pub(crate) struct Noted {
    pub(crate) action: Action,
    pub(crate) target: Option<String>,
    pub(crate) detail: Option<Value>,
}

/// Which entries of a trail to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Done by this user or key.
    pub actor: Option<Uuid>,
    /// Of this kind.
    pub action: Option<Action>,
}

/// A workspace that was deleted, and whose trail is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedWorkspace {
    /// The name that it had.
    pub name: String,
    /// When it was deleted.
    pub ended_at: Time,
}

impl Store {
    /// What was done in a workspace, newest first. Also of one that was deleted: only callers that answer the operator may
    /// ask for a workspace whose members they have not looked up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_audit(&self, workspace: WorkspaceId, page: Page) -> Result<Vec<AuditEntry>> {
        self.search_audit(workspace, AuditFilter::default(), page).await
    }

    /// [`Store::list_audit`], by who did it or by what was done.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn search_audit(
        &self,
        workspace: WorkspaceId,
        filter: AuditFilter,
        page: Page,
    ) -> Result<Vec<AuditEntry>> {
        let (sql, params) = audit_list(workspace, filter, page);
        read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_entry)
    }

    /// A workspace that was deleted, until its trail is swept.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_ended_workspace(&self, id: WorkspaceId) -> Result<Option<EndedWorkspace>> {
        let sql = "SELECT id, name, ended_at FROM ended_workspaces WHERE id = $1";
        read_one(self.row(sql, params![id]).await?, |row| {
            let fields = row.of("ended_workspaces");
            Ok(EndedWorkspace {
                name: fields.get("name")?,
                ended_at: fields.time("ended_at")?,
            })
        })
    }

    /// Removes the trails of workspaces that were deleted by `until`; returns how many entries there were.
    pub(crate) async fn delete_ended_trails(&self, until: Time) -> Result<u64> {
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        let removed = tx.execute(DELETE_ENDED_TRAILS, params![until]).await?;
        let sql = "DELETE FROM ended_workspaces WHERE ended_at <= $1";
        tx.execute(sql, params![until]).await?;
        tx.commit().await?;
        Ok(removed)
    }
}

pub(crate) const DELETE_ENDED_TRAILS: &str =
    "DELETE FROM audit WHERE workspace_id IN (SELECT id FROM ended_workspaces WHERE ended_at <= $1)";

/// The text and parameters of [`Store::list_audit`].
pub(crate) fn audit_list(workspace: WorkspaceId, filter: AuditFilter, page: Page) -> (String, Vec<Param>) {
    let (at, id) = page.after.unwrap_or((Time::from_micros(i64::MAX), Uuid::max()));
    let mut params = params![workspace, at, id, page.limit];
    let mut conditions = String::new();
    if let Some(actor) = filter.actor {
        params.push(actor.into());
        conditions.push_str(&format!(" AND actor_id = ${}", params.len()));
    }
    if let Some(action) = filter.action {
        params.push(action.as_str().into());
        conditions.push_str(&format!(" AND action = ${}", params.len()));
    }
    let sql = format!(
        "SELECT id, actor_kind, actor_id, actor_name, session_id, address, action, target, detail, created_at
         FROM audit WHERE workspace_id = $1 AND (created_at, id) < ($2, $3){conditions}
         ORDER BY created_at DESC, id DESC LIMIT $4"
    );
    (sql, params)
}

impl Tx {
    /// Records that `actor` did something to a workspace; open pages of the workspace are notified.
    pub(crate) async fn note(
        &mut self,
        workspace: WorkspaceId,
        actor: &Actor,
        noted: Noted,
        now: Time,
    ) -> Result<()> {
        self.changed(workspace, noted.action.noun());
        let sql =
            "INSERT INTO audit (workspace_id, id, actor_kind, actor_id, actor_name, session_id, address,
                action, target, detail, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let params = params![
            workspace,
            new_id::<AuditId>(now),
            actor.kind.as_str(),
            actor.id,
            actor.name.clone(),
            actor.session,
            actor.address.clone(),
            noted.action.as_str(),
            noted.target,
            noted.detail,
            now
        ];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// Keeps what the operator needs to read the trail of a workspace that is being deleted.
    pub(crate) async fn keep_trail(&mut self, workspace: WorkspaceId, now: Time) -> Result<()> {
        let sql = "INSERT INTO ended_workspaces (id, name, ended_at)
            SELECT id, name, $2 FROM workspaces WHERE id = $1";
        self.execute(sql, params![workspace, now]).await?;
        Ok(())
    }
}

fn read_entry(row: &Row) -> Result<AuditEntry> {
    let fields = row.of("audit");
    Ok(AuditEntry {
        id: fields.id("id")?,
        actor: read_actor(fields)?,
        action: fields.word("action", Action::parse)?,
        target: fields.get("target")?,
        detail: fields.opt_json("detail")?,
        created_at: fields.time("created_at")?,
    })
}

/// The columns that `audit` and `activity` have in common.
pub(crate) fn read_actor(fields: Fields<'_>) -> Result<Actor> {
    Ok(Actor {
        kind: fields.word("actor_kind", ActorKind::parse)?,
        id: fields.get("actor_id")?,
        name: fields.get("actor_name")?,
        session: fields.opt_id("session_id")?,
        address: fields.get("address")?,
    })
}
