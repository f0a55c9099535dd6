//! CPU time of this thread, and what it is compared with.

use nix::time::{ClockId, clock_gettime};
use turbojpeg::PixelFormat;

use crate::files::{PLAIN, jpeg};

/// What some pictures cost.
#[derive(Default)]
pub(crate) struct Series {
    ratios: Vec<f64>,
    costs: Vec<f64>,
    yardsticks: Vec<f64>,
}

impl Series {
    /// Adds one picture.
    pub(crate) fn add(&mut self, (cost, yardstick): (f64, f64)) {
        self.ratios.push(cost / yardstick);
        self.costs.push(cost);
        self.yardsticks.push(yardstick);
    }

    /// The medians of cost in F, cost and F in milliseconds, between tabs.
    pub(crate) fn medians(self) -> String {
        let [ratio, cost, yardstick] = [self.ratios, self.costs, self.yardsticks].map(median);
        format!("{ratio:.3}\t{cost:.2}\t{yardstick:.2}")
    }
}

/// Milliseconds of `work`, and of F of `file` as the mean of just before and just after.
pub(crate) fn beside(file: &[u8], work: impl FnOnce()) -> (f64, f64) {
    let before = millis(|| yardstick(file));
    let cost = millis(work);
    let after = millis(|| yardstick(file));
    (cost, (before + after) / 2.0)
}

/// F: libjpeg-turbo decodes to RGB and encodes at quality 90, 4:2:0.
fn yardstick(file: &[u8]) {
    let image = turbojpeg::decompress(file, PixelFormat::RGB).unwrap();
    jpeg(&image.pixels, (image.width, image.height), PLAIN);
}

fn millis(work: impl FnOnce()) -> f64 {
    let now = || {
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap();
        time.tv_sec() as f64 * 1e3 + time.tv_nsec() as f64 / 1e6
    };
    let began = now();
    work();
    now() - began
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
