//! The marker segments of a JPEG file (ITU-T T.81 annex B), up to its first scan.

/// One segment: its marker's second byte, what it carries, and where it ends in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment<'a> {
    pub(crate) marker: u8,
    pub(crate) body: &'a [u8],
    pub(crate) end: usize,
}

impl<'a> Segment<'a> {
    pub(crate) const START_OF_SCAN: u8 = 0xDA;

    /// The segment at `at`, which may begin with fill bytes.
    fn at(file: &'a [u8], at: usize) -> Option<Self> {
        let fill = file.get(at..)?.iter().take_while(|byte| **byte == 0xFF).count();
        let at = at + fill.checked_sub(1)?;
        let [0xFF, marker @ 0xC0..=0xFE, high, low] = *file.get(at..at + 4)? else {
            return None;
        };
        if matches!(marker, 0xD0..=0xD9) {
            return None;
        }
        let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
        let body = file.get(at + 4..end)?;
        Some(Self { marker, body, end })
    }

    /// Whether this is a frame header (SOF): huffman-coded or arithmetic, of any process.
    pub(crate) fn is_frame(&self) -> bool {
        matches!(self.marker, 0xC0..=0xCF) && !matches!(self.marker, 0xC4 | 0xC8 | 0xCC)
    }
}

/// The segments of a file up to and including the header of its first scan.
pub(crate) fn segments(file: &[u8]) -> impl Iterator<Item = Segment<'_>> {
    let next = |segment: &Segment<'_>| match segment.marker {
        Segment::START_OF_SCAN => None,
        _ => Segment::at(file, segment.end),
    };
    std::iter::successors(Segment::at(file, 2), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_end_with_the_header_of_the_scan_and_fill_bytes_are_skipped() {
        let file = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xFF\xFF\xDB\0\x03c\xFF\xDA\0\x03dentropy\xFF\xFE\0\x03e";
        let found: Vec<_> = segments(file)
            .map(|segment| (segment.marker, segment.body))
            .collect();
        assert_eq!(found, [(0xE0, &b"ab"[..]), (0xDB, b"c"), (0xDA, b"d")]);
    }

    #[test]
    fn a_segment_that_is_cut_off_is_none() {
        assert_eq!(segments(b"\xFF\xD8\xFF\xE0\0\x09ab").count(), 0);
        assert_eq!(segments(b"\xFF\xD8\xFF\xE0\0\x01").count(), 0);
        assert_eq!(segments(b"\xFF\xD8\xFF\xFF\xFF").count(), 0);
    }
}
