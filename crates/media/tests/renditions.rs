use playout_domain::media::MimeType;
use playout_media::{FitLimits, RenditionError, fit_jpeg};
use turbojpeg::PixelFormat;

use crate::fixtures::{
    BLUE, GREEN, RED, Seen, WHITE, assert_close, corners, jpeg, jpeg_of, oriented, webp, with_segment,
};

const TIKTOK: FitLimits = FitLimits {
    max_short_side: 1080,
    max_long_side: 1920,
    max_bytes: 20_000_000,
};

fn fit(file: &[u8], limits: FitLimits) -> Vec<u8> {
    fit_jpeg(file, MimeType::Jpeg, limits).unwrap()
}

fn contains(file: &[u8], needle: &[u8]) -> bool {
    file.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn a_photo_that_providers_refuse_for_its_size_is_fitted() {
    for (size, wanted) in [
        ((1086, 1448), (1080, 1440)),
        ((2500, 2500), (1080, 1080)),
        ((4000, 2000), (1920, 960)),
    ] {
        let seen = Seen::jpeg(&fit(&jpeg(size.0, size.1), TIKTOK));
        assert_eq!(seen.size(), wanted);
        assert_close(seen.corners(), [RED, GREEN, BLUE, WHITE]);
    }
}

#[test]
fn a_small_photo_is_never_enlarged() {
    assert_eq!(Seen::jpeg(&fit(&jpeg(320, 200), TIKTOK)).size(), (320, 200));
}

#[test]
fn a_photo_that_fits_keeps_its_pixels_and_loses_its_metadata() {
    let plain = jpeg(400, 300);
    let private = with_segment(&oriented(&plain, 1), 0xED, b"Photoshop 3.0 and a name");
    assert_eq!(fit(&private, TIKTOK), plain);
}

#[test]
fn a_turned_photo_is_made_upright_without_exif() {
    let fitted = fit(&oriented(&jpeg(1600, 1200), 6), TIKTOK);
    let seen = Seen::jpeg(&fitted);
    assert_eq!(seen.size(), (1080, 1440));
    assert_close(seen.corners(), [BLUE, RED, WHITE, GREEN]);
    assert!(!contains(&fitted, b"Exif"));
}

#[test]
fn a_photo_in_another_colour_space_is_brought_to_srgb() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let body = [b"ICC_PROFILE\0\x01\x01", &profile[..]].concat();
    let wide = with_segment(
        &jpeg_of(&[200, 60, 50].repeat(64 * 64), (64, 64), PixelFormat::RGB),
        0xE2,
        &body,
    );
    let fitted = fit(&wide, TIKTOK);
    let [red, green, _] = Seen::jpeg(&fitted).pixel(32, 32);
    assert!(red > 205 && green < 58, "{red} {green}");
    assert!(!contains(&fitted, b"ICC_PROFILE"));
}

#[test]
fn a_webp_becomes_a_jpeg_on_white() {
    let opaque = fit_jpeg(&webp(&corners(640, 480), 640, 480), MimeType::Webp, TIKTOK).unwrap();
    assert_close(Seen::jpeg(&opaque).corners(), [RED, GREEN, BLUE, WHITE]);
    let clear = webp::Encoder::from_rgba(&[9, 9, 9, 0].repeat(64 * 64), 64, 64)
        .encode_lossless()
        .to_vec();
    let clear = fit_jpeg(&clear, MimeType::Webp, TIKTOK).unwrap();
    assert_close(Seen::jpeg(&clear).corners(), [[255; 3]; 4]);
}

#[test]
fn a_four_colour_photo_becomes_a_three_colour_one() {
    let cyan = jpeg_of(&[0, 255, 255, 255].repeat(40 * 40), (40, 40), PixelFormat::CMYK);
    assert_close(Seen::jpeg(&fit(&cyan, TIKTOK)).corners(), [[0, 255, 255]; 4]);
}

#[test]
fn quality_and_then_size_give_way_to_the_limit_of_bytes() {
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    let noise = jpeg_of(
        &noise.take(400 * 400 * 3).collect::<Vec<u8>>(),
        (400, 400),
        PixelFormat::RGB,
    );
    let lower = fit(
        &noise,
        FitLimits {
            max_bytes: 100_000,
            ..TIKTOK
        },
    );
    assert!(lower.len() <= 100_000);
    assert_eq!(Seen::jpeg(&lower).size(), (400, 400));
    let smaller = fit(
        &noise,
        FitLimits {
            max_bytes: 20_000,
            ..TIKTOK
        },
    );
    assert!(smaller.len() <= 20_000);
    assert!(Seen::jpeg(&smaller).width < 400);
    let refused = fit_jpeg(
        &noise,
        MimeType::Jpeg,
        FitLimits {
            max_bytes: 100,
            ..TIKTOK
        },
    );
    assert!(matches!(refused, Err(RenditionError::Bytes { max_bytes: 100 })));
}

#[test]
fn a_cut_photo_is_refused() {
    let whole = jpeg(400, 300);
    let refused = fit_jpeg(&whole[..whole.len() / 2], MimeType::Jpeg, TIKTOK).unwrap_err();
    assert!(refused.to_string().contains("no readable JPEG"), "{refused}");
    let patched = [&whole[..whole.len() / 2], &[0xFF, 0xD9]].concat();
    assert!(fit_jpeg(&patched, MimeType::Jpeg, TIKTOK).is_err());
}
