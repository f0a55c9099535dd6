//! What deliveries are signed with: sealed, and read only to sign, and to be shown to the person who has just made it.

use playout_domain::audit::{Action, Actor};
use playout_domain::id::{WebhookId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::webhook::{OLD_SECRET_LIFETIME, Webhook};
use serde_json::json as value;

use super::read::about;
use crate::db::{Cell, Fields, Result, Row, SealedColumn, Store, Vault, params};
use crate::idempotency::Keep;

impl Store {
    /// What a webhook's deliveries are signed with.
    ///
    /// # Errors
    /// When the database fails, or the secret does not open.
    pub async fn find_webhook_secret(&self, workspace: WorkspaceId, id: WebhookId) -> Result<Option<Secret>> {
        let sql = "SELECT id, secret FROM webhooks WHERE id = $2 AND workspace_id = $1";
        let Some(row) = self.row(sql, params![workspace, id]).await? else {
            return Ok(None);
        };
        open(&self.0.vault, row.of("webhooks"), SECRET)
    }

    /// Gives a webhook another secret; the one it had goes on signing beside it for a day. Stores the answer that it makes.
    /// `None` if there is no such webhook.
    ///
    /// # Errors
    /// When the database fails, or the claim of the answer was taken over.
    pub async fn rotate_webhook_secret(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        secret: &Secret,
        actor: &Actor,
        keep: Keep<'_, Webhook>,
        now: Time,
    ) -> Result<Option<Webhook>> {
        let mut tx = self.begin().await?;
        let Some(mut webhook) = tx.lock_webhook(workspace, id).await? else {
            return Ok(None);
        };
        let sql = "SELECT id, secret FROM webhooks WHERE id = $1";
        let row = tx.row(sql, params![id]).await?;
        // One that does not open signs nothing any more either.
        let old = row.and_then(|row| open(&self.0.vault, row.of("webhooks"), SECRET).ok().flatten());
        let seal = |column, secret: &Secret| sealed(&self.0.vault, id, column, secret);
        let (secret, previous) = (seal(SECRET, secret), old.map(|old| seal(PREVIOUS_SECRET, &old)));
        let sql =
            "UPDATE webhooks SET secret = $2, previous_secret = $3, previous_until = $4, updated_at = $5
            WHERE id = $1";
        let params = params![id, secret, previous, now.plus(OLD_SECRET_LIFETIME), now];
        tx.execute(sql, params).await?;
        tx.note_holder(workspace, id, actor).await?;
        webhook.updated_at = now;
        tx.note(
            workspace,
            actor,
            about(Action::WebhookSecretRotated, &webhook, value!({})),
            now,
        )
        .await?;
        tx.keep(keep, &webhook).await?;
        tx.commit().await?;
        Ok(Some(webhook))
    }
}

pub(crate) const SECRET: &str = "secret";
const PREVIOUS_SECRET: &str = "previous_secret";

/// The secrets that sign at `now`, the newest first. One that does not open signs nothing; there is always one that does,
/// unless the service was given other keys than it had.
pub(crate) fn signing_secrets(vault: &Vault, row: &Row, now: Time) -> Result<Vec<Secret>> {
    let fields = row.of("webhooks");
    let is_good = fields
        .opt_time("previous_until")?
        .is_some_and(|until| until > now);
    let columns = [Some(SECRET), is_good.then_some(PREVIOUS_SECRET)];
    let opened = columns
        .into_iter()
        .flatten()
        .map(|column| open(vault, fields, column));
    Ok(opened.filter_map(|secret| secret.ok().flatten()).collect())
}

fn open(vault: &Vault, fields: Fields<'_>, column: &'static str) -> Result<Option<Secret>> {
    let (table, id) = ("webhooks", "id");
    vault.open_in(fields, SealedColumn { table, id, column })
}

/// A secret as it is stored in `column` of a webhook.
pub(crate) fn sealed(vault: &Vault, id: WebhookId, column: &str, secret: &Secret) -> Vec<u8> {
    let row = id.0.as_bytes();
    vault.seal(Cell { row, column }, secret.expose().as_bytes())
}
