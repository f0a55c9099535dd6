//! Every kind of picture that is taken, and how it fills the canvas.

use playout_captions::{Compositor, Fit, Patch, Refusal};
use turbojpeg::{PixelFormat, Subsamp};

use crate::files::{
    CANVAS, Made, PLAIN, difference, jpeg, packed, pixels, turned, with_profile, with_segment,
};
use crate::photo::photo;

pub(crate) fn baked(file: &[u8], fit: Fit) -> Vec<u8> {
    Compositor::new()
        .bake_patch(file, &Patch::default(), fit)
        .unwrap()
}

fn segments(file: &[u8]) -> Vec<u8> {
    let (mut at, mut markers) = (2, Vec::new());
    while file[at + 1] != 0xDA {
        markers.push(file[at + 1]);
        at += 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    }
    markers
}

#[test]
fn every_kind_of_jpeg_becomes_the_same_slide() {
    let original = photo(CANVAS, 1);
    let subsamps = [
        Subsamp::None,
        Subsamp::Sub2x1,
        Subsamp::Sub2x2,
        Subsamp::Sub1x2,
        Subsamp::Sub4x1,
    ];
    let kinds = subsamps.map(|subsamp| Made { subsamp, ..PLAIN });
    let others = [
        Made {
            is_progressive: true,
            ..PLAIN
        },
        Made {
            is_arithmetic: true,
            ..PLAIN
        },
        Made {
            is_optimized: true,
            ..PLAIN
        },
        Made { quality: 70, ..PLAIN },
    ];
    for made in kinds.into_iter().chain(others) {
        let slide = baked(&jpeg(&original, CANVAS, made), Fit::Cover);
        let off = difference(&pixels(&slide), &original);
        assert!(off < 6.0, "{made:?}: off by {off}");
    }
}

#[test]
fn grey_pictures_and_ink_become_slides_in_colour() {
    let rgb = photo(CANVAS, 2);
    let grey: Vec<u8> = rgb.chunks_exact(3).map(|pixel| pixel[1]).collect();
    let file = packed(
        &grey,
        CANVAS,
        PixelFormat::GRAY,
        Made {
            subsamp: Subsamp::Gray,
            ..PLAIN
        },
    );
    let expected: Vec<u8> = grey.iter().flat_map(|grey| [*grey; 3]).collect();
    assert!(difference(&pixels(&baked(&file, Fit::Cover)), &expected) < 4.0);
    // Adobe's inverted ink without black: the three inks are the three lights.
    let ink: Vec<u8> = rgb
        .chunks_exact(3)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255])
        .collect();
    let file = packed(
        &ink,
        CANVAS,
        PixelFormat::CMYK,
        Made {
            subsamp: Subsamp::None,
            ..PLAIN
        },
    );
    assert!(difference(&pixels(&baked(&file, Fit::Cover)), &rgb) < 6.0);
}

#[test]
fn a_large_picture_looks_like_a_small_one() {
    let small = photo((360, 640), 3);
    let large: Vec<u8> = (0..2880)
        .flat_map(|y| {
            (0..1620).flat_map(move |x| [0, 1, 2].map(|channel| (y * 2 / 9 * 360 + x * 2 / 9) * 3 + channel))
        })
        .map(|at| small[at])
        .collect();
    let slide = pixels(&baked(&jpeg(&large, (1620, 2880), PLAIN), Fit::Cover));
    let expected: Vec<u8> = (0..1920)
        .flat_map(|y| {
            (0..1080).flat_map(move |x| [0, 1, 2].map(|channel| (y / 3 * 360 + x / 3) * 3 + channel))
        })
        .map(|at| small[at])
        .collect();
    let off = difference(&slide, &expected);
    assert!(off < 9.0, "off by {off}");
}

/// Four quarters: red, green, blue, white.
pub(crate) fn quarters((width, height): (usize, usize)) -> Vec<u8> {
    let colour = |x: usize, y: usize| match (x * 2 < width, y * 2 < height) {
        (true, true) => [255, 0, 0],
        (false, true) => [0, 255, 0],
        (true, false) => [0, 0, 255],
        (false, false) => [255, 255, 255],
    };
    (0..height)
        .flat_map(|y| (0..width).flat_map(move |x| colour(x, y)))
        .collect()
}

pub(crate) fn at(slide: &[u8], (x, y): (usize, usize)) -> [u8; 3] {
    let at = (y * 1080 + x) * 3;
    slide[at..at + 3].try_into().unwrap()
}

pub(crate) fn name([red, green, blue]: [u8; 3]) -> char {
    match (red > 128, green > 128, blue > 128) {
        (true, true, true) => 'w',
        (true, false, false) => 'r',
        (false, true, false) => 'g',
        (false, false, true) => 'b',
        _ => '?',
    }
}

#[test]
fn a_picture_is_turned_as_the_camera_was_held() {
    // Upper left, upper right, lower left, lower right.
    let expected = ["rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg", "wgbr", "gwrb"];
    for ((tag, expected), size) in (1..)
        .zip(expected)
        .flat_map(|one| [(900, 1600), (2400, 1800), (1080, 1920)].map(|size| (one, size)))
    {
        let file = turned(&jpeg(&quarters(size), size, PLAIN), tag);
        let slide = pixels(&baked(&file, Fit::Cover));
        let corners = [(200, 200), (880, 200), (200, 1720), (880, 1720)];
        let seen: String = corners.map(|corner| name(at(&slide, corner))).iter().collect();
        assert_eq!(seen, expected, "tag {tag} of {size:?}");
    }
}

#[test]
fn cover_cuts_at_the_centre_and_contain_shows_all_on_a_darker_blur() {
    let file = jpeg(&quarters((1600, 800)), (1600, 800), PLAIN);
    let covered = pixels(&baked(&file, Fit::Cover));
    assert_eq!(
        [(100, 100), (1000, 100), (100, 1800), (1000, 1800)].map(|corner| name(at(&covered, corner))),
        ['r', 'g', 'b', 'w']
    );
    assert_eq!(name(at(&covered, (535, 955))), 'r');
    let contained = pixels(&baked(&file, Fit::Contain));
    assert_eq!(
        [(4, 700), (1075, 700), (4, 1220), (1075, 1220)].map(|corner| name(at(&contained, corner))),
        ['r', 'g', 'b', 'w']
    );
    let [red, green, blue] = at(&contained, (100, 300));
    assert!(
        (110..=210).contains(&red) && green < 90 && blue < 90,
        "{red} {green} {blue}"
    );
    let white = at(&contained, (1000, 1700));
    assert!(
        white.iter().all(|channel| (140..=200).contains(channel)),
        "{white:?}"
    );
}

#[test]
fn wide_colours_come_home_and_all_metadata_stays_behind() {
    let file = jpeg(&[200, 60, 50].repeat(1080 * 1920), CANVAS, PLAIN);
    let plain = at(&pixels(&baked(&file, Fit::Cover)), (500, 500));
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let file = with_profile(&file, &profile);
    let file = with_segment(&turned(&file, 3), 0xFE, b"a comment");
    let slide = baked(&file, Fit::Cover);
    let red = at(&pixels(&slide), (500, 500));
    assert!(red[0] > plain[0] + 5 && red[1] < plain[1], "{red:?} {plain:?}");
    assert!(
        segments(&slide)
            .iter()
            .all(|marker| matches!(marker, 0xE0 | 0xDB | 0xC0 | 0xC4)),
        "{:x?}",
        segments(&slide)
    );
}

#[test]
fn the_same_input_gives_the_same_bytes_whatever_was_made_before() {
    let compositor = Compositor::new();
    let patch = crate::files::lettering((112, 800), (848, 304));
    let files = [(1080, 1920), (1400, 1000)].map(|size| jpeg(&photo(size, 5), size, PLAIN));
    let bake = |compositor: &Compositor| {
        files
            .clone()
            .map(|file| compositor.bake_patch(&file, &patch, Fit::Contain).unwrap())
    };
    let first = bake(&compositor);
    assert_eq!(bake(&compositor), first);
    assert_eq!(bake(&Compositor::new()), first);
}

#[test]
fn what_is_no_picture_is_refused_as_such() {
    for file in [&b""[..], b"\xFF\xD8", b"GIF89a", b"RIFF\0\0\0\0WAVE", b"<svg/>"] {
        let refused = Compositor::new().bake_patch(file, &Patch::default(), Fit::Cover);
        assert_eq!(refused, Err(Refusal::NoPicture));
    }
}
