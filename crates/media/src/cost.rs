//! What decoding a file takes in memory, estimated from its header alone, before a pixel is decoded.
//!
//! The figures are upper bounds for the decoders used here. Whatever cannot be estimated counts as [`UNKNOWN`], which no
//! budget has room for beside anything else.

use std::io::{self, Read, Seek, SeekFrom};

use playout_domain::media::{MediaType, MimeType};
use playout_domain::sniff::{SNIFF_BYTES, sniff};

use crate::raster::{FULL_PIXELS, JPEG_SCALED_PIXELS};
use crate::reader::BlobReader;
use crate::refusal::IMAGE_MAX_SIDE;

/// The cost of a file whose header lacks what an estimate needs.
const UNKNOWN: u64 = u64::MAX;
/// Rows, tables and the pictures made of a decoded one.
const BESIDES: u64 = 4 << 20;
/// The poster's decoder is a process of its own; a decoder of 1080p with its reference frames takes about this much.
pub const POSTER_COST_BYTES: u64 = 96 << 20;
/// Segments or chunks before the picture. No program writes a hundredth of it.
const MAX_SEGMENTS: usize = 10_000;
/// Coefficients are 16 bits each, 64 a block.
const BLOCK_BYTES: u64 = 128;

/// What the decoder of an image needs to know of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Image {
    Jpeg(Jpeg),
    Webp(Webp),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Jpeg {
    pixels: u64,
    components: u64,
    is_lossless: bool,
    /// Bytes of coefficients that are in memory at once: none where the file has a single scan.
    coefficient_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Webp {
    pixels: u64,
    is_lossless: bool,
    has_alpha: bool,
}

/// Bytes that [`crate::Inspector::inspect`] or [`crate::fit_jpeg`] takes for this file at most, the file's own included.
/// Blocks; reads a few blocks of the file. A file that is no image or video costs little: it is refused by its first bytes.
pub fn decode_cost(reader: &mut BlobReader) -> u64 {
    let Ok(Ok(mime)) = reader.head(SNIFF_BYTES).map(|head| sniff(&head)) else {
        return BESIDES;
    };
    match mime.media_type() {
        MediaType::Image => image(mime, reader).map_or(UNKNOWN, |image| {
            let decoded = match image {
                Image::Jpeg(jpeg) => jpeg.scaled_bytes() + unstuffed_bytes(reader),
                Image::Webp(webp) => webp.bytes(FULL_PIXELS),
            };
            decoded.saturating_add(reader.size_bytes() + BESIDES)
        }),
        _ => POSTER_COST_BYTES,
    }
}

/// Bytes that drawing a slide on this picture takes at most: its decoder scales JPEGs alone, and less than previews do.
pub fn slide_cost(reader: &mut BlobReader) -> u64 {
    let Ok(Ok(mime)) = reader.head(SNIFF_BYTES).map(|head| sniff(&head)) else {
        return BESIDES;
    };
    image(mime, reader).map_or(UNKNOWN, |image| {
        let decoded = match image {
            Image::Jpeg(jpeg) => jpeg.coefficient_bytes + jpeg.pixels * 4 + 3 * unstuffed_bytes(reader),
            Image::Webp(webp) => webp.bytes(u64::MAX),
        };
        decoded.saturating_add(reader.size_bytes() + BESIDES)
    })
}

/// The entropy-coded data of a JPEG is copied before it is decoded; where a slide's blocks are copied, twice more, as bits and as a file.
fn unstuffed_bytes(reader: &BlobReader) -> u64 {
    reader.size_bytes()
}

/// Bytes of coefficients that a JPEG of several scans keeps in memory until its last; 0 for any other file.
pub(crate) fn coefficient_bytes(mime: MimeType, reader: &mut BlobReader) -> u64 {
    match image(mime, reader) {
        Some(Image::Jpeg(jpeg)) => jpeg.coefficient_bytes,
        _ => 0,
    }
}

fn image(mime: MimeType, reader: &mut BlobReader) -> Option<Image> {
    match mime {
        MimeType::Jpeg => read_jpeg(reader).ok().flatten().map(Image::Jpeg),
        MimeType::Webp => read_webp(reader).ok().flatten().map(Image::Webp),
        _ => None,
    }
}

impl Jpeg {
    /// Decoded at the scale that a preview or a rendition needs.
    fn scaled_bytes(self) -> u64 {
        let shown = if self.is_lossless {
            self.pixels
        } else {
            self.pixels.min(JPEG_SCALED_PIXELS)
        };
        // CMYK pixels and the RGB made of them, or RGB.
        let bytes_a_pixel = if self.components > 3 { 7 } else { 4 };
        self.coefficient_bytes + shown * bytes_a_pixel
    }
}

impl Webp {
    /// A picture of up to `full_pixels` is decoded whole, a larger one row by row to a smaller size; a lossless one is kept
    /// whole as ARGB by the decoder either way, and so may the alpha of a lossy one be.
    fn bytes(self, full_pixels: u64) -> u64 {
        let within = match (self.is_lossless, self.has_alpha) {
            (true, _) => 4,
            (false, true) => 5,
            (false, false) => 0,
        };
        let output = if self.has_alpha || self.is_lossless { 7 } else { 3 };
        self.pixels * within + self.pixels.min(full_pixels) * output
    }
}

/// The frame header (ITU-T T.81 B.2.2) and the first scan's (B.2.3). `None` where the file is not built as it should be.
fn read_jpeg(reader: &mut BlobReader) -> io::Result<Option<Jpeg>> {
    reader.seek(SeekFrom::Start(2))?;
    let mut frame = None;
    for _ in 0..MAX_SEGMENTS {
        let Some(marker) = marker(reader)? else {
            return Ok(None);
        };
        if matches!(marker, 0x01 | 0xD0..=0xD8) {
            continue;
        }
        let length = u64::from(u16::from_be_bytes(bytes(reader)?));
        let next = reader.stream_position()? + length.saturating_sub(2);
        match marker {
            0xC4 | 0xC8 | 0xCC => {}
            0xC0..=0xCF => frame = read_frame(marker, reader)?,
            0xDA => {
                let [components] = bytes(reader)?;
                return Ok(frame.map(|frame: Frame| frame.jpeg(components)));
            }
            _ => {}
        }
        reader.seek(SeekFrom::Start(next))?;
    }
    Ok(None)
}

struct Frame {
    marker: u8,
    width: u64,
    height: u64,
    /// Horizontal and vertical sampling factors.
    sampling: Vec<[u64; 2]>,
}

fn read_frame(marker: u8, reader: &mut BlobReader) -> io::Result<Option<Frame>> {
    let [_, high, low, wide, narrow, components] = bytes(reader)?;
    let side = |high, low| u64::from(u16::from_be_bytes([high, low]).min(IMAGE_MAX_SIDE as u16));
    let mut sampling = Vec::with_capacity(4);
    for _ in 0..components.min(4) {
        let [_, factors, _] = bytes(reader)?;
        sampling.push([u64::from(factors >> 4), u64::from(factors & 0x0F)]);
    }
    let is_sane = !sampling.is_empty()
        && sampling
            .as_flattened()
            .iter()
            .all(|factor| (1..=4).contains(factor));
    Ok(is_sane.then(|| Frame {
        marker,
        width: side(wide, narrow),
        height: side(high, low),
        sampling,
    }))
}

impl Frame {
    fn jpeg(self, in_first_scan: u8) -> Jpeg {
        let components = self.sampling.len() as u64;
        let is_progressive = matches!(self.marker, 0xC2 | 0xC6 | 0xCA | 0xCE);
        let has_scans = is_progressive || u64::from(in_first_scan) < components;
        Jpeg {
            pixels: self.width * self.height,
            components,
            is_lossless: matches!(self.marker, 0xC3 | 0xC7 | 0xCB | 0xCF),
            coefficient_bytes: if has_scans { self.coefficients() } else { 0 },
        }
    }

    /// Whole blocks of every component, rounded up to its sampling factors (T.81 A.2.4).
    fn coefficients(&self) -> u64 {
        let most = |axis: usize| {
            self.sampling
                .iter()
                .map(|factors| factors[axis])
                .max()
                .unwrap_or(1)
        };
        let blocks = |side: u64, axis: usize, factor: u64| {
            (side * factor).div_ceil(8 * most(axis)).next_multiple_of(factor)
        };
        let of = |[across, down]: &[u64; 2]| blocks(self.width, 0, *across) * blocks(self.height, 1, *down);
        self.sampling.iter().map(of).sum::<u64>() * BLOCK_BYTES
    }
}

/// The next marker; any number of 0xFF may stand before it.
fn marker(reader: &mut BlobReader) -> io::Result<Option<u8>> {
    let [first] = bytes(reader)?;
    if first != 0xFF {
        return Ok(None);
    }
    loop {
        match bytes(reader)? {
            [0xFF] => {}
            [marker] => return Ok(Some(marker)),
        }
    }
}

/// The chunks of a WebP file up to its picture (RFC 9649 §2).
fn read_webp(reader: &mut BlobReader) -> io::Result<Option<Webp>> {
    let mut at = 12;
    let mut has_alpha_chunk = false;
    for _ in 0..MAX_SEGMENTS {
        reader.seek(SeekFrom::Start(at))?;
        let name: [u8; 4] = bytes(reader)?;
        let size = u64::from(u32::from_le_bytes(bytes(reader)?));
        match &name {
            b"VP8 " => {
                let header: [u8; 10] = bytes(reader)?;
                let side =
                    |low: usize| u64::from(u16::from_le_bytes([header[low], header[low + 1]]) & 0x3FFF);
                return Ok(Some(webp((side(6), side(8)), false, has_alpha_chunk)));
            }
            b"VP8L" => {
                let [_, a, b, c, d] = bytes(reader)?;
                let packed = u64::from(u32::from_le_bytes([a, b, c, d]));
                let size = ((packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1);
                return Ok(Some(webp(size, true, packed >> 28 & 1 == 1)));
            }
            b"ALPH" => has_alpha_chunk = true,
            _ => {}
        }
        at += 8 + size + size % 2;
    }
    Ok(None)
}

fn webp((width, height): (u64, u64), is_lossless: bool, has_alpha: bool) -> Webp {
    let most = u64::from(IMAGE_MAX_SIDE);
    Webp {
        pixels: width.min(most) * height.min(most),
        is_lossless,
        has_alpha,
    }
}

fn bytes<const N: usize>(reader: &mut BlobReader) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;

    fn reader(file: &[u8]) -> BlobReader {
        BlobReader::memory(Bytes::copy_from_slice(file))
    }

    /// A JPEG's header: a comment, a frame of three components, its first scan.
    fn jpeg(marker: u8, luma: u8, in_first_scan: u8) -> Vec<u8> {
        let frame = [8, 0x20, 0, 0x20, 0, 3, 1, luma, 0, 2, 0x11, 0, 3, 0x11, 0];
        let scan = [&[0xFF, 0xDA, 0, 12, in_first_scan][..], &[0; 9]].concat();
        [
            &[
                0xFF, 0xD8, 0xFF, 0xFE, 0, 4, b'h', b'i', 0xFF, 0xFF, marker, 0, 17,
            ][..],
            &frame,
            &scan,
        ]
        .concat()
    }

    #[test]
    fn a_jpeg_of_several_scans_costs_its_coefficients_and_one_of_a_single_scan_does_not() {
        let whole = 8192 * 8192;
        let coefficients =
            |marker, luma, scan| coefficient_bytes(MimeType::Jpeg, &mut reader(&jpeg(marker, luma, scan)));
        assert_eq!(coefficients(0xC0, 0x11, 3), 0);
        assert_eq!(
            coefficients(0xC0, 0x11, 1),
            whole * 6,
            "sequential, a scan for each component"
        );
        assert_eq!(coefficients(0xC2, 0x11, 3), whole * 6);
        assert_eq!(coefficients(0xC2, 0x22, 3), whole * 3);
        assert!(decode_cost(&mut reader(&jpeg(0xC0, 0x22, 3))) < 64_000_000);
        assert!(decode_cost(&mut reader(&jpeg(0xC2, 0x11, 3))) > whole * 6);
    }

    #[test]
    fn a_lossless_webp_costs_all_its_pixels_and_a_large_lossy_one_does_not() {
        let side = 8191_u32;
        let packed = (side | side << 14).to_le_bytes();
        let lossless = [&b"RIFF\xFF\0\0\0WEBPVP8L\x20\0\0\0\x2F"[..], &packed, &[0; 40]].concat();
        assert!(decode_cost(&mut reader(&lossless)) > 8192 * 8192 * 4);
        let sides = [0x00, 0x20, 0x00, 0x20];
        let lossy = [
            &b"RIFF\xFF\0\0\0WEBPVP8 \x20\0\0\0\0\0\0\x9D\x01\x2A"[..],
            &sides,
            &[0; 40],
        ]
        .concat();
        assert!(decode_cost(&mut reader(&lossy)) < 64_000_000);
    }

    #[test]
    fn a_header_that_says_too_little_costs_more_than_any_budget() {
        let file = [&[0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0][..], b"no marker"].concat();
        assert_eq!(decode_cost(&mut reader(&file)), UNKNOWN);
    }

    proptest! {
        #[test]
        fn garbage_never_panics(body in proptest::collection::vec(any::<u8>(), 0..300)) {
            for head in [&[0xFF, 0xD8, 0xFF][..], b"RIFF\xFF\0\0\0WEBPVP8X"] {
                let file = [head, &body].concat();
                decode_cost(&mut reader(&file));
                slide_cost(&mut reader(&file));
            }
        }
    }
}
