//! Events to the app, and how far each came.

use std::collections::{BTreeMap, HashMap};

use playout_domain::time::Time;
use serde::Serialize;

/// An event and what became of its delivery.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Position among all deliveries.
    pub id: u64,
    /// The account (open_id).
    pub open_id: String,
    /// Its name, such as `post.publish.complete`.
    pub event: String,
    /// The body that is sent.
    pub body: String,
    /// When it happened.
    pub created_at: Time,
    /// Attempts so far.
    pub attempts: u32,
    /// HTTP status of the last answer; 0: none came.
    pub last_status: u16,
    /// Whether an attempt was answered with 200.
    pub delivered: bool,
}

/// All deliveries.
#[derive(Debug, Default)]
pub(super) struct Hooks {
    pub(super) deliveries: BTreeMap<u64, WebhookDelivery>,
    pub(super) count: u64,
    /// For each account, the delivery that waits to be overtaken.
    pub(super) swapping: HashMap<String, u64>,
}
