//! Which of the five accepted types a file is, by its first bytes.
//!
//! An own table, because the differences that matter here are the ones general sniffers blur: WebM against other
//! Matroska, QuickTime against MP4, and the pictures and sounds that share MP4's box format.

use crate::media::MimeType;

/// How much of a file's beginning [`sniff`] wants to see.
pub const SNIFF_BYTES: u64 = 4096;

/// The bytes are of none of the accepted types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrecognized {
    /// What they look like instead, if that is known: `PNG image`.
    pub looks_like: Option<&'static str>,
}

impl std::fmt::Display for Unrecognized {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.looks_like {
            Some(kind) => write!(
                f,
                "the file is a {kind}; accepted are JPEG, WebP, MP4, WebM and QuickTime (MOV)"
            ),
            None => write!(f, "the file is none of JPEG, WebP, MP4, WebM and QuickTime (MOV)"),
        }
    }
}

impl std::error::Error for Unrecognized {}

/// The type of the file that begins with `head` (the first [`SNIFF_BYTES`] are enough). Never panics.
pub fn sniff(head: &[u8]) -> Result<MimeType, Unrecognized> {
    if head.starts_with(&[0xFF, 0xD8, 0xFF]) {
        return Ok(MimeType::Jpeg);
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Ok(MimeType::Webp);
    }
    if head.starts_with(&EBML_MAGIC) {
        return sniff_ebml(head);
    }
    sniff_boxes(head).unwrap_or(Err(Unrecognized {
        looks_like: other_kind(head),
    }))
}

const EBML_MAGIC: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];

/// Matroska and WebM differ in the header's DocType alone (RFC 9559 §4; WebM container guidelines).
fn sniff_ebml(head: &[u8]) -> Result<MimeType, Unrecognized> {
    match doc_type(head) {
        Some(name) if name.trim_ascii_end() == b"webm" => Ok(MimeType::Webm),
        _ => Err(Unrecognized {
            looks_like: Some("Matroska (MKV) video"),
        }),
    }
}

/// The DocType (0x4282) in the EBML header's children, its trailing zeros cut off.
fn doc_type(head: &[u8]) -> Option<&[u8]> {
    let (header_bytes, mut at) = ebml_size(head, 4)?;
    let end = at.checked_add(header_bytes)?.min(head.len());
    while at + 2 < end {
        let id_length = head.get(at)?.leading_zeros() as usize + 1;
        let id = head.get(at..at.checked_add(id_length)?)?;
        let (size, body) = ebml_size(head, at + id_length)?;
        let next = body.checked_add(size)?;
        if id == [0x42, 0x82] {
            let name = head.get(body..next)?;
            return name.split(|byte| *byte == 0).next();
        }
        at = next;
    }
    None
}

/// An EBML data size (RFC 8794 §4) at `at`, and where the data begins.
fn ebml_size(head: &[u8], at: usize) -> Option<(usize, usize)> {
    let first = *head.get(at)?;
    let length = first.leading_zeros() as usize + 1;
    let bytes = head.get(at..at.checked_add(length)?).filter(|_| length <= 8)?;
    let value = bytes
        .iter()
        .fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
    let marker = 1_u64 << (7 * length);
    Some((usize::try_from(value & (marker - 1)).ok()?, at + length))
}

/// ISO base media files and QuickTime movies; `None` if this is no box file at all.
fn sniff_boxes(head: &[u8]) -> Option<Result<MimeType, Unrecognized>> {
    let kind = head.get(4..8)?;
    if kind != b"ftyp" {
        // QuickTime movies older than the file type box (QuickTime File Format, "Movie atoms").
        let is_movie = [b"moov", b"mdat", b"wide", b"pnot"]
            .iter()
            .any(|old| kind == *old);
        return is_movie.then_some(Ok(MimeType::QuickTime));
    }
    let size = u32::from_be_bytes(head.get(..4)?.try_into().ok()?) as usize;
    let brands = head.get(8..size.clamp(8, head.len()))?;
    let major = brands.get(..4)?;
    let compatible = brands.get(8..).unwrap_or_default().chunks_exact(4);
    Some(by_brands(major, compatible))
}

/// The major brand decides; one that is unknown is judged by its compatible brands.
fn by_brands<'a>(
    major: &[u8],
    compatible: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<MimeType, Unrecognized> {
    if major == b"qt  " {
        return Ok(MimeType::QuickTime);
    }
    if let Some(kind) = foreign_brand(major) {
        return Err(Unrecognized {
            looks_like: Some(kind),
        });
    }
    if is_mp4_brand(major) {
        return Ok(MimeType::Mp4);
    }
    if let Some(kind) = compatible.clone().find_map(foreign_brand) {
        return Err(Unrecognized {
            looks_like: Some(kind),
        });
    }
    let mut known = compatible;
    if known.any(is_mp4_brand) {
        Ok(MimeType::Mp4)
    } else {
        Err(Unrecognized { looks_like: None })
    }
}

/// Brands of MP4 video files (mp4ra.org, "Brands").
fn is_mp4_brand(brand: &[u8]) -> bool {
    brand.starts_with(b"iso")
        || brand.starts_with(b"mp4")
        || brand.starts_with(b"M4V")
        || matches!(
            brand,
            b"avc1" | b"dash" | b"mmp4" | b"MSNV" | b"XAVC" | b"F4V " | b"cmfc" | b"cmf2"
        )
}

/// Brands of files that share the box format and are no video.
fn foreign_brand(brand: &[u8]) -> Option<&'static str> {
    match brand {
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1" | b"mif2" => {
            Some("HEIC image")
        }
        b"avif" | b"avis" | b"avio" => Some("AVIF image"),
        b"crx " => Some("camera raw image"),
        b"M4A " | b"M4B " | b"M4P " | b"F4A " | b"F4B " => Some("sound file (M4A)"),
        b"jp2 " | b"jpx " => Some("JPEG 2000 image"),
        _ => None,
    }
}

/// Other kinds that people upload, for an error message that names the kind.
fn other_kind(head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 12] = [
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"GIF8", "GIF image"),
        (b"BM", "BMP image"),
        (b"II*\0", "TIFF image"),
        (b"MM\0*", "TIFF image"),
        (b"%PDF-", "PDF document"),
        (b"PK\x03\x04", "ZIP archive"),
        (b"ID3", "sound file (MP3)"),
        (b"OggS", "Ogg file"),
        (b"FLV", "Flash video"),
        (b"<svg", "SVG image"),
        (b"\xFF\x0A", "JPEG XL image"),
    ];
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"AVI ") {
        return Some("AVI video");
    }
    KINDS
        .iter()
        .find(|(magic, _)| head.starts_with(magic))
        .map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ftyp(major: &[u8; 4], compatible: &[&[u8; 4]]) -> Vec<u8> {
        let size = u32::try_from(16 + 4 * compatible.len()).unwrap();
        let brands = compatible.iter().flat_map(|brand| brand.iter().copied());
        [&size.to_be_bytes()[..], b"ftyp", major, &[0; 4]]
            .concat()
            .into_iter()
            .chain(brands)
            .collect()
    }

    fn ebml(doc_type: &[u8]) -> Vec<u8> {
        let size = u8::try_from(doc_type.len()).unwrap();
        let mut head = vec![
            0x1A,
            0x45,
            0xDF,
            0xA3,
            0x80 | (size + 7),
            0x42,
            0x86,
            0x81,
            1,
            0x42,
            0x82,
            0x80 | size,
        ];
        head.extend_from_slice(doc_type);
        head
    }

    #[test]
    fn webm_is_told_from_matroska_by_its_doc_type() {
        assert_eq!(sniff(&ebml(b"webm")), Ok(MimeType::Webm));
        assert_eq!(sniff(&ebml(b"webm\0\0")), Ok(MimeType::Webm));
        let matroska = Err(Unrecognized {
            looks_like: Some("Matroska (MKV) video"),
        });
        assert_eq!(sniff(&ebml(b"matroska")), matroska);
        assert_eq!(sniff(&EBML_MAGIC), matroska);
    }

    #[test]
    fn the_major_brand_tells_quicktime_from_mp4() {
        assert_eq!(sniff(&ftyp(b"qt  ", &[b"qt  "])), Ok(MimeType::QuickTime));
        for major in [b"isom", b"iso5", b"mp41", b"mp42", b"avc1", b"M4V ", b"MSNV"] {
            assert_eq!(sniff(&ftyp(major, &[b"isom"])), Ok(MimeType::Mp4), "{major:?}");
        }
    }

    #[test]
    fn an_unknown_major_brand_is_judged_by_its_compatible_brands() {
        assert_eq!(sniff(&ftyp(b"3gp5", &[b"isom"])), Ok(MimeType::Mp4));
        assert!(sniff(&ftyp(b"zzzz", &[b"yyyy"])).is_err());
        assert!(sniff(&ftyp(b"zzzz", &[b"isom", b"heic"])).is_err());
    }

    #[test]
    fn pictures_and_sounds_in_mp4_boxes_are_no_video() {
        for (major, kind) in [
            (b"heic", "HEIC image"),
            (b"avif", "AVIF image"),
            (b"M4A ", "sound file (M4A)"),
        ] {
            let found = sniff(&ftyp(major, &[b"isom", b"mp42"]));
            assert_eq!(
                found,
                Err(Unrecognized {
                    looks_like: Some(kind)
                })
            );
        }
    }

    #[test]
    fn a_movie_older_than_the_file_type_box_is_quicktime() {
        assert_eq!(sniff(b"\0\0\0\x08wide\0\0\0\x10mdat"), Ok(MimeType::QuickTime));
    }

    #[test]
    fn pictures_are_known_by_their_magic() {
        assert_eq!(sniff(&[0xFF, 0xD8, 0xFF, 0xE0, 0, 16]), Ok(MimeType::Jpeg));
        assert_eq!(sniff(b"RIFF\x24\0\0\0WEBPVP8 "), Ok(MimeType::Webp));
        assert!(sniff(b"RIFF\x24\0\0\0WAVEfmt ").is_err());
    }

    #[test]
    fn the_message_names_what_the_file_is_instead() {
        let refused = sniff(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("the file is a PNG image; accepted are JPEG"),
            "{refused}"
        );
        assert!(sniff(b"").unwrap_err().looks_like.is_none());
    }

    proptest! {
        #[test]
        fn garbage_never_panics(head in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = sniff(&head);
        }

        #[test]
        fn garbage_behind_a_known_magic_never_panics(tail in proptest::collection::vec(any::<u8>(), 0..120), magic in 0_usize..4) {
            let magics: [&[u8]; 4] = [&EBML_MAGIC, b"\0\0\0\x20ftyp", b"\xFF\xFF\xFF\xFFftyp", b"RIFF"];
            let _ = sniff(&[magics[magic], &tail].concat());
        }
    }
}
