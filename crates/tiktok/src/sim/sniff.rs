//! Determines the type of media from the bytes: picture headers and the boxes of an MP4, read by hand.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// What was found in a file, and whether the provider takes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Findings {
    pub(super) content_type: &'static str,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) duration_ms: u64,
    /// The `fail_reason`, if the provider does not take it.
    pub(super) problem: Option<&'static str>,
}

impl Findings {
    fn refused(problem: &'static str) -> Self {
        Self {
            content_type: "application/octet-stream",
            problem: Some(problem),
            ..Self::default()
        }
    }
}

const BAD_FORMAT: &str = "file_format_check_failed";
const BAD_SIZE: &str = "picture_size_check_failed";

/// The longest short side of a picture, in pixels.
const PICTURE_SIDE: u32 = 1_080;
/// The shortest and longest side of a video, in pixels.
const VIDEO_SIDES: std::ops::RangeInclusive<u32> = 360..=4_096;
/// Picture headers end within this many bytes.
const PICTURE_HEAD: u64 = 4 * 1024 * 1024;

/// Looks into a picture. Blocks on the disk.
pub(super) fn picture(path: &Path) -> io::Result<Findings> {
    let mut head = Vec::new();
    File::open(path)?.take(PICTURE_HEAD).read_to_end(&mut head)?;
    let found = jpeg_size(&head).map(|size| ("image/jpeg", size));
    let Some((content_type, (width, height))) =
        found.or_else(|| webp_size(&head).map(|size| ("image/webp", size)))
    else {
        return Ok(Findings::refused(BAD_FORMAT));
    };
    let problem = if width.min(height) > PICTURE_SIDE {
        Some(BAD_SIZE)
    } else {
        None
    };
    Ok(Findings {
        content_type,
        width,
        height,
        duration_ms: 0,
        problem,
    })
}

/// Inspects a video: container by its first bytes; dimensions and duration where an MP4 contains them. Blocks on the disk.
pub(super) fn video(path: &Path) -> io::Result<Findings> {
    let mut file = File::open(path)?;
    let mut head = [0; 12];
    if file.read_exact(&mut head).is_err() {
        return Ok(Findings::refused(BAD_FORMAT));
    }
    let content_type = match (&head[..4], &head[4..8], &head[8..12]) {
        ([0x1A, 0x45, 0xDF, 0xA3], _, _) => "video/webm",
        (_, b"ftyp", b"qt  ") => "video/quicktime",
        (_, b"ftyp", _) => "video/mp4",
        _ => return Ok(Findings::refused(BAD_FORMAT)),
    };
    let mut findings = Findings {
        content_type,
        ..Findings::default()
    };
    if content_type != "video/webm" {
        read_movie(&mut file, &mut findings)?;
    }
    let sides = [findings.width, findings.height];
    if sides.iter().any(|side| *side != 0 && !VIDEO_SIDES.contains(side)) {
        findings.problem = Some(BAD_SIZE);
    }
    Ok(findings)
}

/// Width and height of a JPEG, from its frame header.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(&[0xFF, 0xD8])?;
    loop {
        let start = rest.iter().position(|byte| *byte != 0xFF)?;
        if start == 0 {
            return None;
        }
        let marker = rest[start];
        rest = &rest[start + 1..];
        if marker == 0x01 || (0xD0..=0xD7).contains(&marker) {
            continue;
        }
        let length = usize::from(u16::from_be_bytes([*rest.first()?, *rest.get(1)?]));
        if (0xC0..=0xCF).contains(&marker) && ![0xC4, 0xC8, 0xCC].contains(&marker) {
            let side = |at: usize| {
                Some(u32::from(u16::from_be_bytes([
                    *rest.get(at)?,
                    *rest.get(at + 1)?,
                ])))
            };
            return Some((side(5)?, side(3)?));
        }
        if marker == 0xDA || marker == 0xD9 {
            return None;
        }
        rest = rest.get(length.max(2)..)?;
    }
}

/// Width and height of a WebP: lossy, lossless or extended.
fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    if bytes.get(..4)? != b"RIFF" || bytes.get(8..12)? != b"WEBP" {
        return None;
    }
    let body = bytes.get(20..)?;
    let at = |index: usize| body.get(index).map(|byte| u32::from(*byte));
    match bytes.get(12..16)? {
        b"VP8 " => Some(((at(6)? | at(7)? << 8) & 0x3FFF, (at(8)? | at(9)? << 8) & 0x3FFF)),
        b"VP8L" => {
            let bits = at(1)? | at(2)? << 8 | at(3)? << 16 | at(4)? << 24;
            Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        }
        b"VP8X" => Some((
            (at(4)? | at(5)? << 8 | at(6)? << 16) + 1,
            (at(7)? | at(8)? << 8 | at(9)? << 16) + 1,
        )),
        _ => None,
    }
}

/// A movie header larger than this is no header.
const MOOV_LIMIT: u64 = 64 * 1024 * 1024;

fn read_movie(file: &mut File, findings: &mut Findings) -> io::Result<()> {
    let size = file.metadata()?.len();
    let mut at = 0;
    while let Some((kind, start, end)) = next_box(file, at, size)? {
        if &kind == b"moov" && end - start <= MOOV_LIMIT {
            let mut moov = Vec::new();
            file.seek(SeekFrom::Start(start))?;
            file.take(end - start).read_to_end(&mut moov)?;
            movie_facts(&moov, findings);
            return Ok(());
        }
        at = end;
    }
    Ok(())
}

/// The box at `at`: its type, where its content starts, where it ends.
fn next_box(file: &mut File, at: u64, size: u64) -> io::Result<Option<([u8; 4], u64, u64)>> {
    if at + 8 > size {
        return Ok(None);
    }
    let mut head = [0; 16];
    file.seek(SeekFrom::Start(at))?;
    let read = file.take(16).read(&mut head)?;
    let kind = [head[4], head[5], head[6], head[7]];
    let (header, length) = match u32::from_be_bytes([head[0], head[1], head[2], head[3]]) {
        0 => (8, size - at),
        1 if read == 16 => (
            16,
            u64::from_be_bytes([8, 9, 10, 11, 12, 13, 14, 15].map(|i| head[i])),
        ),
        length => (8, u64::from(length)),
    };
    let end = at.saturating_add(length).min(size);
    Ok(if length < header {
        None
    } else {
        Some((kind, at + header, end))
    })
}

/// The boxes directly inside `bytes`.
fn boxes(mut bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let length = usize::try_from(be32(bytes, 0)?).ok()?;
        let (kind, content) = (bytes.get(4..8)?, bytes.get(8..length)?);
        bytes = &bytes[length..];
        Some((kind, content))
    })
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn movie_facts(moov: &[u8], findings: &mut Findings) {
    for (kind, content) in boxes(moov) {
        match kind {
            b"mvhd" => findings.duration_ms = movie_duration(content).unwrap_or(0),
            b"trak" => {
                let header = boxes(content).find(|(kind, _)| *kind == b"tkhd");
                if let Some((width, height)) = header.and_then(|(_, content)| track_size(content))
                    && findings.width == 0
                {
                    (findings.width, findings.height) = (width, height);
                }
            }
            _ => {}
        }
    }
}

fn movie_duration(mvhd: &[u8]) -> Option<u64> {
    let (scale, duration) = match mvhd.first()? {
        1 => (be32(mvhd, 20)?, be64(mvhd, 24)?),
        _ => (be32(mvhd, 12)?, u64::from(be32(mvhd, 16)?)),
    };
    duration.checked_mul(1_000)?.checked_div(u64::from(scale))
}

fn track_size(tkhd: &[u8]) -> Option<(u32, u32)> {
    let at = if *tkhd.first()? == 1 { 88 } else { 76 };
    let size = (be32(tkhd, at)? >> 16, be32(tkhd, at + 4)? >> 16);
    if size.0 == 0 || size.1 == 0 {
        None
    } else {
        Some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jpeg_tells_its_size_behind_other_segments() {
        let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8];
        bytes.extend([0x07, 0x80, 0x04, 0x38, 3, 0, 0, 0]);
        assert_eq!(jpeg_size(&bytes), Some((1080, 1920)));
        assert_eq!(jpeg_size(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(jpeg_size(&bytes[..16]), None);
    }

    #[test]
    fn each_kind_of_webp_tells_its_size() {
        let file = |kind: &[u8], body: &[u8]| [b"RIFF\0\0\0\0WEBP", kind, &[0; 4], body].concat();
        let lossy = file(b"VP8 ", &[0, 0, 0, 0x9D, 1, 0x2A, 0x38, 0x04, 0x80, 0x07]);
        assert_eq!(webp_size(&lossy), Some((1080, 1920)));
        let bits = (1079u32 | 1919 << 14).to_le_bytes();
        assert_eq!(
            webp_size(&file(b"VP8L", &[&[0x2F], &bits[..]].concat())),
            Some((1080, 1920))
        );
        let extended = file(b"VP8X", &[0, 0, 0, 0, 0x37, 0x04, 0, 0x7F, 0x07, 0]);
        assert_eq!(webp_size(&extended), Some((1080, 1920)));
    }

    #[test]
    fn a_movie_header_tells_duration_and_size() {
        let boxed =
            |kind: &[u8], body: &[u8]| [&(8 + body.len() as u32).to_be_bytes()[..], kind, body].concat();
        let mut mvhd = vec![0; 100];
        mvhd[12..16].copy_from_slice(&1_000u32.to_be_bytes());
        mvhd[16..20].copy_from_slice(&61_500u32.to_be_bytes());
        let mut tkhd = vec![0; 84];
        tkhd[76..80].copy_from_slice(&(1080u32 << 16).to_be_bytes());
        tkhd[80..84].copy_from_slice(&(1920u32 << 16).to_be_bytes());
        let moov = [boxed(b"mvhd", &mvhd), boxed(b"trak", &boxed(b"tkhd", &tkhd))].concat();
        let mut findings = Findings::default();
        movie_facts(&moov, &mut findings);
        assert_eq!(
            (findings.duration_ms, findings.width, findings.height),
            (61_500, 1080, 1920)
        );
    }
}
