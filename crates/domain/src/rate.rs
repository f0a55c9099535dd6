//! How often a caller may call: a token bucket in whole numbers, so that nothing is rounded in anyone's favour.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;

use crate::time::Time;

/// The most calls, and the longest window, that a rate may name: a full bucket then fits its integer.
const MOST: u32 = 1_000_000;
const LONGEST: u64 = 86_400;

/// So many calls in a window, evenly, and so many at once. Written `120/60s;burst=60`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Rate {
    quota: u32,
    window_seconds: u32,
    burst: u32,
}

/// A text that is no [`Rate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be calls/window;burst=calls, such as 120/60s;burst=60; the window in s, m or h, at most a day; calls at most \
     a million"
)]
pub struct ParseRateError;

/// The outcome of taking a call from a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Whether the call may be made.
    pub allowed: bool,
    /// How many more may be made at once.
    pub remaining: u32,
    /// How long until that is one more. Never zero.
    pub more_in: Duration,
}

/// What is left to one caller.
///
/// It is counted in parts of a call: a microsecond adds `quota` of them, and a call costs as many as the window has
/// microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// Below zero where more was taken than there was, by nodes that did not know of one another.
    parts: i64,
    at: Time,
}

impl Rate {
    /// How many calls in a window.
    pub fn quota(self) -> u32 {
        self.quota
    }

    /// The window in seconds.
    pub fn window_seconds(self) -> u32 {
        self.window_seconds
    }

    /// How many calls at once, after a rest.
    pub fn burst(self) -> u32 {
        self.burst
    }

    /// What so many calls cost, in the parts that a [`Bucket`] counts.
    pub fn parts_of(self, calls: u32) -> i64 {
        self.cost().saturating_mul(calls.into())
    }

    fn cost(self) -> i64 {
        i64::from(self.window_seconds) * 1_000_000
    }

    fn full(self) -> i64 {
        self.parts_of(self.burst)
    }
}

impl Bucket {
    /// A full one.
    pub fn new(rate: Rate, now: Time) -> Self {
        Self {
            parts: rate.full(),
            at: now,
        }
    }

    /// One that holds so many parts as of a time.
    pub fn of(parts: i64, at: Time) -> Self {
        Self { parts, at }
    }

    /// Takes calls out that were made already, whether there were so many or not.
    pub fn spend(&mut self, rate: Rate, calls: u32) {
        self.parts = self.parts.saturating_sub(rate.parts_of(calls));
    }

    /// Takes one call out, if there is one.
    pub fn take(&mut self, rate: Rate, now: Time) -> Taken {
        self.refill(rate, now);
        let cost = rate.cost();
        let allowed = self.parts >= cost;
        if allowed {
            self.parts -= cost;
        }
        let left = u64::try_from(self.parts / cost).unwrap_or(0);
        let missing = match self.parts < 0 {
            true => cost.saturating_sub(self.parts),
            false => cost - self.parts % cost,
        };
        Taken {
            allowed,
            remaining: u32::try_from(left).unwrap_or(u32::MAX),
            more_in: Duration::from_micros(missing.unsigned_abs().div_ceil(rate.quota.into())),
        }
    }

    /// Whether it holds what a new one holds.
    pub fn is_full(mut self, rate: Rate, now: Time) -> bool {
        self.refill(rate, now);
        self.parts == rate.full()
    }

    /// A clock that was set back adds nothing, and takes nothing away.
    fn refill(&mut self, rate: Rate, now: Time) {
        let micros = i64::try_from(now.since(self.at).as_micros()).unwrap_or(i64::MAX);
        let gained = micros.saturating_mul(rate.quota.into());
        self.parts = self.parts.saturating_add(gained).min(rate.full());
        self.at = now;
    }
}

impl FromStr for Rate {
    type Err = ParseRateError;

    fn from_str(text: &str) -> Result<Self, ParseRateError> {
        let (rate, burst) = match text.split_once(';') {
            Some((rate, burst)) => (
                rate,
                Some(burst.trim().strip_prefix("burst=").ok_or(ParseRateError)?),
            ),
            None => (text, None),
        };
        let (quota, window) = rate.split_once('/').ok_or(ParseRateError)?;
        let quota = calls(quota)?;
        Ok(Self {
            quota,
            window_seconds: seconds(window.trim())?,
            burst: burst.map_or(Ok(quota), calls)?,
        })
    }
}

fn calls(text: &str) -> Result<u32, ParseRateError> {
    let calls = text.trim().parse().map_err(|_| ParseRateError)?;
    Some(calls)
        .filter(|calls| (1..=MOST).contains(calls))
        .ok_or(ParseRateError)
}

fn seconds(text: &str) -> Result<u32, ParseRateError> {
    let units = [("s", 1), ("m", 60), ("h", 3600)];
    let unit =
        |(unit, seconds): &(&str, u64)| Some((text.strip_suffix(unit)?.parse::<u32>().ok()?, *seconds));
    let (count, unit) = units.iter().find_map(unit).ok_or(ParseRateError)?;
    let seconds = u64::from(count) * unit;
    let seconds = Some(seconds).filter(|seconds| (1..=LONGEST).contains(seconds));
    seconds
        .and_then(|seconds| u32::try_from(seconds).ok())
        .ok_or(ParseRateError)
}

impl TryFrom<String> for Rate {
    type Error = ParseRateError;

    fn try_from(text: String) -> Result<Self, ParseRateError> {
        text.parse()
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}s;burst={}", self.quota, self.window_seconds, self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOON: Time = Time::from_secs(1_795_176_000);

    fn rate(text: &str) -> Rate {
        text.parse().unwrap()
    }

    #[test]
    fn a_rate_reads_as_it_is_written() {
        for text in ["120/60s;burst=60", "1/86400s;burst=1", "1000000/1s;burst=1000000"] {
            assert_eq!(rate(text).to_string(), text);
        }
        assert_eq!(rate("120/1m"), rate("120/60s;burst=120"));
        assert_eq!(rate(" 7 / 1h ; burst= 3 "), rate("7/3600s;burst=3"));
    }

    #[test]
    fn other_texts_are_no_rates() {
        let wrong = [
            "",
            "120",
            "120/60",
            "0/60s",
            "120/0s",
            "120/60s;burst=0",
            "120/60s;burst",
            "120/60s;burst=1;x",
            "120/25h",
            "-1/60s",
            "1000001/1s",
            "1/1s;burst=1000001",
            "1.5/s",
            "120/60s;limit=3",
            "4294967296/1s",
            "1/4294967296h",
        ];
        for text in wrong {
            assert_eq!(text.parse::<Rate>(), Err(ParseRateError), "{text}");
        }
    }

    #[test]
    fn a_burst_is_taken_at_once_and_comes_back_evenly() {
        let rate = rate("120/60s;burst=3");
        let mut bucket = Bucket::new(rate, NOON);
        let left: Vec<_> = (0..4)
            .map(|_| bucket.take(rate, NOON))
            .map(|taken| (taken.allowed, taken.remaining))
            .collect();
        assert_eq!(left, [(true, 2), (true, 1), (true, 0), (false, 0)]);
        let half = Duration::from_millis(500);
        assert_eq!(bucket.take(rate, NOON).more_in, half);
        assert!(
            !bucket
                .take(rate, NOON.plus(half).minus(Duration::from_micros(1)))
                .allowed
        );
        assert!(bucket.take(rate, NOON.plus(half)).allowed);
        assert!(!bucket.is_full(rate, NOON.plus(half * 3)));
        assert!(bucket.is_full(rate, NOON.plus(half * 4)));
    }

    #[test]
    fn a_clock_set_back_stops_nobody_for_long() {
        let rate = rate("1/1s;burst=1");
        let mut bucket = Bucket::new(rate, NOON);
        assert!(bucket.take(rate, NOON).allowed);
        let before = NOON.minus(Duration::from_secs(3600));
        assert!(!bucket.take(rate, before).allowed);
        assert!(bucket.take(rate, before.plus(Duration::from_secs(1))).allowed);
    }

    proptest! {
        #[test]
        fn more_is_allowed_exactly_when_it_was_promised(
            quota in 1u32..=1000, window in 1u32..=3600, burst in 1u32..=50, pauses in prop::collection::vec(0u64..5_000_000, 0..80)
        ) {
            let rate = rate(&format!("{quota}/{window}s;burst={burst}"));
            let (mut bucket, mut now) = (Bucket::new(rate, NOON), NOON);
            for pause in pauses {
                now = now.plus(Duration::from_micros(pause));
                let taken = bucket.take(rate, now);
                prop_assert!(!taken.more_in.is_zero() && taken.remaining < burst);
                if !taken.allowed {
                    let (mut early, mut in_time) = (bucket, bucket);
                    prop_assert!(!early.take(rate, now.plus(taken.more_in - Duration::from_micros(1))).allowed);
                    prop_assert!(in_time.take(rate, now.plus(taken.more_in)).allowed);
                }
            }
        }

        #[test]
        fn never_more_than_the_burst_and_the_quota(
            quota in 1u32..=100, burst in 1u32..=50, pauses in prop::collection::vec(0u64..300_000, 1..300)
        ) {
            let rate = rate(&format!("{quota}/1s;burst={burst}"));
            let (mut bucket, mut now, mut allowed) = (Bucket::new(rate, NOON), NOON, 0u64);
            for pause in pauses {
                now = now.plus(Duration::from_micros(pause));
                allowed += u64::from(bucket.take(rate, now).allowed);
            }
            let elapsed = u64::try_from(now.since(NOON).as_micros()).unwrap();
            prop_assert!(allowed <= u64::from(burst) + u64::from(quota) * elapsed / 1_000_000);
        }
    }
}
