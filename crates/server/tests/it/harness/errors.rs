//! What the service logs as an error while a test runs. A test's world runs on one thread, so a subscriber of that thread
//! receives all of its events and none of other tests.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry;

use super::eventually;

/// Collects errors, without those that a test expects.
pub(crate) struct LoggedErrors {
    lines: Arc<Mutex<Vec<String>>>,
    warnings: Arc<Mutex<Vec<String>>>,
    expected: Mutex<Vec<&'static str>>,
    _guard: DefaultGuard,
}

impl LoggedErrors {
    pub(crate) fn listen() -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let warnings = Arc::default();
        let ears = Ears {
            errors: Arc::clone(&lines),
            warnings: Arc::clone(&warnings),
        };
        let guard = tracing::subscriber::set_default(registry().with(ears));
        Self {
            lines,
            warnings,
            expected: Mutex::default(),
            _guard: guard,
        }
    }

    /// Errors that contain `text` are part of the test.
    pub(crate) fn expect(&self, text: &'static str) {
        self.expected.lock().unwrap().push(text);
    }

    /// The warnings that contain `text`.
    pub(crate) fn warnings(&self, text: &str) -> Vec<String> {
        let lines = self.warnings.lock().unwrap();
        lines.iter().filter(|line| line.contains(text)).cloned().collect()
    }

    /// The same, once there are some: what happened may be seen before it is logged.
    pub(crate) async fn warned(&self, text: &str) -> Vec<String> {
        eventually("a warning is logged", async || !self.warnings(text).is_empty()).await;
        self.warnings(text)
    }

    /// The errors that contain `text`.
    pub(crate) fn errors(&self, text: &str) -> Vec<String> {
        let lines = self.lines.lock().unwrap();
        lines.iter().filter(|line| line.contains(text)).cloned().collect()
    }

    pub(crate) fn unexpected(&self) -> Vec<String> {
        let expected = self.expected.lock().unwrap();
        let lines = self.lines.lock().unwrap();
        lines
            .iter()
            .filter(|line| !expected.iter().any(|text| line.contains(text)))
            .cloned()
            .collect()
    }
}

struct Ears {
    errors: Arc<Mutex<Vec<String>>>,
    warnings: Arc<Mutex<Vec<String>>>,
}

impl<S: Subscriber> Layer<S> for Ears {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let lines = match *event.metadata().level() {
            Level::ERROR => &self.errors,
            Level::WARN => &self.warnings,
            _ => return,
        };
        let mut line = Line(String::new());
        event.record(&mut line);
        lines.lock().unwrap().push(line.0);
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, "{}={value:?} ", field.name()).unwrap();
    }
}
