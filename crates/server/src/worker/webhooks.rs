//! Sends what is due to webhooks, beside the engine and never in its way: a few at a time, fewer to one receiver, each in a
//! task of its own. `app/deliveries.rs` says how.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::WebhookId;
use playout_domain::time::Time;
use playout_store::{ClaimDeliveries, LOOK_EVERY, Outgoing, StoreError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::app::deliveries::TIME_LIMIT;
use crate::outage::Outage;

/// How many are sent at the same time.
const AT_ONCE: usize = 32;
/// How many of them to one webhook.
const PER_WEBHOOK: u32 = 4;
/// What is due but cannot be had is looked for again after so long: another node holds it at this instant.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many deliveries each webhook is being sent by this process.
#[derive(Default)]
struct Sending {
    counts: Mutex<HashMap<WebhookId, usize>>,
    /// One of them is free again, or there is room for another.
    freed: Notify,
}

/// Runs until `stop`, then until what is under way has been answered. What other nodes make is found within
/// [`LOOK_EVERY`].
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let sending = Arc::new(Sending::default());
    let mut outage = Outage::of("nothing can be sent to webhooks");
    while !stop.is_cancelled() {
        app.heart.set_looking_to_send(true);
        let looked = look(&app, &sending).await;
        app.heart.set_looking_to_send(false);
        let until = match looked {
            Ok(next) => {
                outage.is_over(app.now(), "webhooks are sent again what they wait for");
                next
            }
            Err(error) => {
                outage.goes_on(app.now(), &error);
                app.now().plus(LOOK_EVERY)
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.store.delivery_signal().notified() => {}
            () = sending.freed.notified() => {}
            () = app.clock.sleep_until(until) => {}
        }
    }
    while sending.total() > 0 {
        sending.freed.notified().await;
    }
}

/// Begins to send what is due and can be begun; answers when to look again, unless something happens before.
async fn look(app: &Arc<App>, sending: &Arc<Sending>) -> Result<Time, StoreError> {
    loop {
        // The clock is read after the database has answered: it may be set back meanwhile.
        let next = app.store.next_delivery_at().await?;
        let now = app.now();
        match next {
            None => return Ok(now.plus(LOOK_EVERY)),
            Some(next) if next > now => return Ok(next.min(now.plus(LOOK_EVERY))),
            Some(_) => {}
        }
        let claimed = claim(app, sending).await?;
        if claimed.is_empty() {
            let is_busy = sending.total() > 0;
            return Ok(app.now().plus(if is_busy { LOOK_EVERY } else { PATIENCE }));
        }
        for held in claimed {
            start(app, sending, held);
        }
    }
}

async fn claim(app: &App, sending: &Sending) -> Result<Vec<Outgoing>, StoreError> {
    let room = AT_ONCE.saturating_sub(sending.total());
    if room == 0 {
        return Ok(Vec::new());
    }
    let busy = sending.busy();
    let claim = ClaimDeliveries {
        limit: u32::try_from(room).unwrap_or(u32::MAX),
        per_webhook: PER_WEBHOOK,
        busy: &busy,
        // As long as a receiver may take, and then as long as clocks may differ.
        lease: TIME_LIMIT + app.config.worker_lease,
    };
    app.store.claim_deliveries(&app.node, claim, app.now()).await
}

fn start(app: &Arc<App>, sending: &Arc<Sending>, held: Outgoing) {
    let (app, sending) = (Arc::clone(app), Arc::clone(sending));
    sending.add(held.webhook_id);
    app.heart.set_sending(sending.total());
    tokio::spawn(async move {
        let (id, webhook) = (held.id, held.webhook_id);
        let worker = Arc::clone(&app);
        // A panic must free the slot too: its own task, awaited here.
        match tokio::spawn(async move { worker.deliver(held).await }).await {
            Ok(Ok(())) => {}
            // The lease stays until it ends; then it is sent again.
            Ok(Err(error)) => tracing::error!(delivery = %id, "what came of delivery {id} was lost: {error}"),
            Err(error) => tracing::error!(delivery = %id, "delivery {id} panicked: {error}"),
        }
        sending.remove(webhook);
        app.heart.set_sending(sending.total());
    });
}

impl Sending {
    fn add(&self, webhook: WebhookId) {
        *self.lock().entry(webhook).or_default() += 1;
    }

    /// A webhook can be claimed for again once all of its own have ended.
    fn remove(&self, webhook: WebhookId) {
        let mut counts = self.lock();
        let left = counts.get_mut(&webhook).map_or(0, |count| {
            *count = count.saturating_sub(1);
            *count
        });
        if left == 0 {
            counts.remove(&webhook);
        }
        drop(counts);
        if left == 0 {
            self.freed.notify_one();
        }
    }

    fn busy(&self) -> Vec<WebhookId> {
        self.lock().keys().copied().collect()
    }

    fn total(&self) -> usize {
        self.lock().values().sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WebhookId, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
