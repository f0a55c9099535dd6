//! The lowest coefficients of blocks, and the fewer samples that they make.

use crate::bits::Reader;
use crate::huffman::AcCodes;
use crate::zigzag::ZIGZAG;

/// Numbers that [`AcCodes::read_to`] gives to coefficients.
const NUMBERS: usize = 128;
/// Where coefficients go: four rows of four, and behind them those that are of no use.
const PLACES: usize = 17;

/// The number of the last coefficient that a block of `side` by `side` samples is made of.
const fn last(side: usize) -> usize {
    match side {
        1 => 0,
        2 => 4,
        3 => 12,
        _ => 24,
    }
}

/// The place of a coefficient by its number in zigzag order.
const fn place(side: usize, number: usize) -> usize {
    if number > last(side) {
        return PLACES - 1;
    }
    let (row, column) = (ZIGZAG[number] / 8, ZIGZAG[number] % 8);
    if row < side && column < side {
        row * 4 + column
    } else {
        PLACES - 1
    }
}

/// The lowest coefficients of a row of blocks, quantised, and then transformed all at once.
///
/// `SIDE` is how many of them, and of samples, there are across and down a block: from one to four.
#[derive(Debug, Clone)]
pub struct BlockRow<const SIDE: usize> {
    /// How many blocks there are.
    columns: usize,
    /// For each place the coefficients of all blocks.
    levels: Vec<i16>,
    /// By number in zigzag order, where the coefficient of the first block is among the levels.
    starts: [u32; NUMBERS],
}

impl<const SIDE: usize> BlockRow<SIDE> {
    /// So many blocks, all of them without coefficients.
    pub fn new(columns: usize) -> Self {
        let starts = std::array::from_fn(|number| (place(SIDE, number) * columns) as u32);
        Self {
            columns,
            levels: vec![0; PLACES * columns],
            starts,
        }
    }

    #[inline(always)]
    fn put(&mut self, column: usize, number: usize, level: i16) {
        let at = self.starts[number % NUMBERS] as usize + column;
        if let Some(to) = self.levels.get_mut(at) {
            *to = level;
        }
    }

    /// Passes over the AC coefficients of the block at `column`, whose DC value is `dc`, and takes the lowest of all. Those that are
    /// zero are left as they are, which is zero behind [`BlockRow::write`].
    #[inline(always)]
    pub fn read(
        &mut self,
        column: usize,
        reader: &mut Reader<'_>,
        codes: AcCodes<'_>,
        dc: i32,
    ) -> Option<()> {
        self.put(column, 0, dc as i16);
        if SIDE == 1 {
            return codes.pass(reader);
        }
        let (starts, levels) = (&self.starts, &mut self.levels[..]);
        let at = codes.read_to(const { last(SIDE) }, reader, |number, level| {
            if let Some(to) = levels.get_mut(starts[number % NUMBERS] as usize + column) {
                *to = level as i16;
            }
        })?;
        if at < 64 {
            codes.pass_from(at + 1, reader)?;
        }
        Some(())
    }

    /// Takes the lowest of the quantised coefficients of the block at `column`, which stand in zigzag order.
    pub fn take(&mut self, column: usize, levels: &[i16; 64]) {
        for (number, level) in levels.iter().enumerate() {
            self.put(column, number, *level);
        }
    }

    /// Writes the samples of all blocks to the first `SIDE` rows of `samples`, which are `pitch` long, and forgets the coefficients.
    pub fn write(&mut self, quantisers: &Quantisers, samples: &mut [u8], pitch: usize) {
        for x in 0..SIDE {
            for y in 0..SIDE {
                let (step, most) = quantisers.0[y][x];
                for level in self.at_place(y * 4 + x) {
                    *level = step * (*level).clamp(-most, most);
                }
            }
            pass::<SIDE>(
                [x, 4 + x, 8 + x, 12 + x].map(|place| place * self.columns),
                self.columns,
                &mut self.levels,
            );
        }
        for (y, samples) in samples.chunks_mut(pitch).take(SIDE).enumerate() {
            let starts = [0, 1, 2, 3].map(|x| (y * 4 + x) * self.columns);
            pass::<SIDE>(starts, self.columns, &mut self.levels);
            let [one, two, three, four] = starts.map(|start| &self.levels[start..][..self.columns]);
            interleave::<SIDE>([one, two, three, four], samples);
        }
        self.levels.fill(0);
    }

    fn at_place(&mut self, place: usize) -> &mut [i16] {
        &mut self.levels[place * self.columns..][..self.columns]
    }
}

/// Bits behind the point of values.
const FRACTION: u32 = 4;
/// The largest coefficient that is taken as it is: those of pictures of eight bits have eleven at most (T.81 table F.1), and with the fraction
/// sixteen.
const LARGEST: i16 = 2047;

/// The quantisers of the lowest coefficients, in their places: the quantiser with the fraction that values have, and the largest level.
#[derive(Debug, Clone)]
pub struct Quantisers([[(i16, i16); 4]; 4]);

impl Quantisers {
    /// Those of a table in zigzag order.
    pub fn of(table: &[u8; 64]) -> Self {
        let mut rows = [[(0, 0); 4]; 4];
        for (step, place) in table.iter().zip(ZIGZAG) {
            if place / 8 < 4 && place % 8 < 4 {
                let step = i16::from(*step);
                rows[place / 8][place % 8] = (step << FRACTION, LARGEST / step.max(1));
            }
        }
        Self(rows)
    }
}

/// Transforms as many values as there are columns, from the four starts on, which are in order. A loop over plain slices, which the compiler
/// turns into vectors.
#[inline(never)]
fn pass<const SIDE: usize>(starts: [usize; 4], columns: usize, values: &mut [i16]) {
    let (rest, four) = values.split_at_mut(starts[3]);
    let (rest, three) = rest.split_at_mut(starts[2]);
    let (one, two) = rest.split_at_mut(starts[1]);
    let one = &mut one[starts[0]..][..columns];
    let (two, three, four) = (&mut two[..columns], &mut three[..columns], &mut four[..columns]);
    for column in 0..columns {
        let values = [one[column], two[column], three[column], four[column]];
        [one[column], two[column], three[column], four[column]] = points::<SIDE>(values);
    }
}

/// The inverse transform of `SIDE` points (T.81 §A.3.3 with `SIDE` instead of 8) of the lowest frequencies of eight: √⅛ of the first and
/// ½ cos((2x + 1) k π / (2 `SIDE`)) of number k.
#[inline(always)]
fn points<const SIDE: usize>([x0, x1, x2, x3]: [i16; 4]) -> [i16; 4] {
    // √⅛, ½ cos(π / 6), ½ cos(π / 8) and ½ cos(3π / 8), of 65536 parts.
    const EIGHTH: i16 = 23_170;
    const SIXTH: i16 = 28_378;
    const WIDE: i16 = 30_274;
    const NARROW: i16 = 12_540;
    let part = |value: i16, share: i16| ((i32::from(value) * i32::from(share)) >> 16) as i16;
    let sum = i16::wrapping_add;
    let difference = i16::wrapping_sub;
    let x0 = part(x0, EIGHTH);
    match SIDE {
        1 => [x0; 4],
        2 => {
            let x1 = part(x1, EIGHTH);
            [sum(x0, x1), difference(x0, x1), x0, x0]
        }
        3 => {
            let (x1, half) = (part(x1, SIXTH), x2 >> 1);
            let outer = sum(x0, half >> 1);
            [sum(outer, x1), difference(x0, half), difference(outer, x1), x0]
        }
        _ => {
            let x2 = part(x2, EIGHTH);
            let (outer, inner) = (sum(x0, x2), difference(x0, x2));
            let wide = sum(part(x1, WIDE), part(x3, NARROW));
            let narrow = difference(part(x1, NARROW), part(x3, WIDE));
            [
                sum(outer, wide),
                sum(inner, narrow),
                difference(inner, narrow),
                difference(outer, wide),
            ]
        }
    }
}

/// Writes the first `SIDE` of each four values as samples.
#[inline(always)]
fn interleave<const SIDE: usize>([one, two, three, four]: [&[i16]; 4], samples: &mut [u8]) {
    let samples = samples.as_chunks_mut::<SIDE>().0.iter_mut();
    for ((((to, one), two), three), four) in samples.zip(one).zip(two).zip(three).zip(four) {
        let four = [*one, *two, *three, *four].map(sample);
        to.copy_from_slice(&four[..SIDE]);
    }
}

/// The sample of a value around 0, to the nearest.
#[inline(always)]
fn sample(value: i16) -> u8 {
    const HALF: i16 = 1 << (FRACTION - 1);
    (value.wrapping_add((128 << FRACTION) + HALF) >> FRACTION).clamp(0, 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by the definition of the transform.
    fn by_definition<const SIDE: usize>(coefficients: &[i16]) -> Vec<f64> {
        let side = SIDE as f64;
        let weight = |frequency: usize| if frequency == 0 { 1.0 / side } else { 2.0 / side }.sqrt();
        let wave = |at: usize, frequency: usize| {
            let turn = (2 * at + 1) as f64 * frequency as f64 * std::f64::consts::PI / (2.0 * side);
            weight(frequency) * turn.cos()
        };
        let sample = |sample: usize| {
            let (x, y) = (sample % SIDE, sample / SIDE);
            let sum = (0..SIDE * SIDE).map(|at| {
                let (row, column) = (at / SIDE, at % SIDE);
                f64::from(coefficients[at]) * wave(x, column) * wave(y, row)
            });
            sum.sum::<f64>() * side / 8.0 + 128.0
        };
        (0..SIDE * SIDE).map(sample).collect()
    }

    /// The samples of a row of blocks, of which the one at `column` has these coefficients, row by row.
    fn written<const SIDE: usize>(column: usize, coefficients: &[i16], quantiser: u8) -> Vec<u8> {
        let mut row = BlockRow::<SIDE>::new(11);
        for (at, coefficient) in coefficients.iter().enumerate().take(SIDE * SIDE) {
            row.at_place(at / SIDE * 4 + at % SIDE)[column] = *coefficient;
        }
        let mut samples = vec![7; 50 * SIDE];
        row.write(&Quantisers::of(&[quantiser; 64]), &mut samples, 50);
        assert!(row.levels.iter().all(|level| *level == 0));
        samples
    }

    fn check<const SIDE: usize>(coefficients: &[i16]) {
        for column in 0..11 {
            let samples = written::<SIDE>(column, coefficients, 1);
            for (at, exact) in by_definition::<SIDE>(coefficients).into_iter().enumerate() {
                let sample = samples[at / SIDE * 50 + column * SIDE + at % SIDE];
                let far = (f64::from(sample) - exact.clamp(0.0, 255.0)).abs();
                assert!(
                    far < 0.75,
                    "{SIDE}, {column}: {samples:?} of {coefficients:?}: {exact}"
                );
            }
            assert_eq!(samples[11 * SIDE], 7, "no more than so many blocks");
        }
    }

    #[test]
    fn samples_are_those_of_the_transform_of_so_many_points() {
        for block in [
            [0; 16],
            [-1024, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [300, 0, 0, 40, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 77],
            [-200, 120, -60, 90, 30, -20, 44, -13, 8, 61, -5, 3, 17, -90, 2, 1],
        ] {
            check::<1>(&block);
            check::<2>(&block);
            check::<3>(&block);
            check::<4>(&block);
        }
    }

    #[test]
    fn the_largest_coefficients_do_not_overflow() {
        for (level, sample) in [(i16::MAX, 255), (i16::MIN, 0)] {
            let mut coefficients = [0; 16];
            coefficients[0] = level;
            assert_eq!(written::<3>(4, &coefficients, 255)[12], sample);
        }
    }

    #[test]
    fn levels_go_where_they_are_read_from() {
        let mut row = BlockRow::<4>::new(3);
        row.take(2, &std::array::from_fn(|number| ZIGZAG[number] as i16));
        for place in 0..16 {
            let expected = place / 4 * 8 + place % 4;
            assert_eq!(row.at_place(place), [0, 0, expected as i16]);
        }
    }
}
