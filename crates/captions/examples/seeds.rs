//! Writes the seeds of the fuzzer's targets `bake` and `layout` anew, in `fuzz/seeds`, which are committed.
//!
//! The meaning of the bytes is documented in `fuzz/src`. Seeds of more than [`MAX_SEED_BYTES`] are left out.

#![expect(clippy::unwrap_used, reason = "a program that cannot go on should stop")]

#[path = "../src/text/tests/corpus.rs"]
mod corpus;
#[path = "../tests/slides/files.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod files;
#[path = "../tests/slides/photo.rs"]
mod photo;

use std::path::Path;

use turbojpeg::{PixelFormat, Subsamp};

use corpus::CAPTIONS;
use files::{CANVAS, Made, PLAIN, jpeg, not_to_be_spliced, packed, turned, with_profile, with_segment};
use photo::photo;

/// Small enough that the fuzzer tries many of them in a second.
const SMALL: (usize, usize) = (72, 96);

/// The repository keeps them.
const MAX_SEED_BYTES: usize = 16_000;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    write(&folder.join("layout"), layout());
    write(&folder.join("bake"), bake());
}

fn write(folder: &Path, inputs: impl Iterator<Item = Vec<u8>>) {
    std::fs::create_dir_all(folder).unwrap();
    let small = inputs.filter(|input| input.len() <= MAX_SEED_BYTES);
    for (number, input) in small.enumerate() {
        std::fs::write(folder.join(format!("seed-{number:03}")), input).unwrap();
    }
}

/// A byte that chooses the look, and a text.
fn layout() -> impl Iterator<Item = Vec<u8>> {
    let input = |(choice, (_, caption)): (u8, &(&str, &str))| [&[choice], caption.as_bytes()].concat();
    (0..54).cycle().step_by(7).zip(CAPTIONS).map(input)
}

/// A byte that chooses look and checks, the length of the caption, the caption and a file.
fn bake() -> impl Iterator<Item = Vec<u8>> {
    let captions = CAPTIONS.iter().map(|(_, caption)| caption.as_bytes());
    let captions = captions.filter(|caption| caption.len() < 100).cycle().step_by(11);
    let looks = (0..54_u8)
        .cycle()
        .step_by(5)
        .zip([0x00, 0x40, 0x80, 0xC0].into_iter().cycle());
    let choices = looks.map(|(look, checks)| look | checks);
    files()
        .into_iter()
        .zip(captions)
        .zip(choices)
        .map(|((file, caption), choice)| {
            let length = u8::try_from(caption.len()).unwrap();
            [&[choice, length], caption, &file].concat()
        })
}

fn files() -> Vec<Vec<u8>> {
    let mut files = slides();
    files.extend(jpegs());
    files.extend(webps());
    let truncated: Vec<Vec<u8>> = files
        .iter()
        .map(|file| file[..file.len() * 2 / 3].to_vec())
        .collect();
    files.extend(truncated);
    let head = |head: &[u8]| [head, &files[0][..64]].concat();
    let heads = [
        &b""[..],
        b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR",
        b"GIF89a",
        b"RIFF\xFF\xFF\xFF\xFFWEBPVP8 ",
        b"\xFF\xD8\xFF",
    ];
    let heads: Vec<Vec<u8>> = heads.iter().map(|bytes| head(bytes)).collect();
    files.extend(heads);
    files
}

/// Pictures whose blocks can be copied: flat, so that they are short, with something to see in the middle.
fn slides() -> Vec<Vec<u8>> {
    let mut pixels = [96, 120, 150].repeat(CANVAS.0 * CANVAS.1);
    for (y, row) in photo(SMALL, 2).chunks_exact(SMALL.0 * 3).enumerate() {
        pixels[((900 + y) * CANVAS.0 + 500) * 3..][..row.len()].copy_from_slice(row);
    }
    let made = |quality, is_optimized| {
        jpeg(
            &pixels,
            CANVAS,
            Made {
                quality,
                is_optimized,
                ..PLAIN
            },
        )
    };
    let files = [made(85, false), made(92, false), made(96, true), made(60, false)];
    let others = [
        not_to_be_spliced(&files[1]),
        with_segment(&files[0], 0xDD, &[0, 8]),
        [&files[0][..], &files[1]].concat(),
    ];
    files.into_iter().chain(others).collect()
}

fn jpegs() -> Vec<Vec<u8>> {
    let rgb = photo(SMALL, 3);
    let made = |made: Made| jpeg(&rgb, SMALL, made);
    let subsamps = [
        Subsamp::None,
        Subsamp::Sub2x1,
        Subsamp::Sub2x2,
        Subsamp::Gray,
        Subsamp::Sub1x2,
        Subsamp::Sub4x1,
    ];
    let mut files: Vec<Vec<u8>> = subsamps
        .into_iter()
        .map(|subsamp| made(Made { subsamp, ..PLAIN }))
        .collect();
    files.push(made(Made {
        is_progressive: true,
        ..PLAIN
    }));
    files.push(made(Made {
        is_arithmetic: true,
        ..PLAIN
    }));
    files.push(made(Made {
        is_optimized: true,
        ..PLAIN
    }));
    let ink: Vec<u8> = rgb
        .chunks_exact(3)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 200])
        .collect();
    files.push(packed(
        &ink,
        SMALL,
        PixelFormat::CMYK,
        Made {
            subsamp: Subsamp::None,
            ..PLAIN
        },
    ));
    let plain = files[2].clone();
    files.extend((2..=8).map(|tag| turned(&plain, tag)));
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    files.push(with_profile(&plain, &profile));
    files
}

fn webps() -> Vec<Vec<u8>> {
    let (width, height) = (SMALL.0 as u32, SMALL.1 as u32);
    let rgb = photo(SMALL, 4);
    let rgba: Vec<u8> = rgb
        .chunks_exact(3)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[0]])
        .collect();
    let solid = webp::Encoder::from_rgb(&rgb, width, height);
    let clear = webp::Encoder::from_rgba(&rgba, width, height);
    let stills = [
        solid.encode(80.0),
        solid.encode_lossless(),
        clear.encode(70.0),
        clear.encode_lossless(),
    ];
    let mut config = webp::WebPConfig::new().unwrap();
    config.quality = 70.0;
    let mut moving = webp::AnimEncoder::new(width, height, &config);
    for time in [0, 100] {
        moving.add_frame(webp::AnimFrame::from_rgb(&rgb, width, height, time));
    }
    stills
        .iter()
        .map(|still| still.to_vec())
        .chain([moving.encode().to_vec()])
        .collect()
}
