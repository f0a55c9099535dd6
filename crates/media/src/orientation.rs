//! Reads a picture's orientation, and rotates its pixels accordingly (EXIF 2.32 §4.6.4, tag 274).
//!
//! Of the EXIF block one directory is read, the first, and in it one entry. No other is followed: directories can name one
//! another, so that a reader of all of them takes memory by the cube of the block's size.

use playout_domain::media::MimeType;

use crate::raster::Raster;
use crate::webp_chunks;

/// The eight values of the EXIF tag: what a viewer does to the stored picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Orientation {
    #[default]
    Upright,
    MirrorHorizontally,
    Turn180,
    MirrorVertically,
    /// Mirrored on the falling diagonal.
    Transpose,
    Turn90,
    /// Mirrored on the rising diagonal.
    Transverse,
    Turn270,
}

impl Orientation {
    /// The orientation in the EXIF of a file of that type; upright where there is none, or none that can be read.
    pub(crate) fn of(mime: MimeType, file: &[u8]) -> Self {
        let exif = match mime {
            MimeType::Jpeg => playout_jpeg::exif(file),
            MimeType::Webp => webp_chunks::exif(file),
            MimeType::Mp4 | MimeType::Webm | MimeType::QuickTime => None,
        };
        Self::from_tag(exif.and_then(orientation_tag).unwrap_or(1))
    }

    fn from_tag(value: u32) -> Self {
        match value {
            2 => Self::MirrorHorizontally,
            3 => Self::Turn180,
            4 => Self::MirrorVertically,
            5 => Self::Transpose,
            6 => Self::Turn90,
            7 => Self::Transverse,
            8 => Self::Turn270,
            _ => Self::Upright,
        }
    }

    /// Whether width and height change places.
    fn swaps_sides(self) -> bool {
        matches!(
            self,
            Self::Transpose | Self::Turn90 | Self::Transverse | Self::Turn270
        )
    }

    /// A size as stored, for one as shown, and the other way round.
    pub(crate) fn sides(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.swaps_sides() {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// How far the picture is turned clockwise, mirroring aside.
    pub(crate) fn rotation_degrees(self) -> u16 {
        match self {
            Self::Upright | Self::MirrorHorizontally => 0,
            Self::Turn90 | Self::Transverse => 90,
            Self::Turn180 | Self::MirrorVertically => 180,
            Self::Turn270 | Self::Transpose => 270,
        }
    }

    /// Where the pixel shown at `(x, y)` is stored, in a stored picture of `width`×`height`.
    fn source(self, (x, y): (usize, usize), (width, height): (usize, usize)) -> (usize, usize) {
        match self {
            Self::Upright => (x, y),
            Self::MirrorHorizontally => (width - 1 - x, y),
            Self::Turn180 => (width - 1 - x, height - 1 - y),
            Self::MirrorVertically => (x, height - 1 - y),
            Self::Transpose => (y, x),
            Self::Turn90 => (y, height - 1 - x),
            Self::Transverse => (width - 1 - y, height - 1 - x),
            Self::Turn270 => (width - 1 - y, x),
        }
    }

    /// The picture as it should be seen.
    pub(crate) fn apply(self, raster: Raster) -> Raster {
        if self == Self::Upright {
            return raster;
        }
        let stored = (raster.width as usize, raster.height as usize);
        let (width, height) = if self.swaps_sides() {
            (stored.1, stored.0)
        } else {
            stored
        };
        let mut rgb = Vec::with_capacity(raster.rgb.len());
        for y in 0..height {
            for x in 0..width {
                let (x, y) = self.source((x, y), stored);
                let at = (y * stored.0 + x) * 3;
                rgb.extend_from_slice(&raster.rgb[at..at + 3]);
            }
        }
        Raster {
            width: width as u32,
            height: height as u32,
            rgb,
        }
    }
}

/// Tag 274 in the first directory of a TIFF file (TIFF 6.0 §2).
fn orientation_tag(tiff: &[u8]) -> Option<u32> {
    const TAG: u32 = 274;
    let is_big = match tiff.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let number = |at: usize, length: usize| {
        let bytes = tiff.get(at..at.checked_add(length)?)?;
        let add = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        Some(if is_big {
            bytes.iter().fold(0, add)
        } else {
            bytes.iter().rev().fold(0, add)
        })
    };
    let directory = usize::try_from(number(4, 4)?).ok()?;
    let entries = usize::try_from(number(directory, 2)?).ok()?;
    let entry = (0..entries)
        .map(|entry| directory + 2 + 12 * entry)
        .find(|entry| number(*entry, 2) == Some(TAG))?;
    match number(entry + 2, 2)? {
        1 => number(entry + 8, 1),
        3 => number(entry + 8, 2),
        4 => number(entry + 8, 4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A picture of 3×2 pixels, numbered in reading order.
    fn numbered() -> Raster {
        Raster {
            width: 3,
            height: 2,
            rgb: (1..=6).flat_map(|number| [number; 3]).collect(),
        }
    }

    fn shown(tag: u32) -> (u32, Vec<u8>) {
        let raster = Orientation::from_tag(tag).apply(numbered());
        (raster.width, raster.rgb.chunks(3).map(|pixel| pixel[0]).collect())
    }

    #[test]
    fn every_orientation_shows_the_pixels_where_the_standard_wants_them() {
        assert_eq!(shown(1), (3, vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(shown(2), (3, vec![3, 2, 1, 6, 5, 4]));
        assert_eq!(shown(3), (3, vec![6, 5, 4, 3, 2, 1]));
        assert_eq!(shown(4), (3, vec![4, 5, 6, 1, 2, 3]));
        assert_eq!(shown(5), (2, vec![1, 4, 2, 5, 3, 6]));
        assert_eq!(shown(6), (2, vec![4, 1, 5, 2, 6, 3]));
        assert_eq!(shown(7), (2, vec![6, 3, 5, 2, 4, 1]));
        assert_eq!(shown(8), (2, vec![3, 6, 2, 5, 1, 4]));
    }

    #[test]
    fn a_file_without_metadata_is_upright() {
        assert_eq!(
            Orientation::of(MimeType::Jpeg, b"\xFF\xD8\xFF\xD9"),
            Orientation::Upright
        );
        assert_eq!(
            Orientation::of(MimeType::Webp, b"RIFF\0\0\0\0WEBP"),
            Orientation::Upright
        );
        assert_eq!(Orientation::from_tag(9), Orientation::Upright);
    }

    #[test]
    fn reads_the_tag_in_either_byte_order_and_as_any_whole_number() {
        for (tiff, tag) in [
            (
                &b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"[..],
                Some(6),
            ),
            (
                b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x04\0\0\0\x01\0\0\0\x03",
                Some(3),
            ),
            (
                b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x01\0\0\0\x01\x05\0\0\0",
                Some(5),
            ),
            (
                b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0",
                Some(8),
            ),
            (b"II*\0\x08\0\0\0\x01\0\x12\x01\x05\0\x01\0\0\0\x08\0\0\0", None),
            (b"II*\0\xFF\xFF\xFF\xFF\x01\0", None),
            (b"GIF89a", None),
        ] {
            assert_eq!(orientation_tag(tiff), tag, "{tiff:?}");
        }
    }

    /// Directories of `entries` pointers each: all of the first to the second, all of the second to the third.
    fn web_of_directories(entries: u16) -> Vec<u8> {
        const EXIF: u16 = 0x8769;
        const INTEROP: u16 = 0xA005;
        const LONG: u16 = 4;
        let length = 2 + 12 * u32::from(entries) + 4;
        let mut tiff = b"MM\0*\0\0\0\x08".to_vec();
        for (at, tag) in [(8 + length, EXIF), (8 + 2 * length, INTEROP), (0, 1)] {
            tiff.extend(entries.to_be_bytes());
            for _ in 0..entries {
                tiff.extend([tag, LONG, 0, 1].map(u16::to_be_bytes).concat());
                tiff.extend(at.to_be_bytes());
            }
            tiff.extend([0; 4]);
        }
        tiff
    }

    #[test]
    fn directories_that_name_one_another_are_not_followed() {
        // A reader that follows them all reads six thousand million entries.
        let tiff = web_of_directories(1_815);
        let length = u16::try_from(tiff.len() + 8).unwrap().to_be_bytes();
        let file = [b"\xFF\xD8\xFF\xE1", &length[..], b"Exif\0\0", &tiff, b"\xFF\xD9"].concat();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(Orientation::of(MimeType::Jpeg, &file)));
        let read = receiver.recv_timeout(std::time::Duration::from_secs(120));
        assert_eq!(read, Ok(Orientation::Upright), "it follows them");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_tag_or_none(body in proptest::collection::vec(any::<u8>(), 0..80), is_big in any::<bool>()) {
            let head = if is_big { b"MM\0*" } else { b"II*\0" };
            let tag = orientation_tag(&[&head[..], &body].concat());
            prop_assert!(Orientation::from_tag(tag.unwrap_or(1)).rotation_degrees() < 360);
        }
    }
}
