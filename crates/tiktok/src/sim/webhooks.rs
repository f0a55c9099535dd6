//! Events to the app: signed, at least once, retried until answered with 200.

use hmac::{Hmac, KeyInit, Mac};
use playout_domain::time::Time;
use serde_json::{Value, json};
use sha2::Sha256;

use super::core::Core;
use super::hooks::WebhookDelivery;
use super::world::{Event, World};

/// Attempts before an event is dropped: about as many as fit into the provider's 72 hours.
const ATTEMPTS: u32 = 10;
/// How long an event waits for another one to swap with, in milliseconds.
const SWAP_MS: u64 = 5_000;

impl World {
    /// Sends the app an event of an account, if webhooks are on and it has a webhook address.
    pub(super) fn emit(&mut self, open_id: &str, event: &str, content: &Value) {
        if !self.knobs.webhooks || self.knobs.webhook_url.is_none() {
            return;
        }
        let body = json!({
            "client_key": self.client_key,
            "event": event,
            "create_time": self.now.as_secs(),
            "user_openid": open_id,
            "content": content.to_string(),
        });
        for _ in 0..self.knobs.webhook_copies {
            let id = self.enter_delivery(open_id, event, body.to_string());
            self.line_up(open_id, id);
        }
    }

    fn enter_delivery(&mut self, open_id: &str, event: &str, body: String) -> u64 {
        self.hooks.count += 1;
        let delivery = WebhookDelivery {
            id: self.hooks.count,
            open_id: open_id.to_owned(),
            event: event.to_owned(),
            body,
            created_at: self.now,
            attempts: 0,
            last_status: 0,
            delivered: false,
        };
        self.hooks.deliveries.insert(delivery.id, delivery);
        self.hooks.count
    }

    /// Schedules a delivery; when reordering, lets the next one of the account overtake it.
    fn line_up(&mut self, open_id: &str, id: u64) {
        let delay = self.knobs.webhook_delay_ms;
        if !self.knobs.webhook_reorder {
            self.after(delay, Event::Deliver(id));
            return;
        }
        match self.hooks.swapping.remove(open_id) {
            Some(overtaken) => {
                self.after(delay, Event::Deliver(id));
                self.after(delay, Event::Deliver(overtaken));
            }
            None => {
                self.hooks.swapping.insert(open_id.to_owned(), id);
                self.after(SWAP_MS, Event::Unswap(open_id.to_owned()));
            }
        }
    }

    pub(super) fn unswap(&mut self, open_id: &str) {
        if let Some(id) = self.hooks.swapping.remove(open_id) {
            self.after(0, Event::Deliver(id));
        }
    }

    /// Notes the answer to an attempt (0: none) and schedules the next one if need be.
    fn delivery_answered(&mut self, id: u64, status: u16) {
        let Some(delivery) = self.hooks.deliveries.get_mut(&id) else {
            return;
        };
        delivery.attempts += 1;
        delivery.last_status = status;
        delivery.delivered |= status == 200;
        let attempts = delivery.attempts;
        if status != 200 && attempts < ATTEMPTS {
            let wait = self
                .knobs
                .webhook_retry_ms
                .saturating_mul(4u64.saturating_pow(attempts - 1));
            self.after(wait, Event::Deliver(id));
        }
    }
}

/// The value of `TikTok-Signature`: `t=<seconds>,s=<hex of HMAC-SHA256 over "t.body">`.
pub(super) fn signature(secret: &str, now: Time, body: &str) -> String {
    let t = now.as_secs();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(format!("{t}.{body}").as_bytes());
    format!("t={t},s={}", hex::encode(mac.finalize().into_bytes()))
}

/// Makes one attempt at a delivery.
pub(super) async fn deliver(core: &Core, id: u64) {
    let Some((url, body, signature)) = core.with(|world| {
        let delivery = world
            .hooks
            .deliveries
            .get(&id)
            .filter(|delivery| !delivery.delivered)?;
        let signature = signature(&world.client_secret, world.now, &delivery.body);
        Some((world.knobs.webhook_url.clone()?, delivery.body.clone(), signature))
    }) else {
        return;
    };
    let request = core
        .http
        .post(url)
        .header("content-type", "application/json")
        .header("TikTok-Signature", signature);
    let answer = request
        .timeout(std::time::Duration::from_secs(10))
        .body(body)
        .send()
        .await;
    let status = answer.map_or(0, |answer| answer.status().as_u16());
    core.with(|world| world.delivery_answered(id, status));
}
