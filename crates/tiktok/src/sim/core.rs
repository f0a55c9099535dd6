//! The running provider: its state behind one lock, its clock, and the driver that does what lies outside.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use playout_domain::time::{Clock, Time};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::config::SimConfig;
use super::hold::Holds;
use super::journal::Journal;
use super::media::Shelf;
use super::world::{Effect, World};
use super::{pull, webhooks};

/// Tasks whose files are fetched at the same time.
const PULLS: usize = 64;
/// Queues of webhooks; an account always has the same one, so that its events stay in order.
const LANES: usize = 16;

/// What every request and every driver task shares.
pub(super) struct Core {
    pub(super) holds: Holds,
    pub(super) shelf: Shelf,
    pub(super) http: reqwest::Client,
    pub(super) pulls: Semaphore,
    pub(super) cancel: CancellationToken,
    config: SimConfig,
    clock: Arc<dyn Clock>,
    /// How far the provider's clock is ahead of `clock`, in microseconds.
    ahead: AtomicI64,
    world: Mutex<World>,
    journal: Mutex<Journal>,
    effects: UnboundedSender<Effect>,
    /// Effects that are not done yet.
    busy: watch::Sender<usize>,
    wake: Notify,
}

impl Core {
    /// The core, and the effects that [`drive`] has to be given.
    pub(super) fn new(
        config: SimConfig,
        base_url: String,
        clock: Arc<dyn Clock>,
    ) -> std::io::Result<(Arc<Self>, UnboundedReceiver<Effect>)> {
        let world = World::new(&config, base_url, clock.now());
        let (effects, todo) = unbounded_channel();
        let core = Self {
            holds: Holds::new(),
            shelf: Shelf::new()?,
            http: http_client()?,
            pulls: Semaphore::new(PULLS),
            cancel: CancellationToken::new(),
            config,
            clock,
            ahead: AtomicI64::new(0),
            world: Mutex::new(world),
            journal: Mutex::new(Journal::new()),
            effects,
            busy: watch::Sender::new(0),
            wake: Notify::new(),
        };
        Ok((Arc::new(core), todo))
    }

    /// The provider's present.
    pub(super) fn now(&self) -> Time {
        Time::from_micros(
            self.clock
                .now()
                .as_micros()
                .saturating_add(self.ahead.load(Ordering::SeqCst)),
        )
    }

    /// Sets the provider's clock ahead of the world's.
    pub(super) fn advance(&self, by: Duration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.ahead.fetch_add(micros, Ordering::SeqCst);
        self.wake.notify_one();
        self.with(|_| ());
    }

    /// How far the provider's clock is ahead of the one it was started with.
    pub(super) fn ahead(&self) -> Duration {
        let micros = self.ahead.load(Ordering::SeqCst);
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        let ahead = self.ahead.load(Ordering::SeqCst);
        self.clock
            .sleep_until(Time::from_micros(at.as_micros().saturating_sub(ahead)))
    }

    /// Looks at or changes the state, with everything done that was due before, and everything that became due by it.
    ///
    /// The lock is held for this call alone; effects are only queued.
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        let mut world = lock(&self.world);
        let now = self.now();
        let planned = world.next_timer();
        world.settle(now);
        let result = change(&mut world);
        world.settle(now);
        let effects = std::mem::take(&mut world.effects);
        let next = world.next_timer();
        if !effects.is_empty() {
            self.busy.send_modify(|busy| *busy += effects.len());
            // Without a driver the simulator has stopped, and nothing is done any more.
            effects
                .into_iter()
                .for_each(|effect| drop(self.effects.send(effect)));
        }
        drop(world);
        if next.is_some_and(|next| planned.is_none_or(|planned| next < planned)) {
            self.wake.notify_one();
        }
        result
    }

    /// Forgets everything but the configuration, and sets the clock back; what was held goes on.
    pub(super) fn reset(&self) {
        self.holds.open_all();
        self.ahead.store(0, Ordering::SeqCst);
        self.with(|world| {
            // The time of a world never goes back: a fresh one begins at the clock's.
            let fresh = World::new(&self.config, world.base_url.clone(), self.now());
            let before = std::mem::replace(world, fresh);
            // Identifiers continue, so that none from before is used again.
            world.ids = before.ids;
            before.tasks.values().for_each(|task| task.abort());
        });
        *self.journal() = Journal::new();
        self.wake.notify_one();
    }

    pub(super) fn journal(&self) -> MutexGuard<'_, Journal> {
        lock(&self.journal)
    }

    /// Completes when nothing is due, downloading or being delivered.
    pub(super) async fn idle(&self) {
        self.with(|_| ());
        let _ = self.busy.subscribe().wait_for(|busy| *busy == 0).await;
    }

    fn done(&self) {
        self.busy.send_modify(|busy| *busy = busy.saturating_sub(1));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the simulator's one door to the network: pulls and webhooks"
)]
fn http_client() -> std::io::Result<reqwest::Client> {
    // Another part of the process may have chosen a provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .no_proxy()
        .user_agent("playout-simulator")
        .build()
        .map_err(std::io::Error::other)
}

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
