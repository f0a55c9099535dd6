//! Does what lies outside of the provider's state, and wakes it for its timers.

use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::core::Core;
use super::world::Effect;
use super::{pull, webhooks};

/// Queues of webhooks; an account always has the same one, so that its events stay in order.
const LANES: usize = 16;

/// Does the effects and wakes for timers, until the simulator stops.
pub(super) async fn drive(core: Arc<Core>, mut todo: UnboundedReceiver<Effect>) {
    let lanes: Vec<UnboundedSender<u64>> = (0..LANES).map(|_| start_lane(&core)).collect();
    loop {
        let next = core.with(|world| world.next_timer());
        let timer = async {
            match next {
                Some(at) => core.sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = core.cancel.cancelled() => return,
            () = core.wake.notified() => {}
            () = timer => {}
            Some(effect) = todo.recv() => start(&core, &lanes, effect),
        }
    }
}

fn start(core: &Arc<Core>, lanes: &[UnboundedSender<u64>], effect: Effect) {
    match effect {
        Effect::Pull(publish_id) => {
            let core = Arc::clone(core);
            tokio::spawn(async move {
                tokio::select! {
                    () = core.cancel.cancelled() => {}
                    () = pull::run(&core, &publish_id) => {}
                }
                core.done();
            });
        }
        Effect::Deliver(id) => {
            let open_id = core.with(|world| {
                world
                    .hooks
                    .deliveries
                    .get(&id)
                    .map(|delivery| delivery.open_id.clone())
            });
            let hash = open_id
                .unwrap_or_default()
                .bytes()
                .fold(0usize, |sum, byte| sum.wrapping_mul(31) + usize::from(byte));
            let sent = lanes.get(hash % LANES).is_some_and(|lane| lane.send(id).is_ok());
            if !sent {
                core.done();
            }
        }
        Effect::Forget(media_id) => {
            core.shelf.remove(&media_id);
            core.done();
        }
    }
}

/// A queue whose webhooks are sent one after the other.
fn start_lane(core: &Arc<Core>) -> UnboundedSender<u64> {
    let (sender, mut queue) = unbounded_channel();
    let core = Arc::clone(core);
    tokio::spawn(async move {
        loop {
            let id = tokio::select! {
                () = core.cancel.cancelled() => return,
                id = queue.recv() => id,
            };
            let Some(id) = id else { return };
            tokio::select! {
                () = core.cancel.cancelled() => return,
                () = webhooks::deliver(&core, id) => core.done(),
            }
        }
    });
    sender
}
