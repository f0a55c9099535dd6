//! JPEG files (ITU-T T.81): decoding at a fraction of the size, encoding, and what their segments carry.
//!
//! Bounds, whatever the file: segments are walked once, without recursion; a colour profile takes at most the file's size and
//! is ignored from 10 MB on; decoding passes over the picture at most 50 times, and over a large one less often.

use playout_jpeg::{Segment, is_by_adobe};
use turbojpeg::{
    Colorspace, Compressor, DecompressHeader, Decompressor, Image, PixelFormat, ScalingFactor, Subsamp,
};

use crate::raster::Raster;

/// Scans of a progressive file. Encoders write about ten; each costs a pass over all pixels.
const MAX_SCANS: usize = 50;
/// Pixels times scans, so that a large file has fewer of them: 14 of the largest picture.
const MAX_SCANNED_PIXELS: usize = 1_000_000_000;

/// Warnings of the decoder about slips that some cameras make; the picture is complete all the same.
const HARMLESS_WARNINGS: [&str; 2] = ["extraneous bytes", "Invalid SOS parameters"];

/// Width and height as stored. The header must be one that the decoder takes.
pub(crate) fn size(file: &[u8]) -> Result<(u32, u32), String> {
    let header = turbojpeg::read_header(file).map_err(explain)?;
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    Ok((side(header.width), side(header.height)))
}

/// A decoder that is ready for a file, and the file's header as stored and as it will be decoded.
pub(crate) struct Decoding {
    pub(crate) decoder: Decompressor,
    pub(crate) header: DecompressHeader,
    pub(crate) scaled: DecompressHeader,
    /// The scale.
    pub(crate) eighths: usize,
}

impl Decoding {
    /// Chooses the smallest eighth of the stored size that still covers `at_least`, which costs the least time and memory.
    pub(crate) fn begin(file: &[u8], at_least: (u32, u32)) -> Result<Self, String> {
        let mut decoder = Decompressor::new().map_err(explain)?;
        let header = decoder.read_header(file).map_err(explain)?;
        decoder.set_scan_limit(scan_limit(&header)).map_err(explain)?;
        let factor = covering(&header, at_least);
        decoder.set_scaling_factor(factor).map_err(explain)?;
        Ok(Self {
            decoder,
            header,
            scaled: header.scaled(factor),
            eighths: 8 * factor.num() / factor.denom(),
        })
    }
}

/// Decodes at the smallest eighth of the stored size that still covers `at_least`. The caller has checked the stored size
/// against its limits.
pub(crate) fn decode(file: &[u8], at_least: (u32, u32)) -> Result<Raster, String> {
    let Decoding {
        mut decoder,
        header,
        scaled,
        ..
    } = Decoding::begin(file, at_least)?;
    let format = if is_cmyk(&header) {
        PixelFormat::CMYK
    } else {
        PixelFormat::RGB
    };
    let pitch = scaled.width * format.size();
    let pixels = vec![0; pitch * scaled.height];
    let mut image = Image {
        pixels,
        width: scaled.width,
        pitch,
        height: scaled.height,
        format,
    };
    forgive(decoder.decompress(file, image.as_deref_mut()))?;
    let rgb = if is_cmyk(&header) {
        cmyk_to_rgb(&image.pixels, is_by_adobe(file))
    } else {
        image.pixels
    };
    Ok(Raster {
        width: scaled.width as u32,
        height: scaled.height as u32,
        rgb,
    })
}

/// Passes over the slips that some cameras make. Data that is missing is an error.
pub(crate) fn forgive(decoded: turbojpeg::Result<()>) -> Result<(), String> {
    let is_harmless = |warning: &String| {
        HARMLESS_WARNINGS
            .iter()
            .any(|harmless| warning.contains(harmless))
    };
    match decoded.map_err(explain) {
        Err(warning) if is_harmless(&warning) => Ok(()),
        decoded => decoded,
    }
}

/// Encodes at `quality` (1–100), 4:2:0, with optimal Huffman tables.
pub(crate) fn encode(raster: &Raster, quality: i32) -> Result<Vec<u8>, String> {
    encode_with(raster, quality, true)
}

/// The same with the tables that every encoder has: a third of the time for a fiftieth more bytes.
pub(crate) fn encode_quickly(raster: &Raster, quality: i32) -> Result<Vec<u8>, String> {
    encode_with(raster, quality, false)
}

fn encode_with(raster: &Raster, quality: i32, is_optimal: bool) -> Result<Vec<u8>, String> {
    let mut encoder = Compressor::new().map_err(explain)?;
    encoder.set_quality(quality).map_err(explain)?;
    encoder.set_subsamp(Subsamp::Sub2x2).map_err(explain)?;
    encoder.set_optimize(is_optimal).map_err(explain)?;
    let (width, height) = (raster.width as usize, raster.height as usize);
    let image = Image {
        pixels: &raster.rgb[..],
        width,
        pitch: width * 3,
        height,
        format: PixelFormat::RGB,
    };
    encoder.compress_to_vec(image).map_err(explain)
}

/// Whether any decoder shows the file's own pixels as we would: Huffman-coded, and grey or YCbCr.
pub(crate) fn is_plain(file: &[u8]) -> bool {
    let header = turbojpeg::read_header(file);
    header.is_ok_and(|header| {
        let plain_colour = matches!(header.colorspace, Colorspace::YCbCr | Colorspace::Gray);
        plain_colour && !header.is_lossless && !header.is_arithmetic
    })
}

/// The same picture, bit by bit, without metadata: camera, place, thumbnails, comments, and whatever hides behind
/// the end. `None` if the file is not built as it should be.
pub(crate) fn stripped(file: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::with_capacity(file.len());
    kept.extend_from_slice(file.get(..2)?);
    let mut at = 2;
    while let Some(segment) = Segment::at(file, at) {
        if !is_metadata(&segment) {
            kept.extend_from_slice(file.get(at..segment.end)?);
        }
        at = segment.end;
        if segment.marker == Segment::START_OF_SCAN {
            let end = scan_end(file, at)?;
            kept.extend_from_slice(file.get(at..end)?);
            at = end;
        }
    }
    let ends_well = file.get(at..at + 2)? == [0xFF, END_OF_IMAGE];
    kept.extend_from_slice(&[0xFF, END_OF_IMAGE]);
    ends_well.then_some(kept)
}

const APP0: u8 = 0xE0;
const APP14: u8 = 0xEE;
const COMMENT: u8 = 0xFE;
const END_OF_IMAGE: u8 = 0xD9;

/// JFIF (APP0) and Adobe's colour transform (APP14) define how to read the pixels; the other APPn do not.
fn is_metadata(segment: &Segment<'_>) -> bool {
    let is_application = (APP0..=0xEF).contains(&segment.marker) && ![APP0, APP14].contains(&segment.marker);
    let is_extension = segment.marker == APP0 && !segment.body.starts_with(b"JFIF\0");
    is_application || is_extension || segment.marker == COMMENT
}

/// Where the entropy-coded data that begins at `at` ends: at a marker other than a restart or a stuffed byte.
fn scan_end(file: &[u8], at: usize) -> Option<usize> {
    let data = file.get(at..)?;
    let found = data
        .windows(2)
        .position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0x00 | 0xD0..=0xD7 | 0xFF))?;
    Some(at + found)
}

fn scan_limit(header: &DecompressHeader) -> u32 {
    let pixels = header.width.saturating_mul(header.height).max(1);
    u32::try_from((MAX_SCANNED_PIXELS / pixels).min(MAX_SCANS)).unwrap_or(u32::MAX)
}

fn covering(header: &DecompressHeader, (width, height): (u32, u32)) -> ScalingFactor {
    let eighths = (1..8)
        .map(|eighth| ScalingFactor::new(eighth, 8))
        .filter(|_| !header.is_lossless);
    let covers = |factor: &ScalingFactor| {
        factor.scale(header.width) >= width as usize && factor.scale(header.height) >= height as usize
    };
    eighths.into_iter().find(covers).unwrap_or(ScalingFactor::ONE)
}

fn is_cmyk(header: &DecompressHeader) -> bool {
    matches!(header.colorspace, Colorspace::CMYK | Colorspace::YCCK)
}

/// Ink to light, without a profile. Adobe's programs store CMYK inverted.
fn cmyk_to_rgb(cmyk: &[u8], is_inverted: bool) -> Vec<u8> {
    let light = |ink: u8| u16::from(if is_inverted { ink } else { 255 - ink });
    let rgb = cmyk.chunks_exact(4).flat_map(|pixel| {
        let black = light(pixel[3]);
        [pixel[0], pixel[1], pixel[2]].map(|ink| ((light(ink) * black + 127) / 255) as u8)
    });
    rgb.collect()
}

pub(crate) fn explain(error: turbojpeg::Error) -> String {
    match error {
        turbojpeg::Error::TurboJpegError(message) if message.contains("Premature end") => {
            "it ends too early; the upload was cut off".to_owned()
        }
        turbojpeg::Error::TurboJpegError(message) => message,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn picture() -> Raster {
        let rgb = (0..64 * 48).flat_map(|pixel: u32| [(pixel % 64 * 4) as u8, (pixel / 64 * 5) as u8, 90]);
        Raster {
            width: 64,
            height: 48,
            rgb: rgb.collect(),
        }
    }

    /// `file` with a segment put behind its start.
    fn with_segment(file: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
        let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
        [&file[..2], &[0xFF, marker], &length, body, &file[2..]].concat()
    }

    #[test]
    fn stripping_removes_metadata_and_what_follows_the_end_and_keeps_every_pixel() {
        let plain = encode(&picture(), 90).unwrap();
        let mut busy = with_segment(&plain, 0xE1, b"Exif\0\0 somewhere private");
        busy = with_segment(&busy, COMMENT, b"a comment");
        busy.extend_from_slice(b"a hidden film");
        assert_eq!(stripped(&busy), Some(plain));
    }

    #[test]
    fn a_file_that_never_ends_is_not_stripped() {
        let mut file = encode(&picture(), 90).unwrap();
        file.truncate(file.len() - 2);
        assert_eq!(stripped(&file), None);
    }

    #[test]
    fn a_picture_is_decoded_no_larger_than_it_takes() {
        let file = encode(&picture(), 90).unwrap();
        let small = decode(&file, (20, 15)).unwrap();
        assert_eq!((small.width, small.height), (24, 18));
        assert_eq!(decode(&file, (640, 480)).unwrap().width, 64);
    }

    #[test]
    fn a_picture_with_half_its_scan_missing_is_refused() {
        let file = encode(&picture(), 90).unwrap();
        let error = decode(&file[..file.len() - 200], (64, 48)).unwrap_err();
        assert!(error.contains("cut off"), "{error}");
    }

    #[test]
    fn ink_becomes_light_whichever_way_it_was_stored() {
        assert_eq!(cmyk_to_rgb(&[255, 255, 255, 255], true), [255, 255, 255]);
        assert_eq!(cmyk_to_rgb(&[0, 255, 255, 255], true), [0, 255, 255]);
        assert_eq!(cmyk_to_rgb(&[0, 255, 255, 0], false), [255, 0, 0]);
    }

    proptest! {
        #[test]
        fn garbage_never_panics(body in proptest::collection::vec(any::<u8>(), 0..300)) {
            let file = [&[0xFF, 0xD8, 0xFF, 0xE0][..], &body].concat();
            drop((stripped(&file), playout_jpeg::icc_profile(&file), size(&file), is_plain(&file)));
        }
    }
}
