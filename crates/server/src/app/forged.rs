//! Notifications that were not from their provider: counted, and logged at most once a minute.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use playout_domain::time::Time;

/// How often the log tells of them. Anyone can send them, as fast as they like.
const LOGGED_EVERY: Duration = Duration::from_secs(60);

/// How many came since the last line.
#[derive(Debug, Default)]
pub struct Forged(Mutex<(Option<Time>, u64)>);

impl Forged {
    /// Counts one, and logs them where the last line is a minute old.
    pub fn note(&self, now: Time, provider: &str) {
        if let Some(count) = self.due(now) {
            tracing::warn!(
                count,
                "{count} notifications for {provider} were not genuine; this is logged at most once a minute"
            );
        }
    }

    fn due(&self, now: Time) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 += 1;
        if state.0.is_some_and(|last| now.since(last) < LOGGED_EVERY) {
            return None;
        }
        state.0 = Some(now);
        Some(std::mem::take(&mut state.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_the_count_of_forged_notifications_at_most_once_a_minute() {
        let forged = Forged::default();
        let lines: Vec<u64> = (0..=120)
            .filter_map(|second| forged.due(Time::from_secs(second)))
            .collect();
        assert_eq!(lines, [1, 60, 60]);
    }
}
