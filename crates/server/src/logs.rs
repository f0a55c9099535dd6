//! Logging: sentences with their values, and the values as fields.

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
