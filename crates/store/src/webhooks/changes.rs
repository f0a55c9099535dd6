//! Changes of webhooks: created, changed, removed, switched off. Their secrets are in `secrets.rs`, what is sent to them is in
//! `deliveries.rs`, and how it comes about in `fan_out.rs`.

use playout_domain::audit::{Action, Actor};
use playout_domain::id::{WebhookId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::webhook::{Disabled, MAX_WEBHOOKS, Webhook, WebhookEvent};
use serde_json::json as value;

use super::read::{FIND_WEBHOOK, LIST_WEBHOOKS, about, read_webhook};
use super::secrets::{SECRET, sealed};
use crate::db::{OnlyIf, Param, Result, Store, Tx, json, params, require};
use crate::idempotency::Keep;

/// A webhook to be.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    /// Its identifier.
    pub id: WebhookId,
    /// Where events are sent.
    pub url: String,
    /// Which events; at least one, none twice.
    pub events: Vec<WebhookEvent>,
    /// What they are signed with.
    pub secret: Secret,
}

/// What a person may change of a webhook; `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookChanges {
    /// Where events are sent.
    pub url: Option<String>,
    /// Which events.
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether it is switched off.
    pub disabled: Option<bool>,
}

/// What became of [`Store::create_webhook`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateWebhook {
    /// It exists now.
    Created(Webhook),
    /// The workspace has [`MAX_WEBHOOKS`] already.
    TooMany,
}

/// A webhook that the service itself has just switched off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchedOff {
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// Where events went.
    pub url: String,
    /// Why.
    pub reason: Disabled,
}

impl Store {
    /// Adds a webhook, and stores the answer that it makes.
    ///
    /// # Errors
    /// When the database fails, or the claim of the answer was taken over.
    pub async fn create_webhook(
        &self,
        workspace: WorkspaceId,
        new: &NewWebhook,
        actor: &Actor,
        keep: Keep<'_, Webhook>,
        now: Time,
    ) -> Result<CreateWebhook> {
        let mut tx = self.begin().await?;
        // Held, so that the limit is exact.
        if !tx.lock_workspace(workspace).await? {
            return Ok(CreateWebhook::TooMany);
        }
        let known = tx.rows(LIST_WEBHOOKS, params![workspace]).await?;
        if known.len() >= MAX_WEBHOOKS as usize {
            return Ok(CreateWebhook::TooMany);
        }
        let secret = sealed(&self.0.vault, new.id, SECRET, &new.secret);
        let sql =
            "INSERT INTO webhooks (id, workspace_id, url, events, secret, disabled, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, FALSE, $6, $6)";
        let params = params![new.id, workspace, &new.url, words(&new.events), secret, now];
        tx.execute(sql, params).await?;
        tx.note_holder(workspace, new.id, actor).await?;
        let webhook = Webhook {
            id: new.id,
            url: new.url.clone(),
            events: new.events.clone(),
            disabled: None,
            created_at: now,
            updated_at: now,
        };
        let noted = about(
            Action::WebhookCreated,
            &webhook,
            value!({ "events": words_of(&webhook.events) }),
        );
        tx.note(workspace, actor, noted, now).await?;
        tx.keep(keep, &webhook).await?;
        tx.commit().await?;
        Ok(CreateWebhook::Created(webhook))
    }

    /// Changes what a person may change; returns the webhook as it is then, or `None` if there is none. One that is switched
    /// off has nothing to send any more: what waited has failed. What stays as it was is not noted.
    ///
    /// # Errors
    /// When the database fails; [`StoreError::Stale`](crate::StoreError::Stale) where the caller does not want to change it any more.
    pub async fn update_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        changes: &WebhookChanges,
        actor: &Actor,
        only_if: OnlyIf<'_, Webhook>,
        now: Time,
    ) -> Result<Option<Webhook>> {
        let mut tx = self.begin().await?;
        let Some(before) = tx.lock_webhook(workspace, id).await? else {
            return Ok(None);
        };
        require(only_if, &before)?;
        let mut after = changed(before.clone(), changes);
        if after == before {
            tx.commit().await?;
            return Ok(Some(before));
        }
        after.updated_at = now;
        tx.write_webhook(&after).await?;
        if before.disabled.is_none() && after.disabled.is_some() {
            tx.fail_pending(id, now).await?;
        }
        let detail = value!({ "events": words_of(&after.events), "disabled": after.disabled.is_some() });
        tx.note(
            workspace,
            actor,
            about(Action::WebhookChanged, &after, detail),
            now,
        )
        .await?;
        tx.commit().await?;
        Ok(Some(after))
    }

    /// Removes a webhook and its deliveries; `false` if there is none.
    ///
    /// # Errors
    /// When the database fails; [`StoreError::Stale`](crate::StoreError::Stale) where the caller does not want to remove it any more.
    pub async fn delete_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        actor: &Actor,
        only_if: OnlyIf<'_, Webhook>,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let rows = tx.lock_for_delete(FIND_WEBHOOK, params![workspace, id]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let webhook = read_webhook(row)?;
        require(only_if, &webhook)?;
        tx.execute("DELETE FROM webhooks WHERE id = $1", params![id])
            .await?;
        tx.note(
            workspace,
            actor,
            about(Action::WebhookDeleted, &webhook, value!({})),
            now,
        )
        .await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Switches a webhook off that is on; what waited to be sent to it has failed. The audit entry names the
    /// operator as the actor.
    pub(crate) async fn switch_off(
        &mut self,
        workspace: WorkspaceId,
        mut webhook: Webhook,
        reason: Disabled,
        now: Time,
    ) -> Result<SwitchedOff> {
        webhook.disabled = Some(reason);
        webhook.updated_at = now;
        self.write_webhook(&webhook).await?;
        self.fail_pending(webhook.id, now).await?;
        let noted = about(
            Action::WebhookDisabled,
            &webhook,
            value!({ "reason": reason.as_str() }),
        );
        self.note(workspace, &Actor::operator(), noted, now).await?;
        Ok(SwitchedOff {
            workspace,
            url: webhook.url,
            reason,
        })
    }

    async fn write_webhook(&mut self, webhook: &Webhook) -> Result<()> {
        let sql =
            "UPDATE webhooks SET url = $2, events = $3, disabled = $4, disabled_reason = $5, updated_at = $6
            WHERE id = $1";
        let params = params![
            webhook.id,
            &webhook.url,
            words(&webhook.events),
            webhook.disabled.is_some(),
            webhook.disabled.map(Disabled::as_str),
            webhook.updated_at
        ];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// Ends what waits to be sent to a webhook.
    async fn fail_pending(&mut self, id: WebhookId, now: Time) -> Result<()> {
        let sql = "UPDATE webhook_deliveries SET state = 'failed', finished_at = $2, leased_until = NULL,
                lease_owner = NULL, problem = 'The webhook was switched off.'
            WHERE webhook_id = $1 AND state = 'pending'";
        self.execute(sql, params![id, now]).await?;
        Ok(())
    }
}

/// What a webhook is after changes.
fn changed(mut webhook: Webhook, changes: &WebhookChanges) -> Webhook {
    if let Some(url) = &changes.url {
        webhook.url.clone_from(url);
    }
    if let Some(events) = &changes.events {
        webhook.events.clone_from(events);
    }
    webhook.disabled = match changes.disabled {
        Some(true) => webhook.disabled.or(Some(Disabled::Paused)),
        Some(false) => None,
        None => webhook.disabled,
    };
    webhook
}

fn words_of(events: &[WebhookEvent]) -> Vec<&'static str> {
    events.iter().map(|event| event.as_str()).collect()
}

fn words(events: &[WebhookEvent]) -> Param {
    json(&words_of(events))
}
