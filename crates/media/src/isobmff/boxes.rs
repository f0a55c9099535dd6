//! Walks the boxes of a file, checking every size that they claim.

use std::io::{Read, Seek, SeekFrom};

use crate::video::Unreadable;

/// Boxes and fragments' samples looked at before giving up: hours of the finest fragments.
pub(super) const BOX_BUDGET: u64 = 2_000_000;

/// Levels of boxes that are entered; a sample table lies at the fifth (`moov`, `trak`, `mdia`, `minf`, `stbl`).
pub(super) const MAX_DEPTH: u32 = 16;

/// Four letters and a stretch of the file.
pub(super) struct BoxHeader {
    pub(super) kind: [u8; 4],
    body: u64,
    pub(super) end: u64,
    limit: u64,
}

impl BoxHeader {
    /// This box, if it does not reach over the end of what holds it.
    pub(super) fn within(&self) -> Result<Stretch, Unreadable> {
        if self.end <= self.limit {
            Ok(Stretch {
                kind: self.kind,
                body: self.body,
                end: self.end,
            })
        } else {
            Err(Unreadable::new(
                "it ends too early; the upload or the recording was cut off",
            ))
        }
    }
}

/// A box whose end lies within its parent: its kind, and where its body begins and ends in the file.
pub(super) struct Stretch {
    pub(super) kind: [u8; 4],
    pub(super) body: u64,
    pub(super) end: u64,
}

pub(super) struct Boxes<'a, R> {
    pub(super) reader: &'a mut R,
    budget: u64,
    /// Boxes that are entered at the moment, one within the other.
    depth: u32,
}

impl<'a, R: Read + Seek> Boxes<'a, R> {
    /// The boxes of a file.
    pub(super) fn new(reader: &'a mut R) -> Self {
        Self {
            reader,
            budget: BOX_BUDGET,
            depth: 0,
        }
    }

    /// The box that begins at `at`; `None` at `limit`, or where nothing that could be a box begins.
    pub(super) fn header(&mut self, at: u64, limit: u64) -> Result<Option<BoxHeader>, Unreadable> {
        if at.saturating_add(8) > limit {
            return Ok(None);
        }
        self.spend(1)?;
        let bytes: [u8; 8] = self.bytes(at)?;
        let [a, b, c, d, kind @ ..] = bytes;
        let (length, body) = match u32::from_be_bytes([a, b, c, d]) {
            0 => (limit - at, at + 8),
            1 => (u64::from_be_bytes(self.bytes(at + 8)?), at + 16),
            short => (u64::from(short), at + 8),
        };
        let end = at.saturating_add(length);
        Ok((end >= body).then_some(BoxHeader {
            kind,
            body,
            end,
            limit,
        }))
    }

    /// Takes the price of looking at `parts` parts off the budget.
    pub(super) fn spend(&mut self, parts: u64) -> Result<(), Unreadable> {
        let left = self.budget.checked_sub(parts);
        self.budget = left.ok_or(Unreadable::new("it has too many parts"))?;
        Ok(())
    }

    /// Calls `visit` with every box inside `parent`. All nesting goes through here, so this is what bounds the stack.
    pub(super) fn each(
        &mut self,
        parent: &Stretch,
        mut visit: impl FnMut(&mut Self, &Stretch) -> Result<(), Unreadable>,
    ) -> Result<(), Unreadable> {
        if self.depth == MAX_DEPTH {
            return Err(Unreadable::new("its parts are nested too deeply"));
        }
        self.depth += 1;
        let mut at = parent.body;
        while let Some(found) = self.header(at, parent.end)? {
            visit(self, &found.within()?)?;
            at = found.end;
        }
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn bytes<const N: usize>(&mut self, at: u64) -> Result<[u8; N], Unreadable> {
        let mut bytes = [0; N];
        self.reader.seek(SeekFrom::Start(at))?;
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self, at: u64) -> Result<u32, Unreadable> {
        Ok(u32::from_be_bytes(self.bytes(at)?))
    }

    /// A full box's version.
    pub(super) fn version(&mut self, part: &Stretch) -> Result<u8, Unreadable> {
        let [version] = self.bytes(part.body)?;
        Ok(version)
    }

    /// Timescale and duration of `mvhd` and `mdhd`; a duration of all ones means unknown.
    pub(super) fn scale_and_duration(&mut self, part: &Stretch) -> Result<(u32, u64), Unreadable> {
        let wide = self.version(part)? == 1;
        let scale = self.u32(part.body + if wide { 20 } else { 12 })?;
        let duration = if wide {
            u64::from_be_bytes(self.bytes(part.body + 24)?)
        } else {
            u64::from(self.u32(part.body + 16)?)
        };
        let unknown = if wide { u64::MAX } else { u64::from(u32::MAX) };
        Ok((scale, if duration == unknown { 0 } else { duration }))
    }
}
