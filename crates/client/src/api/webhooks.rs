//! Webhooks.

use serde_json::json;

use super::{Api, segment};
use crate::answers::{Delivery, DeliveryList, Reply, Webhook, WebhookList};
use crate::error::Error;

impl Api {
    /// `GET /webhooks`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn webhooks(&self) -> Result<Reply<WebhookList>, Error> {
        self.get("/webhooks").await
    }

    /// `POST /webhooks`. With the caller's own idempotency key, it takes effect once even if the program runs again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn create_webhook(
        &self,
        url: &str,
        events: &[String],
        key: Option<&str>,
    ) -> Result<Reply<Webhook>, Error> {
        let body = json!({ "url": url, "events": events });
        self.post("/webhooks", &body, key).await
    }

    /// `DELETE /webhooks/{id}`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where it has another version, and those of every operation.
    pub async fn delete_webhook(&self, id: &str, version: Option<&str>) -> Result<(), Error> {
        self.delete(&format!("/webhooks/{}", segment(id)), version).await
    }

    /// `POST /webhooks/{id}/test`: sends it an event `webhook.test`.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn test_webhook(&self, id: &str) -> Result<Reply<Delivery>, Error> {
        let path = format!("/webhooks/{}/test", segment(id));
        self.post(&path, &json!({}), None).await
    }

    /// `GET /webhooks/{id}/deliveries`: the newest page.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn deliveries(&self, id: &str) -> Result<Reply<DeliveryList>, Error> {
        self.get(&format!("/webhooks/{}/deliveries?limit=100", segment(id)))
            .await
    }
}
