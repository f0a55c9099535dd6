//! The thumbnail of a slide whose blocks were never decoded: three by three pixels of each block, from its lowest coefficients.

use playout_jpeg::lowest::{BlockRow, Quantisers};

use crate::overlay::{COLUMNS, ROWS};
use crate::planes::{PlaneMut, Planes};

/// Pixels of a thumbnail across and down a block.
const SIDE: usize = 3;
/// Samples in a row of blocks of luma.
const LUMA_PITCH: usize = COLUMNS * 2 * SIDE;
/// Samples in a row of blocks of chroma.
const CHROMA_PITCH: usize = COLUMNS * SIDE;

/// A picture at three eighths of its size, with the columns that a slide's last blocks have beyond its edge.
#[derive(Debug)]
pub(super) struct Shrunk {
    /// Luma, Cb and Cr.
    planes: [Vec<u8>; 3],
}

impl Default for Shrunk {
    fn default() -> Self {
        let chroma = || vec![0; CHROMA_PITCH * ROWS * SIDE];
        let luma = vec![0; LUMA_PITCH * ROWS * 2 * SIDE];
        Self {
            planes: [luma, chroma(), chroma()],
        }
    }
}

impl Shrunk {
    /// Writes the part that is shown to planes of the thumbnail's shape.
    pub(super) fn write(&self, thumbnail: &mut Planes) {
        let pitches = [LUMA_PITCH, CHROMA_PITCH, CHROMA_PITCH];
        let planes = thumbnail.parts_mut().into_iter();
        for ((PlaneMut { width, samples, .. }, from), pitch) in planes.zip(&self.planes).zip(pitches) {
            for (to, from) in samples.chunks_exact_mut(width).zip(from.chunks_exact(pitch)) {
                to.copy_from_slice(&from[..width]);
            }
        }
    }
}

/// Fills a [`Shrunk`] while a walk passes from MCU to MCU.
#[derive(Debug)]
pub(super) struct Shrinking<'s> {
    shrunk: &'s mut Shrunk,
    /// Of luma, Cb and Cr.
    quantisers: [Quantisers; 3],
    /// The blocks of a row of MCUs: two rows of luma, one of Cb, one of Cr.
    rows: [BlockRow<SIDE>; 4],
}

impl<'s> Shrinking<'s> {
    /// Of a picture whose luma, Cb and Cr have these quantisers.
    pub(super) fn new(shrunk: &'s mut Shrunk, quantisers: [&[u8; 64]; 3]) -> Self {
        let columns = [2 * COLUMNS, 2 * COLUMNS, COLUMNS, COLUMNS];
        Self {
            shrunk,
            quantisers: quantisers.map(Quantisers::of),
            rows: columns.map(BlockRow::new),
        }
    }

    /// The row that block `block` of the MCU at `place` belongs to, and its column there.
    #[inline(always)]
    pub(super) fn row(&mut self, place: usize, block: usize) -> (&mut BlockRow<SIDE>, usize) {
        let column = place % COLUMNS;
        match block {
            0..4 => (&mut self.rows[block / 2], 2 * column + block % 2),
            _ => (&mut self.rows[block - 2], column),
        }
    }

    /// Writes the row of the MCU at `place`, if that was its last.
    #[inline(always)]
    pub(super) fn end(&mut self, place: usize) {
        if (place + 1).is_multiple_of(COLUMNS) {
            self.write_row(place / COLUMNS);
        }
    }

    fn write_row(&mut self, row: usize) {
        let [upper, lower, cb, cr] = &mut self.rows;
        let [luma, chroma @ ..] = &mut self.shrunk.planes;
        let luma = &mut luma[row * 2 * SIDE * LUMA_PITCH..];
        upper.write(&self.quantisers[0], luma, LUMA_PITCH);
        lower.write(&self.quantisers[0], &mut luma[SIDE * LUMA_PITCH..], LUMA_PITCH);
        for ((blocks, plane), quantisers) in [cb, cr].into_iter().zip(chroma).zip(&self.quantisers[1..]) {
            blocks.write(quantisers, &mut plane[row * SIDE * CHROMA_PITCH..], CHROMA_PITCH);
        }
    }
}
