//! WebP pictures of every kind, cut ones, and their colours.

use playout_captions::{Compositor, Fit, Patch, Refusal};
use turbojpeg::Subsamp;

use crate::files::{CANVAS, Made, PLAIN, difference, jpeg, lossless_webp, pixels, planes, webp};
use crate::photo::photo;
use crate::sources::{at, baked, name, quarters};

fn corners(slide: &[u8]) -> [char; 4] {
    let slide = pixels(slide);
    [(100, 100), (1000, 100), (100, 1800), (1000, 1800)].map(|corner| name(at(&slide, corner)))
}

#[test]
fn webp_still_or_transparent_becomes_a_slide() {
    let rgb = photo(CANVAS, 4);
    for file in [webp(&rgb, CANVAS, 90.0), lossless_webp(&rgb, CANVAS)] {
        let off = difference(&pixels(&baked(&file, Fit::Cover)), &rgb);
        assert!(off < 6.0, "off by {off}");
    }
    let clear = [200, 100, 50, 0].repeat(90 * 160);
    for is_lossless in [true, false] {
        let encoder = webp::Encoder::from_rgba(&clear, 90, 160);
        let file = if is_lossless {
            encoder.encode_lossless()
        } else {
            encoder.encode(90.0)
        };
        assert_eq!(at(&pixels(&baked(&file, Fit::Cover)), (500, 500)), [0, 0, 0]);
    }
}

#[test]
fn of_a_moving_webp_the_first_frame_is_taken() {
    let frames = [quarters((360, 640)), [0, 0, 0].repeat(360 * 640)];
    let mut config = webp::WebPConfig::new().unwrap();
    config.quality = 90.0;
    let mut encoder = webp::AnimEncoder::new(360, 640, &config);
    for (frame, time) in frames.iter().zip([0, 100]) {
        encoder.add_frame(webp::AnimFrame::from_rgb(frame, 360, 640, time));
    }
    let file = encoder.encode();
    assert_eq!(corners(&baked(&file, Fit::Cover)), ['r', 'g', 'b', 'w']);
}

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    let pad = &[0][..body.len() % 2];
    [name, &length[..], body, pad].concat()
}

/// A number of three bytes.
fn three(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}

/// A moving picture of 180 by 320 pixels whose only frame shows a still one of 90 by 160 at `at`.
fn moving(still: &[u8], at: (u32, u32)) -> Vec<u8> {
    let canvas = [&[2, 0, 0, 0][..], &three(179), &three(319)].concat();
    let place = [at.0 / 2, at.1 / 2, 89, 159, 100].map(three).concat();
    let frame = [&place, &[2][..], &still[12..]].concat();
    let chunks = [
        chunk(b"VP8X", &canvas),
        chunk(b"ANIM", &[0; 6]),
        chunk(b"ANMF", &frame),
    ];
    chunk(b"RIFF", &[&b"WEBP"[..], &chunks.concat()].concat())
}

#[test]
fn a_first_frame_smaller_than_the_picture_stands_at_its_place_on_black() {
    let white = [255; 90 * 160 * 3];
    for still in [webp(&white, (90, 160), 90.0), lossless_webp(&white, (90, 160))] {
        let slide = pixels(&baked(&moving(&still, (90, 160)), Fit::Cover));
        let shown =
            [(500, 900), (580, 900), (500, 1020), (580, 1020)].map(|place| at(&slide, place)[1] > 128);
        assert_eq!(shown, [false, false, false, true]);
        let outside = Compositor::new().bake_patch(&moving(&still, (92, 160)), &Patch::default(), Fit::Cover);
        let reason = "its first frame lies outside the picture".to_owned();
        assert_eq!(outside, Err(Refusal::Unreadable(reason)));
    }
}

/// Sixty-four colours in fields of 135 by 240 pixels.
fn colours() -> Vec<u8> {
    let pixel = |at: usize| {
        let field = at / 1080 / 240 * 8 + at % 1080 / 135;
        [field / 16, field / 4 % 4, field % 4].map(|level| level as u8 * 85)
    };
    (0..1080 * 1920).flat_map(pixel).collect()
}

#[test]
fn a_webp_has_the_colours_of_a_jpeg_of_the_same_picture() {
    let best = Made {
        quality: 100,
        subsamp: Subsamp::None,
        ..PLAIN
    };
    let rgb = colours();
    let expected = planes(&baked(&jpeg(&rgb, CANVAS, best), Fit::Cover));
    let still = [webp(&rgb, CANVAS, 100.0), lossless_webp(&rgb, CANVAS)];
    for (file, kind) in still.iter().zip(["lossy", "lossless"]) {
        let seen = planes(&baked(file, Fit::Cover));
        for field in 0..64 {
            let (x, y) = (field % 8 * 135 + 67, field / 8 * 240 + 120);
            let chroma = 1080 * 1920 + y / 2 * 540 + x / 2;
            for at in [y * 1080 + x, chroma, chroma + 540 * 960] {
                let off = seen[at].abs_diff(expected[at]);
                assert!(
                    off <= 2,
                    "{kind}, field {field}: {} for {}",
                    seen[at],
                    expected[at]
                );
            }
        }
    }
}

#[test]
fn a_webp_that_is_cut_off_is_refused() {
    let rgb = photo((300, 200), 2);
    for file in [webp(&rgb, (300, 200), 80.0), lossless_webp(&rgb, (300, 200))] {
        for end in [20, 40, 100, file.len() / 2, file.len() - 300] {
            let refused = Compositor::new().bake_patch(&file[..end], &Patch::default(), Fit::Cover);
            let Err(Refusal::Unreadable(reason)) = refused else {
                panic!("{end} bytes: {refused:?}");
            };
            assert!(reason.ends_with("damaged or cut off"), "{end} bytes: {reason}");
        }
    }
}
