//! Sends what is due to webhooks, beside the engine and never in its way: a few at a time, fewer of one workspace and to one
//! receiver, each in a task of its own. Workspaces take turns, and one of which nothing is being sent waits for no other.
//! `app/deliveries.rs` has the steps of a delivery.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::{WebhookId, WorkspaceId};
use playout_domain::time::Time;
use playout_store::{ClaimDeliveries, Outgoing, POLL_EVERY, StoreError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::app::deliveries::TIME_LIMIT;
use crate::logs::log_failure;
use crate::outage::Outage;

/// How many are sent at the same time.
const AT_ONCE: usize = 32;
/// How many are sent at the same time with the first of each workspace, which is sent beyond [`AT_ONCE`].
const AT_ONCE_WITH_FIRST: usize = 64;
/// How many of one workspace.
const PER_WORKSPACE: u32 = 8;
/// How many of them to one webhook.
const PER_WEBHOOK: u32 = 4;
/// What is due but cannot be had is looked for again after so long: another node holds it at this instant.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many deliveries each webhook is being sent by this process, and whose it is.
#[derive(Default)]
struct Sending {
    counts: Mutex<HashMap<WebhookId, (WorkspaceId, u32)>>,
    /// One of them is free again, or there is room for another.
    freed: Notify,
}

/// Runs until `stop`, then until what is under way has been answered. What other nodes make is found within
/// [`POLL_EVERY`].
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
                app.now().plus(POLL_EVERY)
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
            None => return Ok(now.plus(POLL_EVERY)),
            Some(next) if next > now => return Ok(next.min(now.plus(POLL_EVERY))),
            Some(_) => {}
        }
        let claimed = claim(app, sending).await?;
        if claimed.is_empty() {
            let is_busy = sending.total() > 0;
            return Ok(app.now().plus(if is_busy { POLL_EVERY } else { PATIENCE }));
        }
        for held in claimed {
            start(app, sending, held);
        }
    }
}

/// Claims for workspaces of which nothing is being sent; only where there is nothing for them, for the others too. So what
/// is due of one workspace, however much, hides nothing of another.
async fn claim(app: &App, sending: &Sending) -> Result<Vec<Outgoing>, StoreError> {
    let (total, in_flight) = (sending.total(), sending.in_flight());
    let room = AT_ONCE.saturating_sub(total);
    let without: Vec<WorkspaceId> = in_flight.iter().map(|(workspace, _)| *workspace).collect();
    let (limit, per_workspace) = match room {
        0 => (AT_ONCE_WITH_FIRST.saturating_sub(total), 1),
        room => (room, PER_WORKSPACE),
    };
    let none = claim_of(app, limit, per_workspace);
    let first = ClaimDeliveries {
        without: &without,
        ..none
    };
    let claimed = claim_if_any(app, first).await?;
    if !claimed.is_empty() || room == 0 || in_flight.is_empty() {
        return Ok(claimed);
    }
    let busy = sending.busy();
    let is_full = |of: &(WorkspaceId, u32)| of.1 >= PER_WORKSPACE;
    let (full, in_flight): (Vec<_>, Vec<_>) = in_flight.into_iter().partition(is_full);
    let full: Vec<WorkspaceId> = full.into_iter().map(|(workspace, _)| workspace).collect();
    let more = ClaimDeliveries {
        busy: &busy,
        without: &full,
        in_flight: &in_flight,
        ..none
    };
    claim_if_any(app, more).await
}

async fn claim_if_any(app: &App, claim: ClaimDeliveries<'_>) -> Result<Vec<Outgoing>, StoreError> {
    match claim.limit {
        0 => Ok(Vec::new()),
        _ => app.store.claim_deliveries(&app.node.name, claim, app.now()).await,
    }
}

/// So many, and so many of a workspace, of all webhooks.
fn claim_of(app: &App, limit: usize, per_workspace: u32) -> ClaimDeliveries<'static> {
    ClaimDeliveries {
        limit: u32::try_from(limit).unwrap_or(u32::MAX),
        per_webhook: PER_WEBHOOK,
        per_workspace,
        busy: &[],
        without: &[],
        in_flight: &[],
        // As long as a receiver may take, and then as long as clocks may differ.
        lease: TIME_LIMIT + app.config.worker_lease,
    }
}

fn start(app: &Arc<App>, sending: &Arc<Sending>, held: Outgoing) {
    let (app, sending) = (Arc::clone(app), Arc::clone(sending));
    sending.add(held.workspace_id, held.webhook_id);
    app.heart.set_sending(sending.total());
    tokio::spawn(async move {
        let (id, webhook) = (held.id, held.webhook_id);
        let worker = Arc::clone(&app);
        // A panic must free the slot too: its own task, awaited here.
        match tokio::spawn(async move { worker.deliver(held).await }).await {
            Ok(Ok(())) => {}
            // The lease stays until it ends; then it is sent again.
            Ok(Err(error)) => {
                log_failure!(error, delivery = %id, "what came of delivery {id} was lost: {error}")
            }
            Err(error) => tracing::error!(delivery = %id, "delivery {id} panicked: {error}"),
        }
        sending.remove(webhook);
        app.heart.set_sending(sending.total());
    });
}

impl Sending {
    fn add(&self, workspace: WorkspaceId, webhook: WebhookId) {
        self.lock().entry(webhook).or_insert((workspace, 0)).1 += 1;
    }

    /// A webhook can be claimed for again once all of its own have ended; another may have waited for this one.
    fn remove(&self, webhook: WebhookId) {
        let mut counts = self.lock();
        if let Some((_, count)) = counts.get_mut(&webhook) {
            *count = count.saturating_sub(1);
        }
        counts.retain(|_, (_, count)| *count > 0);
        drop(counts);
        self.freed.notify_one();
    }

    fn busy(&self) -> Vec<WebhookId> {
        self.lock().keys().copied().collect()
    }

    /// How many are being sent of each workspace of which some are.
    fn in_flight(&self) -> Vec<(WorkspaceId, u32)> {
        let mut of_each: HashMap<WorkspaceId, u32> = HashMap::new();
        for (workspace, count) in self.lock().values() {
            *of_each.entry(*workspace).or_default() += count;
        }
        of_each.into_iter().collect()
    }

    fn total(&self) -> usize {
        self.lock().values().map(|(_, count)| *count as usize).sum()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WebhookId, (WorkspaceId, u32)>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
