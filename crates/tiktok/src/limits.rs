//! Our own rate limit: a sliding window per account and kind of call, on the service's clock, so that the provider's limits
//! are kept before it rejects a call. Each process counts for itself. Hand-overs are counted by the ledger too, across
//! nodes and restarts; read calls change nothing, so for them the provider's own 429 is the backstop.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::limits::Window;
use playout_domain::time::Time;

const WINDOW: Duration = Duration::from_secs(60);

/// The provider's limits are sliding, but its clock is not ours.
const MARGIN: Duration = Duration::from_millis(250);

/// With this many windows in memory, those that were idle for a minute are removed; the next time when there are
/// twice as many as were left, so that many busy windows are not searched through at every call.
const CROWD: usize = 4096;

/// The kinds of call that are limited per account. Whether the three kinds of hand-over share one budget is not
/// documented by the provider; they do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Call {
    Init,
    CreatorInfo,
    Status,
    /// Any call of the business API, by its path: each has a budget of its own.
    Business(&'static str),
}

impl Call {
    /// The window of hand-overs, which the ledger keeps across nodes and restarts.
    pub(crate) const fn hand_overs() -> Window {
        Window {
            count: 6,
            length: Duration::from_secs(60),
        }
    }

    /// Calls a minute and account: 6 hand-overs, 20 questions for options, 30 for status; 40 of each kind at the business API.
    const fn per_minute(self) -> usize {
        match self {
            Self::Init => Self::hand_overs().count as usize,
            Self::CreatorInfo => 20,
            Self::Status => 30,
            Self::Business(_) => 40,
        }
    }
}

/// The calls of the last minute, by account and kind.
#[derive(Debug, Default)]
pub(crate) struct Limiter(Mutex<Windows>);

#[derive(Debug, Default)]
struct Windows {
    calls: HashMap<(String, Call), VecDeque<Time>>,
    /// How many were left when the idle ones were last removed.
    kept: usize,
}

impl Windows {
    fn forget_idle(&mut self, now: Time) {
        if self.calls.len() >= CROWD.max(2 * self.kept) {
            self.calls
                .retain(|_, calls| calls.back().is_some_and(|last| now.since(*last) < WINDOW));
            self.kept = self.calls.len();
        }
    }
}

impl Limiter {
    /// Counts a call, or returns how long to wait for the next free place.
    pub(crate) fn take(&self, account: &str, call: Call, now: Time) -> Result<(), Duration> {
        let mut windows = self.lock();
        windows.forget_idle(now);
        let calls = windows.calls.entry((account.to_owned(), call)).or_default();
        while calls.front().is_some_and(|first| now.since(*first) >= WINDOW) {
            calls.pop_front();
        }
        match calls.front() {
            Some(first) if calls.len() >= call.per_minute() => Err(first.plus(WINDOW).since(now) + MARGIN),
            _ => {
                calls.push_back(now);
                Ok(())
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Windows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Up to 15 s on top of `wait`, different for every account and moment, so that a throttled crowd does not return at once.
pub(crate) fn spread(wait: Duration, account: &str, now: Time) -> Duration {
    let mut hasher = DefaultHasher::new();
    (account, now.as_micros()).hash(&mut hasher);
    wait + Duration::from_millis(hasher.finish() % 15_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seventh_hand_over_waits_until_the_first_is_a_minute_old() {
        let limiter = Limiter::default();
        for second in 0..6 {
            assert_eq!(limiter.take("a", Call::Init, Time::from_secs(second)), Ok(()));
        }
        let wait = limiter.take("a", Call::Init, Time::from_secs(10)).unwrap_err();
        assert_eq!(wait, Duration::from_secs(50) + MARGIN);
        assert_eq!(
            limiter.take("a", Call::Init, Time::from_secs(10).plus(wait)),
            Ok(())
        );
        assert!(limiter.take("a", Call::Init, Time::from_secs(60)).is_err());
    }

    #[test]
    fn accounts_and_kinds_of_call_have_windows_of_their_own() {
        let limiter = Limiter::default();
        let now = Time::from_secs(1);
        for _ in 0..6 {
            assert_eq!(limiter.take("a", Call::Init, now), Ok(()));
        }
        assert!(limiter.take("a", Call::Init, now).is_err());
        assert_eq!(limiter.take("b", Call::Init, now), Ok(()));
        for _ in 0..30 {
            assert_eq!(limiter.take("a", Call::Status, now), Ok(()));
        }
        assert!(limiter.take("a", Call::Status, now).is_err());
    }

    #[test]
    fn idle_accounts_are_forgotten() {
        let limiter = Limiter::default();
        for account in 0..CROWD {
            let _counted = limiter.take(&account.to_string(), Call::Status, Time::from_secs(1));
        }
        let _counted = limiter.take("late", Call::Status, Time::from_secs(100));
        assert_eq!(limiter.lock().calls.len(), 1);
    }

    #[test]
    fn a_throttled_crowd_does_not_return_at_once() {
        let now = Time::from_secs(1);
        let minute = Duration::from_secs(60);
        let waits: Vec<_> = (0..50).map(|n| spread(minute, &n.to_string(), now)).collect();
        assert!(waits.iter().all(|wait| (60..75).contains(&wait.as_secs())));
        assert!(waits.iter().collect::<std::collections::HashSet<_>>().len() > 40);
    }
}
