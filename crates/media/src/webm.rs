//! Reads the headers of a WebM file (RFC 8794 EBML, RFC 9559 Matroska).
//!
//! The elements are walked flat: masters that matter are entered, everything else is skipped by its size, so that
//! unknown sizes (live recordings, browsers' MediaRecorder) need no special case and nothing is held in memory.
//! The identifiers used here mean the same wherever they stand.
//!
//! Bounds, whatever the file: no level of nesting takes stack, 2,000,000 elements are looked at, 128 tracks with 64 bytes of
//! codec identifier each are kept. Positions only grow, up to the end of the file.

mod codecs;
mod elements;
mod id;

use std::io::{Read, Seek};

use self::codecs::codec_name;
use self::elements::{Element, Elements, number};
use crate::video::{Unreadable, Video, scaled_ms};

/// Pictures looked at for a frame rate that the file does not state.
const FRAMES_FOR_RATE: u64 = 300;

/// Reads the segment's information and tracks, and as many blocks as it takes to know duration and frame rate.
pub(crate) fn read_movie(reader: &mut (impl Read + Seek), size_bytes: u64) -> Result<Video, Unreadable> {
    let mut elements = Elements::new(reader, size_bytes);
    let mut movie = Movie::default();
    while let Some(element) = elements.next()? {
        let at_blocks = element.id == id::CLUSTER && movie.knows_enough();
        if at_blocks {
            break;
        }
        movie.take(&mut elements, &element)?;
        elements.at = if is_entered(element.id) {
            element.body
        } else {
            element.body.saturating_add(element.length)
        };
    }
    movie.into_video()
}

fn is_entered(id: u32) -> bool {
    use id::{BLOCK_GROUP, CLUSTER, INFO, SEGMENT, TRACK_ENTRY, TRACKS, VIDEO};
    [SEGMENT, INFO, TRACKS, TRACK_ENTRY, VIDEO, CLUSTER, BLOCK_GROUP].contains(&id)
}

#[derive(Default)]
struct Movie {
    timestamp_scale_ns: Option<u64>,
    duration_ticks: f64,
    tracks: Vec<Track>,
    cluster_ticks: u64,
    blocks: Blocks,
    is_cut_off: bool,
}

/// More tracks than any writer makes.
const MAX_TRACKS: usize = 128;

#[derive(Default, Clone)]
struct Track {
    number: u64,
    /// 1 video, 2 audio.
    kind: u64,
    codec_id: String,
    default_duration_ns: u64,
    pixels: (u64, u64),
    display: (u64, u64),
    display_unit: u64,
}

/// The video track's frames and times, from the blocks seen so far.
#[derive(Default)]
struct Blocks {
    frames: u64,
    first_ticks: Option<u64>,
    last_ticks: u64,
    /// The latest block of any track.
    end_ticks: u64,
}

impl Movie {
    fn knows_enough(&self) -> bool {
        let rate_known = self.video().is_none_or(|track| track.default_duration_ns > 0);
        self.duration_ticks > 0.0 && (rate_known || self.blocks.frames >= FRAMES_FOR_RATE)
    }

    fn video(&self) -> Option<&Track> {
        self.tracks.iter().find(|track| track.kind == 1)
    }

    fn take<R: Read + Seek>(
        &mut self,
        elements: &mut Elements<'_, R>,
        element: &Element,
    ) -> Result<(), Unreadable> {
        let end = element.body.saturating_add(element.length);
        match element.id {
            id::SEGMENT if element.length != u64::MAX => self.is_cut_off = end > elements.limit,
            id::TIMESTAMP_SCALE => self.timestamp_scale_ns = Some(elements.unsigned(element)?),
            id::DURATION => self.duration_ticks = elements.float(element)?,
            id::TRACK_ENTRY if self.tracks.len() < MAX_TRACKS => self.tracks.push(Track::default()),
            id::TIMESTAMP => self.cluster_ticks = elements.unsigned(element)?,
            id::SIMPLE_BLOCK | id::BLOCK => self.block(elements, element)?,
            _ => {
                if let Some(track) = self.tracks.last_mut() {
                    track.take(elements, element)?;
                }
            }
        }
        Ok(())
    }

    /// A block begins with its track's number and its time relative to the cluster (RFC 9559 §10.1).
    fn block<R: Read + Seek>(
        &mut self,
        elements: &mut Elements<'_, R>,
        element: &Element,
    ) -> Result<(), Unreadable> {
        let mut bytes = [0; 10];
        let available = elements.read_some(element.body, &mut bytes)?;
        let header = bytes.get(..available).and_then(|bytes| number(bytes, 8, true));
        let Some((track, [high, low, ..])) = header else {
            return Ok(());
        };
        let ticks = self
            .cluster_ticks
            .saturating_add_signed(i64::from(i16::from_be_bytes([*high, *low])));
        self.blocks.end_ticks = self.blocks.end_ticks.max(ticks);
        if self.video().is_some_and(|video| video.number == track) {
            self.blocks.frames += 1;
            self.blocks.first_ticks.get_or_insert(ticks);
            self.blocks.last_ticks = self.blocks.last_ticks.max(ticks);
        }
        Ok(())
    }

    fn into_video(self) -> Result<Video, Unreadable> {
        if self.is_cut_off {
            return Err(Unreadable::new(
                "it ends too early; the upload or the recording was cut off",
            ));
        }
        let track = self
            .video()
            .filter(|track| track.size().is_some())
            .ok_or(Unreadable::no_video())?;
        let (width, height) = track.size().unwrap_or_default();
        let sound = self.tracks.iter().find(|track| track.kind == 2);
        Ok(Video {
            width,
            height,
            rotation_degrees: 0,
            duration_ms: self.duration_ms(),
            video_codec: Some(codec_name(&track.codec_id)),
            audio_codec: sound.map(|track| codec_name(&track.codec_id)),
            frame_rate: self.frame_rate(track),
        })
    }

    /// Nanoseconds a tick; a millisecond unless the file defines another.
    fn tick_ns(&self) -> u64 {
        self.timestamp_scale_ns
            .filter(|scale| *scale > 0)
            .unwrap_or(1_000_000)
    }

    fn duration_ms(&self) -> Option<u64> {
        if self.duration_ticks > 0.0 && self.duration_ticks.is_finite() {
            return Some((self.duration_ticks * self.tick_ns() as f64 / 1e6).round() as u64);
        }
        // The last picture lasts as long as the average one.
        let span = self.blocks.last_ticks.saturating_sub(self.blocks.first_ticks?);
        let one = span
            .checked_div(self.blocks.frames.saturating_sub(1))
            .unwrap_or_default();
        let end = self
            .blocks
            .end_ticks
            .max(self.blocks.last_ticks.saturating_add(one));
        scaled_ms(end.saturating_mul(self.tick_ns()), 1_000_000_000)
    }

    fn frame_rate(&self, track: &Track) -> Option<f64> {
        let rate = if track.default_duration_ns > 0 {
            1e9 / track.default_duration_ns as f64
        } else {
            let span = self
                .blocks
                .last_ticks
                .checked_sub(self.blocks.first_ticks?)
                .filter(|span| *span > 0)?;
            (self.blocks.frames - 1) as f64 * 1e9 / (span as f64 * self.tick_ns() as f64)
        };
        Some((rate * 1000.0).round() / 1000.0)
    }
}

impl Track {
    fn take<R: Read + Seek>(
        &mut self,
        elements: &mut Elements<'_, R>,
        element: &Element,
    ) -> Result<(), Unreadable> {
        match element.id {
            id::TRACK_NUMBER => self.number = elements.unsigned(element)?,
            id::TRACK_TYPE => self.kind = elements.unsigned(element)?,
            id::CODEC_ID => self.codec_id = elements.text(element)?,
            id::DEFAULT_DURATION => self.default_duration_ns = elements.unsigned(element)?,
            id::PIXEL_WIDTH => self.pixels.0 = elements.unsigned(element)?,
            id::PIXEL_HEIGHT => self.pixels.1 = elements.unsigned(element)?,
            id::DISPLAY_WIDTH => self.display.0 = elements.unsigned(element)?,
            id::DISPLAY_HEIGHT => self.display.1 = elements.unsigned(element)?,
            id::DISPLAY_UNIT => self.display_unit = elements.unsigned(element)?,
            _ => {}
        }
        Ok(())
    }

    /// The displayed size where it is given in pixels, else the coded one; `None` if it is absurd.
    fn size(&self) -> Option<(u32, u32)> {
        let (width, height) = match self.display {
            (1.., 1..) if self.display_unit == 0 => self.display,
            _ => self.pixels,
        };
        let plausible = |side: u64| {
            u32::try_from(side)
                .ok()
                .filter(|side| (1..=65_535).contains(side))
        };
        Some((plausible(width)?, plausible(height)?))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    fn element(id: u32, body: &[u8]) -> Vec<u8> {
        let id: Vec<u8> = id
            .to_be_bytes()
            .into_iter()
            .skip_while(|byte| *byte == 0)
            .collect();
        let size = (1_u64 << 56 | body.len() as u64).to_be_bytes();
        [&id, &size[..], body].concat()
    }

    fn endless(id: u32, body: &[u8]) -> Vec<u8> {
        let id: Vec<u8> = id
            .to_be_bytes()
            .into_iter()
            .skip_while(|byte| *byte == 0)
            .collect();
        [&id, &[0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF][..], body].concat()
    }

    fn tracks() -> Vec<u8> {
        let video = element(
            id::VIDEO,
            &[
                element(id::PIXEL_WIDTH, &[1, 0x40]),
                element(id::PIXEL_HEIGHT, &[0xF0]),
            ]
            .concat(),
        );
        let entry = [
            element(id::TRACK_NUMBER, &[1]),
            element(id::TRACK_TYPE, &[1]),
            element(id::CODEC_ID, b"V_VP9"),
            video,
        ];
        element(id::TRACKS, &element(id::TRACK_ENTRY, &entry.concat()))
    }

    fn read(bytes: &[u8]) -> Result<Video, Unreadable> {
        read_movie(&mut Cursor::new(bytes), bytes.len() as u64)
    }

    #[test]
    fn a_browser_recording_without_sizes_or_duration_is_measured_by_its_blocks() {
        let blocks = (0..50_u16).map(|frame| {
            let time = (frame * 40).to_be_bytes();
            element(id::SIMPLE_BLOCK, &[0x81, time[0], time[1], 0x80, 1, 2, 3])
        });
        let cluster: Vec<u8> = element(id::TIMESTAMP, &[0])
            .into_iter()
            .chain(blocks.flatten())
            .collect();
        let segment = endless(id::SEGMENT, &[tracks(), endless(id::CLUSTER, &cluster)].concat());
        let video = read(&segment).unwrap();
        assert_eq!((video.width, video.height), (320, 240));
        assert_eq!((video.duration_ms, video.frame_rate), (Some(2000), Some(25.0)));
        assert_eq!(video.video_codec.as_deref(), Some("vp9"));
    }

    #[test]
    fn a_segment_longer_than_the_file_was_cut_off() {
        let mut segment = element(id::SEGMENT, &[tracks(), vec![0xEC, 0x84, 0, 0, 0, 0]].concat());
        segment.truncate(segment.len() - 3);
        let error = read(&segment).unwrap_err();
        assert!(error.to_string().contains("cut off"), "{error}");
    }

    #[test]
    fn elements_nested_twenty_thousand_deep_take_no_stack() {
        for id in [
            id::SEGMENT,
            id::TRACKS,
            id::TRACK_ENTRY,
            id::VIDEO,
            id::CLUSTER,
            id::BLOCK_GROUP,
        ] {
            let unsized_levels = endless(id, &[]).repeat(20_000);
            let error = read(&unsized_levels).unwrap_err().to_string();
            assert!(error.contains("no video"), "{error}");
            let mut levels = Vec::new();
            for _ in 0..300 {
                levels = element(id, &levels);
            }
            drop(read(&levels));
        }
    }

    #[test]
    fn sizes_near_the_largest_number_end_the_walk() {
        for size in [
            [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
            [0x01, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] {
            for id in [[0xEC], [0xD7], [0xA3]] {
                let file = [&tracks()[..], &id, &size, &[0; 40]].concat();
                assert_eq!(read(&file).unwrap().width, 320);
            }
        }
    }

    #[test]
    fn a_file_without_pictures_is_no_video() {
        let error = read(&element(id::SEGMENT, &element(id::TRACKS, &[]))).unwrap_err();
        assert!(error.to_string().contains("no video"), "{error}");
    }

    #[test]
    fn a_file_with_any_byte_changed_is_read_or_refused_but_never_panics() {
        for whole in [
            &include_bytes!("../tests/assets/vp9-opus.webm")[..],
            &include_bytes!("../tests/assets/vp8-live.webm")[..],
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
        fn garbage_never_panics(body in proptest::collection::vec(any::<u8>(), 0..400)) {
            drop(read(&endless(id::SEGMENT, &body)));
            drop(read(&[tracks(), endless(id::CLUSTER, &body)].concat()));
        }
    }
}
