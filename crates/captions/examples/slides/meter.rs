//! CPU time of this thread, and what it is compared with.

use nix::time::{ClockId, clock_gettime};
use turbojpeg::{Compressor, Decompressor, Image, PixelFormat, ScalingFactor};

use crate::files::{CANVAS, PLAIN, jpeg};

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

/// How often F is measured where it stands alone; the median counts.
const TIMES: usize = 9;

/// Milliseconds of F of a picture of any kind, a WebP being decoded by libwebp. One that is larger than a slide is decoded at the
/// nearest scale that covers a slide, and as many of its pixels are encoded as a slide has.
pub(crate) fn yardstick_of(file: &[u8]) -> f64 {
    let is_webp = file.starts_with(b"RIFF");
    let once = || match is_webp {
        true => webp_yardstick(file),
        false => scaled_yardstick(file),
    };
    once();
    median((0..TIMES).map(|_| millis(once)).collect())
}

fn webp_yardstick(file: &[u8]) {
    let image = webp::Decoder::new(file).decode().unwrap();
    jpeg(&image, (image.width() as usize, image.height() as usize), PLAIN);
}

fn scaled_yardstick(file: &[u8]) {
    let mut decompressor = Decompressor::new().unwrap();
    let header = decompressor.read_header(file).unwrap();
    let slide = match header.width > header.height {
        true => (CANVAS.1, CANVAS.0),
        false => CANVAS,
    };
    let eighths = (1..=8).map(|count| ScalingFactor::new(count, 8));
    let covers = |factor: &ScalingFactor| {
        factor.scale(header.width) >= slide.0 && factor.scale(header.height) >= slide.1
    };
    let factor = eighths.into_iter().find(covers).unwrap();
    decompressor.set_scaling_factor(factor).unwrap();
    let (width, height) = (factor.scale(header.width), factor.scale(header.height));
    let mut image = Image {
        pixels: vec![0; width * height * 3],
        width,
        pitch: width * 3,
        height,
        format: PixelFormat::RGB,
    };
    decompressor.decompress(file, image.as_deref_mut()).unwrap();
    let mut compressor = Compressor::new().unwrap();
    compressor.set_quality(PLAIN.quality).unwrap();
    compressor.set_subsamp(PLAIN.subsamp).unwrap();
    let part = Image {
        pixels: &image.pixels[..],
        width: slide.0,
        pitch: width * 3,
        height: slide.1,
        format: PixelFormat::RGB,
    };
    compressor.compress_to_vec(part).unwrap();
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
