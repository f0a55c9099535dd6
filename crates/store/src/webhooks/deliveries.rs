//! Deliveries as people see them: listed, tried out, sent again. How they are sent is in `tries.rs`.

use playout_domain::change::Noun;
use playout_domain::id::{DeliveryId, EventId, WebhookId, WorkspaceId};
use playout_domain::time::Time;
use playout_domain::webhook::{Answer, Delivery, DeliveryState, TEST_EVENT, body_of};
use serde_json::json as value;

use super::fan_out::{NewDelivery, delivery_row};
use crate::db::{MOST_BYTES, Page, Result, Row, Store, StoreError, Tx, new_id, params, read_one};
use crate::idempotency::Keep;

/// The columns that [`read_delivery`] reads.
macro_rules! delivery_columns {
    () => {
        "id, webhook_id, event_id, kind, body, state, attempt, attempted_at, due_at, leased_until, response_status,
         response_text, problem, created_at, finished_at"
    };
}

pub(crate) const LIST_DELIVERIES: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    " FROM webhook_deliveries WHERE webhook_id = $2 AND workspace_id = $1 AND (created_at, id) < ($3, $4)
     ORDER BY created_at DESC, id DESC LIMIT $5"
);

const FIND_DELIVERY: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    " FROM webhook_deliveries WHERE id = $2 AND workspace_id = $1"
);

impl Store {
    /// What was and is to be sent to a webhook, newest first, as many as fit; and whether others were left out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_deliveries(
        &self,
        workspace: WorkspaceId,
        webhook: WebhookId,
        page: Page,
    ) -> Result<(Vec<Delivery>, bool)> {
        let end = (Time::from_micros(i64::MAX), uuid::Uuid::max());
        let (at, id) = page.after.unwrap_or(end);
        let params = params![workspace, webhook, at, id, page.limit];
        self.read_within(LIST_DELIVERIES.to_owned(), params, MOST_BYTES, read_delivery)
            .await
    }

    /// Makes a trial delivery, also to a webhook that is switched off, and stores the answer that it makes. `None` if there is
    /// no such webhook.
    ///
    /// # Errors
    /// When the database fails, or the claim of the answer was taken over.
    pub async fn test_webhook(
        &self,
        workspace: WorkspaceId,
        webhook: WebhookId,
        keep: Keep<'_, Delivery>,
        now: Time,
    ) -> Result<Option<Delivery>> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id FROM webhooks WHERE id = $2 AND workspace_id = $1";
        if tx
            .lock_for_reference(sql, params![workspace, webhook])
            .await?
            .is_empty()
        {
            return Ok(None);
        }
        let event: EventId = new_id(now);
        let body = body_of(TEST_EVENT, now, &value!({ "webhookId": webhook }));
        let delivery = NewDelivery {
            webhook,
            event,
            kind: TEST_EVENT,
            body: &body,
        };
        let row = delivery_row(workspace, delivery, now);
        tx.add_deliveries(workspace, vec![row]).await?;
        let sql = concat!(
            "SELECT ",
            delivery_columns!(),
            " FROM webhook_deliveries WHERE webhook_id = $1 AND event_id = $2"
        );
        let made = tx.row(sql, params![webhook, event]).await?;
        let missing = StoreError::Missing {
            table: "webhook_deliveries",
            row: event.0,
        };
        let delivery = read_delivery(&made.ok_or(missing)?)?;
        tx.keep(keep, &delivery).await?;
        tx.commit().await?;
        Ok(Some(delivery))
    }

    /// Sends a delivery again, with three days of its own; one that waits is sent now. Stores the answer that it makes.
    /// `None` if there is no such delivery.
    ///
    /// # Errors
    /// When the database fails, or the claim of the answer was taken over.
    pub async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
        keep: Keep<'_, Delivery>,
        now: Time,
    ) -> Result<Option<Delivery>> {
        let mut tx = self.begin().await?;
        tx.bring_forward(workspace, id, now).await?;
        let row = tx.row(FIND_DELIVERY, params![workspace, id]).await?;
        let Some(delivery) = read_one(row, read_delivery)? else {
            return Ok(None);
        };
        tx.keep(keep, &delivery).await?;
        tx.commit().await?;
        Ok(Some(delivery))
    }
}

impl Tx {
    /// Makes a delivery due, unless it is being sent right now.
    async fn bring_forward(&mut self, workspace: WorkspaceId, id: DeliveryId, now: Time) -> Result<()> {
        let sql =
            "UPDATE webhook_deliveries SET state = 'pending', due_at = $3, failures = 0, deadline_at = NULL,
                finished_at = NULL, leased_until = NULL, lease_owner = NULL
            WHERE id = $2 AND workspace_id = $1 AND (leased_until IS NULL OR leased_until <= $3)";
        if self.execute(sql, params![workspace, id, now]).await? > 0 {
            self.changed(workspace, Noun::Webhook);
            self.wake_senders();
        }
        Ok(())
    }
}

fn read_delivery(row: &Row) -> Result<Delivery> {
    let fields = row.of("webhook_deliveries");
    let state = fields.word("state", DeliveryState::parse)?;
    let waits = state == DeliveryState::Pending && fields.opt_time("leased_until")?.is_none();
    Ok(Delivery {
        id: fields.id("id")?,
        webhook_id: fields.id("webhook_id")?,
        event_id: fields.id("event_id")?,
        event: fields.get("kind")?,
        body: fields.get("body")?,
        state,
        attempts: fields.number("attempt")?,
        attempted_at: fields.opt_time("attempted_at")?,
        next_attempt_at: waits.then(|| fields.time("due_at")).transpose()?,
        answer: Answer {
            status: fields.opt_number("response_status")?,
            text: fields.get("response_text")?,
            problem: fields.get("problem")?,
        },
        created_at: fields.time("created_at")?,
        finished_at: fields.opt_time("finished_at")?,
    })
}
