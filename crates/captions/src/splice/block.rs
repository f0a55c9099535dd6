//! One block that is made anew: what lies over it, and the quantisers that it has in its picture.

use playout_jpeg::ZIGZAG;

use crate::overlay::{TILE, Tile};

/// What lies over one block: values multiplied by their alphas, column by column.
pub(super) struct Layer {
    pub(super) values: [u8; 64],
    pub(super) alphas: [u8; 64],
}

impl Layer {
    /// What of `tile` lies over that block of its MCU; `None` where it is clear all over.
    pub(super) fn of(tile: &Tile, block: usize) -> Option<Self> {
        if block >= 4 {
            return Self::cut((&tile.chroma[block - 4], &tile.chroma_alpha), 8);
        }
        let first = block / 2 * 8 * TILE + block % 2 * 8;
        Self::cut((&tile.luma[first..], &tile.alpha[first..]), TILE)
    }

    fn cut((values, alphas): (&[u8], &[u8]), pitch: usize) -> Option<Self> {
        let is_clear = alphas.chunks(pitch).take(8).all(|row| row[..8] == [0; 8]);
        if is_clear {
            return None;
        }
        let column_by_column = |samples: &[u8]| {
            let mut columns = [0; 64];
            for (y, row) in samples.chunks(pitch).take(8).enumerate() {
                for x in 0..8 {
                    columns[x * 8 + y] = row[x];
                }
            }
            columns
        };
        Some(Self {
            values: column_by_column(values),
            alphas: column_by_column(alphas),
        })
    }

    pub(super) fn is_opaque(&self) -> bool {
        self.alphas == [255; 64]
    }
}

/// A table of quantisers, ready for both ways.
pub(super) struct Quantiser {
    /// In zigzag order.
    pub(super) steps: [i32; 64],
    /// Half of each divisor, in the order of the block.
    halves: [u32; 64],
    /// 2³¹ by each divisor, rounded up, in the order of the block.
    reciprocals: [u32; 64],
}

impl Quantiser {
    pub(super) fn of(table: &[u8; 64]) -> Self {
        let mut quantiser = Self {
            steps: table.map(i32::from),
            halves: [0; 64],
            reciprocals: [0; 64],
        };
        for (step, at) in table.iter().zip(ZIGZAG) {
            // The transform's coefficients are eight times as large.
            let divisor = u32::from(*step) * 8;
            quantiser.halves[at] = divisor / 2;
            quantiser.reciprocals[at] = (1 << 31) / divisor + 1;
        }
        quantiser
    }

    /// Coefficients quantised to the nearest level, halves away from zero, in zigzag order. Exact, because none of
    /// the numerators has more than 16 bits and no divisor more than eleven.
    pub(super) fn levels(&self, coefficients: &[i32; 64]) -> [i16; 64] {
        let mut levels = [0; 64];
        let divisors = self.halves.iter().zip(&self.reciprocals);
        for ((level, coefficient), (half, reciprocal)) in levels.iter_mut().zip(coefficients).zip(divisors) {
            let numerator = u64::from(coefficient.unsigned_abs() + half);
            let size = ((numerator * u64::from(*reciprocal)) >> 31) as i16;
            *level = if *coefficient < 0 { -size } else { size };
        }
        ZIGZAG.map(|at| levels[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_quotients_to_the_nearest() {
        for step in [1_u8, 2, 3, 7, 16, 99, 255] {
            let quantiser = Quantiser::of(&[step; 64]);
            for coefficient in -16_400_i32..=16_400 {
                let divisor = i32::from(step) * 8;
                let size = coefficient.unsigned_abs() as i32;
                let nearest = (size + divisor / 2) / divisor * coefficient.signum();
                assert_eq!(i32::from(quantiser.levels(&[coefficient; 64])[5]), nearest);
            }
        }
    }
}
