//! Pictures at a fraction of their size, beside those of libjpeg-turbo at the whole.

use super::{MOST_EIGHTHS, decode};
use proptest::prelude::*;
use turbojpeg::{
    Compressor, Decompressor, Image, PixelFormat, ScalingFactor, Subsamp, YuvImage, yuv_pixels_len,
};

/// A picture with slopes, an edge, and a little grain.
fn rgb(width: usize, height: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut grain = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 29) as u8
    };
    let pixel = |at: usize| {
        let (x, y) = (at % width, at / width);
        let edge = if 3 * x > width + y { 60 } else { 0 };
        [
            (x * 120 / width) as u8 + edge,
            (y * 150 / height) as u8 + edge,
            90,
        ]
    };
    let pixels = (0..width * height).map(pixel);
    pixels
        .flat_map(|pixel| pixel.map(|channel| channel + grain()))
        .collect()
}

fn encoder(quality: i32, subsamp: Subsamp) -> Compressor {
    let mut encoder = Compressor::new().unwrap();
    encoder.set_quality(quality).unwrap();
    encoder.set_subsamp(subsamp).unwrap();
    encoder
}

fn encoded(encoder: &mut Compressor, (width, height): (usize, usize)) -> Vec<u8> {
    let pixels = rgb(width, height);
    let image = Image {
        pixels: &pixels[..],
        width,
        pitch: 3 * width,
        height,
        format: PixelFormat::RGB,
    };
    encoder.compress_to_vec(image).unwrap()
}

/// The planes that libjpeg-turbo makes of a file at so many eighths.
fn expected(file: &[u8], eighths: usize) -> YuvImage<Vec<u8>> {
    let mut decoder = Decompressor::new().unwrap();
    let header = decoder.read_header(file).unwrap();
    let factor = ScalingFactor::new(eighths, 8);
    decoder.set_scaling_factor(factor).unwrap();
    let scaled = header.scaled(factor);
    let mut image = YuvImage {
        pixels: vec![0; yuv_pixels_len(scaled.width, 1, scaled.height, scaled.subsamp).unwrap()],
        width: scaled.width,
        align: 1,
        height: scaled.height,
        subsamp: scaled.subsamp,
    };
    decoder.decompress_to_yuv(file, image.as_deref_mut()).unwrap();
    image
}

fn decoded(file: &[u8], eighths: usize, length: usize) -> Option<Vec<u8>> {
    let mut samples = vec![0; length];
    decode(file, eighths, &mut samples, &mut Vec::new())?;
    Some(samples)
}

/// Mean difference of the samples, without the columns and rows of luma that stand beyond the edge of the picture.
fn difference(made: &[u8], expected: &YuvImage<Vec<u8>>) -> f64 {
    let (pitch, rows) = expected.y_size();
    let is_seen =
        |at: usize| at >= pitch * rows || at % pitch < expected.width && at / pitch < expected.height;
    let pairs = made.iter().zip(&expected.pixels).enumerate();
    let far: Vec<f64> = pairs
        .filter(|(at, _)| is_seen(*at))
        .map(|(_, (made, expected))| f64::from(made.abs_diff(*expected)))
        .collect();
    far.iter().sum::<f64>() / far.len() as f64
}

#[test]
fn a_picture_of_any_sampling_and_size_looks_as_it_does_to_libjpeg_turbo() {
    for size in [
        (64, 48),
        (65, 47),
        (8, 8),
        (200, 3),
        (17, 133),
        (1, 1),
        (1080, 64),
    ] {
        for subsamp in [
            Subsamp::Sub2x2,
            Subsamp::Sub2x1,
            Subsamp::Sub1x2,
            Subsamp::None,
            Subsamp::Gray,
        ] {
            let file = encoded(&mut encoder(92, subsamp), size);
            for eighths in 1..=MOST_EIGHTHS {
                let expected = expected(&file, eighths);
                let made = decoded(&file, eighths, expected.pixels.len());
                let made = made.unwrap_or_else(|| panic!("{size:?} {subsamp:?} {eighths}"));
                // Edges of small pictures, where each of few samples counts, are what the transforms differ in.
                let far = difference(&made, &expected);
                assert!(
                    far < 3.0 || expected.width.min(expected.height) < 4,
                    "{size:?} {subsamp:?} {eighths}: {far}"
                );
            }
        }
    }
}

#[test]
fn a_grid_as_fine_as_a_block_is_seen() {
    let pixel = |at: usize| {
        if (at % 64 / 4 + at / 64 / 4).is_multiple_of(2) {
            220
        } else {
            40
        }
    };
    let pixels: Vec<u8> = (0..64 * 64).flat_map(|at| [pixel(at); 3]).collect();
    let image = Image {
        pixels: &pixels[..],
        width: 64,
        pitch: 3 * 64,
        height: 64,
        format: PixelFormat::RGB,
    };
    let file = encoder(95, Subsamp::Sub2x2).compress_to_vec(image).unwrap();
    let expected = expected(&file, 3);
    let made = decoded(&file, 3, expected.pixels.len()).unwrap();
    let far = difference(&made, &expected);
    assert!(far < 6.0, "{far}");
}

#[test]
fn headers_that_libjpeg_turbo_does_not_take_are_left_to_it() {
    let file = encoded(&mut encoder(90, Subsamp::Sub2x2), (64, 48));
    let length = expected(&file, 1).pixels.len();
    let without_start = [&[0, 0], &file[2..]].concat();
    assert!(decoded(&without_start, 1, length).is_none());
    for marker in [0xC8, 0xCC, 0xDE, 0xDF, 0xF0, 0xFD] {
        let file = [&file[..2], &[0xFF, marker, 0, 2], &file[2..]].concat();
        assert!(decoded(&file, 1, length).is_none(), "{marker:X}");
    }
}

#[test]
fn codes_that_a_picture_brings_with_it_are_read() {
    for quality in [5, 60, 100] {
        let mut encoder = encoder(quality, Subsamp::Sub2x2);
        encoder.set_optimize(true).unwrap();
        let file = encoded(&mut encoder, (160, 120));
        for eighths in 1..=MOST_EIGHTHS {
            let expected = expected(&file, eighths);
            let made = decoded(&file, eighths, expected.pixels.len()).unwrap();
            assert!(difference(&made, &expected) < 2.0, "{quality} {eighths}");
        }
    }
}

#[test]
fn files_out_of_the_ordinary_are_left_to_others() {
    let mut plain = encoder(90, Subsamp::Sub2x2);
    let file = encoded(&mut plain, (64, 48));
    let length = expected(&file, 4).pixels.len();
    assert!(decoded(&file, 4, length).is_some());
    assert!(decoded(&file, 5, length).is_none(), "a scale that there is not");
    assert!(decoded(&file, 0, length).is_none(), "a scale that there is not");
    assert!(decoded(&file, 4, length - 1).is_none(), "planes of another size");
    assert!(decoded(&file, 4, length + 1).is_none(), "planes of another size");
    let cut = [&file[..file.len() - 40], &[0xFF, 0xD9]].concat();
    assert!(decoded(&cut, 4, length).is_none(), "blocks are missing");
    assert!(
        decoded(&file[..file.len() - 2], 4, length).is_none(),
        "the end is missing"
    );
    let longer = [&file[..file.len() - 2], &[1, 2, 3, 0xFF, 0xD9]].concat();
    assert!(decoded(&longer, 4, length).is_none(), "more than the blocks");
    let mut encoder = encoder(90, Subsamp::Sub2x2);
    encoder.set_progressive(true).unwrap();
    assert!(
        decoded(&encoded(&mut encoder, (64, 48)), 4, length).is_none(),
        "progressive"
    );
    let fourth = encoded(&mut self::encoder(90, Subsamp::Sub4x1), (64, 48));
    assert!(
        decoded(&fourth, 4, expected(&fourth, 4).pixels.len()).is_none(),
        "4:1:1"
    );
}

proptest! {
    #[test]
    fn no_file_ends_the_process(
        changes in proptest::collection::vec((0_usize..2_000, any::<u8>()), 1..20),
        eighths in 1..=MOST_EIGHTHS,
    ) {
        let mut file = encoded(&mut encoder(85, Subsamp::Sub2x2), (72, 56));
        let length = expected(&file, eighths).pixels.len();
        for (at, value) in changes {
            let at = at % file.len();
            file[at] = value;
        }
        decoded(&file, eighths, length);
    }
}
