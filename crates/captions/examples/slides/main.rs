//! What a slide costs: CPU time of one thread against F, which is libjpeg-turbo's decoding to RGB and encoding of the same
//! picture, measured just before and just after. `cargo xtask bench slides` runs this and compares with the limits.
//!
//! - `slides measure` prints a line for each kind of picture: what, and the medians of the ratio, milliseconds, and
//!   milliseconds of F, between tabs.
//! - `slides write FOLDER` writes the photos and the captions that the peers get.
//! - `slides pictures FOLDER` writes a photo of about 660 kB of the size of a slide, the same as a WebP, and one of 12 megapixels.
//! - `slides yardstick FILE` prints the milliseconds of F of that picture.
//! - `slides beside FOLDER` bakes them as the peers do, and prints for each its number, milliseconds, and milliseconds of F.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot go on should stop; it prints"
)]

mod captions;
#[path = "../../tests/slides/files.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod files;
mod libjpeg;
mod meter;
mod photo;

use std::path::Path;

use playout_captions::{Compositor, Look};

use files::{CANVAS, Made, PLAIN, jpeg, not_to_be_spliced, turned, with_profile};
use meter::{Series, beside};
use photo::photo;

/// Photos of each kind.
const PHOTOS: u32 = 40;
/// How often each goes round, with another caption each time.
const ROUNDS: usize = 3;
/// A phone's photo as it lies in the sensor: 12 megapixels.
const SENSOR: (usize, usize) = (4032, 3024);
/// Bytes of a photo of the size of a slide, least and most, as camera apps save them.
const BYTES: std::ops::RangeInclusive<usize> = 400_000..=900_000;

/// Bytes of a photo of the size of a slide as the service is measured with it.
const MIDDLING: usize = 660_000;

/// A picture as it comes, and the pictures that F is of.
struct Case {
    file: Vec<u8>,
    yardsticks: Vec<Vec<u8>>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["measure"] => measure(),
        ["write", folder] => write(Path::new(folder)),
        ["pictures", folder] => write_pictures(Path::new(folder)),
        ["yardstick", file] => println!("{:.3}", meter::yardstick_of(&std::fs::read(file).unwrap())),
        ["beside", folder] => beside_peers(Path::new(folder)),
        _ => panic!("measure, write FOLDER, pictures FOLDER, yardstick FILE or beside FOLDER"),
    }
}

fn measure() {
    let slides: Vec<Vec<u8>> = (0..PHOTOS).map(slide).collect();
    say_what_is_measured(&slides);
    let (plain, emoji) = (captions::with_emoji(false), captions::with_emoji(true));
    let own = |file: Vec<u8>| Case {
        yardsticks: vec![file.clone()],
        file,
    };
    let slide_of = |number: u32| slides[number as usize].clone();
    let spliced = |number| own(slide_of(number));
    let straight = |number| Case {
        file: not_to_be_spliced(&slide_of(number)),
        yardsticks: vec![slide_of(number)],
    };
    print(&["block-copying"], spliced, &plain, ROUNDS);
    print(&["block-copying, emoji"], spliced, &emoji, ROUNDS);
    print(&["block-copying, no caption"], spliced, &[""], 1);
    libjpeg::print(&slides);
    print(&["straight"], straight, &plain, ROUNDS);
    print(&["straight, emoji"], straight, &emoji, ROUNDS);
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let wide = |number| Case {
        file: with_profile(&slide_of(number), &profile),
        yardsticks: vec![slide_of(number)],
    };
    print(&["straight, Display P3"], wide, &plain, 1);
    let optimal = ["block-copying, optimal Huffman tables"];
    print(&optimal, |number| own(optimized(number)), &plain, 1);
    let webp = |number| Case {
        file: webp(number),
        yardsticks: vec![slide_of(number)],
    };
    print(&["WebP"], webp, &plain, ROUNDS);
    let phone = |number| {
        let file = phone(number);
        Case {
            yardsticks: vec![file.clone(), slide_of(number)],
            file,
        }
    };
    let names = ["12 megapixels, turned", "12 megapixels, F of a slide"];
    print(&names, phone, &plain, 1);
}

/// Says of what the figures are, behind `#`; pictures of other sizes than asked for would not count.
fn say_what_is_measured(slides: &[Vec<u8>]) {
    let sizes = slides.iter().map(Vec::len);
    let (least, most) = (sizes.clone().min().unwrap(), sizes.max().unwrap());
    let range = format!("{} to {} kB", least / 1000, most / 1000);
    assert!(
        BYTES.contains(&least) && BYTES.contains(&most),
        "photos of {range}"
    );
    let captions = captions::all().len();
    println!(
        "# {PHOTOS} photos of 1080 by 1920, {range}; {captions} captions: {}",
        captions::counted()
    );
}

/// Measures 40 pictures with so many captions each, and prints a line for each yardstick. Every round begins with glyphs that
/// were not painted before.
fn print(names: &[&str], make: impl Fn(u32) -> Case, captions: &[&str], rounds: usize) {
    let compositors: Vec<Compositor> = (0..rounds).map(|_| warm(&make(0).file)).collect();
    let mut series: Vec<Series> = names.iter().map(|_| Series::default()).collect();
    for number in 0..PHOTOS {
        let case = make(number);
        for (round, compositor) in compositors.iter().enumerate() {
            let caption = captions[(number as usize + round * captions.len() / rounds) % captions.len()];
            for (series, yardstick) in series.iter_mut().zip(&case.yardsticks) {
                series.add(beside(yardstick, || bake(compositor, &case.file, caption)));
            }
        }
    }
    for (name, series) in names.iter().zip(series) {
        println!("{name}\t{}", series.medians());
    }
}

fn write(folder: &Path) {
    for number in 0..PHOTOS {
        std::fs::write(folder.join(format!("{number:02}.jpg")), slide(number)).unwrap();
    }
    std::fs::write(folder.join("captions.tsv"), captions::LIST).unwrap();
}

/// What the service is measured with.
fn write_pictures(folder: &Path) {
    let photo = |quality: i32| jpeg(&photo(CANVAS, 2), CANVAS, Made { quality, ..PLAIN });
    let qualities = (85..97).map(photo);
    let nearest = qualities
        .min_by_key(|file| file.len().abs_diff(MIDDLING))
        .unwrap();
    std::fs::write(folder.join("photo.jpg"), nearest).unwrap();
    std::fs::write(folder.join("photo.webp"), webp(2)).unwrap();
    std::fs::write(folder.join("phone.jpg"), phone(2)).unwrap();
}

/// Once every photo with the caption of the same number, after a warm-up.
fn beside_peers(folder: &Path) {
    let read = |number: usize| std::fs::read(folder.join(format!("{number:02}.jpg"))).unwrap();
    let compositor = warm(&read(0));
    for (number, (_, caption)) in captions::all().iter().enumerate() {
        let photo = read(number);
        let (cost, yardstick) = beside(&photo, || bake(&compositor, &photo, caption));
        println!("{number}\t{cost:.3}\t{yardstick:.3}");
    }
}

/// A compositor that has baked something already.
fn warm(file: &[u8]) -> Compositor {
    let compositor = Compositor::new();
    (0..3).for_each(|_| bake(&compositor, file, captions::WARM_UP));
    compositor
}

fn bake(compositor: &Compositor, file: &[u8], caption: &str) {
    drop(compositor.bake(file, caption, Look::default()).unwrap());
}

/// A photo of the size of a slide.
fn slide(number: u32) -> Vec<u8> {
    let quality = 88 + number as i32 % 5;
    jpeg(&photo(CANVAS, number), CANVAS, Made { quality, ..PLAIN })
}

fn optimized(number: u32) -> Vec<u8> {
    let optimal = Made {
        is_optimized: true,
        ..PLAIN
    };
    jpeg(&photo(CANVAS, number), CANVAS, optimal)
}

fn webp(number: u32) -> Vec<u8> {
    let pixels = photo(CANVAS, number);
    webp::Encoder::from_rgb(&pixels, 1080, 1920).encode(80.0).to_vec()
}

/// A photo of a phone that was held upright, one way or the other.
fn phone(number: u32) -> Vec<u8> {
    let tag = if number % 4 == 3 { 8 } else { 6 };
    turned(&jpeg(&photo(SENSOR, number), SENSOR, PLAIN), tag)
}
