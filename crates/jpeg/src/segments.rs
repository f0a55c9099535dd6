//! The marker segments of a JPEG file (ITU-T T.81 annex B), up to its first scan.

const APP1: u8 = 0xE1;
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;

/// One segment of a file.
#[derive(Debug, Clone, Copy)]
pub struct Segment<'a> {
    /// The second byte of its marker.
    pub marker: u8,
    /// What follows its length.
    pub body: &'a [u8],
    /// Where it ends in the file.
    pub end: usize,
}

impl<'a> Segment<'a> {
    /// The marker of a scan's header (SOS), behind which the entropy-coded data begins.
    pub const START_OF_SCAN: u8 = 0xDA;

    /// The segment at `at`, which may begin with fill bytes (T.81 §B.1.1.2). `None` for a marker that stands alone, and for what is cut off.
    pub fn at(file: &'a [u8], at: usize) -> Option<Self> {
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
    pub fn is_frame(&self) -> bool {
        matches!(self.marker, 0xC0..=0xCF) && !matches!(self.marker, 0xC4 | 0xC8 | 0xCC)
    }
}

/// The segments of a file up to and including the header of its first scan.
pub fn segments(file: &[u8]) -> impl Iterator<Item = Segment<'_>> {
    let next = |segment: &Segment<'_>| match segment.marker {
        Segment::START_OF_SCAN => None,
        _ => Segment::at(file, segment.end),
    };
    std::iter::successors(Segment::at(file, 2), next)
}

/// The EXIF block (CIPA DC-008 §4.5.4), a TIFF file.
pub fn exif(file: &[u8]) -> Option<&[u8]> {
    segments(file)
        .filter(|segment| segment.marker == APP1)
        .find_map(|segment| segment.body.strip_prefix(b"Exif\0\0"))
}

/// The colour profile in the APP2 segments (ICC.1:2022 annex B.4), its pieces put together.
pub fn icc_profile(file: &[u8]) -> Option<Vec<u8>> {
    let mut pieces: Vec<(u8, &[u8])> = segments(file)
        .filter(|segment| segment.marker == APP2)
        .filter_map(|segment| segment.body.strip_prefix(b"ICC_PROFILE\0"))
        .filter_map(|piece| Some((*piece.first()?, piece.get(2..)?)))
        .collect();
    pieces.sort_by_key(|(number, _)| *number);
    let profile = pieces.iter().flat_map(|(_, piece)| *piece).copied();
    let profile: Vec<u8> = profile.collect();
    (!profile.is_empty()).then_some(profile)
}

/// Whether a program of Adobe wrote the file, which stores CMYK inverted.
pub fn is_by_adobe(file: &[u8]) -> bool {
    segments(file).any(|segment| segment.marker == APP14 && segment.body.starts_with(b"Adobe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_in_pieces_is_put_together_in_their_order() {
        let file = b"\xFF\xD8\xFF\xE2\0\x13ICC_PROFILE\0\x02\x02foe\xFF\xE2\0\x13ICC_PROFILE\0\x01\x02fie\xFF\xDA\0\x02";
        assert_eq!(icc_profile(file).unwrap(), b"fiefoe");
        assert_eq!(icc_profile(b"\xFF\xD8\xFF\xDA\0\x02"), None);
    }

    #[test]
    fn the_exif_block_is_found_behind_fill_bytes() {
        let file = b"\xFF\xD8\xFF\xFF\xFF\xE1\0\x0AExif\0\0MM\xFF\xDA\0\x02";
        assert_eq!(exif(file), Some(&b"MM"[..]));
        assert_eq!(exif(b"\xFF\xD8\xFF\xDA\0\x02"), None);
    }

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
