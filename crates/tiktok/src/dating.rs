//! When something happened that the provider dates, by our clock. The clocks may differ, and either may have been put right since, so
//! both times count: what is searched for is found whichever is wrong, and what is not listed is missing by both.

use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime};

use playout_domain::time::Time;

/// A smaller difference is within the tolerance of the search: dates are whole seconds, and answers take time.
const NOTABLE: Duration = Duration::from_secs(60);

/// By how much the provider's clock is ahead of ours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// Negative where it is behind; 0 where the difference is not notable.
    seconds: i64,
}

impl Ahead {
    /// By an answer that the provider dated so, and that came `now`. Without a date it is taken to be right.
    pub(crate) fn of(dated: Option<Time>, now: Time) -> Self {
        let seconds = dated.map_or(0, |dated| dated.as_secs().saturating_sub(now.as_secs()));
        match seconds.unsigned_abs() >= NOTABLE.as_secs() {
            true => Self { seconds },
            false => Self::default(),
        }
    }

    /// By how much the clocks differ, and whether ours is ahead; `None` if not notably.
    pub(crate) fn difference(self) -> Option<(Duration, bool)> {
        let by = Duration::from_secs(self.seconds.unsigned_abs());
        (self.seconds != 0).then_some((by, self.seconds < 0))
    }

    /// From when to when something that the provider dates so may have happened.
    pub(crate) fn span(self, dated: Time) -> RangeInclusive<Time> {
        let ours = Time::from_secs(dated.as_secs().saturating_sub(self.seconds));
        dated.min(ours)..=dated.max(ours)
    }
}

/// The time of a `Date` header (RFC 9110 §6.6.1).
pub(crate) fn read_date(value: &str) -> Option<Time> {
    let since_epoch = httpdate::parse_http_date(value)
        .ok()?
        .duration_since(SystemTime::UNIX_EPOCH);
    Some(Time::from_secs(i64::try_from(since_epoch.ok()?.as_secs()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Time {
        Time::from_secs(1_795_000_000 + seconds)
    }

    #[test]
    fn what_is_dated_by_a_clock_that_is_right_has_one_time() {
        for dated in [None, Some(at(0)), Some(at(59)), Some(at(-59))] {
            let ahead = Ahead::of(dated, at(0));
            assert_eq!(ahead.span(at(7)), at(7)..=at(7));
            assert_eq!(ahead.difference(), None);
        }
    }

    #[test]
    fn what_is_dated_by_a_clock_that_differs_has_both_times() {
        let behind = Ahead::of(Some(at(-600)), at(0));
        assert_eq!(behind.span(at(-600)), at(-600)..=at(0));
        assert_eq!(behind.difference(), Some((Duration::from_secs(600), true)));
        let ahead = Ahead::of(Some(at(600)), at(0));
        assert_eq!(ahead.span(at(600)), at(0)..=at(600));
        assert_eq!(ahead.difference(), Some((Duration::from_secs(600), false)));
    }

    #[test]
    fn the_date_of_an_answer_is_read() {
        assert_eq!(
            read_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(Time::from_secs(784_111_777))
        );
        for no_date in ["", "soon", "Thu, 01 Jan 1900 00:00:00 GMT"] {
            assert_eq!(read_date(no_date), None, "{no_date}");
        }
    }
}
