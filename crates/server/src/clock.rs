//! The system's clock, the one place that reads it; and the clock of a node, which a database corrects.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use playout_domain::time::{Clock, Time};

/// The operating system's clock, UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the system's clock"
    )]
    fn now(&self) -> Time {
        let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let micros = since_epoch.map_or(0, |duration| duration.as_micros());
        Time::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        sleep(|| SystemClock.now(), at).boxed()
    }
}

/// The clock of a node. With PostgreSQL all nodes go by the database's time: from the first correction on (`worker/keeper.rs`) this clock
/// counts on from it evenly, whatever the clock of the machine is set to. Before that, and with SQLite, it shows the system's.
#[derive(Clone)]
pub struct NodeClock<S = SystemClock> {
    system: S,
    /// From when on it counts.
    origin: Instant,
    /// Its time at the origin, in microseconds; [`UNCORRECTED`] before the first correction.
    at_origin: Arc<AtomicI64>,
}

const UNCORRECTED: i64 = i64::MIN;

impl Default for NodeClock {
    fn default() -> Self {
        Self::on(SystemClock)
    }
}

impl<S: Clock + Clone> NodeClock<S> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the monotonic clock for the time of day"
    )]
    fn on(system: S) -> Self {
        Self {
            system,
            origin: Instant::now(),
            at_origin: Arc::new(AtomicI64::new(UNCORRECTED)),
        }
    }

    fn elapsed_micros(&self) -> i64 {
        i64::try_from(self.origin.elapsed().as_micros()).unwrap_or(i64::MAX)
    }
}

impl<S: Clock + Clone> Clock for NodeClock<S> {
    fn now(&self) -> Time {
        match self.at_origin.load(Ordering::Relaxed) {
            UNCORRECTED => self.system.now(),
            at_origin => Time::from_micros(at_origin.saturating_add(self.elapsed_micros())),
        }
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        let clock = self.clone();
        sleep(move || clock.now(), at).boxed()
    }

    fn correct(&self, by_micros: i64) -> bool {
        let corrected = self.now().as_micros().saturating_add(by_micros);
        let at_origin = corrected.saturating_sub(self.elapsed_micros());
        self.at_origin.store(at_origin, Ordering::Relaxed);
        true
    }
}

/// Sleeps until `now` returns `at` or later, or the clock was set back.
///
/// The timer counts a monotonic clock, and `now` can be set: it wakes often to compare, and goes on for as long as the time has
/// not come, so that nothing is ever early.
async fn sleep(now: impl Fn() -> Time, at: Time) {
    loop {
        let begun = now();
        let left = at.since(begun);
        if left.is_zero() {
            return;
        }
        let nap = left.min(NAP);
        tokio::time::sleep(nap).await;
        if was_set_back((begun, now()), nap) {
            return;
        }
    }
}

/// Whether a clock that showed `from` shows so little now, after a nap, that it must have been set back meanwhile. Without this
/// a sleep until a time that a fast clock gave would last until the corrected clock reached it.
fn was_set_back((from, now): (Time, Time), nap: Duration) -> bool {
    now.plus(TOLERANCE) < from.plus(nap)
}

/// A sleep looks at the clock this often, at least.
const NAP: Duration = Duration::from_secs(5);

/// Clocks that are kept in time are slowed down by far less in one nap.
const TOLERANCE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use playout_domain::time::ManualClock;

    use super::*;

    #[test]
    fn a_clock_that_was_set_back_during_a_nap_is_found_out() {
        let noon = Time::from_secs(43_200);
        let after = |now| was_set_back((noon, now), NAP);
        assert!(after(noon.minus(Duration::from_secs(3600))));
        assert!(after(noon.plus(Duration::from_secs(3))));
    }

    #[test]
    fn a_nap_that_took_as_long_as_it_should_or_longer_is_none() {
        let noon = Time::from_secs(43_200);
        for passed in [4_500, 5_000, 5_001, 60_000, 7_200_000] {
            assert!(
                !was_set_back((noon, noon.plus(Duration::from_millis(passed))), NAP),
                "{passed} ms"
            );
        }
    }

    #[test]
    fn corrections_of_a_node_add_up_and_hold_for_its_copies() {
        let clock = NodeClock::default();
        let copy = clock.clone();
        clock.correct(-20_000_000);
        clock.correct(5_000_000);
        let behind = SystemClock.now().since(copy.now());
        let off = behind.abs_diff(Duration::from_secs(15));
        assert!(off < Duration::from_secs(1), "{behind:?}");
    }

    #[test]
    fn a_corrected_clock_does_not_follow_the_machines_when_that_is_set() {
        let noon = Time::from_secs(43_200);
        let hour = Duration::from_secs(3600);
        let machine = ManualClock::at(noon.minus(hour));
        let clock = NodeClock::on(machine.clone());
        assert_eq!(clock.now(), noon.minus(hour));
        clock.correct(3_600_000_000);
        machine.set(noon);
        let passed = clock.now().since(noon);
        assert!(passed < Duration::from_secs(1), "{passed:?}");
        assert!(clock.now() >= noon);
        clock.correct(0);
        machine.set(noon.minus(hour));
        assert!(clock.now() >= noon);
    }

    #[tokio::test]
    async fn a_sleep_of_a_corrected_clock_ends_by_its_own_time() {
        let clock = NodeClock::default();
        clock.correct(3_600_000_000);
        let at = SystemClock.now().plus(Duration::from_secs(1800));
        clock.sleep_until(at).await;
        assert!(clock.now() >= at);
    }

    #[tokio::test]
    async fn a_sleep_ends_when_its_time_has_come_and_not_before() {
        let at = SystemClock.now().plus(Duration::from_millis(30));
        SystemClock.sleep_until(at).await;
        assert!(SystemClock.now() >= at);
    }
}
