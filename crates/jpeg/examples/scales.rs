//! What decoding at a fraction of the size costs, beside libjpeg-turbo: `cargo run --release -p playout-jpeg --example scales FILE…`.
//!
//! `cargo run --release -p playout-captions --example slides pictures FOLDER` writes files to measure.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement, which is read by a person"
)]

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use turbojpeg::{Decompressor, ScalingFactor, YuvImage, read_header, yuv_pixels_len};

/// Decodings that the shortest is taken of.
const ROUNDS: usize = 20;

fn main() {
    println!("milliseconds of CPU       here    libjpeg-turbo");
    for path in std::env::args().skip(1) {
        let file = std::fs::read(&path).unwrap();
        for eighths in 1..=playout_jpeg::MOST_EIGHTHS {
            let [here, turbo] = measure(&file, eighths).map(|time| time.as_secs_f64() * 1000.0);
            println!("{path}, {eighths}/8: {here:.2}, {turbo:.2}");
        }
    }
}

/// The shortest time of [`playout_jpeg::decode`], and of libjpeg-turbo.
fn measure(file: &[u8], eighths: usize) -> [Duration; 2] {
    let header = read_header(file).unwrap();
    let factor = ScalingFactor::new(eighths, 8);
    let scaled = header.scaled(factor);
    let length = yuv_pixels_len(scaled.width, 1, scaled.height, scaled.subsamp).unwrap();
    let (mut pixels, mut unstuffed) = (vec![0; length], Vec::new());
    let here = shortest(|| playout_jpeg::decode(file, eighths, &mut pixels, &mut unstuffed).unwrap());
    let mut image = YuvImage {
        pixels,
        width: scaled.width,
        align: 1,
        height: scaled.height,
        subsamp: scaled.subsamp,
    };
    let mut decompressor = Decompressor::new().unwrap();
    decompressor.set_scaling_factor(factor).unwrap();
    let turbo = shortest(|| {
        decompressor
            .decompress_to_yuv(file, image.as_deref_mut())
            .unwrap()
    });
    [here, turbo]
}

fn shortest(mut decode: impl FnMut()) -> Duration {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
    let round = |_| {
        let before = now();
        decode();
        now() - before
    };
    (0..ROUNDS).map(round).min().unwrap()
}
