//! JPEG files (ITU-T T.81): their header, and decoding at a fraction of the size, straight to planes where it can be.

use std::borrow::Cow;

use playout_jpeg::{Segment, exif, icc_profile, is_by_adobe, segments};
use turbojpeg::{
    Colorspace, DecompressHeader, Decompressor, Image, PixelFormat, ScalingFactor, Subsamp, YuvImage,
};

use super::colour;
use super::source::{Format, Source, is_foreign};
use crate::orientation::Orientation;
use crate::planes::Planes;
use crate::refusal::Refusal;

/// Scans of a progressive file. Encoders write about ten; each costs a pass over all pixels.
const MOST_SCANS: usize = 50;
/// Pixels times scans, so that a large file has fewer of them.
const MOST_WORK: usize = 600_000_000;

/// Warnings of the decoder about slips that some cameras make; the picture is complete all the same.
const HARMLESS_WARNINGS: [&str; 2] = ["extraneous bytes", "Invalid SOS parameters"];

/// Reads the header.
pub(super) fn read(file: &[u8]) -> Result<Source<'_>, Refusal> {
    let depth = segments(file)
        .find(Segment::is_frame)
        .and_then(|frame| frame.body.first().copied());
    if let Some(bits) = depth.filter(|bits| *bits != 8) {
        let reason = format!("it has {bits} bits a channel; 8 are taken");
        return Err(Refusal::Unreadable(reason));
    }
    let header = turbojpeg::read_header(file).map_err(|error| Refusal::Unreadable(explain(error)))?;
    Ok(Source {
        file,
        size: (header.width, header.height),
        orientation: exif(file).map(Orientation::of_exif).unwrap_or_default(),
        profile: icc_profile(file)
            .filter(|profile| is_foreign(profile))
            .map(Cow::Owned),
        format: Format::Jpeg(header),
    })
}

/// Decodes at the smallest scale that still covers `needed`.
///
/// With a decoder of its own: used again, one fills in what a file lacks, tables of codes or quantisers, from the file
/// before (T.81 annex B.5), and shows what is in neither.
pub(super) fn decode(
    file: &[u8],
    header: &DecompressHeader,
    needed: (usize, usize),
    planes: &mut Planes,
) -> Result<(), String> {
    let scans = (MOST_WORK / (header.width * header.height).max(1)).min(MOST_SCANS);
    let scans = u32::try_from(scans).unwrap_or(u32::MAX);
    let mut decompressor = Decompressor::new().map_err(explain)?;
    decompressor.set_scan_limit(scans).map_err(explain)?;
    let factor = covering(header, needed);
    decompressor.set_scaling_factor(factor).map_err(explain)?;
    let scaled = header.scaled(factor);
    if is_planar(header) {
        planes.shape((scaled.width, scaled.height), scaled.subsamp);
        let eighths = 8 * factor.num() / factor.denom();
        if playout_jpeg::decode(file, eighths, &mut planes.samples, &mut Vec::new()).is_some() {
            return Ok(());
        }
        decode_planes(&mut decompressor, file, &scaled, planes)
    } else {
        decode_pixels(&mut decompressor, file, &scaled, planes)
    }
}

fn decode_planes(
    decompressor: &mut Decompressor,
    file: &[u8],
    scaled: &DecompressHeader,
    planes: &mut Planes,
) -> Result<(), String> {
    let image = YuvImage {
        pixels: &mut planes.samples[..],
        width: scaled.width,
        align: 1,
        height: scaled.height,
        subsamp: scaled.subsamp,
    };
    forgive(decompressor.decompress_to_yuv(file, image))
}

/// By way of pixels, for what is not stored as YCbCr.
fn decode_pixels(
    decompressor: &mut Decompressor,
    file: &[u8],
    scaled: &DecompressHeader,
    planes: &mut Planes,
) -> Result<(), String> {
    let format = if is_ink(scaled) {
        PixelFormat::CMYK
    } else {
        PixelFormat::RGB
    };
    let pitch = scaled.width * format.size();
    let mut pixels = vec![0; pitch * scaled.height];
    let image = Image {
        pixels: &mut pixels[..],
        width: scaled.width,
        pitch,
        height: scaled.height,
        format,
    };
    forgive(decompressor.decompress(file, image))?;
    let rgb = if is_ink(scaled) {
        light(&pixels, is_by_adobe(file))
    } else {
        pixels
    };
    colour::from_rgb(&rgb, (scaled.width, scaled.height), planes);
    Ok(())
}

fn is_planar(header: &DecompressHeader) -> bool {
    let is_stored_so = matches!(header.colorspace, Colorspace::YCbCr | Colorspace::Gray);
    is_stored_so && !header.is_lossless && header.subsamp != Subsamp::Unknown
}

fn is_ink(header: &DecompressHeader) -> bool {
    matches!(header.colorspace, Colorspace::CMYK | Colorspace::YCCK)
}

/// The scale that gives just that size, if there is one; otherwise the smallest that covers it, of those that the decoder has
/// fast transforms for: with the others, decoding takes longer than at twice the scale and resizing does.
fn covering(header: &DecompressHeader, (width, height): (usize, usize)) -> ScalingFactor {
    let scaled = |factor: &ScalingFactor| (factor.scale(header.width), factor.scale(header.height));
    let just = (1..8).map(|eighth| ScalingFactor::new(eighth, 8));
    let just = just.filter(|factor| scaled(factor) == (width, height));
    let fast = [1, 2, 4].map(|eighth| ScalingFactor::new(eighth, 8));
    let fast = fast.into_iter().filter(|factor| {
        let scaled = scaled(factor);
        scaled.0 >= width && scaled.1 >= height
    });
    let scale = just.chain(fast).find(|_| !header.is_lossless);
    scale.unwrap_or(ScalingFactor::ONE)
}

/// Ink to light, without a profile. Adobe's programs store CMYK inverted.
fn light(cmyk: &[u8], is_inverted: bool) -> Vec<u8> {
    let light = |ink: u8| u16::from(if is_inverted { ink } else { 255 - ink });
    let rgb = cmyk.chunks_exact(4).flat_map(|pixel| {
        let black = light(pixel[3]);
        [pixel[0], pixel[1], pixel[2]].map(|ink| ((light(ink) * black + 127) / 255) as u8)
    });
    rgb.collect()
}

fn forgive(decoded: turbojpeg::Result<()>) -> Result<(), String> {
    match decoded.map_err(explain) {
        Err(warning)
            if HARMLESS_WARNINGS
                .iter()
                .any(|harmless| warning.contains(harmless)) =>
        {
            Ok(())
        }
        decoded => decoded,
    }
}

pub(crate) fn explain(error: turbojpeg::Error) -> String {
    match error {
        turbojpeg::Error::TurboJpegError(message) if message.contains("Premature end") => {
            "it ends too early".to_owned()
        }
        turbojpeg::Error::TurboJpegError(message) => message,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_becomes_light_whichever_way_it_was_stored() {
        assert_eq!(light(&[255, 255, 255, 255], true), [255, 255, 255]);
        assert_eq!(light(&[0, 255, 255, 255], true), [0, 255, 255]);
        assert_eq!(light(&[0, 255, 255, 0], false), [255, 0, 0]);
    }
}
