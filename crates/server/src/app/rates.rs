//! Rate limits: a token bucket for each recent caller. Each node counts for itself.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use playout_domain::id::{KeyId, UserId};
use playout_domain::rate::{Bucket, Rate, Taken};
use playout_domain::time::Time;

/// How often full buckets are dropped.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// The buckets of callers, known by `K`.
pub struct Rates<K>(Mutex<Buckets<K>>);

struct Buckets<K> {
    by_caller: HashMap<K, (Rate, Bucket)>,
    swept_at: Time,
}

impl<K> Default for Rates<K> {
    fn default() -> Self {
        Self(Mutex::new(Buckets {
            by_caller: HashMap::new(),
            swept_at: Time::from_micros(0),
        }))
    }
}

impl<K: Eq + Hash> Rates<K> {
    /// Counts a call. A caller whose bucket has refilled, or whose rate has changed, begins with a full bucket.
    pub fn take(&self, caller: K, rate: Rate, now: Time) -> Taken {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.since(buckets.swept_at) >= SWEEP_EVERY || now < buckets.swept_at {
            buckets.swept_at = now;
            buckets
                .by_caller
                .retain(|_, (rate, bucket)| !bucket.is_full(*rate, now));
        }
        let new = || (rate, Bucket::new(rate, now));
        let held = buckets.by_caller.entry(caller).or_insert_with(new);
        if held.0 != rate {
            *held = new();
        }
        held.1.take(rate, now)
    }

    /// Whether another call would be allowed, without counting one; else how long until then.
    pub fn look(&self, caller: &K, rate: Rate, now: Time) -> Taken {
        let buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let held = buckets.by_caller.get(caller);
        let mut bucket = held.map_or_else(|| Bucket::new(rate, now), |(_, bucket)| *bucket);
        bucket.take(rate, now)
    }

    /// Lets a caller begin anew.
    pub fn forget(&self, caller: &K) {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.by_caller.remove(caller);
    }
}

/// Whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Those with a key.
    Key(KeyId),
    /// Those of a person, in all their sessions.
    User(UserId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_rests_is_forgotten_and_who_does_not_is_not() {
        let (rates, rate) = (Rates::default(), "1/60s;burst=2".parse().unwrap());
        let noon = Time::from_secs(1_795_176_000);
        rates.take("rests", rate, noon);
        rates.take("calls", rate, noon);
        assert_eq!(rates.take("calls", rate, noon).remaining, 0);
        let later = noon.plus(Duration::from_secs(61));
        assert_eq!(rates.take("calls", rate, later).remaining, 0);
        let held = |caller| rates.0.lock().unwrap().by_caller.contains_key(caller);
        assert!(held("calls") && !held("rests"));
    }

    #[test]
    fn another_rate_begins_with_a_full_bucket() {
        let (rates, now) = (Rates::default(), Time::from_secs(1));
        let (few, many) = ("1/1s".parse().unwrap(), "9/1s".parse().unwrap());
        assert!(rates.take((), few, now).allowed && !rates.take((), few, now).allowed);
        assert_eq!(rates.take((), many, now).remaining, 8);
    }
}
