//! The audit trail. A row is written in the transaction of what it tells of, and never changed.

use playout_domain::audit::{Action, Actor, ActorKind, AuditEntry};
use playout_domain::id::{AuditId, WorkspaceId};
use playout_domain::time::Time;
use serde_json::Value;

use crate::chance::new_id;
use crate::db::{Store, Tx};
use crate::error::Result;
use crate::param::params;
use crate::posts::Page;
use crate::row::{Row, read_all};

/// What is noted of an action beside who did it.
pub(crate) struct Noted {
    pub(crate) action: Action,
    pub(crate) target: Option<String>,
    pub(crate) detail: Option<Value>,
}

pub(crate) const LIST_AUDIT: &str =
    "SELECT id, actor_kind, actor_id, actor_name, session_id, address, action, target, detail, created_at
    FROM audit WHERE workspace_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4";

impl Store {
    /// What was done in a workspace, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_audit(&self, workspace: WorkspaceId, page: Page) -> Result<Vec<AuditEntry>> {
        let end = (Time::from_micros(i64::MAX), uuid::Uuid::max());
        let (at, id) = page.after.unwrap_or(end);
        let rows = self
            .rows(LIST_AUDIT, params![workspace, at, id, page.limit])
            .await?;
        read_all(&rows, read_entry)
    }
}

impl Tx {
    /// Notes that `actor` did something to a workspace; whoever looks at it is told.
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
}

fn read_entry(row: &Row) -> Result<AuditEntry> {
    let fields = row.of("audit");
    Ok(AuditEntry {
        id: fields.id("id")?,
        actor: Actor {
            kind: fields.word("actor_kind", ActorKind::parse)?,
            id: fields.get("actor_id")?,
            name: fields.get("actor_name")?,
            session: fields.opt_id("session_id")?,
            address: fields.get("address")?,
        },
        action: fields.word("action", Action::parse)?,
        target: fields.get("target")?,
        detail: fields.opt_json("detail")?,
        created_at: fields.time("created_at")?,
    })
}
