//! Files to test with: small real videos, and pictures made on the spot.

use std::path::PathBuf;

use bytes::Bytes;
use playout_media::BlobReader;
use turbojpeg::{Compressor, Image, PixelFormat, Subsamp};

/// Where `tests/assets/name` is.
pub(crate) fn asset(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/assets")
        .join(name)
}

pub(crate) fn reader(bytes: impl Into<Bytes>) -> BlobReader {
    BlobReader::memory(bytes.into())
}

pub(crate) const RED: [u8; 3] = [220, 30, 40];
pub(crate) const GREEN: [u8; 3] = [30, 200, 60];
pub(crate) const BLUE: [u8; 3] = [40, 60, 210];
pub(crate) const WHITE: [u8; 3] = [250, 250, 250];

/// A picture with a colour in each corner: red and green above, blue and white below.
pub(crate) fn corners(width: usize, height: usize) -> Vec<u8> {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x * 2 / width, y * 2 / height)));
    let colours = pixels.map(|corner| match corner {
        (0, 0) => RED,
        (_, 0) => GREEN,
        (0, _) => BLUE,
        _ => WHITE,
    });
    colours.flatten().collect()
}

pub(crate) fn jpeg(width: usize, height: usize) -> Vec<u8> {
    jpeg_of(&corners(width, height), (width, height), PixelFormat::RGB)
}

pub(crate) fn jpeg_of(pixels: &[u8], (width, height): (usize, usize), format: PixelFormat) -> Vec<u8> {
    let mut encoder = Compressor::new().unwrap();
    encoder.set_quality(92).unwrap();
    let is_grey = format == PixelFormat::GRAY;
    encoder
        .set_subsamp(if is_grey { Subsamp::Gray } else { Subsamp::None })
        .unwrap();
    encoder
        .compress_to_vec(Image {
            pixels,
            width,
            pitch: width * format.size(),
            height,
            format,
        })
        .unwrap()
}

/// `file` with the EXIF orientation `tag`, as a camera writes it.
pub(crate) fn oriented(file: &[u8], tag: u8) -> Vec<u8> {
    let tiff = [
        b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0",
        &[tag][..],
        &[0; 6],
    ]
    .concat();
    with_segment(file, 0xE1, &[b"Exif\0\0", &tiff[..]].concat())
}

/// `file` with a segment put behind its start.
pub(crate) fn with_segment(file: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
    [&file[..2], &[0xFF, marker], &length, body, &file[2..]].concat()
}

pub(crate) fn webp(rgb: &[u8], width: u32, height: u32) -> Vec<u8> {
    webp::Encoder::from_rgb(rgb, width, height).encode(90.0).to_vec()
}

/// A decoded picture that can be asked for the colour in a corner.
pub(crate) struct Seen {
    pub(crate) width: u32,
    pub(crate) height: u32,
    rgb: Vec<u8>,
}

impl Seen {
    pub(crate) fn jpeg(file: &[u8]) -> Self {
        let image = turbojpeg::decompress(file, PixelFormat::RGB).unwrap();
        Self {
            width: image.width as u32,
            height: image.height as u32,
            rgb: image.pixels,
        }
    }

    pub(crate) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The colour at a quarter and three quarters of each side, in reading order.
    pub(crate) fn corners(&self) -> [[u8; 3]; 4] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map(|(x, y)| self.pixel(self.width * x / 4, self.height * y / 4))
    }

    pub(crate) fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = ((y * self.width + x) * 3) as usize;
        self.rgb[at..at + 3].try_into().unwrap()
    }
}

/// Asserts that colours survived lossy coding.
#[track_caller]
pub(crate) fn assert_close(seen: [[u8; 3]; 4], wanted: [[u8; 3]; 4]) {
    let pairs = seen.iter().flatten().zip(wanted.iter().flatten());
    let worst = pairs.map(|(seen, wanted)| seen.abs_diff(*wanted)).max();
    assert!(worst <= Some(14), "{seen:?} is not {wanted:?}");
}
