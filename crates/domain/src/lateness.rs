//! Posts that are found long after they were due, because the service was down or the account was away: whether they still go out
//! by themselves, or a person in their workspace decides first.

use std::fmt;
use std::time::Duration;

use crate::time::Time;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// What a workspace wants done with a post that is found overdue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatenessPolicy {
    /// A person decides about a post that is found more than this after it was due.
    AskAfter(Duration),
    /// It is published, however late it is.
    AlwaysPublish,
}

impl LatenessPolicy {
    /// The fewest and the most hours that a workspace may choose for [`Self::AskAfter`].
    pub const HOURS: (u32, u32) = (1, 8760);

    /// No workspace has a person decide about a post that is less overdue than this.
    pub const SHORTEST: Duration = HOUR;

    /// [`Self::AskAfter`] so many hours, kept to the microsecond; `None` outside of [`Self::HOURS`].
    pub fn after_hours(hours: f64) -> Option<Self> {
        let (least, most) = Self::HOURS;
        let is_allowed = (f64::from(least)..=f64::from(most)).contains(&hours);
        is_allowed.then(|| Self::AskAfter(Duration::from_micros((hours * MICROS_PER_HOUR).round() as u64)))
    }

    /// After how many hours a person decides; `None` for never.
    pub fn hours(self) -> Option<f64> {
        match self {
            Self::AskAfter(after) => Some(after.as_micros() as f64 / MICROS_PER_HOUR),
            Self::AlwaysPublish => None,
        }
    }

    /// How overdue a post is that a person must decide about: due at `planned_at`, found at `found_at`. `None` for one that goes out.
    pub fn asks_about(self, planned_at: Time, found_at: Time) -> Option<Duration> {
        let late = found_at.since(planned_at);
        matches!(self, Self::AskAfter(after) if late > after).then_some(late)
    }
}

const MICROS_PER_HOUR: f64 = 3_600_000_000.0;

/// A day, which is also how long faults of the provider are retried.
impl Default for LatenessPolicy {
    fn default() -> Self {
        Self::AskAfter(DAY)
    }
}

/// A duration in words, rounded down: `3 days and 2 hours`. Hours from a day on, minutes from an hour on, seconds below.
pub fn in_words(duration: Duration) -> String {
    let (minutes, seconds) = (duration.as_secs() / 60, duration.as_secs() % 60);
    let (days, hours) = (minutes / (24 * 60), minutes / 60 % 24);
    match (days, hours) {
        (0, 0) => pair(Count(minutes, "minute"), Count(seconds, "second")),
        (0, _) => pair(Count(hours, "hour"), Count(minutes % 60, "minute")),
        _ => pair(Count(days, "day"), Count(hours, "hour")),
    }
}

/// So many of a unit of time.
struct Count(u64, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(1, unit) => write!(f, "1 {unit}"),
            Self(count, unit) => write!(f, "{count} {unit}s"),
        }
    }
}

fn pair(large: Count, small: Count) -> String {
    match (large.0, small.0) {
        (0, _) => small.to_string(),
        (_, 0) => large.to_string(),
        _ => format!("{large} and {small}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_day_late_is_published_and_a_microsecond_more_is_asked_about() {
        let (policy, planned) = (LatenessPolicy::default(), Time::from_secs(1_000_000));
        let limit = planned.plus(DAY);
        assert_eq!(policy.asks_about(planned, limit), None);
        let late = DAY + Duration::from_micros(1);
        assert_eq!(policy.asks_about(planned, planned.plus(late)), Some(late));
        assert_eq!(policy.hours(), Some(24.0));
    }

    #[test]
    fn hours_have_bounds_and_may_be_fractions() {
        for hours in [0.0, 0.999, -24.0, 8760.001, f64::NAN, f64::INFINITY, f64::MAX] {
            assert_eq!(LatenessPolicy::after_hours(hours), None, "{hours}");
        }
        let policy = LatenessPolicy::after_hours(1.5).unwrap();
        assert_eq!(policy, LatenessPolicy::AskAfter(Duration::from_secs(5400)));
        assert_eq!(
            LatenessPolicy::after_hours(1.0),
            Some(LatenessPolicy::AskAfter(LatenessPolicy::SHORTEST))
        );
        assert_eq!(LatenessPolicy::AlwaysPublish.hours(), None);
    }

    #[test]
    fn durations_are_said_in_two_units_at_most() {
        assert_eq!(in_words(Duration::from_secs(329)), "5 minutes and 29 seconds");
        assert_eq!(in_words(Duration::from_millis(1900)), "1 second");
        assert_eq!(in_words(Duration::from_secs(3659)), "1 hour");
        let said = |minutes: u64| in_words(Duration::from_secs(minutes * 60));
        assert_eq!(said(61), "1 hour and 1 minute");
        assert_eq!(said(120), "2 hours");
        assert_eq!(said(0), "0 seconds");
        assert_eq!(said(24 * 60 + 59), "1 day");
        assert_eq!(said(10 * 24 * 60 + 125), "10 days and 2 hours");
    }

    proptest! {
        #[test]
        fn a_post_is_asked_about_exactly_when_it_is_found_later_than_the_policy_allows(
            planned in 0i64..4_000_000_000_000_000, late in -100_000_000_000i64..40_000_000_000_000, hours in 1.0f64..8760.0
        ) {
            let policy = LatenessPolicy::after_hours(hours).unwrap();
            let LatenessPolicy::AskAfter(after) = policy else { panic!("it asks") };
            let (planned, found) = (Time::from_micros(planned), Time::from_micros(planned + late));
            let asked = policy.asks_about(planned, found);
            prop_assert_eq!(asked.is_some(), late > i64::try_from(after.as_micros()).unwrap());
            prop_assert!(asked.is_none_or(|late| late == found.since(planned) && late > LatenessPolicy::SHORTEST));
            prop_assert_eq!(LatenessPolicy::AlwaysPublish.asks_about(planned, found), None);
        }

        #[test]
        fn later_is_never_asked_about_less(
            first in 0i64..40_000_000_000_000, more in 0i64..40_000_000_000_000, hours in 1.0f64..8760.0
        ) {
            let policy = LatenessPolicy::after_hours(hours).unwrap();
            let asks = |late| policy.asks_about(Time::from_micros(0), Time::from_micros(late)).is_some();
            prop_assert!(asks(first + more) || !asks(first));
        }

        #[test]
        fn hours_are_shown_as_they_were_given(hours in 1u32..=8760, hundredths in 0u32..100) {
            // The nearest number to what a person writes, which a sum of both parts is not always.
            let hours: f64 = format!("{hours}.{hundredths:02}").parse().unwrap();
            let hours = hours.min(8760.0);
            prop_assert_eq!(LatenessPolicy::after_hours(hours).unwrap().hours(), Some(hours));
        }
    }
}
