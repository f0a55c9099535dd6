//! How a camera was held, and turning pixels accordingly (EXIF 2.32 §4.6.4, tag 274).

use std::io::Cursor;
use std::panic::catch_unwind;

use crate::raster::Raster;

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
    /// The orientation in the EXIF of a JPEG or WebP file; upright where there is none, or none that can be read.
    pub(crate) fn of(file: &[u8]) -> Self {
        // The parser is third-party code on hostile input; a picture is worth more than its metadata.
        let read = catch_unwind(|| {
            let exif = exif::Reader::new()
                .read_from_container(&mut Cursor::new(file))
                .ok()?;
            exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY)?
                .value
                .get_uint(0)
        });
        Self::from_tag(read.ok().flatten().unwrap_or(1))
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
    pub(crate) fn swaps_sides(self) -> bool {
        matches!(
            self,
            Self::Transpose | Self::Turn90 | Self::Transverse | Self::Turn270
        )
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

#[cfg(test)]
mod tests {
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
        assert_eq!(Orientation::of(b"\xFF\xD8\xFF\xD9"), Orientation::Upright);
        assert_eq!(Orientation::from_tag(9), Orientation::Upright);
    }
}
