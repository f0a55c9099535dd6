//! Progress bars and spinners on standard error, on a terminal.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use playout_client::Progress;

use super::screen::{Screen, brief};

/// A megabyte is 10⁶ bytes, as in every other output.
const BAR: &str = "{prefix:30} {bar:25} {decimal_bytes:>10} of {decimal_total_bytes:<10} {decimal_bytes_per_sec:>12} {eta:>4}";
/// On a terminal that is too narrow for that.
const NARROW_BAR: &str = "{prefix:16} {wide_bar} {decimal_bytes:>10} {percent:>3}%";
/// Until the size is known.
const WAITING: &str = "{prefix} {decimal_bytes:>10}, waiting for the size";
const NARROW: usize = 100;
const REDRAW: Duration = Duration::from_millis(100);

/// The progress bars of several files.
pub(super) struct Bars {
    all: MultiProgress,
    template: &'static str,
}

impl Bars {
    /// Bars that are drawn or hidden.
    pub(super) fn new(screen: &Screen) -> Self {
        let target = match screen.has_bars() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        Self {
            all: MultiProgress::with_draw_target(target),
            template: match screen.columns() {
                Some(..NARROW) => NARROW_BAR,
                _ => BAR,
            },
        }
    }

    /// Shows `progress` while `work` runs. A size of 0 is not known yet.
    pub(super) async fn follow<T>(
        &self,
        name: &str,
        size_bytes: u64,
        progress: &Progress,
        work: impl Future<Output = T>,
    ) -> T {
        let template = if size_bytes == 0 { WAITING } else { self.template };
        let bar = ProgressBar::new(size_bytes).with_style(style(template));
        let bar = self.all.add(bar);
        bar.set_prefix(brief(name, if self.template == BAR { 30 } else { 16 }));
        let mut work = std::pin::pin!(work);
        let done = loop {
            match tokio::time::timeout(REDRAW, &mut work).await {
                Ok(done) => break done,
                Err(_) => self.advance(&bar, progress),
            }
        };
        self.advance(&bar, progress);
        match bar.length() {
            Some(1..) => bar.finish(),
            _ => bar.finish_and_clear(),
        }
        done
    }

    /// Draws how far it is; a bar once its size is known.
    fn advance(&self, bar: &ProgressBar, progress: &Progress) {
        if let (Some(0), total @ 1..) = (bar.length(), progress.total()) {
            bar.set_style(style(self.template));
            bar.set_length(total);
        }
        bar.set_position(progress.bytes());
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A spinner for waiting.
pub(super) struct Spinner(ProgressBar);

impl Spinner {
    pub(super) fn new(screen: &Screen) -> Self {
        let spinner = match screen.has_bars() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        spinner.enable_steady_tick(REDRAW);
        Self(spinner)
    }

    pub(super) fn say(&self, text: String) {
        self.0.set_message(text);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
