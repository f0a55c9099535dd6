//! Log lines about events that unauthenticated clients can cause at will: the first at once, then at most one a minute,
//! with a count. A log that grows by a line for each request fills the disk as fast as clients send requests.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use playout_domain::time::Time;

/// The shortest time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Counts events of one kind.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    logged_at: Option<Time>,
    since: u64,
}

impl Tally {
    /// Counts an event. Returns how many there were since the last line, this one included, if a line is due.
    pub fn count(&self, now: Time) -> Option<u64> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.since += 1;
        // A clock that was set back must not silence the log until it has caught up.
        let is_due = counted
            .logged_at
            .is_none_or(|at| now < at || now.since(at) >= LINE_EVERY);
        is_due.then(|| {
            counted.logged_at = Some(now);
            std::mem::take(&mut counted.since)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_event_is_logged_at_once_and_the_others_once_a_minute() {
        let (tally, begin) = (Tally::default(), Time::from_secs(1_795_000_000));
        let second = |second| begin.plus(Duration::from_secs(second));
        let lines: Vec<(u64, u64)> = (0..=120)
            .filter_map(|at| Some((at, tally.count(second(at))?)))
            .collect();
        assert_eq!(lines, [(0, 1), (60, 60), (120, 60)]);
        assert_eq!(tally.count(begin), Some(1), "after the clock was set back");
    }
}
