//! A time in which something fails again and again, as everything does on a full disk or without a database. It is logged
//! when it begins, as a warning, because most of what fails once works when it is tried again; as an error when it has lasted for ten
//! seconds, and once a minute from then on; and when it is over.

use std::fmt::Display;
use std::time::Duration;

use playout_domain::lateness::in_words;
use playout_domain::time::Time;

/// How long it lasts before it is an error.
const ERROR_AFTER: Duration = Duration::from_secs(10);
/// How often the log repeats that it lasts.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// What fails, since when, and when that is logged next.
#[derive(Debug)]
pub(crate) struct Outage {
    what: &'static str,
    is_harmless: bool,
    since_and_next: Option<(Time, Time)>,
}

impl Outage {
    /// No outage yet. `what` is a clause for the log about what does not work.
    pub(crate) fn of(what: &'static str) -> Self {
        Self {
            what,
            is_harmless: false,
            since_and_next: None,
        }
    }

    /// [`Outage::of`] what costs only time: a warning, no error.
    pub(crate) fn harmless(what: &'static str) -> Self {
        Self {
            is_harmless: true,
            ..Self::of(what)
        }
    }

    /// It was tried, and failed.
    pub(crate) fn goes_on(&mut self, now: Time, error: &impl Display) {
        let Some(lasts) = self.failed(now) else { return };
        let (what, seconds) = (self.what, lasts.as_secs());
        let text = match lasts {
            Duration::ZERO => format!("{what}: {error}. It is tried again and again."),
            _ => format!("{what}, for {} now: {error}", in_words(lasts)),
        };
        match self.is_harmless || lasts < ERROR_AFTER {
            true => tracing::warn!(seconds, "{text}"),
            false => tracing::error!(seconds, "{text}"),
        }
    }

    /// It was tried, and worked; `again` is logged if it had failed before.
    pub(crate) fn is_over(&mut self, now: Time, again: &str) {
        if let Some(lasted) = self.worked(now) {
            let seconds = lasted.as_secs();
            tracing::info!(seconds, "after {} {again}", in_words(lasted));
        }
    }

    /// How long it lasts, if that is to be logged now.
    fn failed(&mut self, now: Time) -> Option<Duration> {
        let Some((since, next)) = &mut self.since_and_next else {
            self.since_and_next = Some((now, now.plus(ERROR_AFTER)));
            return Some(Duration::ZERO);
        };
        (now >= *next).then(|| {
            *next = now.plus(TELL_EVERY);
            now.since(*since)
        })
    }

    /// How long it lasted, if there was one.
    fn worked(&mut self, now: Time) -> Option<Duration> {
        self.since_and_next.take().map(|(since, _)| now.since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_at_once_after_ten_seconds_then_every_minute_and_at_its_end() {
        let begin = Time::from_micros(1_700_000_000_000_000);
        let mut outage = Outage::of("nothing works");
        assert_eq!(outage.worked(begin), None);
        let told: Vec<u64> = (0..=125)
            .filter_map(|second| outage.failed(begin.plus(Duration::from_secs(second))))
            .map(|lasts| lasts.as_secs())
            .collect();
        assert_eq!(told, [0, 10, 70]);
        let end = begin.plus(Duration::from_secs(126));
        assert_eq!(outage.worked(end), Some(Duration::from_secs(126)));
        assert_eq!(outage.worked(end), None);
        assert_eq!(outage.failed(end), Some(Duration::ZERO));
    }
}
