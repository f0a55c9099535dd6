//! The system's clock, the one place that reads it; and the clock of a node, which a database corrects.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

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

/// The system's clock with a correction, so that all nodes of one PostgreSQL go by the same time (`worker/keeper.rs`).
#[derive(Debug, Clone, Default)]
pub struct NodeClock {
    correction_micros: Arc<AtomicI64>,
}

impl Clock for NodeClock {
    fn now(&self) -> Time {
        let own = SystemClock.now().as_micros();
        Time::from_micros(own.saturating_add(self.correction_micros.load(Ordering::Relaxed)))
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        let clock = self.clone();
        sleep(move || clock.now(), at).boxed()
    }

    fn correct(&self, by_micros: i64) -> bool {
        self.correction_micros.fetch_add(by_micros, Ordering::Relaxed);
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
        assert!(
            behind <= Duration::from_secs(15) && behind > Duration::from_secs(10),
            "{behind:?}"
        );
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
