use playout_domain::media::MimeType;
use playout_media::{
    IMAGE_MAX_BYTES, Inspected, Inspector, PREVIEW_MAX_HEIGHT, PREVIEW_MAX_WIDTH, ProbeError,
};
use turbojpeg::PixelFormat;

use crate::fixtures::{
    BLUE, GREEN, RED, Seen, WHITE, assert_close, corners, jpeg, jpeg_of, oriented, reader, webp,
};

fn inspect(file: Vec<u8>) -> Result<Inspected, ProbeError> {
    Inspector::default().inspect(&mut reader(file))
}

#[test]
fn a_photo_is_measured_and_gets_a_small_preview() {
    let inspected = inspect(jpeg(1080, 1440)).unwrap();
    assert_eq!(inspected.mime, MimeType::Jpeg);
    let probe = &inspected.probe;
    assert_eq!(
        (probe.width, probe.height, probe.rotation_degrees),
        (Some(1080), Some(1440), 0)
    );
    assert_eq!(
        (probe.preview_width, probe.preview_height),
        (Some(405), Some(540))
    );
    assert_eq!(
        (probe.duration_ms, probe.frame_rate, &probe.video_codec),
        (None, None, &None)
    );
    assert_eq!(probe.blurhash.as_ref().unwrap().len(), 28);
    let seen = Seen::jpeg(&inspected.preview_jpeg);
    assert_eq!(seen.size(), (405, 540));
    assert_close(seen.corners(), [RED, GREEN, BLUE, WHITE]);
}

#[test]
fn a_small_picture_is_never_enlarged_and_a_strip_is_no_wall() {
    assert_eq!(
        Seen::jpeg(&inspect(jpeg(100, 60)).unwrap().preview_jpeg).size(),
        (100, 60)
    );
    assert_eq!(
        Seen::jpeg(&inspect(jpeg(1, 1)).unwrap().preview_jpeg).size(),
        (1, 1)
    );
    let strip = Seen::jpeg(&inspect(jpeg(100, 8192)).unwrap().preview_jpeg);
    assert!(
        strip.width <= PREVIEW_MAX_WIDTH && strip.height == PREVIEW_MAX_HEIGHT,
        "{:?}",
        strip.size()
    );
}

#[test]
fn every_exif_orientation_is_shown_upright() {
    let expected = [
        (1, (160, 120), [RED, GREEN, BLUE, WHITE], 0),
        (2, (160, 120), [GREEN, RED, WHITE, BLUE], 0),
        (3, (160, 120), [WHITE, BLUE, GREEN, RED], 180),
        (4, (160, 120), [BLUE, WHITE, RED, GREEN], 180),
        (5, (120, 160), [RED, BLUE, GREEN, WHITE], 270),
        (6, (120, 160), [BLUE, RED, WHITE, GREEN], 90),
        (7, (120, 160), [WHITE, GREEN, BLUE, RED], 90),
        (8, (120, 160), [GREEN, WHITE, RED, BLUE], 270),
    ];
    for (tag, size, wanted, rotation) in expected {
        let inspected = inspect(oriented(&jpeg(160, 120), tag)).unwrap();
        assert_eq!(
            (inspected.probe.width, inspected.probe.height),
            (Some(size.0), Some(size.1)),
            "{tag}"
        );
        assert_eq!(inspected.probe.rotation_degrees, rotation, "{tag}");
        let seen = Seen::jpeg(&inspected.preview_jpeg);
        assert_eq!(seen.size(), size);
        assert_close(seen.corners(), wanted);
    }
}

#[test]
fn a_webp_is_measured_and_its_transparency_lies_on_white() {
    let inspected = inspect(webp(&corners(600, 400), 600, 400)).unwrap();
    assert_eq!(inspected.mime, MimeType::Webp);
    assert_eq!(Seen::jpeg(&inspected.preview_jpeg).size(), (480, 320));

    let clear: Vec<u8> = corners(80, 80)
        .chunks(3)
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 0])
        .collect();
    let clear = webp::Encoder::from_rgba(&clear, 80, 80)
        .encode_lossless()
        .to_vec();
    let seen = Seen::jpeg(&inspect(clear).unwrap().preview_jpeg);
    assert_close(seen.corners(), [[255; 3]; 4]);
}

#[test]
fn a_side_over_8192_pixels_is_refused_before_decoding() {
    let refused = inspect(jpeg(8193, 2)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the image is 8193×2 pixels; each side must be 1 to 8192"
    );
    assert!(inspect(jpeg(8192, 2)).is_ok());

    // A header that claims 65,500 pixels a side, in a file of a few hundred bytes.
    let mut bomb = jpeg(16, 16);
    let frame = bomb.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    bomb[frame + 5..frame + 9].copy_from_slice(&[0xFF, 0xDC, 0xFF, 0xDC]);
    assert!(matches!(
        inspect(bomb),
        Err(ProbeError::ImageDimensions {
            width: 65_500,
            height: 65_500
        })
    ));
}

#[test]
fn an_image_file_over_twenty_megabytes_is_refused() {
    let mut file = jpeg(16, 16);
    file.resize(usize::try_from(IMAGE_MAX_BYTES).unwrap() + 1, 0);
    assert!(matches!(
        inspect(file),
        Err(ProbeError::ImageBytes {
            size_bytes: 20_000_001
        })
    ));
}

#[test]
fn a_cut_image_is_refused_with_a_reason() {
    let (photo, drawing) = (jpeg(300, 200), webp(&corners(300, 200), 300, 200));
    for whole in [photo, drawing] {
        for length in [20, 100, whole.len() / 2, whole.len() - 20] {
            let refused = inspect(whole[..length].to_vec()).unwrap_err();
            assert!(
                matches!(refused, ProbeError::Unreadable { .. }),
                "cut at {length}: {refused:?}"
            );
            assert!(
                refused.to_string().starts_with("the file is no readable "),
                "{refused}"
            );
        }
    }
}

#[test]
fn an_animated_webp_is_refused() {
    let config = webp::WebPConfig::new().unwrap();
    let mut encoder = webp::AnimEncoder::new(8, 8, &config);
    let frames = [corners(8, 8), vec![9; 8 * 8 * 3]];
    for (number, frame) in (0..).zip(&frames) {
        encoder.add_frame(webp::AnimFrame::from_rgb(frame, 8, 8, number * 100));
    }
    let file = encoder.encode().to_vec();
    assert!(matches!(inspect(file), Err(ProbeError::Animated)));
}

#[test]
fn grey_and_four_colour_photos_are_shown_too() {
    let grey = jpeg_of(&[128; 40 * 40], (40, 40), PixelFormat::GRAY);
    assert_close(
        Seen::jpeg(&inspect(grey).unwrap().preview_jpeg).corners(),
        [[128; 3]; 4],
    );
    // As the encoder writes four colours, in Adobe's inverted way: full light but for cyan.
    let cyan: Vec<u8> = [0, 255, 255, 255].repeat(40 * 40);
    let cyan = jpeg_of(&cyan, (40, 40), PixelFormat::CMYK);
    assert_close(
        Seen::jpeg(&inspect(cyan).unwrap().preview_jpeg).corners(),
        [[0, 255, 255]; 4],
    );
}

#[test]
fn an_image_with_any_byte_changed_never_panics() {
    let (photo, drawing) = (oriented(&jpeg(48, 32), 6), webp(&corners(48, 32), 48, 32));
    for whole in [photo, drawing] {
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 0xFF;
            if let Err(error) = inspect(broken) {
                assert!(!error.is_internal(), "changed at {at}: {error:?}");
            }
        }
    }
}

#[test]
fn other_files_are_told_what_they_are() {
    let refused = inspect(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()).unwrap_err();
    assert!(
        refused.to_string().starts_with("the file is a PNG image"),
        "{refused}"
    );
    assert!(matches!(inspect(Vec::new()), Err(ProbeError::Unrecognized(_))));
}
