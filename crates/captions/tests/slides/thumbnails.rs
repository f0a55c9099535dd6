//! The thumbnail that comes with a slide shows that slide.

use playout_captions::{Compositor, Look};
use turbojpeg::{Decompressor, ScalingFactor, Subsamp, YuvImage};

use crate::files::{CANVAS, PLAIN, jpeg, not_to_be_spliced, turned, webp};
use crate::photo::photo;

/// Pixels of a thumbnail, and the samples that its planes have.
const SIZE: (usize, usize) = (405, 720);
const SAMPLES: usize = 406 * 720 + 2 * 203 * 360;

/// The slide at three eighths of its size, as libjpeg-turbo decodes it.
fn decoded(slide: &[u8]) -> Vec<u8> {
    let mut decompressor = Decompressor::new().unwrap();
    decompressor.set_scaling_factor(ScalingFactor::new(3, 8)).unwrap();
    let mut pixels = vec![0; SAMPLES];
    let image = YuvImage {
        pixels: &mut pixels[..],
        width: SIZE.0,
        align: 1,
        height: SIZE.1,
        subsamp: Subsamp::Sub2x2,
    };
    decompressor.decompress_to_yuv(slide, image).unwrap();
    pixels
}

/// How far two pictures are from each other, a sample, in the mean.
fn distance(one: &[u8], other: &[u8]) -> f64 {
    let sum: u64 = one
        .iter()
        .zip(other)
        .map(|(one, other)| u64::from(one.abs_diff(*other)))
        .sum();
    sum as f64 / one.len() as f64
}

#[test]
fn a_thumbnail_shows_the_slide_whether_its_blocks_were_copied_or_not() {
    let compositor = Compositor::new();
    let pixels = photo(CANVAS, 3);
    let copied = jpeg(&pixels, CANVAS, PLAIN);
    let sensor = (1700, 1275);
    let lying = turned(&jpeg(&photo(sensor, 4), sensor, PLAIN), 6);
    for (what, file) in [
        ("encoded anew", not_to_be_spliced(&copied)),
        ("WebP", webp(&pixels, CANVAS, 80.0)),
        ("turned", lying),
        ("copied", copied),
    ] {
        for caption in ["", "Three kites, one wind, and a caption of some length 🪁"] {
            let (slide, thumbnail) = compositor
                .bake_with_thumbnail(&file, caption, Look::default())
                .unwrap();
            assert_eq!(thumbnail.size(), (405, 720));
            let samples = thumbnail.into_samples();
            assert_eq!(samples.len(), SAMPLES);
            let far = distance(&samples, &decoded(&slide.jpeg));
            assert!(far < 2.5, "{what}: {far:.2}");
            assert_eq!(slide, compositor.bake(&file, caption, Look::default()).unwrap());
        }
    }
}
