//! Webhooks and their deliveries on the wire (`docs/contract.md#webhooks`).

mod requests;

use playout_domain::id::{DeliveryId, EventId, WebhookId};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::webhook::{Delivery, DeliveryState, Disabled, TEST_EVENT, Webhook, WebhookEvent};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{Array, Object, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::schema::{word_of, word_or_null, words_of};

pub use requests::{CreateWebhook, UpdateWebhook, request_schemas};

/// `{ webhooks: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookList {
    /// Oldest first.
    pub webhooks: Vec<WebhookBody>,
}

/// An address that receives events.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
pub struct WebhookBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: WebhookId,
    /// The address of the events.
    #[schema(format = Uri)]
    url: String,
    /// The events that it receives.
    #[schema(schema_with = some_events)]
    events: Vec<&'static str>,
    /// Whether it is disabled.
    disabled: bool,
    /// Why it is disabled: `paused` by a user; `failing`, it accepted no delivery for three days; `gone`, it responded 410.
    #[schema(schema_with = reasons, required)]
    disabled_reason: Option<&'static str>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

impl From<Webhook> for WebhookBody {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.url,
            events: words(&webhook.events),
            disabled: webhook.disabled.is_some(),
            disabled_reason: webhook.disabled.map(Disabled::as_str),
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
        }
    }
}

/// A new webhook, or one with a new secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookWithSecret)]
pub struct SecretBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: WebhookId,
    /// The address of the events.
    #[schema(format = Uri)]
    url: String,
    /// The events that it receives.
    #[schema(schema_with = some_events)]
    events: Vec<&'static str>,
    /// The secret that signs deliveries: `whsec_` and base64. Returned only here.
    secret: String,
    /// Whether it is disabled.
    disabled: bool,
    /// Why it is disabled.
    #[schema(schema_with = reasons, required)]
    disabled_reason: Option<&'static str>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

impl SecretBody {
    /// The webhook with its secret.
    pub fn new(webhook: Webhook, secret: &Secret) -> Self {
        let shown = WebhookBody::from(webhook);
        Self {
            id: shown.id,
            url: shown.url,
            events: shown.events,
            secret: secret.expose().to_owned(),
            disabled: shown.disabled,
            disabled_reason: shown.disabled_reason,
            created_at: shown.created_at,
            updated_at: shown.updated_at,
        }
    }
}

/// The stored response about a webhook, with the secret, which is not stored with it.
pub fn with_secret(mut webhook: Value, secret: &Secret) -> Value {
    webhook["secret"] = secret.expose().into();
    webhook
}

/// `{ deliveries: [...], nextCursor }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryList {
    /// Newest first.
    pub deliveries: Vec<DeliveryBody>,
    /// The cursor of the next page; `null` on the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// One event for one webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookDelivery)]
pub struct DeliveryBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: DeliveryId,
    /// The webhook.
    #[schema(value_type = Uuid)]
    webhook_id: WebhookId,
    /// The event's ID: the `webhook-id` of every attempt.
    #[schema(value_type = Uuid)]
    event_id: EventId,
    /// The event's type.
    #[schema(schema_with = all_events)]
    event: String,
    /// The body that is sent.
    #[schema(value_type = Object)]
    payload: Value,
    /// Whether it is pending, was delivered, or was given up.
    #[schema(schema_with = states)]
    state: &'static str,
    /// How many times it was sent.
    attempts: u32,
    /// When it was last sent.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    attempted_at: Option<Time>,
    /// When it is sent next.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_attempt_at: Option<Time>,
    /// The HTTP status of the last response.
    #[schema(required)]
    response_status: Option<u16>,
    /// The start of the last response's body, of 2 kB at most.
    #[schema(required)]
    response_text: Option<String>,
    /// The error, if there was no response.
    #[schema(required)]
    problem: Option<String>,
    /// When the event happened, and the delivery was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it was delivered or given up.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    finished_at: Option<Time>,
}

impl From<Delivery> for DeliveryBody {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id,
            webhook_id: delivery.webhook_id,
            event_id: delivery.event_id,
            payload: serde_json::from_str(&delivery.body).unwrap_or_default(),
            event: delivery.event,
            state: delivery.state.as_str(),
            attempts: delivery.attempts,
            attempted_at: delivery.attempted_at,
            next_attempt_at: delivery.next_attempt_at,
            response_status: delivery.answer.status,
            response_text: delivery.answer.text,
            problem: delivery.answer.problem,
            created_at: delivery.created_at,
            finished_at: delivery.finished_at,
        }
    }
}

/// For the reference: events to choose, at least one.
pub struct EventNames;

impl PartialSchema for EventNames {
    fn schema() -> RefOr<Schema> {
        let names = ArrayBuilder::new().items(word_of(&words(WebhookEvent::ALL)));
        names.min_items(Some(1)).into()
    }
}

impl ToSchema for EventNames {}

fn words(events: &[WebhookEvent]) -> Vec<&'static str> {
    events.iter().map(|event| event.as_str()).collect()
}

fn some_events() -> Array {
    words_of(&words(WebhookEvent::ALL))
}

fn all_events() -> Object {
    let mut all = words(WebhookEvent::ALL);
    all.push(TEST_EVENT);
    word_of(&all)
}

fn reasons() -> Object {
    word_or_null(&Disabled::ALL.map(Disabled::as_str))
}

fn states() -> Object {
    word_of(&DeliveryState::ALL.map(DeliveryState::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_with_its_secret_has_the_shape_of_the_reference() {
        let webhook = Webhook {
            id: WebhookId(uuid::Uuid::nil()),
            url: "https://example.org".to_owned(),
            events: vec![WebhookEvent::PostFailed],
            disabled: Some(Disabled::Gone),
            created_at: Time::from_secs(1),
            updated_at: Time::from_secs(2),
        };
        let secret = Secret::new("whsec_x");
        let stored = json!(WebhookBody::from(webhook.clone()));
        assert_eq!(stored.get("secret"), None);
        assert_eq!(
            with_secret(stored, &secret),
            json!(SecretBody::new(webhook, &secret))
        );
    }
}
