//! The cosine transforms of libjpeg's "islow" (after Loeffler, Ligtenberg and Moschytz, 1989), to the bit: a block that
//! is made anew here is the block that libjpeg would make. Eight columns at once, which the compiler turns into vectors.

use std::num::Wrapping;

/// Coefficients or samples of a block; hostile coefficients may overflow, which is harmless.
type Block = [Wrapping<i32>; 64];

/// Bits behind the point of the constants.
const CONSTANT: usize = 13;
/// Bits behind the point between the two passes.
const BETWEEN: usize = 2;

const C0_298: Wrapping<i32> = Wrapping(2446);
const C0_390: Wrapping<i32> = Wrapping(3196);
const C0_541: Wrapping<i32> = Wrapping(4433);
const C0_765: Wrapping<i32> = Wrapping(6270);
const C0_899: Wrapping<i32> = Wrapping(7373);
const C1_175: Wrapping<i32> = Wrapping(9633);
const C1_501: Wrapping<i32> = Wrapping(12299);
const C1_847: Wrapping<i32> = Wrapping(15137);
const C1_961: Wrapping<i32> = Wrapping(16069);
const C2_053: Wrapping<i32> = Wrapping(16819);
const C2_562: Wrapping<i32> = Wrapping(20995);
const C3_072: Wrapping<i32> = Wrapping(25172);

/// Coefficients, dequantised, become samples around 128, column by column.
pub(super) fn inverse(coefficients: &[i32; 64]) -> [u8; 64] {
    let columns = inverse_pass::<{ CONSTANT - BETWEEN }>(&coefficients.map(Wrapping));
    let rows = inverse_pass::<{ CONSTANT + BETWEEN + 3 }>(&transposed(&columns));
    rows.map(|sample| (sample.0.saturating_add(128)).clamp(0, 255) as u8)
}

/// Samples, column by column, become coefficients, eight times as large.
pub(super) fn forward(samples: &[u8; 64]) -> [i32; 64] {
    let centred = samples.map(|sample| Wrapping(i32::from(sample) - 128));
    let rows = forward_pass::<true>(&centred);
    forward_pass::<false>(&transposed(&rows)).map(|coefficient| coefficient.0)
}

fn transposed(block: &Block) -> Block {
    let mut transposed = [Wrapping(0); 64];
    for row in 0..8 {
        for column in 0..8 {
            transposed[column * 8 + row] = block[row * 8 + column];
        }
    }
    transposed
}

/// Shifts right by `BITS`, to the nearest.
#[inline(always)]
fn round<const BITS: usize>(value: Wrapping<i32>) -> Wrapping<i32> {
    (value + Wrapping(1 << (BITS - 1))) >> BITS
}

/// The odd half, which both transforms share.
#[inline(always)]
fn odd(parts: [Wrapping<i32>; 4]) -> [Wrapping<i32>; 4] {
    let [p0, p1, p2, p3] = parts;
    let z5 = (p0 + p2 + p1 + p3) * C1_175;
    let z1 = (p0 + p3) * -C0_899;
    let z2 = (p1 + p2) * -C2_562;
    let z3 = (p0 + p2) * -C1_961 + z5;
    let z4 = (p1 + p3) * -C0_390 + z5;
    [
        p0 * C0_298 + z1 + z3,
        p1 * C2_053 + z2 + z4,
        p2 * C3_072 + z2 + z3,
        p3 * C1_501 + z1 + z4,
    ]
}

fn inverse_pass<const BITS: usize>(block: &Block) -> Block {
    let mut result = [Wrapping(0); 64];
    for column in 0..8 {
        let at = |row: usize| block[row * 8 + column];
        let z1 = (at(2) + at(6)) * C0_541;
        let (t2, t3) = (z1 - at(6) * C1_847, z1 + at(2) * C0_765);
        let (t0, t1) = ((at(0) + at(4)) << CONSTANT, (at(0) - at(4)) << CONSTANT);
        let even = [t0 + t3, t1 + t2, t1 - t2, t0 - t3];
        let [o0, o1, o2, o3] = odd([at(7), at(5), at(3), at(1)]);
        for (row, (even, odd)) in even.into_iter().zip([o3, o2, o1, o0]).enumerate() {
            result[row * 8 + column] = round::<BITS>(even + odd);
            result[(7 - row) * 8 + column] = round::<BITS>(even - odd);
        }
    }
    result
}

fn forward_pass<const IS_FIRST: bool>(block: &Block) -> Block {
    let mut result = [Wrapping(0); 64];
    for column in 0..8 {
        let at = |row: usize| block[row * 8 + column];
        let scale = |value| {
            if IS_FIRST {
                value << BETWEEN
            } else {
                round::<BETWEEN>(value)
            }
        };
        let settle = |value| {
            if IS_FIRST {
                round::<{ CONSTANT - BETWEEN }>(value)
            } else {
                round::<{ CONSTANT + BETWEEN }>(value)
            }
        };
        let [s0, s1, s2, s3] = [at(0) + at(7), at(1) + at(6), at(2) + at(5), at(3) + at(4)];
        let (t10, t13, t11, t12) = (s0 + s3, s0 - s3, s1 + s2, s1 - s2);
        let z1 = (t12 + t13) * C0_541;
        let [o4, o5, o6, o7] = odd([at(3) - at(4), at(2) - at(5), at(1) - at(6), at(0) - at(7)]);
        let values = [
            scale(t10 + t11),
            settle(o7),
            settle(z1 + t13 * C0_765),
            settle(o6),
            scale(t10 - t11),
            settle(o5),
            settle(z1 - t12 * C1_847),
            settle(o4),
        ];
        for (row, value) in values.into_iter().enumerate() {
            result[row * 8 + column] = value;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_flat_block_is_its_average_alone() {
        let coefficients = forward(&[200; 64]);
        assert_eq!(
            (coefficients[0], coefficients[1..].iter().any(|other| *other != 0)),
            (72 * 64, false)
        );
        let mut flat = [0; 64];
        flat[0] = 72 * 8;
        assert_eq!(inverse(&flat), [200; 64]);
    }

    proptest! {
        /// Both transforms keep lengths: coefficients rounded by a half at most, then samples rounded by a half at most,
        /// cannot lie further off than √16 + √16 over the block; a little more is left to the arithmetic.
        #[test]
        fn samples_survive_there_and_back(samples in proptest::collection::vec(any::<u8>(), 64)) {
            let samples: [u8; 64] = samples.try_into().unwrap();
            let coefficients = forward(&samples).map(|coefficient| (coefficient + 4) >> 3);
            let off = inverse(&coefficients).into_iter().zip(samples);
            let squares: u32 = off.map(|(back, sample)| u32::from(back.abs_diff(sample)).pow(2)).sum();
            prop_assert!(squares <= 70, "{squares}");
        }

        #[test]
        fn hostile_coefficients_never_panic(coefficients in proptest::collection::vec(any::<i32>(), 64)) {
            inverse(&coefficients.try_into().unwrap());
        }
    }
}
