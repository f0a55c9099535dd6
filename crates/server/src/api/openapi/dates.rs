//! Dates of examples. They are recorded on a fixed day; where the reference is served they are moved to the present, because times
//! in requests must not be in the past (`docs/contract.md#modes`).

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use playout_domain::time::Time;

/// Midnight of the day on which the tests record the examples: 2026-11-20.
const RECORDED: Time = Time::from_secs(1_795_132_800);
const DAY: Duration = Duration::from_secs(86_400);

/// A form of the reference, with the dates of today.
pub struct Dated {
    recorded: LazyLock<String>,
    /// The text that was last served, and by how many days its dates are moved.
    served: Mutex<Option<(u32, Bytes)>>,
}

impl Dated {
    /// The text that `make` returns.
    pub const fn new(make: fn() -> String) -> Self {
        Self {
            recorded: LazyLock::new(make),
            served: Mutex::new(None),
        }
    }

    /// The text as it is served at this time.
    pub fn at(&self, now: Time) -> Bytes {
        let days = days_since_recorded(now);
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        match &*served {
            Some((moved, text)) if *moved == days => text.clone(),
            _ => {
                let text = Bytes::from(moved(&self.recorded, days));
                *served = Some((days, text.clone()));
                text
            }
        }
    }
}

/// The text with its dates moved to the day of `now`.
pub fn on_day_of(now: Time, text: &str) -> String {
    moved(text, days_since_recorded(now))
}

fn days_since_recorded(now: Time) -> u32 {
    let days = now.since(RECORDED).as_secs() / DAY.as_secs();
    u32::try_from(days).unwrap_or_default()
}

/// Moves the date of everything of the form `2026-11-20T12`.
fn moved(text: &str, days: u32) -> String {
    if days == 0 {
        return text.to_owned();
    }
    let mut moved = String::with_capacity(text.len());
    let mut copied = 0;
    for (end, _) in text.match_indices('T') {
        let begins_hour = text[end + 1..].starts_with(|next: char| next.is_ascii_digit());
        let date = end
            .checked_sub(10)
            .filter(|start| *start >= copied && begins_hour);
        let Some((start, date)) = date.and_then(|start| Some((start, text.get(start..end)?))) else {
            continue;
        };
        if let Ok(midnight) = Time::parse(&format!("{date}T00:00:00Z")) {
            moved.push_str(&text[copied..start]);
            moved.push_str(&midnight.plus(DAY * days).day());
            copied = end;
        }
    }
    moved.push_str(&text[copied..]);
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time::parse(text).unwrap()
    }

    #[test]
    fn dates_move_by_whole_days_and_nothing_else_changes() {
        let text = "é \"2026-11-21T12:00:00.000Z\" since=2026-12-31T23:59Z 2026-11-20 019aa124-7a00T00 2026-13-01T00";
        assert_eq!(on_day_of(at("2026-11-20T23:59:59Z"), text), text);
        assert_eq!(
            on_day_of(at("2020-01-01T00:00:00Z"), text),
            text,
            "a clock that is behind"
        );
        assert_eq!(
            on_day_of(at("2027-11-21T00:00:00Z"), text),
            "é \"2027-11-22T12:00:00.000Z\" since=2028-01-01T23:59Z 2026-11-20 019aa124-7a00T00 2026-13-01T00"
        );
    }

    #[test]
    fn what_is_served_follows_the_clock() {
        let text = Dated::new(|| "2026-11-21T12:00:00Z".to_owned());
        for (now, served) in [
            ("2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z"),
            ("2026-11-25T00:00:00Z", "2026-11-26T12:00:00Z"),
            ("2026-11-26T00:00:00Z", "2026-11-27T12:00:00Z"),
        ] {
            assert_eq!(text.at(at(now)), served);
        }
    }
}
