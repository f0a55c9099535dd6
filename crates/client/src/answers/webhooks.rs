//! Webhooks and their deliveries.

use playout_domain::time::Time;
use serde::Deserialize;

/// `{ webhooks }`
#[derive(Debug, Clone, Deserialize)]
pub struct WebhookList {
    /// Oldest first.
    pub webhooks: Vec<Webhook>,
}

/// An address that receives events.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its ID.
    pub id: String,
    /// The address of the events.
    pub url: String,
    /// The events that it receives.
    pub events: Vec<String>,
    /// Whether it is disabled.
    pub disabled: bool,
    /// Why: `paused`, `failing` or `gone`.
    pub disabled_reason: Option<String>,
    /// When it was created.
    pub created_at: Time,
    /// The secret that signs deliveries; only in the response that created it.
    pub secret: Option<String>,
}

/// `{ deliveries, nextCursor }`
#[derive(Debug, Clone, Deserialize)]
pub struct DeliveryList {
    /// Newest first.
    pub deliveries: Vec<Delivery>,
}

/// One event for one webhook.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Its ID.
    pub id: String,
    /// `pending`, `delivered` or `failed`.
    pub state: String,
    /// How many times it was sent.
    pub attempts: u32,
    /// The HTTP status of the last response.
    pub response_status: Option<u16>,
    /// The error, if there was no response.
    pub problem: Option<String>,
}
