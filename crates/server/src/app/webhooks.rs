//! Webhooks of a workspace: made, changed, removed, tried out. How they are sent anything is in `deliveries.rs`.

pub mod shown;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{DeliveryId, WebhookId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::webhook::{Delivery, MAX_WEBHOOKS, Webhook};
use playout_store::{CreateWebhook, NewWebhook, Page, WebhookChanges};
use playout_wire::webhooks as wire;

use super::expected::Expected;
use super::once::Kept;
use super::refusals::count_limit_reached;
use super::{App, AppError};
use crate::chance;
use crate::standard_webhooks::make_secret;

impl App {
    /// Makes a webhook with a secret of its own.
    pub async fn create_webhook(
        &self,
        workspace: WorkspaceId,
        request: wire::CreateWebhook,
        actor: &Actor,
        kept: &Kept<Webhook>,
    ) -> Result<Webhook, AppError> {
        let now = self.now();
        let new = NewWebhook {
            id: chance::id(now),
            url: request.url,
            events: request.events,
            secret: make_secret(chance::bytes()),
        };
        let keep = kept.keep(Webhook::clone);
        match self
            .store
            .create_webhook(workspace, &new, actor, keep, now)
            .await?
        {
            CreateWebhook::Created(webhook) => Ok(webhook),
            CreateWebhook::TooMany => {
                Err(count_limit_reached(MAX_WEBHOOKS, "webhooks", "Remove one first.").into())
            }
        }
    }

    /// A webhook.
    pub async fn get_webhook(&self, workspace: WorkspaceId, id: WebhookId) -> Result<Webhook, AppError> {
        let found = self.store.find_webhook(workspace, id).await?;
        Ok(found.ok_or_else(no_webhook)?)
    }

    /// What a webhook's deliveries are signed with.
    pub async fn get_webhook_secret(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
    ) -> Result<Secret, AppError> {
        let found = self.store.find_webhook_secret(workspace, id).await?;
        Ok(found.ok_or_else(no_webhook)?)
    }

    /// Changes a webhook.
    pub async fn update_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        request: wire::UpdateWebhook,
        actor: &Actor,
        expected: &Expected,
    ) -> Result<Webhook, AppError> {
        let allows = |webhook: &Webhook| expected.allows(&wire::WebhookBody::from(webhook.clone()));
        let changes = WebhookChanges {
            url: request.url,
            events: request.events,
            disabled: request.disabled,
        };
        let updated = self
            .store
            .update_webhook(
                workspace,
                id,
                &changes,
                actor,
                expected.only_if(&allows),
                self.now(),
            )
            .await?;
        Ok(updated.ok_or_else(no_webhook)?)
    }

    /// Gives a webhook another secret. The one it had signs beside it for a day.
    pub async fn rotate_webhook_secret(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        actor: &Actor,
        kept: &Kept<Webhook>,
    ) -> Result<Webhook, AppError> {
        let (secret, keep) = (make_secret(chance::bytes()), kept.keep(Webhook::clone));
        let rotated = self
            .store
            .rotate_webhook_secret(workspace, id, &secret, actor, keep, self.now())
            .await?;
        Ok(rotated.ok_or_else(no_webhook)?)
    }

    /// Removes a webhook and what was sent to it.
    pub async fn delete_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        actor: &Actor,
        expected: &Expected,
    ) -> Result<(), AppError> {
        let allows = |webhook: &Webhook| expected.allows(&wire::WebhookBody::from(webhook.clone()));
        match self
            .store
            .delete_webhook(workspace, id, actor, expected.only_if(&allows), self.now())
            .await?
        {
            true => Ok(()),
            false => Err(no_webhook().into()),
        }
    }

    /// What was and is to be sent to a webhook, newest first, as many as fit; and whether others were left out.
    pub async fn list_deliveries(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        page: Page,
    ) -> Result<(Vec<Delivery>, bool), AppError> {
        self.get_webhook(workspace, id).await?;
        Ok(self.store.list_deliveries(workspace, id, page).await?)
    }

    /// Sends a webhook something to try it out.
    pub async fn test_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        kept: &Kept<Delivery>,
    ) -> Result<Delivery, AppError> {
        let keep = kept.keep(Delivery::clone);
        let made = self.store.test_webhook(workspace, id, keep, self.now()).await?;
        Ok(made.ok_or_else(no_webhook)?)
    }

    /// Sends a delivery again.
    pub async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
        kept: &Kept<Delivery>,
    ) -> Result<Delivery, AppError> {
        let keep = kept.keep(Delivery::clone);
        let queued = self.store.redeliver(workspace, id, keep, self.now()).await?;
        Ok(queued.ok_or_else(no_delivery)?)
    }
}

fn no_webhook() -> Refusal {
    Refusal::new(
        Code::WebhookNotFound,
        "No webhook with this ID exists in this workspace.",
    )
}

fn no_delivery() -> Refusal {
    Refusal::new(
        Code::NotFound,
        "No delivery with this ID exists in this workspace.",
    )
}
