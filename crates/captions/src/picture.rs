//! The picture under a caption: what its bytes are, and decoding it no larger than the canvas needs.
//!
//! Bounds, whatever the file: 50 million pixels ([`MOST_MEGAPIXELS`]); segments, chunks and the first directory of EXIF are walked
//! once and without recursion; a colour profile takes at most the file's size; of a moving picture one frame is decoded.

mod colour;
mod jpeg;
mod source;
mod webp;
mod webp_planes;

use crate::planes::Planes;
use crate::refusal::Refusal;

pub(crate) use colour::to_srgb;
pub(crate) use source::{Format, Source};

/// Pixels of a picture, in millions: a phone's best camera today, and 75 MB once decoded.
const MOST_MEGAPIXELS: u32 = 50;

impl<'a> Source<'a> {
    /// Reads what stands before the pixels.
    ///
    /// # Errors
    /// `NoPicture` for anything but JPEG and WebP, `TooLarge`, and `Unreadable` with the reason.
    pub(crate) fn read(file: &'a [u8]) -> Result<Self, Refusal> {
        let source = if file.starts_with(&[0xFF, 0xD8, 0xFF]) {
            jpeg::read(file)
        } else if file.starts_with(b"RIFF") && file.get(8..12) == Some(b"WEBP") {
            webp::read(file)
        } else {
            Err(Refusal::NoPicture)
        }?;
        let (width, height) = source.size;
        if width.saturating_mul(height) > MOST_MEGAPIXELS as usize * 1_000_000 {
            let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
            return Err(Refusal::TooLarge {
                width: side(width),
                height: side(height),
                most: MOST_MEGAPIXELS,
            });
        }
        Ok(source)
    }

    /// Decodes into `planes`, as stored; a JPEG at the smallest scale that still covers `needed`.
    ///
    /// # Errors
    /// `Unreadable` with the reason.
    pub(crate) fn decode(&self, needed: (usize, usize), planes: &mut Planes) -> Result<(), Refusal> {
        let decoded = match &self.format {
            Format::Jpeg(header) => jpeg::decode(self.file, header, needed, planes),
            Format::Webp => webp::decode(self.file, planes),
        };
        decoded.map_err(Refusal::Unreadable)
    }
}
