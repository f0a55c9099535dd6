//! A time in which something fails again and again, as everything does on a full disk or without a database. It is logged
//! when it begins, once a minute while it lasts, and when it is over.

use std::fmt::Display;
use std::time::Duration;

use playout_domain::lateness::in_words;
use playout_domain::time::Time;

/// How often the log repeats that it lasts.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// What fails, since when, and when that was last logged.
#[derive(Debug)]
pub(crate) struct Outage {
    what: &'static str,
    is_harmless: bool,
    since_and_told: Option<(Time, Time)>,
}

impl Outage {
    /// No outage yet. `what` is a clause for the log about what does not work.
    pub(crate) fn of(what: &'static str) -> Self {
        Self {
            what,
            is_harmless: false,
            since_and_told: None,
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
            Duration::ZERO => {
                format!("{what}: {error}. It is tried again and again; this is told once a minute.")
            }
            _ => format!("{what}, for {} now: {error}", in_words(lasts)),
        };
        match self.is_harmless {
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
        let is_new = self.since_and_told.is_none();
        let (since, told) = self.since_and_told.get_or_insert((now, now));
        (is_new || now.since(*told) >= TELL_EVERY).then(|| {
            *told = now;
            now.since(*since)
        })
    }

    /// How long it lasted, if there was one.
    fn worked(&mut self, now: Time) -> Option<Duration> {
        self.since_and_told.take().map(|(since, _)| now.since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_at_once_then_every_minute_and_at_its_end() {
        let begin = Time::from_micros(1_700_000_000_000_000);
        let mut outage = Outage::of("nothing works");
        assert_eq!(outage.worked(begin), None);
        let told: Vec<u64> = (0..=125)
            .filter_map(|second| outage.failed(begin.plus(Duration::from_secs(second))))
            .map(|lasts| lasts.as_secs())
            .collect();
        assert_eq!(told, [0, 60, 120]);
        let end = begin.plus(Duration::from_secs(126));
        assert_eq!(outage.worked(end), Some(Duration::from_secs(126)));
        assert_eq!(outage.worked(end), None);
        assert_eq!(outage.failed(end), Some(Duration::ZERO));
    }
}
