//! Baking without re-encoding: of a JPEG that is a slide already, only the blocks under the caption are made anew, and all
//! others are copied as the bits they are, so that they lose nothing.
//!
//! The file is read once. Its entropy-coded data is unstuffed; then the walk goes from MCU to MCU (T.81 §A.2), keeping of the
//! untouched ones no more than the DC predictions, and writes what lies between two touched ones as one run of bits. The
//! first MCU behind a touched one gets its DC differences anew. In a touched MCU, blocks on which nothing lies keep
//! their coefficients. The file is not trusted: anything unusual ends the walk, and the picture is decoded and
//! encoded as any other.

mod block;
mod dct;
mod header;
mod shrink;
mod walk;

use playout_jpeg::bits::{self, Writer};
use playout_jpeg::huffman::Lookups;

use crate::overlay::Overlay;
use crate::planes::Planes;
use shrink::Shrunk;

/// Splices, and keeps the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Splicer {
    unstuffed: Vec<u8>,
    writer: Writer,
    lookups: [Lookups; 2],
    /// Made with the first thumbnail.
    shrunk: Option<Shrunk>,
}

impl Splicer {
    /// The slide, a baseline JFIF file without metadata; `None` if the file, whose colours are YCbCr, is not of the kind
    /// that can be spliced. If there is a `thumbnail`, the slide is written to it, too.
    pub(crate) fn splice(
        &mut self,
        file: &[u8],
        overlay: &Overlay,
        thumbnail: Option<&mut Planes>,
    ) -> Option<Vec<u8>> {
        let mut header = header::read(file)?;
        bits::unstuff(header.scan, &mut self.unstuffed)?;
        self.writer.clear();
        let mut shrunk = thumbnail.is_some().then(|| self.shrunk.get_or_insert_default());
        let walked = walk::walk(
            &mut header,
            overlay,
            &self.unstuffed,
            &mut self.writer,
            &mut self.lookups,
            shrunk.as_deref_mut(),
        )?;
        if let (Some(shrunk), Some(thumbnail)) = (shrunk, thumbnail) {
            shrunk.write(thumbnail);
        }
        let mut slide = Vec::with_capacity(file.len() + file.len() / 8);
        header::write(&header, &mut slide);
        bits::stuff(walked, &mut slide);
        slide.extend_from_slice(&[0xFF, 0xD9]);
        Some(slide)
    }
}
