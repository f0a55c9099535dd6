//! A picture that is a slide already keeps every block that nothing lies over.

use playout_captions::{Compositor, Fit, Patch};
use proptest::prelude::*;

use crate::files::{
    CANVAS, Made, PLAIN, difference, jpeg, lettering, not_to_be_spliced, planes, with_segment,
};
use crate::photo::photo;

fn baked(file: &[u8], patch: &Patch) -> Vec<u8> {
    Compositor::new().bake_patch(file, patch, Fit::Cover).unwrap()
}

/// The entropy-coded data.
fn scan(file: &[u8]) -> &[u8] {
    let start = file
        .windows(4)
        .position(|four| four == [0xFF, 0xDA, 0, 12])
        .unwrap();
    &file[start + 14..]
}

/// Whether a sample of luma, Cb or Cr lies in a square of luma pixels, of that side, in which the patch shows anything.
fn covered(patch: &Patch, luma_side: u32) -> Vec<bool> {
    let squares = |side: u32| {
        let mut squares = vec![false; (1088 / side * (1920 / side)) as usize];
        for (at, pixel) in patch.rgba.chunks_exact(4).enumerate() {
            let (x, y) = (
                at as u32 % patch.width + patch.left,
                at as u32 / patch.width + patch.top,
            );
            if pixel[3] > 0 && x < 1080 && y < 1920 {
                squares[(y / side * (1088 / side) + x / side) as usize] = true;
            }
        }
        squares
    };
    let (luma_squares, mcus) = (squares(luma_side), squares(16));
    let luma =
        (0..1920).flat_map(|y| (0..1080).map(move |x| y / luma_side * (1088 / luma_side) + x / luma_side));
    let chroma = || (0..960).flat_map(|y| (0..540).map(move |x| y / 8 * 68 + x / 8));
    luma.map(|square| luma_squares[square as usize])
        .chain(chroma().chain(chroma()).map(|mcu| mcus[mcu]))
        .collect()
}

/// Where a slide differs from its picture outside the patch; the first few samples.
fn lost(file: &[u8], slide: &[u8], patch: &Patch) -> Vec<usize> {
    let samples = planes(file)
        .into_iter()
        .zip(planes(slide))
        .zip(covered(patch, 16))
        .enumerate();
    let differ = samples.filter(|(_, ((before, after), is_touched))| !is_touched && before != after);
    differ.map(|(at, _)| at).take(5).collect()
}

#[test]
fn without_a_caption_the_picture_is_copied_bit_by_bit_and_its_metadata_is_not() {
    for made in [
        PLAIN,
        Made {
            is_optimized: true,
            quality: 97,
            ..PLAIN
        },
    ] {
        let file = jpeg(&photo(CANVAS, 1), CANVAS, made);
        let slide = baked(
            &with_segment(&file, 0xE1, b"Exif\0\0 somewhere private"),
            &Patch::default(),
        );
        assert!(scan(&slide) == scan(&file));
        assert!(!slide.windows(7).any(|seven| seven == b"private"));
    }
}

#[test]
fn what_follows_the_end_of_the_picture_is_left_behind() {
    let file = jpeg(&photo(CANVAS, 1), CANVAS, PLAIN);
    let hiding = [&file[..], b"PK\x03\x04 a hidden film"].concat();
    assert!(baked(&hiding, &Patch::default()) == baked(&file, &Patch::default()));
}

#[test]
fn a_block_made_anew_is_the_block_that_encoding_the_whole_picture_makes() {
    let (file, patch) = (
        jpeg(&photo(CANVAS, 2), CANVAS, PLAIN),
        lettering((112, 640), (848, 304)),
    );
    let spliced = planes(&baked(&file, &patch));
    let encoded = planes(&baked(&not_to_be_spliced(&file), &patch));
    let blocks = covered(&patch, 8);
    let differs = |at: &usize| spliced[*at] != encoded[*at];
    let remade = |at: &usize| blocks[*at];
    assert!((0..blocks.len()).filter(remade).count() > 100_000);
    assert_eq!((0..blocks.len()).filter(remade).find(differs), None);
}

#[test]
fn a_coarse_picture_is_encoded_anew_so_that_the_caption_is_not_coarse() {
    let rgb = photo(CANVAS, 3);
    let fine = baked(
        &jpeg(&rgb, CANVAS, Made { quality: 85, ..PLAIN }),
        &Patch::default(),
    );
    let coarse = baked(
        &jpeg(&rgb, CANVAS, Made { quality: 84, ..PLAIN }),
        &Patch::default(),
    );
    let quantisers = |file: &[u8]| file[25..89].iter().map(|step| u32::from(*step)).sum::<u32>();
    assert_eq!((quantisers(&fine), quantisers(&coarse)), (1109, 736));
}

#[test]
fn a_cut_off_slide_is_refused() {
    let file = jpeg(&photo(CANVAS, 4), CANVAS, PLAIN);
    for end in [file.len() - 2, file.len() / 2, 700] {
        let refused = Compositor::new().bake_patch(&file[..end], &Patch::default(), Fit::Cover);
        assert!(refused.unwrap_err().to_string().contains("ends too early"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn outside_the_caption_every_sample_is_what_it_was(
        seed in 0_u32..1000,
        // Not the quality of slides: nothing would tell those that are encoded anew.
        quality in (85_i32..=99).prop_map(|quality| quality + i32::from(quality >= 90)),
        is_optimized in any::<bool>(),
        at in (0_u32..1100, 0_u32..1950),
        size in (1_u32..700, 1_u32..500),
    ) {
        let made = Made { quality, is_optimized, ..PLAIN };
        let file = jpeg(&photo(CANVAS, seed), CANVAS, made);
        let patch = lettering(at, size);
        let slide = baked(&file, &patch);
        if scan(&slide).len() > 1000 && is_spliced(&slide, &file) {
            prop_assert_eq!(lost(&file, &slide, &patch), Vec::<usize>::new());
        } else {
            // Optimal tables may have no room for what the caption needs; others always have.
            prop_assert!(is_optimized);
        }
        let expected = planes(&baked(&not_to_be_spliced(&file), &patch));
        prop_assert!(difference(&planes(&slide), &expected) < 2.0);
    }
}

/// Whether a slide has the quantisers of its picture.
fn is_spliced(slide: &[u8], file: &[u8]) -> bool {
    let quantisers = |file: &[u8]| file[25..89].to_vec();
    quantisers(slide) == quantisers(file)
}
