//! Logging: sentences with their values, and the values as fields.

use std::time::Duration;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

use crate::config::Config;

/// Starts logging to standard error. A second call changes nothing.
pub fn start(config: &Config) {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false);
    let started = match config.log_json {
        true => lines.json().try_init(),
        false => lines
            .compact()
            .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .try_init(),
    };
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
}

/// A number of things, by the noun for one of them: `1 post`, `2 posts`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{end}")
}

/// A duration as readable text, in the largest unit of which it has at least two: `3 h`, `90 s`, `700 ms`.
pub(crate) fn roughly(duration: Duration) -> String {
    let millis = duration.as_millis();
    let units = [(3_600_000, "h"), (60_000, "min"), (1000, "s")];
    let (size, unit) = units
        .into_iter()
        .find(|(size, _)| millis >= 2 * size)
        .unwrap_or((1, "ms"));
    format!("{} {unit}", (millis + size / 2) / size)
}

/// An error with its causes, in one sentence.
pub(crate) fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |chain, cause| {
        let cause = cause.to_string();
        if chain.contains(&cause) {
            chain
        } else {
            format!("{chain}: {cause}")
        }
    })
}

/// Logs that something failed which is done again: as a warning where the cause passes by itself, as when the database is away for
/// a moment, else as an error. The first argument has a method `is_passing`, the others are those of [`tracing::error!`].
macro_rules! log_failure {
    ($error:expr, $($line:tt)*) => {
        match $error.is_passing() {
            true => tracing::warn!($($line)*),
            false => tracing::error!($($line)*),
        }
    };
}
pub(crate) use log_failure;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_things_and_durations_read_like_sentences() {
        assert_eq!(
            (counted(0, "post"), counted(1, "post")),
            ("0 posts".to_owned(), "1 post".to_owned())
        );
        let shown = [700, 1999, 2000, 90_000, 7_199_000, 10_799_999]
            .map(|millis| roughly(Duration::from_millis(millis)));
        assert_eq!(shown, ["700 ms", "1999 ms", "2 s", "90 s", "120 min", "3 h"]);
    }
}
