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
use playout_captions::{Compositor, Fit, Patch};
use turbojpeg::PixelFormat;

use files::{CANVAS, Made, PLAIN, jpeg, lettering, not_to_be_spliced, turned};
use photo::photo;

/// What drawing a caption's patch costs, which is not done here.
const PAINT_MILLIS: f64 = 3.5;
/// Slides of each picture; the median counts.
const ROUNDS: usize = 9;

/// A picture as it comes, and the picture that F is of.
struct Case {
    file: Vec<u8>,
    plain: Vec<u8>,
}

fn main() {
    let patch = lettering((160, 800), (768, 208));
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
    let spliced = slides.iter().map(|slide| case(slide.clone(), slide));
    print("block-copying", &spliced.collect::<Vec<_>>(), &patch);
    let straight = slides.iter().map(|slide| case(not_to_be_spliced(slide), slide));
    print("straight", &straight.collect::<Vec<_>>(), &patch);
    let optimized = (0..8).map(|seed| {
        jpeg(
            &photo(CANVAS, seed),
            CANVAS,
            Made {
                is_optimized: true,
                ..PLAIN
            },
        )
    });
    print(
        "block-copying, optimal Huffman tables",
        &optimized
            .map(|file| case(file.clone(), &file))
            .collect::<Vec<_>>(),
        &patch,
    );
    let moved = (0..8).map(|seed| {
        webp::Encoder::from_rgb(&photo(CANVAS, seed), 1080, 1920)
            .encode(80.0)
            .to_vec()
    });
    print(
        "WebP",
        &moved
            .zip(&slides)
            .map(|(file, slide)| case(file, slide))
            .collect::<Vec<_>>(),
        &patch,
    );
    let size = (4032, 3024);
    let phone: Vec<Vec<u8>> = (0..4)
        .map(|seed| turned(&jpeg(&photo(size, seed), size, PLAIN), 6))
        .collect();
    print(
        "12 megapixels, turned",
        &phone
            .iter()
            .map(|file| case(file.clone(), file))
            .collect::<Vec<_>>(),
        &patch,
    );
    let against = phone
        .iter()
        .zip(&slides)
        .map(|(file, slide)| case(file.clone(), slide));
    print(
        "12 megapixels, F of a slide",
        &against.collect::<Vec<_>>(),
        &patch,
    );
}

fn slide(seed: u32) -> Vec<u8> {
    let quality = 85 + seed as i32 % 8;
    jpeg(&photo(CANVAS, seed), CANVAS, Made { quality, ..PLAIN })
}

fn print(what: &str, cases: &[Case], patch: &Patch) {
    let compositor = Compositor::new();
    let (mut ratios, mut costs, mut yardsticks) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases {
        for _ in 0..ROUNDS {
            let before = millis(|| yardstick(&case.plain));
            let cost =
                PAINT_MILLIS + millis(|| drop(compositor.bake_patch(&case.file, patch, Fit::Cover).unwrap()));
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
