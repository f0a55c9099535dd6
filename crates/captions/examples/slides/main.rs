//! What a slide costs: CPU time of one thread against F, which is libjpeg-turbo's decoding to RGB and encoding of the same
//! picture, measured just before and just after. `cargo xtask bench slides` runs this and compares with the limits.
//!
//! Prints a line for each kind of picture: what, the ratio, milliseconds, and milliseconds of F, between tabs.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot go on should stop; it prints"
)]

#[path = "../../tests/slides/files.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod files;
#[path = "../../tests/slides/photo.rs"]
mod photo;

use nix::time::{ClockId, clock_gettime};
use playout_captions::{Compositor, Look};
use turbojpeg::PixelFormat;

use files::{CANVAS, Made, PLAIN, jpeg, not_to_be_spliced, turned};
use photo::photo;

/// Captions without emoji: short and long, in several scripts, and some that are hard.
const CAPTIONS: [&str; 8] = [
    "Day 1 of building in public",
    "Three things nobody told me before I moved to another country",
    "wait for it",
    "The best coffee in town costs less than you think, and here is how I found it",
    "שלום 123 לכולם",
    "三分钟学会的早餐",
    "สวัสดีตอนเช้าที่กรุงเทพ",
    "مرحبا بكم في المدينة",
];
/// Captions with colour emoji.
const EMOJI: [&str; 4] = [
    "Morning routine ☕️🌞",
    "Road trip! 🚗💨🏔️",
    "We did it 🎉🥳👩‍👩‍👧",
    "Love this ❤️‍🔥 so much 😭",
];
/// Slides of each picture, with one caption after another; the median counts.
const ROUNDS: usize = 9;

/// A picture as it comes, and the picture that F is of.
struct Case {
    file: Vec<u8>,
    plain: Vec<u8>,
}

fn main() {
    let slides: Vec<Vec<u8>> = (0..24).map(slide).collect();
    let sizes = slides.iter().map(|slide| slide.len() / 1000);
    let (least, most) = (sizes.clone().min().unwrap(), sizes.max().unwrap());
    println!(
        "# {} pictures of 1080 by 1920, {least} to {most} kB",
        slides.len()
    );
    let case = |file: Vec<u8>, plain: &[u8]| Case {
        file,
        plain: plain.to_vec(),
    };
    let spliced: Vec<Case> = slides.iter().map(|slide| case(slide.clone(), slide)).collect();
    print("block-copying", &spliced, &CAPTIONS);
    print("block-copying, emoji", &spliced, &EMOJI);
    let straight = slides.iter().map(|slide| case(not_to_be_spliced(slide), slide));
    let straight: Vec<Case> = straight.collect();
    print("straight", &straight, &CAPTIONS);
    print("straight, emoji", &straight, &EMOJI);
    let optimal = Made {
        is_optimized: true,
        ..PLAIN
    };
    let optimal = (0..8).map(|seed| jpeg(&photo(CANVAS, seed), CANVAS, optimal));
    let optimal: Vec<Case> = optimal.map(|file| case(file.clone(), &file)).collect();
    print("block-copying, optimal Huffman tables", &optimal, &CAPTIONS);
    let webp = |rgb: &[u8]| webp::Encoder::from_rgb(rgb, 1080, 1920).encode(80.0).to_vec();
    let webps = (0..8).map(|seed| webp(&photo(CANVAS, seed))).zip(&slides);
    let webps: Vec<Case> = webps.map(|(file, slide)| case(file, slide)).collect();
    print("WebP", &webps, &CAPTIONS);
    let size = (4032, 3024);
    let phone = (0..4).map(|seed| turned(&jpeg(&photo(size, seed), size, PLAIN), 6));
    let mut phone: Vec<Case> = phone.map(|file| case(file.clone(), &file)).collect();
    print("12 megapixels, turned", &phone, &CAPTIONS);
    for (phone, slide) in phone.iter_mut().zip(&slides) {
        phone.plain.clone_from(slide);
    }
    print("12 megapixels, F of a slide", &phone, &CAPTIONS);
}

fn slide(seed: u32) -> Vec<u8> {
    let quality = 85 + seed as i32 % 8;
    jpeg(&photo(CANVAS, seed), CANVAS, Made { quality, ..PLAIN })
}

fn print(what: &str, cases: &[Case], captions: &[&str]) {
    let compositor = Compositor::new();
    let (mut ratios, mut costs, mut yardsticks) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases {
        for caption in captions.iter().cycle().take(ROUNDS) {
            let before = millis(|| yardstick(&case.plain));
            let bake = || compositor.bake(&case.file, caption, Look::default()).unwrap();
            let cost = millis(|| drop(bake()));
            let yardstick = (before + millis(|| yardstick(&case.plain))) / 2.0;
            ratios.push(cost / yardstick);
            costs.push(cost);
            yardsticks.push(yardstick);
        }
    }
    println!(
        "{what}\t{:.3}\t{:.2}\t{:.2}",
        median(ratios),
        median(costs),
        median(yardsticks)
    );
}

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
