//! Walks EBML elements, checking every size that they claim.

use std::io::{Read, Seek, SeekFrom};

use crate::video::Unreadable;

/// Elements looked at before giving up: four hours of 60 pictures and 50 sounds a second.
const ELEMENT_BUDGET: u32 = 2_000_000;
/// Longer than any registered codec's name.
const CODEC_ID_BYTES: u64 = 64;

pub(super) struct Element {
    pub(super) id: u32,
    pub(super) body: u64,
    /// `u64::MAX` where the writer did not know.
    pub(super) length: u64,
}

pub(super) struct Elements<'a, R> {
    reader: &'a mut R,
    pub(super) at: u64,
    pub(super) limit: u64,
    budget: u32,
}

impl<'a, R: Read + Seek> Elements<'a, R> {
    /// The elements of a file of `limit` bytes.
    pub(super) fn new(reader: &'a mut R, limit: u64) -> Self {
        Self {
            reader,
            at: 0,
            limit,
            budget: ELEMENT_BUDGET,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Element>, Unreadable> {
        if self.at >= self.limit {
            return Ok(None);
        }
        self.budget = self
            .budget
            .checked_sub(1)
            .ok_or(Unreadable::new("it has too many parts"))?;
        let mut bytes = [0; 12];
        let available = self.read_some(self.at, &mut bytes)?;
        let header = bytes.get(..available).and_then(|bytes| {
            let (id, rest) = number(bytes, 4, false)?;
            let (length, after) = number(rest, 8, true)?;
            Some((u32::try_from(id).ok()?, length, bytes.len() - after.len()))
        });
        let (id, length, header_bytes) = header.ok_or(Unreadable::new("its structure is damaged"))?;
        Ok(Some(Element {
            id,
            body: self.at + header_bytes as u64,
            length,
        }))
    }

    pub(super) fn read_some(&mut self, at: u64, into: &mut [u8]) -> Result<usize, Unreadable> {
        self.reader.seek(SeekFrom::Start(at))?;
        let mut filled = 0;
        while filled < into.len() {
            match self.reader.read(&mut into[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
    }

    /// An unsigned integer's value; zero where it is malformed.
    pub(super) fn unsigned(&mut self, element: &Element) -> Result<u64, Unreadable> {
        let mut bytes = [0; 8];
        let length = usize::try_from(element.length).unwrap_or(usize::MAX);
        let Some(into) = bytes.get_mut(..length) else {
            return Ok(0);
        };
        self.read_some(element.body, into)?;
        Ok(into.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
    }

    pub(super) fn float(&mut self, element: &Element) -> Result<f64, Unreadable> {
        let bits = self.unsigned(element)?;
        Ok(match element.length {
            4 => f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default())),
            8 => f64::from_bits(bits),
            _ => 0.0,
        })
    }

    pub(super) fn text(&mut self, element: &Element) -> Result<String, Unreadable> {
        let mut bytes = vec![0; usize::try_from(element.length.min(CODEC_ID_BYTES)).unwrap_or_default()];
        let filled = self.read_some(element.body, &mut bytes)?;
        bytes.truncate(filled);
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned())
    }
}

/// A variable-length number (RFC 8794 §4) of at most `longest` bytes, and what follows it. Identifiers keep their
/// length marker; sizes lose it, and all ones mean unknown.
pub(super) fn number(bytes: &[u8], longest: usize, is_size: bool) -> Option<(u64, &[u8])> {
    let length = bytes.first()?.leading_zeros() as usize + 1;
    let (own, rest) = bytes.split_at_checked(length).filter(|_| length <= longest)?;
    let value = own
        .iter()
        .fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
    let mask = (1_u64 << (7 * length)) - 1;
    let plain = match value & mask {
        _ if !is_size => value,
        size if size == mask => u64::MAX,
        size => size,
    };
    Some((plain, rest))
}
