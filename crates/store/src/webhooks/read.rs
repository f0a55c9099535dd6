//! Reading webhooks: lists, and rows as domain values.

use playout_domain::audit::Action;
use playout_domain::id::{WebhookId, WorkspaceId};
use playout_domain::webhook::{Disabled, Webhook, WebhookEvent};
use serde_json::Value;

use crate::audit::Noted;
use crate::db::{Result, Row, Store, Tx, params, read_all, read_one};

/// The columns that [`read_webhook`] reads.
macro_rules! webhook_columns {
    () => {
        "id, url, events, disabled_reason, created_at, updated_at"
    };
}

pub(crate) const LIST_WEBHOOKS: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    " FROM webhooks WHERE workspace_id = $1 ORDER BY created_at, id"
);

/// Those of which a person was shown the present secret.
pub(crate) const LIST_HELD_WEBHOOKS: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    " FROM webhooks WHERE workspace_id = $1 AND held_by = $2 ORDER BY created_at, id"
);

pub(super) const FIND_WEBHOOK: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    " FROM webhooks WHERE id = $2 AND workspace_id = $1"
);

impl Store {
    /// The webhooks of a workspace, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_webhooks(&self, workspace: WorkspaceId) -> Result<Vec<Webhook>> {
        read_all(&self.rows(LIST_WEBHOOKS, params![workspace]).await?, read_webhook)
    }

    /// The webhook with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_webhook(&self, workspace: WorkspaceId, id: WebhookId) -> Result<Option<Webhook>> {
        read_one(
            self.row(FIND_WEBHOOK, params![workspace, id]).await?,
            read_webhook,
        )
    }
}

impl Tx {
    /// The webhook, which no other transaction changes until the end of this one.
    pub(crate) async fn lock_webhook(
        &mut self,
        workspace: WorkspaceId,
        id: WebhookId,
    ) -> Result<Option<Webhook>> {
        let rows = self.lock(FIND_WEBHOOK, params![workspace, id]).await?;
        rows.first().map(read_webhook).transpose()
    }
}

pub(crate) fn read_webhook(row: &Row) -> Result<Webhook> {
    let fields = row.of("webhooks");
    Ok(Webhook {
        id: fields.id("id")?,
        url: fields.get("url")?,
        events: WebhookEvent::parse_known(&fields.json::<Vec<String>>("events")?),
        disabled: fields.opt_word("disabled_reason", Disabled::parse)?,
        created_at: fields.time("created_at")?,
        updated_at: fields.time("updated_at")?,
    })
}

/// What the audit trail says of a change of a webhook.
pub(crate) fn about(action: Action, webhook: &Webhook, mut detail: Value) -> Noted {
    detail["url"] = webhook.url.as_str().into();
    Noted {
        action,
        target: Some(webhook.id.to_string()),
        detail: Some(detail),
    }
}
