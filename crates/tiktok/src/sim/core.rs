//! The running provider: its state behind one lock, its clock, and the effects that the driver does.

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

/// Tasks whose files are fetched at the same time.
const PULLS: usize = 64;

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
    pub(super) wake: Notify,
}

impl Core {
    /// The core, and the effects that [`drive`](super::driver::drive) has to be given.
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

    pub(super) fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
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

    /// Notes that an effect is done.
    pub(super) fn done(&self) {
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
