//! Files made of pixels, and slides read again.

use turbojpeg::{Compressor, Decompressor, Image, PixelFormat, Subsamp, YuvImage};

use playout_captions::Patch;

/// Width and height of a slide.
pub(crate) const CANVAS: (usize, usize) = (1080, 1920);

/// How a JPEG file is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub(crate) quality: i32,
    pub(crate) subsamp: Subsamp,
    pub(crate) is_optimized: bool,
    pub(crate) is_progressive: bool,
    pub(crate) is_arithmetic: bool,
}

/// What phones and editors make most.
pub(crate) const PLAIN: Made = Made {
    quality: 90,
    subsamp: Subsamp::Sub2x2,
    is_optimized: false,
    is_progressive: false,
    is_arithmetic: false,
};

/// A JPEG file of those pixels.
pub(crate) fn jpeg(pixels: &[u8], (width, height): (usize, usize), made: Made) -> Vec<u8> {
    packed(pixels, (width, height), PixelFormat::RGB, made)
}

/// The same, of any kind of pixels.
pub(crate) fn packed(
    pixels: &[u8],
    (width, height): (usize, usize),
    format: PixelFormat,
    made: Made,
) -> Vec<u8> {
    let mut compressor = Compressor::new().unwrap();
    compressor.set_quality(made.quality).unwrap();
    compressor.set_subsamp(made.subsamp).unwrap();
    compressor.set_optimize(made.is_optimized).unwrap();
    compressor.set_progressive(made.is_progressive).unwrap();
    compressor.set_arithmetic(made.is_arithmetic).unwrap();
    let pitch = width * format.size();
    let image = Image {
        pixels,
        width,
        pitch,
        height,
        format,
    };
    compressor.compress_to_vec(image).unwrap()
}

/// A lossy WebP file of those pixels.
pub(crate) fn webp(rgb: &[u8], (width, height): (usize, usize), quality: f32) -> Vec<u8> {
    let encoder = webp::Encoder::from_rgb(rgb, width as u32, height as u32);
    encoder.encode(quality).to_vec()
}

/// A lossless WebP file of those pixels.
pub(crate) fn lossless_webp(rgb: &[u8], (width, height): (usize, usize)) -> Vec<u8> {
    let encoder = webp::Encoder::from_rgb(rgb, width as u32, height as u32);
    encoder.encode_lossless().to_vec()
}

/// The file with a segment put behind its start.
pub(crate) fn with_segment(file: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
    [&file[..2], &[0xFF, marker], &length, body, &file[2..]].concat()
}

/// The file with an EXIF orientation.
pub(crate) fn turned(file: &[u8], tag: u8) -> Vec<u8> {
    let tiff = [
        &b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..],
        &[tag, 0, 0],
    ]
    .concat();
    with_segment(file, 0xE1, &tiff)
}

/// The file with a colour profile, in one piece.
pub(crate) fn with_profile(file: &[u8], profile: &[u8]) -> Vec<u8> {
    with_segment(file, 0xE2, &[b"ICC_PROFILE\0\x01\x01", profile].concat())
}

/// The same picture, called an extended sequential one (SOF1) instead of a baseline one: decoders see no
/// difference, but its blocks are not copied.
pub(crate) fn not_to_be_spliced(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let frame = file
        .windows(4)
        .position(|four| four == [0xFF, 0xC0, 0, 17])
        .unwrap();
    file[frame + 1] = 0xC1;
    file
}

/// A JPEG's luma, Cb and Cr, one behind the other.
pub(crate) fn planes(file: &[u8]) -> Vec<u8> {
    let mut decompressor = Decompressor::new().unwrap();
    let header = decompressor.read_header(file).unwrap();
    assert_eq!(
        (header.width, header.height, header.subsamp),
        (1080, 1920, Subsamp::Sub2x2)
    );
    let mut pixels = vec![0; 3_110_400];
    let image = YuvImage {
        pixels: &mut pixels[..],
        width: header.width,
        align: 1,
        height: header.height,
        subsamp: header.subsamp,
    };
    decompressor.decompress_to_yuv(file, image).unwrap();
    pixels
}

/// A slide's pixels.
pub(crate) fn pixels(slide: &[u8]) -> Vec<u8> {
    let image = turbojpeg::decompress(slide, PixelFormat::RGB).unwrap();
    assert_eq!((image.width, image.height), CANVAS);
    image.pixels
}

/// The mean difference of two pictures' channels.
pub(crate) fn difference(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let sum: u64 = one
        .iter()
        .zip(other)
        .map(|(one, other)| u64::from(one.abs_diff(*other)))
        .sum();
    sum as f64 / one.len() as f64
}

/// Something like a caption: white strokes with dark edges, half-transparent ones, holes.
pub(crate) fn lettering((left, top): (u32, u32), (width, height): (u32, u32)) -> Patch {
    let mut rgba = Vec::new();
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            let wave = (x * 7 + y * 3) % 53 - 26;
            let is_blank = (x / 40 + y / 48) % 3 == 0;
            rgba.extend(match wave.abs() {
                _ if is_blank => [0, 0, 0, 0],
                0..7 => [255; 4],
                7..10 => [20, 20, 20, 255],
                10..13 => [10, 5, 20, 110],
                _ => [0; 4],
            });
        }
    }
    Patch {
        left,
        top,
        width,
        height,
        rgba,
    }
}
