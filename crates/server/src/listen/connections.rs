//! All open connections: how many there may be, which gives way to a new one, and which are cut.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, MissedTickBehavior};

use super::activity::{Activity, Stage, Ticks};
use super::limits::Limits;

/// What a body or a response must move while [`Limits::stall`] of waiting for the client passes.
const LEAST_BYTES: u64 = 1024;
/// So many connections may be on their way out before a new one waits for them, and how long it waits.
const LEAVING: usize = 32;
const HANDOVER: Duration = Duration::from_millis(100);
/// The interval of the sweep, and so the precision of all limits.
const SWEEP: Duration = Duration::from_secs(1);

/// The open connections of a listener.
pub(super) struct Connections {
    limits: Limits,
    ticks: Arc<Ticks>,
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Default)]
struct Open {
    entries: HashMap<u64, Entry>,
    per_address: HashMap<IpAddr, usize>,
    leaving: usize,
    next: u64,
}

struct Entry {
    activity: Arc<Activity>,
    /// What it is counted under, unless it is exempt.
    address: Option<IpAddr>,
    task: Option<AbortHandle>,
    /// It was cut and is as good as gone.
    is_leaving: bool,
    watched: Watched,
}

/// What the sweep remembers of a connection between its rounds.
#[derive(Default)]
struct Watched {
    turns: u32,
    moved: u64,
    waited: u32,
}

/// A place among the open connections, given back when it is dropped.
pub(super) struct Place {
    connections: Arc<Connections>,
    id: u64,
    pub(super) activity: Arc<Activity>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open().remove(self.id);
        self.connections.freed.notify_waiters();
    }
}

impl Connections {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            ticks: Arc::default(),
            open: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// A place for a new connection. Where there is none, the connection that has gone longest without progress gives way.
    /// At the limit of an address it is one of that address; where all of them moved something since the last round of the
    /// sweep there is no place.
    pub(super) async fn admit(self: &Arc<Self>, peer: SocketAddr) -> Option<Place> {
        let address = self.counted(peer.ip());
        let freed = self.freed.notified();
        let mut freed = std::pin::pin!(freed);
        freed.as_mut().enable();
        match self.make_room(address) {
            Room::Free => {}
            // Descriptors are kept in reserve for those that take longer to go.
            Room::Crowded => {
                let _ = tokio::time::timeout(HANDOVER, freed).await;
            }
            Room::Refused => return None,
        }
        let activity = Arc::new(Activity::new(Arc::clone(&self.ticks)));
        let id = self.open().insert(Arc::clone(&activity), address);
        Some(Place {
            connections: Arc::clone(self),
            id,
            activity,
        })
    }

    /// Lets the connection of a place be cut.
    pub(super) fn started(&self, id: u64, task: AbortHandle) {
        if let Some(entry) = self.open().entries.get_mut(&id) {
            entry.task = Some(task);
        }
    }

    /// Cuts the connection that has gone longest without progress; for when the system has no more descriptors.
    pub(super) fn shed_one(&self) {
        self.open().cut_one(None, self.ticks.now(), 0);
    }

    fn make_room(&self, address: Option<IpAddr>) -> Room {
        let now = self.ticks.now();
        let mut open = self.open();
        let of_address = address.map_or(0, |address| open.per_address.get(&address).copied().unwrap_or(0));
        if of_address >= self.limits.per_address {
            if !open.cut_one(address, now, 1) {
                return Room::Refused;
            }
        } else if open.entries.len() - open.leaving >= self.limits.connections {
            open.cut_one(None, now, 0);
        }
        match open.leaving > LEAVING {
            true => Room::Crowded,
            false => Room::Free,
        }
    }

    /// What a client is counted under: its address, or the network of an IPv6 address, of which one client has all.
    fn counted(&self, address: IpAddr) -> Option<IpAddr> {
        let address = address.to_canonical();
        if self
            .limits
            .exempt
            .iter()
            .any(|network| network.contains(&address))
        {
            return None;
        }
        Some(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(address) => Ipv6Addr::from(u128::from(address) >> 64 << 64).into(),
        })
    }

    /// Cuts connections that keep the server waiting, for as long as the listener runs.
    pub(super) async fn sweep(self: Arc<Self>) {
        let began = Instant::now();
        let shortest = self.limits.head.min(self.limits.idle).min(self.limits.stall);
        let mut rounds = tokio::time::interval(SWEEP.min(shortest / 5));
        // After a pause of the whole process no rounds are made up for: a connection that has expired has a round to respond.
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            rounds.tick().await;
            let now = millis(began.elapsed());
            let passed = now.saturating_sub(self.ticks.now());
            self.ticks.set(now);
            self.cut_slow(now, passed);
        }
    }

    fn cut_slow(&self, now: u32, passed: u32) {
        let mut open = self.open();
        let mut cut = Vec::new();
        for entry in open.entries.values_mut().filter(|entry| !entry.is_leaving) {
            match entry.judge(&self.limits, now, passed) {
                Verdict::Keep => {}
                Verdict::Expire => entry.activity.expire(),
                Verdict::Cut => {
                    entry.cut();
                    cut.push(entry.address);
                }
            }
        }
        open.leaving += cut.len();
        cut.into_iter().for_each(|address| open.uncount(address));
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    pub(super) fn id(&self) -> u64 {
        self.id
    }
}

impl Open {
    fn insert(&mut self, activity: Arc<Activity>, address: Option<IpAddr>) -> u64 {
        let id = self.next;
        self.next += 1;
        if let Some(address) = address {
            *self.per_address.entry(address).or_default() += 1;
        }
        let entry = Entry {
            activity,
            address,
            task: None,
            is_leaving: false,
            watched: Watched::default(),
        };
        self.entries.insert(id, entry);
        id
    }

    fn remove(&mut self, id: u64) {
        let Some(entry) = self.entries.remove(&id) else {
            return;
        };
        match entry.is_leaving {
            true => self.leaving -= 1,
            false => self.uncount(entry.address),
        }
    }

    fn uncount(&mut self, address: Option<IpAddr>) {
        let Some(address) = address else { return };
        if let Some(count) = self.per_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.per_address.remove(&address);
            }
        }
    }

    /// Cuts the connection, of that address or of any, that has gone longest without progress: idle ones first, then
    /// those that wait for their clients, then those that the server works for. Returns whether there was one that has gone
    /// `least` milliseconds without progress.
    fn cut_one(&mut self, address: Option<IpAddr>, now: u32, least: u32) -> bool {
        let candidates = self
            .entries
            .iter_mut()
            .filter(|(_, entry)| !entry.is_leaving && (address.is_none() || entry.address == address));
        // Within one round of the sweep the older connection counts as the slower one.
        let worst = candidates.max_by_key(|(id, entry)| {
            let waited = now.wrapping_sub(entry.activity.progress());
            (entry.class(), waited, Reverse(**id))
        });
        let Some((_, entry)) = worst else { return false };
        if now.wrapping_sub(entry.activity.progress()) < least {
            return false;
        }
        entry.cut();
        let address = entry.address;
        self.leaving += 1;
        self.uncount(address);
        true
    }
}

/// What there is for a new connection.
enum Room {
    Free,
    /// Others must be gone first.
    Crowded,
    Refused,
}

/// What becomes of a connection.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Keep,
    /// The client's time is over: ends the connection with a response.
    Expire,
    Cut,
}

impl Entry {
    fn cut(&mut self) {
        self.is_leaving = true;
        if let Some(task) = &self.task {
            task.abort();
        }
    }

    /// The higher, the sooner it gives way.
    fn class(&self) -> u8 {
        match self.activity.stage() {
            Stage::Idle | Stage::Closing => 2,
            Stage::Head | Stage::Body => 1,
            Stage::Serving => u8::from(self.activity.is_blocked()),
        }
    }

    fn judge(&mut self, limits: &Limits, now: u32, passed: u32) -> Verdict {
        let activity = &self.activity;
        if self.watched.turns != activity.turns() {
            self.watched = Watched {
                turns: activity.turns(),
                moved: activity.moved(),
                waited: 0,
            };
        }
        let stage = activity.stage();
        if activity.is_blocked() || matches!(stage, Stage::Body | Stage::Closing) {
            return self.judge_progress(limits, passed);
        }
        let age = u64::from(now.wrapping_sub(activity.since()));
        let over = |limit: Duration| age >= u64::from(millis(limit));
        match stage {
            // It has had another round of the sweep to end by itself.
            Stage::Head if over(limits.head) && activity.is_expired() => Verdict::Cut,
            Stage::Head if over(limits.head) => Verdict::Expire,
            Stage::Idle if over(limits.idle) => Verdict::Cut,
            _ => Verdict::Keep,
        }
    }

    /// Counts the time in which the client was waited for since it last moved enough.
    fn judge_progress(&mut self, limits: &Limits, passed: u32) -> Verdict {
        let moved = self.activity.moved();
        if moved - self.watched.moved >= LEAST_BYTES {
            (self.watched.moved, self.watched.waited) = (moved, 0);
            return Verdict::Keep;
        }
        self.watched.waited = self.watched.waited.saturating_add(passed);
        if self.watched.waited < millis(limits.stall) {
            return Verdict::Keep;
        }
        self.watched.waited = 0;
        match self.activity.stage() {
            Stage::Body if !self.activity.is_blocked() && !self.activity.is_expired() => Verdict::Expire,
            _ => Verdict::Cut,
        }
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        let config = Limits::default();
        Limits {
            connections: 3,
            per_address: 2,
            exempt: vec!["10.0.0.0/8".parse().unwrap()],
            ..config
        }
    }

    #[tokio::test]
    async fn counts_clients_by_address_and_networks_of_ipv6_as_one() {
        let connections = Connections::new(limits());
        let counted = |text: &str| {
            let counted = connections.counted(text.parse().unwrap());
            counted.map(|address| address.to_string())
        };
        assert_eq!(counted("192.0.2.1").as_deref(), Some("192.0.2.1"));
        assert_eq!(counted("::ffff:192.0.2.1").as_deref(), Some("192.0.2.1"));
        assert_eq!(counted("2001:db8:1:2:3:4:5:6").as_deref(), Some("2001:db8:1:2::"));
        assert_eq!(counted("10.1.2.3"), None);
        assert_eq!(counted("::ffff:10.1.2.3"), None);
    }

    /// Admits a connection and lets a task without an end hold its place.
    async fn admit(
        connections: &Arc<Connections>,
        from: &str,
    ) -> (Arc<Activity>, tokio::task::JoinHandle<()>) {
        let place = connections
            .admit(SocketAddr::new(from.parse().unwrap(), 1))
            .await
            .unwrap();
        let (id, activity) = (place.id(), Arc::clone(&place.activity));
        let task = tokio::spawn(async move {
            let _place = place;
            std::future::pending::<()>().await;
        });
        connections.started(id, task.abort_handle());
        (activity, task)
    }

    #[tokio::test]
    async fn an_idle_connection_gives_way_before_a_stalled_one_and_that_before_a_served_one() {
        let connections = Connections::new(limits());
        let (serving, served) = admit(&connections, "192.0.2.1").await;
        serving.request_begins();
        connections.ticks.set(1000);
        let (_, stalled) = admit(&connections, "192.0.2.2").await;
        connections.ticks.set(2000);
        let (idle, idled) = admit(&connections, "192.0.2.3").await;
        idle.request_begins();
        idle.answered();
        assert!(idle.flushed());
        for gone in [idled, stalled] {
            let (activity, _) = admit(&connections, "192.0.2.4").await;
            activity.request_begins();
            assert!(gone.await.unwrap_err().is_cancelled());
            let open = connections.open();
            assert_eq!(open.entries.len() - open.leaving, 3);
        }
        assert!(!served.is_finished());
        admit(&connections, "192.0.2.5").await;
        assert!(served.await.unwrap_err().is_cancelled());
    }

    #[tokio::test]
    async fn an_address_at_its_limit_takes_from_itself_alone() {
        let connections = Connections::new(limits());
        let (_, other) = admit(&connections, "192.0.2.9").await;
        connections.ticks.set(1000);
        let (_, first) = admit(&connections, "192.0.2.1").await;
        connections.ticks.set(2000);
        admit(&connections, "192.0.2.1").await;
        admit(&connections, "192.0.2.1").await;
        assert!(first.await.unwrap_err().is_cancelled());
        assert!(!other.is_finished());
        let busy = connections
            .admit(SocketAddr::new("192.0.2.1".parse().unwrap(), 1))
            .await;
        assert!(busy.is_none(), "those that it has moved something just now");
    }

    #[tokio::test]
    async fn exempt_clients_are_counted_in_all_but_not_by_address() {
        let connections = Connections::new(limits());
        let mut tasks = Vec::new();
        for _ in 0..3 {
            tasks.push(admit(&connections, "10.0.0.1").await.1);
        }
        assert!(tasks.iter().all(|task| !task.is_finished()));
        admit(&connections, "10.0.0.1").await;
        let open = connections.open();
        assert_eq!(open.entries.len() - open.leaving, 3);
    }

    #[tokio::test]
    async fn time_in_which_the_server_works_is_not_the_clients() {
        let connections = Connections::new(limits());
        let (activity, task) = admit(&connections, "192.0.2.1").await;
        activity.request_begins();
        connections.cut_slow(3_600_000, 3_600_000);
        assert!(!activity.is_expired());
        activity.awaits_body(true);
        connections.cut_slow(3_610_000, 10_000);
        activity.moves(1000);
        assert!(!activity.is_expired(), "its time is not over");
        connections.cut_slow(3_615_000, 5_000);
        assert!(activity.is_expired(), "1,000 bytes in 15 seconds are too few");
        connections.cut_slow(3_630_000, 15_000);
        assert!(task.await.unwrap_err().is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_pause_of_the_process_an_expired_connection_has_a_round_to_respond() {
        let connections = Connections::new(limits());
        let (activity, _task) = admit(&connections, "192.0.2.1").await;
        let sweep = tokio::spawn(Arc::clone(&connections).sweep());
        tokio::task::yield_now().await;
        tokio::time::advance(Duration::from_secs(60)).await;
        tokio::task::yield_now().await;
        assert!(activity.is_expired());
        assert!(connections.open().entries.values().all(|entry| !entry.is_leaving));
        sweep.abort();
    }

    #[tokio::test]
    async fn a_client_that_moves_a_kibibyte_in_time_is_kept() {
        let connections = Connections::new(limits());
        let (activity, _task) = admit(&connections, "192.0.2.1").await;
        activity.request_begins();
        activity.awaits_body(true);
        for round in 1..100 {
            activity.moves(1024);
            connections.cut_slow(round * 14_000, 14_000);
        }
        assert!(!activity.is_expired());
    }
}
