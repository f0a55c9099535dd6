//! What goes when a member loses the role that makes keys: their keys and devices end, and webhooks whose secret they know
//! are the workspace's alone.

use playout_domain::audit::{Action, Actor, ActorKind};
use playout_domain::id::{KeyId, UserId, WebhookId, WorkspaceId};
use playout_domain::key::KeyRecord;
use playout_domain::time::Time;
use playout_domain::webhook::Webhook;
use serde_json::json as value;

use super::keys::{about as about_key, read_key};
use crate::db::{Result, Row, Store, Tx, params, read_all};
use crate::webhooks::read::{LIST_HELD_WEBHOOKS, about as about_webhook, read_webhook};

/// What a member holds in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    /// The keys they made, or that programs got which they approved; the oldest first.
    pub keys: Vec<KeyRecord>,
    /// The webhooks of which they were shown the present secret; the oldest first.
    pub webhooks: Vec<Webhook>,
}

const LIST_HELD_KEYS: &str =
    "SELECT id, name, last_four, created_by, created_at, last_used_at, expires_at, scopes, platform_ids FROM keys
    WHERE workspace_id = $1 AND created_by = $2 AND revoked_at IS NULL ORDER BY created_at, id";

impl Store {
    /// What a member holds, and loses with their role.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_holdings(&self, workspace: WorkspaceId, user: UserId) -> Result<Holdings> {
        let keys = self.rows(LIST_HELD_KEYS, params![workspace, user]).await?;
        let webhooks = self.rows(LIST_HELD_WEBHOOKS, params![workspace, user]).await?;
        Ok(Holdings {
            keys: read_all(&keys, |row: &Row| read_key(row.of("keys")))?,
            webhooks: read_all(&webhooks, read_webhook)?,
        })
    }
}

impl Tx {
    /// Ends the keys that a person made in a workspace and the devices they approved, and hands their webhooks to the
    /// workspace. The workspace must be locked, or they might make another meanwhile.
    pub(crate) async fn end_holdings(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        actor: &Actor,
        now: Time,
    ) -> Result<()> {
        self.end_approvals(workspace, Some(user)).await?;
        let sql = "UPDATE keys SET revoked_at = $3
            WHERE workspace_id = $1 AND created_by = $2 AND revoked_at IS NULL RETURNING id, name";
        for row in self.rows(sql, params![workspace, user, now]).await? {
            let key = row.of("keys");
            let (id, name): (KeyId, String) = (key.id("id")?, key.get("name")?);
            self.note(workspace, actor, about_key(Action::KeyRevoked, id, &name), now)
                .await?;
        }
        let held = self.rows(LIST_HELD_WEBHOOKS, params![workspace, user]).await?;
        for webhook in read_all(&held, read_webhook)? {
            let noted = about_webhook(Action::WebhookHandedOver, &webhook, value!({ "from": user }));
            self.note(workspace, actor, noted, now).await?;
        }
        let sql = "UPDATE webhooks SET held_by = NULL WHERE workspace_id = $1 AND held_by = $2";
        self.execute(sql, params![workspace, user]).await?;
        Ok(())
    }

    /// Notes which member was shown a webhook's present secret: the member who requested it, or who made the
    /// API key that did.
    pub(crate) async fn note_holder(
        &mut self,
        workspace: WorkspaceId,
        webhook: WebhookId,
        actor: &Actor,
    ) -> Result<()> {
        let is_key = actor.kind == ActorKind::Key;
        let sql = "UPDATE webhooks SET held_by = (SELECT m.user_id FROM members m WHERE m.workspace_id = $1
                AND m.user_id = CASE WHEN $4 THEN (SELECT k.created_by FROM keys k WHERE k.id = $3) ELSE $3 END)
            WHERE workspace_id = $1 AND id = $2";
        self.execute(sql, params![workspace, webhook, actor.id, is_key])
            .await?;
        Ok(())
    }
}
