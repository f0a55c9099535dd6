//! Reads the headers of an MP4 or QuickTime file (ISO/IEC 14496-12, QuickTime File Format).
//!
//! Only headers are read: the sample tables, which grow with the file, are skipped, so that memory stays flat and a
//! file cannot make us allocate what it claims. (General parsers list every sample; uncompressed sound has 48,000 of
//! them a second.)
//!
//! Bounds, whatever the file: 16 levels of boxes ([`boxes::MAX_DEPTH`]) and stack for as many, 2,000,000 boxes and listed
//! samples ([`boxes::BOX_BUDGET`]), 128 tracks, 1 KiB of each sample description; under 64 KiB of memory besides the
//! reader's block. The file is read forwards, so the bytes read are at most a small multiple of its size.

mod boxes;
mod codecs;
mod fragments;

use std::io::{Read, Seek, SeekFrom};

use self::boxes::{Boxes, Stretch};
use self::codecs::{codec_name, object_type};
use self::fragments::{fragment_header, fragment_run};
use crate::video::{Unreadable, Video, scaled_ms};

/// Enough of a sample description for its codec, size and decoder configuration.
const SAMPLE_ENTRY_BYTES: u64 = 1024;

/// Where the index of a movie ends, if it stands before the samples and all of it is within the first `size_bytes`.
pub(crate) fn index_end(reader: &mut (impl Read + Seek), size_bytes: u64) -> Option<u64> {
    let mut boxes = Boxes::new(reader);
    let mut at = 0;
    while let Some(found) = boxes.header(at, size_bytes).ok()? {
        match (&found.kind, found.within()) {
            (b"moov", Ok(index)) => return Some(index.end),
            (b"ftyp" | b"free" | b"skip" | b"wide" | b"uuid", Ok(part)) => at = part.end,
            _ => return None,
        }
    }
    None
}

/// Reads the movie header, the tracks and, in fragmented files, the fragments' headers.
pub(crate) fn read_movie(reader: &mut (impl Read + Seek), size_bytes: u64) -> Result<Video, Unreadable> {
    let mut movie = Movie::default();
    let mut boxes = Boxes::new(reader);
    let mut at = 0;
    while let Some(found) = boxes.header(at, size_bytes)? {
        match &found.kind {
            b"moov" if movie.tracks.is_empty() => {
                boxes.each(&found.within()?, |boxes, part| movie.moov(boxes, part))?
            }
            b"moof" => boxes.each(&found.within()?, |boxes, part| movie.moof(boxes, part))?,
            b"mdat" => _ = found.within()?,
            _ => {}
        }
        at = found.end;
    }
    movie.into_video()
}

#[derive(Default)]
struct Movie {
    scale: u32,
    duration: u64,
    tracks: Vec<Track>,
}

#[derive(Default, Clone)]
struct Track {
    id: u32,
    /// `vide`, `soun`, …
    handler: [u8; 4],
    rotation_degrees: u16,
    width: u32,
    height: u32,
    codec: Option<String>,
    scale: u32,
    duration: u64,
    samples: u64,
    default_sample_duration: u32,
    fragments_duration: u64,
}

/// More tracks than any editor writes.
const MAX_TRACKS: usize = 128;

impl Movie {
    fn moov<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        match &part.kind {
            b"mvhd" => (self.scale, self.duration) = boxes.scale_and_duration(part)?,
            b"trak" if self.tracks.len() < MAX_TRACKS => {
                let mut track = Track::default();
                boxes.each(part, |boxes, part| track.trak(boxes, part))?;
                self.tracks.push(track);
            }
            b"mvex" => boxes.each(part, |boxes, part| self.mvex(boxes, part))?,
            _ => {}
        }
        Ok(())
    }

    fn mvex<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        match &part.kind {
            b"mehd" if boxes.version(part)? == 1 => {
                self.duration = self.duration.max(u64::from_be_bytes(boxes.bytes(part.body + 4)?));
            }
            b"mehd" => self.duration = self.duration.max(u64::from(boxes.u32(part.body + 4)?)),
            b"trex" => {
                let (id, duration) = (boxes.u32(part.body + 4)?, boxes.u32(part.body + 12)?);
                if let Some(track) = self.tracks.iter_mut().find(|track| track.id == id) {
                    track.default_sample_duration = duration;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn moof<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        if &part.kind != b"traf" {
            return Ok(());
        }
        let (mut id, mut sample_duration) = (0, None);
        let tracks = &mut self.tracks;
        boxes.each(part, |boxes, part| {
            match &part.kind {
                b"tfhd" => (id, sample_duration) = fragment_header(boxes, part)?,
                b"trun" => {
                    if let Some(track) = tracks.iter_mut().find(|track| track.id == id) {
                        let each = sample_duration.unwrap_or(track.default_sample_duration);
                        let (samples, duration) = fragment_run(boxes, part, each)?;
                        track.samples = track.samples.saturating_add(samples);
                        track.fragments_duration = track.fragments_duration.saturating_add(duration);
                    }
                }
                _ => {}
            }
            Ok(())
        })
    }

    fn into_video(self) -> Result<Video, Unreadable> {
        if self.scale == 0 && self.tracks.is_empty() {
            return Err(Unreadable::new(
                "its index (moov) is missing; the recording or the upload was not finished",
            ));
        }
        let moving = self
            .tracks
            .iter()
            .filter(|track| &track.handler == b"vide" && track.width > 0);
        // A cover picture is a video track of one sample; a fragmented file's tracks may all have a count of zero.
        let track = moving
            .rev()
            .max_by_key(|track| track.samples)
            .ok_or(Unreadable::no_video())?;
        let sound = self.tracks.iter().find(|track| &track.handler == b"soun");
        let track_ms = track.duration_ms();
        let declared_ms = scaled_ms(self.duration, self.scale);
        let sideways = matches!(track.rotation_degrees, 90 | 270);
        Ok(Video {
            width: if sideways { track.height } else { track.width },
            height: if sideways { track.width } else { track.height },
            rotation_degrees: track.rotation_degrees,
            duration_ms: declared_ms.or(track_ms),
            video_codec: track.codec.clone(),
            audio_codec: sound.and_then(|track| track.codec.clone()),
            frame_rate: track.frame_rate(),
        })
    }
}

impl Track {
    fn trak<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        match &part.kind {
            b"tkhd" => self.tkhd(boxes, part),
            b"mdia" | b"minf" | b"stbl" => boxes.each(part, |boxes, part| self.media(boxes, part)),
            _ => Ok(()),
        }
    }

    fn media<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        match &part.kind {
            b"mdhd" => (self.scale, self.duration) = boxes.scale_and_duration(part)?,
            // `minf` of QuickTime has a handler of its own (`dhlr`); the media's comes first.
            b"hdlr" if self.handler == [0; 4] => self.handler = boxes.bytes(part.body + 8)?,
            b"minf" | b"stbl" => boxes.each(part, |boxes, part| self.media(boxes, part))?,
            b"stsd" => self.stsd(boxes, part)?,
            b"stsz" | b"stz2" => self.samples = u64::from(boxes.u32(part.body + 8)?),
            _ => {}
        }
        Ok(())
    }

    fn tkhd<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        let wide = boxes.version(part)? == 1;
        let (id, matrix) = if wide { (20, 52) } else { (12, 40) };
        self.id = boxes.u32(part.body + id)?;
        let matrix: [u8; 44] = boxes.bytes(part.body + matrix)?;
        let word = |index: usize| {
            let bytes = matrix
                .get(index * 4..index * 4 + 4)
                .and_then(|bytes| bytes.try_into().ok());
            i32::from_be_bytes(bytes.unwrap_or_default())
        };
        self.rotation_degrees = rotation([word(0), word(1), word(3), word(4)]);
        // 16.16 fixed point, as displayed before the rotation.
        self.width = word(9).cast_unsigned().saturating_add(0x8000) >> 16;
        self.height = word(10).cast_unsigned().saturating_add(0x8000) >> 16;
        Ok(())
    }

    /// The first sample description: `size, codec, 6 reserved, index`, then the kind's own fields.
    fn stsd<R: Read + Seek>(&mut self, boxes: &mut Boxes<'_, R>, part: &Stretch) -> Result<(), Unreadable> {
        let first = part.body + 8;
        let length = part.end.saturating_sub(first).min(SAMPLE_ENTRY_BYTES);
        let mut entry = Vec::with_capacity(SAMPLE_ENTRY_BYTES as usize);
        boxes.reader.seek(SeekFrom::Start(first))?;
        boxes.reader.by_ref().take(length).read_to_end(&mut entry)?;
        let Some(code) = entry.get(4..8).and_then(|code| <[u8; 4]>::try_from(code).ok()) else {
            return Ok(());
        };
        self.codec = Some(codec_name(code, object_type(&entry)));
        if &self.handler == b"vide" && (self.width == 0 || self.height == 0) {
            let side = |at: usize| {
                entry
                    .get(at..at + 2)
                    .map_or(0, |b| u32::from(u16::from_be_bytes([b[0], b[1]])))
            };
            (self.width, self.height) = (side(32), side(34));
        }
        Ok(())
    }

    fn duration_ms(&self) -> Option<u64> {
        let duration = if self.duration > 0 {
            self.duration
        } else {
            self.fragments_duration
        };
        scaled_ms(duration, self.scale)
    }

    /// Pictures a second, rounded to a thousandth.
    fn frame_rate(&self) -> Option<f64> {
        let duration = if self.fragments_duration > 0 {
            self.fragments_duration
        } else {
            self.duration
        };
        if self.samples == 0 || duration == 0 || self.scale == 0 {
            return None;
        }
        let rate = self.samples as f64 * f64::from(self.scale) / duration as f64;
        Some((rate * 1000.0).round() / 1000.0)
    }
}

/// How far the matrix `a b c d` turns the picture clockwise; mirrored and skewed ones count as upright.
fn rotation([a, b, c, d]: [i32; 4]) -> u16 {
    match (a.signum(), b.signum(), c.signum(), d.signum()) {
        (0, 1, -1, 0) => 90,
        (-1, 0, 0, -1) => 180,
        (0, -1, 1, 0) => 270,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    fn boxed(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let size = u32::try_from(8 + body.len()).unwrap();
        [&size.to_be_bytes(), &kind[..], body].concat()
    }

    fn read(bytes: &[u8]) -> Result<Video, Unreadable> {
        read_movie(&mut Cursor::new(bytes), bytes.len() as u64)
    }

    #[test]
    fn a_file_cut_within_its_samples_is_told_so() {
        let mut file = boxed(b"ftyp", b"isom\0\0\0\0");
        file.extend_from_slice(b"\0\0\x10\0mdat");
        let error = read(&file).unwrap_err();
        assert!(error.to_string().contains("cut off"), "{error}");
    }

    #[test]
    fn a_file_without_an_index_is_told_so() {
        let file = [boxed(b"ftyp", b"isom\0\0\0\0"), boxed(b"mdat", &[0; 64])].concat();
        let error = read(&file).unwrap_err();
        assert!(error.to_string().contains("moov"), "{error}");
    }

    #[test]
    fn a_sea_of_empty_boxes_is_given_up() {
        let file = boxed(b"free", &[]).repeat(boxes::BOX_BUDGET as usize + 1);
        let error = read(&file).unwrap_err();
        assert!(error.to_string().contains("too many parts"), "{error}");
    }

    /// `levels` boxes of one kind, one within the other, within `outer`, the outermost first.
    fn nested(outer: &[&[u8; 4]], kind: &[u8; 4], levels: usize) -> Vec<u8> {
        let size = |level| u32::try_from(8 * (levels - level)).unwrap().to_be_bytes();
        let file = (0..levels)
            .flat_map(|level| [size(level), *kind])
            .flatten()
            .collect();
        outer.iter().rev().fold(file, |body, kind| boxed(kind, &body))
    }

    #[test]
    fn rejects_boxes_nested_twenty_thousand_deep() {
        let media: [&[u8; 4]; 3] = [b"moov", b"trak", b"mdia"];
        for (outer, kind) in [
            (&media[..], b"minf"),
            (&media[..], b"stbl"),
            (&media[..2], b"minf"),
            (&media[..2], b"stbl"),
        ] {
            let error = read(&nested(outer, kind, 20_000)).unwrap_err();
            assert!(error.to_string().contains("nested too deeply"), "{error}");
        }
    }

    #[test]
    fn passes_over_nested_boxes_that_hold_nothing_it_looks_for() {
        for kind in [
            b"moov", b"trak", b"mdia", b"mvex", b"moof", b"traf", b"udta", b"free",
        ] {
            for outer in [
                &[][..],
                &[b"moov"],
                &[b"moov", b"trak"],
                &[b"moof"],
                &[b"moof", b"traf"],
            ] {
                drop(read(&nested(outer, kind, 20_000)));
            }
        }
    }

    #[test]
    fn reads_boxes_down_to_the_deepest_level() {
        let deepest = boxes::MAX_DEPTH as usize - 3;
        let outer: [&[u8; 4]; 3] = [b"moov", b"trak", b"mdia"];
        for (levels, is_refused) in [(deepest, false), (deepest + 1, true)] {
            let error = read(&nested(&outer, b"minf", levels)).unwrap_err().to_string();
            assert_eq!(
                error.contains("nested too deeply"),
                is_refused,
                "{levels}: {error}"
            );
        }
    }

    #[test]
    fn a_matrix_turns_by_quarters_or_not_at_all() {
        let one = 0x1_0000;
        assert_eq!(rotation([one, 0, 0, one]), 0);
        assert_eq!(rotation([0, one, -one, 0]), 90);
        assert_eq!(rotation([-one, 0, 0, -one]), 180);
        assert_eq!(rotation([0, -one, one, 0]), 270);
        assert_eq!(rotation([-one, 0, 0, one]), 0);
    }

    #[test]
    fn a_file_with_any_byte_changed_is_read_or_refused_but_never_panics() {
        for whole in [
            &include_bytes!("../tests/assets/h264-aac.mp4")[..],
            &include_bytes!("../tests/assets/fragmented.mp4")[..],
        ] {
            for at in 0..whole.len() {
                let mut broken = whole.to_vec();
                broken[at] ^= 0xFF;
                let read = read(&broken);
                assert!(
                    !matches!(&read, Err(Unreadable::Io(error)) if !is_short(error)),
                    "changed at {at}: {read:?}"
                );
            }
        }
    }

    fn is_short(error: &std::io::Error) -> bool {
        error.kind() == std::io::ErrorKind::UnexpectedEof
    }

    proptest! {
        #[test]
        fn garbage_within_a_movie_never_panics(body in proptest::collection::vec(any::<u8>(), 0..400), depth in 0_usize..6) {
            let kinds: [&[u8; 4]; 6] = [b"stsd", b"stbl", b"minf", b"mdia", b"trak", b"moov"];
            let nested = kinds.iter().skip(depth).fold(body, |body, kind| boxed(kind, &body));
            drop(read(&nested));
        }

        #[test]
        fn garbage_within_a_fragment_never_panics(body in proptest::collection::vec(any::<u8>(), 0..200), kind in 0_usize..3) {
            let kinds: [&[u8; 4]; 3] = [b"trun", b"tfhd", b"traf"];
            let trak = boxed(b"trak", &boxed(b"tkhd", &[0; 84]));
            let traf = boxed(b"traf", &[boxed(b"tfhd", &[0; 8]), boxed(kinds[kind], &body)].concat());
            drop(read(&[boxed(b"moov", &trak), boxed(b"moof", &traf)].concat()));
        }
    }
}
