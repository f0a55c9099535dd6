//! The thumbnail of a slide whose blocks were never decoded: three by three pixels of each block, from its lowest coefficients.

use super::bits::Reader;
use super::huffman::{SkipTable, Table, read_coefficient};
use crate::overlay::{COLUMNS, ROWS};
use crate::planes::{PlaneMut, Planes};

/// Pixels of a thumbnail across and down a block.
const SIDE: usize = 3;
/// Samples in a row of blocks of luma.
const LUMA_PITCH: usize = COLUMNS * 2 * SIDE;
/// Samples in a row of blocks of chroma.
const CHROMA_PITCH: usize = COLUMNS * SIDE;
/// Coefficients that are looked at, in the order in which they are stored: the ninth of the lowest nine comes much later, and adds
/// little.
const LOWEST: usize = 9;
/// Where they belong among three times three; behind those, what is of no use.
const PLACES: [usize; LOWEST] = [0, 1, 3, 6, 4, 2, 9, 5, 7];
/// A coefficient of a picture of eight bits is at most half of it.
const LARGEST: i32 = 2047;

/// The lowest coefficients of a block, dequantised, row by row, and one that is of no use.
pub(super) type Lowest = [i32; LOWEST + 1];

/// A picture at three eighths of its size, with the columns that a slide's last blocks have beyond its edge.
#[derive(Debug)]
pub(super) struct Shrunk {
    luma: Vec<u8>,
    chroma: [Vec<u8>; 2],
}

impl Default for Shrunk {
    fn default() -> Self {
        let chroma = || vec![0; CHROMA_PITCH * ROWS * SIDE];
        Self {
            luma: vec![0; LUMA_PITCH * ROWS * 2 * SIDE],
            chroma: [chroma(), chroma()],
        }
    }
}

impl Shrunk {
    /// Takes block `block` of the MCU at `place`.
    #[inline(always)]
    pub(super) fn take(&mut self, place: usize, block: usize, lowest: &Lowest) {
        let (column, row) = (place % COLUMNS, place / COLUMNS);
        let (samples, pitch, column, row) = match block {
            0..4 => (
                &mut self.luma,
                LUMA_PITCH,
                column * 2 + block % 2,
                row * 2 + block / 2,
            ),
            _ => (&mut self.chroma[block - 4], CHROMA_PITCH, column, row),
        };
        let rows = samples[row * SIDE * pitch..].chunks_exact_mut(pitch);
        for (row, values) in rows.zip(inverse(lowest).as_chunks::<SIDE>().0) {
            row[column * SIDE..][..SIDE].copy_from_slice(values);
        }
    }

    /// Writes the part that is shown to planes of the thumbnail's shape.
    pub(super) fn write(&self, thumbnail: &mut Planes) {
        let [cb, cr] = &self.chroma;
        let from = [(&self.luma, LUMA_PITCH), (cb, CHROMA_PITCH), (cr, CHROMA_PITCH)];
        for (PlaneMut { width, samples, .. }, (from, pitch)) in thumbnail.parts_mut().into_iter().zip(from) {
            for (to, from) in samples.chunks_exact_mut(width).zip(from.chunks_exact(pitch)) {
                to.copy_from_slice(&from[..width]);
            }
        }
    }
}

/// Passes over the AC coefficients of a block whose DC value is `dc`, and takes the lowest.
#[inline(always)]
pub(super) fn pass(
    reader: &mut Reader<'_>,
    table: &Table,
    skip: &SkipTable,
    steps: &[i32; 64],
    dc: i32,
) -> Option<Lowest> {
    let mut lowest = [0; LOWEST + 1];
    lowest[0] = dequantised(dc, steps[0]);
    let mut at = 1;
    while at < LOWEST {
        let Some((run, value)) = read_coefficient(reader, table)? else {
            return Some(lowest);
        };
        at += run;
        if let Some(place) = PLACES.get(at) {
            lowest[*place] = dequantised(value, steps[at]);
        }
        at += 1;
    }
    skip.pass_from(reader, table, at as u32)?;
    Some(lowest)
}

/// The lowest of a block's quantised coefficients, which stand in zigzag order.
pub(super) fn lowest_of(levels: &[i16; 64], steps: &[i32; 64]) -> Lowest {
    let mut lowest = [0; LOWEST + 1];
    for ((place, level), step) in PLACES.iter().zip(levels).zip(steps) {
        lowest[*place] = dequantised(i32::from(*level), *step);
    }
    lowest
}

/// A coefficient, and no more than eight bits a sample can have.
#[inline(always)]
fn dequantised(level: i32, step: i32) -> i32 {
    level.saturating_mul(step).clamp(-LARGEST, LARGEST)
}

/// Three times three samples, row by row: the inverse transform of three points (T.81 §A.3.3 with 3 instead of 8), whose
/// factors have ten bits behind the point.
#[inline(always)]
fn inverse(lowest: &Lowest) -> [u8; SIDE * SIDE] {
    // √(1/8), √(3/16) and 1/4.
    let three = |one: i32, two: i32, three: i32| {
        let (even, odd, second) = (362 * one, 443 * two, 256 * three);
        [even + odd + second, even - 2 * second, even - odd + second]
    };
    let mut columns = [[0; SIDE]; SIDE];
    for (at, column) in columns.iter_mut().enumerate() {
        *column = three(lowest[at], lowest[at + 3], lowest[at + 6]).map(|value| value >> 3);
    }
    let mut samples = [0; SIDE * SIDE];
    for (y, row) in samples.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
        *row = three(columns[0][y], columns[1][y], columns[2][y])
            .map(|value| (((value + (1 << 16)) >> 17) + 128).clamp(0, 255) as u8);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by the definition of the transform.
    fn by_definition(lowest: &Lowest) -> [f64; 9] {
        let weight = |at: usize| if at == 0 { 1.0 / 3.0_f64 } else { 2.0 / 3.0 }.sqrt();
        std::array::from_fn(|sample| {
            let (x, y) = (sample % 3, sample / 3);
            let wave = |at: usize, frequency: usize| {
                let turn = (2 * at + 1) as f64 * frequency as f64 * std::f64::consts::PI / 6.0;
                weight(frequency) * turn.cos()
            };
            let sum = (0..9).map(|at| f64::from(lowest[at]) * wave(x, at % 3) * wave(y, at / 3));
            sum.sum::<f64>() * 3.0 / 8.0 + 128.0
        })
    }

    #[test]
    fn samples_are_those_of_the_transform_of_three_points() {
        for block in [
            [0; 10],
            [-1024, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [300, 0, 0, 40, 0, 0, 0, 0, 0, 9],
            [-200, 120, -60, 90, 30, -20, 44, -13, 0, 0],
        ] {
            let samples = inverse(&block);
            for (sample, exact) in samples.iter().zip(by_definition(&block)) {
                let far = (f64::from(*sample) - exact.clamp(0.0, 255.0)).abs();
                assert!(far < 0.75, "{samples:?} of {block:?}: {exact}");
            }
        }
    }

    #[test]
    fn the_largest_coefficients_do_not_overflow() {
        let largest = [dequantised(i32::MAX, 255); LOWEST + 1];
        assert_eq!(inverse(&largest)[0], 255);
        assert_eq!(inverse(&largest.map(|value| -value))[0], 0);
    }
}
