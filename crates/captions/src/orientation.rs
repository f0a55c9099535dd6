//! Reads a picture's orientation (EXIF 2.32 §4.6.4, tag 274), and rotates its planes accordingly.

use crate::planes::{Plane, PlaneMut, Planes};

/// What a viewer does to the stored picture: mirrors it along its stored axes, then swaps the axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Orientation {
    pub(crate) swaps_sides: bool,
    mirrors_x: bool,
    mirrors_y: bool,
}

impl Orientation {
    /// The eight values of the tag; anything else is upright.
    pub(crate) fn from_tag(value: u16) -> Self {
        let (swaps_sides, mirrors_x, mirrors_y) = match value {
            2 => (false, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            5 => (true, false, false),
            6 => (true, false, true),
            7 => (true, true, true),
            8 => (true, true, false),
            _ => (false, false, false),
        };
        Self {
            swaps_sides,
            mirrors_x,
            mirrors_y,
        }
    }

    /// The orientation in the first directory of an EXIF block, which is a TIFF file; upright if there is none.
    pub(crate) fn of_exif(tiff: &[u8]) -> Self {
        Self::from_tag(orientation_tag(tiff).unwrap_or(1))
    }

    /// Whether the stored picture is shown as it is.
    pub(crate) fn is_upright(self) -> bool {
        self == Self::default()
    }

    /// A size as stored, for one as shown, and the other way round.
    pub(crate) fn sides<T>(self, (width, height): (T, T)) -> (T, T) {
        if self.swaps_sides {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// Writes `stored` as it should be seen. `shown` has the right shape, and both have square grains.
    pub(crate) fn turn(self, stored: &Planes, shown: &mut Planes) {
        let [cb, cr] = stored.chroma();
        let planes = [stored.luma(), cb, cr].into_iter().zip(shown.parts_mut());
        for (from, to) in planes.filter(|(from, _)| !from.samples.is_empty()) {
            if self.swaps_sides {
                self.transpose(from, to);
            } else {
                self.mirror(from, &mut to.samples[..]);
            }
        }
    }

    fn mirror(self, from: Plane<'_>, to: &mut [u8]) {
        let width = from.width;
        for (y, row) in to.chunks_exact_mut(width).enumerate() {
            let y = if self.mirrors_y { from.height - 1 - y } else { y };
            row.copy_from_slice(&from.samples[y * width..][..width]);
            if self.mirrors_x {
                row.reverse();
            }
        }
    }

    /// Tiles of eight by eight, turned in registers, then what is left over on the right and below.
    fn transpose(self, from: Plane<'_>, mut to: PlaneMut<'_>) {
        let (whole_width, whole_height) = (to.width / 8 * 8, to.height / 8 * 8);
        for y in (0..whole_height).step_by(8) {
            for x in (0..whole_width).step_by(8) {
                self.transpose_tile(from, &mut to, (x, y));
            }
        }
        for y in 0..to.height {
            let done = if y < whole_height { whole_width } else { 0 };
            for x in done..to.width {
                to.samples[y * to.width + x] = from.samples[self.source((x, y), from)];
            }
        }
    }

    fn transpose_tile(self, from: Plane<'_>, to: &mut PlaneMut<'_>, (x, y): (usize, usize)) {
        let left = if self.mirrors_x { from.width - 8 - y } else { y };
        let rows: [u64; 8] = std::array::from_fn(|row| {
            let row = if self.mirrors_y {
                from.height - 1 - x - row
            } else {
                x + row
            };
            let eight = &from.samples[row * from.width + left..][..8];
            let eight = eight.try_into().expect("the slice has eight bytes");
            if self.mirrors_x {
                u64::from_be_bytes(eight)
            } else {
                u64::from_le_bytes(eight)
            }
        });
        for (row, eight) in transposed(rows).into_iter().enumerate() {
            to.samples[(y + row) * to.width + x..][..8].copy_from_slice(&eight.to_le_bytes());
        }
    }

    /// Where the sample shown at `(x, y)` is stored, when the sides are swapped.
    fn source(self, (x, y): (usize, usize), from: Plane<'_>) -> usize {
        let column = if self.mirrors_x { from.width - 1 - y } else { y };
        let row = if self.mirrors_y { from.height - 1 - x } else { x };
        row * from.width + column
    }
}

/// Eight rows of eight bytes, lowest first, become eight columns.
fn transposed(mut rows: [u64; 8]) -> [u64; 8] {
    for (distance, mask) in [
        (1, 0x00FF_00FF_00FF_00FF),
        (2, 0x0000_FFFF_0000_FFFF),
        (4, 0x0000_0000_FFFF_FFFF),
    ] {
        for row in (0..8).filter(|row| row & distance == 0) {
            let shift = 8 * distance;
            let swapped = ((rows[row] >> shift) ^ rows[row + distance]) & mask;
            rows[row + distance] ^= swapped;
            rows[row] ^= swapped << shift;
        }
    }
    rows
}

/// Tag 274 in the first directory of a TIFF file (TIFF 6.0 §2).
fn orientation_tag(tiff: &[u8]) -> Option<u16> {
    let is_big = match tiff.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_big {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        })
    };
    let (first, second) = (usize::from(short(4)?), usize::from(short(6)?));
    let directory = if is_big {
        first << 16 | second
    } else {
        second << 16 | first
    };
    let entries = usize::from(short(directory)?);
    let entry = (0..entries)
        .map(|entry| directory + 2 + 12 * entry)
        .find(|entry| short(*entry) == Some(274))?;
    short(entry + 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turbojpeg::Subsamp;

    /// Planes whose luma is numbered in reading order.
    fn numbered(width: usize, height: usize) -> Planes {
        let mut planes = Planes::default();
        planes.shape((width, height), Subsamp::Gray);
        for (number, sample) in planes.samples.iter_mut().enumerate() {
            *sample = (number % 251 + 1) as u8;
        }
        planes
    }

    fn shown(tag: u16, stored: &Planes) -> Planes {
        let orientation = Orientation::from_tag(tag);
        let mut shown = Planes::default();
        shown.shape(orientation.sides((stored.width, stored.height)), Subsamp::Gray);
        orientation.turn(stored, &mut shown);
        shown
    }

    #[test]
    fn every_orientation_shows_the_pixels_where_the_standard_wants_them() {
        let expected: [(u16, [u8; 6]); 8] = [
            (1, [1, 2, 3, 4, 5, 6]),
            (2, [3, 2, 1, 6, 5, 4]),
            (3, [6, 5, 4, 3, 2, 1]),
            (4, [4, 5, 6, 1, 2, 3]),
            (5, [1, 4, 2, 5, 3, 6]),
            (6, [4, 1, 5, 2, 6, 3]),
            (7, [6, 3, 5, 2, 4, 1]),
            (8, [3, 6, 2, 5, 1, 4]),
        ];
        for (tag, samples) in expected {
            assert_eq!(shown(tag, &numbered(3, 2)).samples, samples, "tag {tag}");
        }
    }

    #[test]
    fn tiles_and_what_is_left_over_are_turned_alike() {
        for tag in 5..=8 {
            let (stored, orientation) = (numbered(37, 29), Orientation::from_tag(tag));
            let shown = shown(tag, &stored);
            for (at, sample) in shown.samples.iter().enumerate() {
                let source = orientation.source((at % shown.width, at / shown.width), stored.luma());
                assert_eq!(*sample, stored.samples[source], "tag {tag}, sample {at}");
            }
        }
    }

    #[test]
    fn the_tag_is_read_in_either_byte_order_and_rubbish_is_upright() {
        let big = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0";
        let little = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0";
        assert_eq!(Orientation::of_exif(big), Orientation::from_tag(6));
        assert_eq!(Orientation::of_exif(little), Orientation::from_tag(8));
        for rubbish in [
            &b""[..],
            b"MM\0*\xFF\xFF\xFF\xFF",
            &big[..12],
            b"GIF89a..........",
        ] {
            assert!(Orientation::of_exif(rubbish).is_upright());
        }
    }
}
