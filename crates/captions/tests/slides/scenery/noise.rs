//! Chance that looks natural, and how colours meet. Sums, products and roots alone, so that every machine draws the same.

use crate::photo::hash;

/// Red, green and blue, 0 to 255.
pub(super) type Colour = [f32; 3];

/// Between 0 and 1 for a place on a grid.
pub(super) fn chance(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x.cast_unsigned(), y.cast_unsigned(), seed) & 0xFFFF) as f32 / 65_535.0
}

/// Between 0 and 1, smooth from one whole number to the next.
pub(super) fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (smooth(x - left), smooth(y - top));
    let (left, top) = (left as i32, top as i32);
    let row = |y: i32| {
        let (from, to) = (chance(left, y, seed), chance(left + 1, y, seed));
        from + (to - from) * across
    };
    row(top) * (1.0 - down) + row(top + 1) * down
}

/// Noise upon noise, each twice as fine and half as strong.
pub(super) fn octaves(x: f32, y: f32, (seed, count): (u32, u32)) -> f32 {
    let (mut x, mut y, mut weight) = (x, y, 0.5);
    let (mut sum, mut weights) = (0.0, 0.0);
    for octave in 0..count {
        sum += weight * noise(x, y, seed + octave);
        weights += weight;
        (x, y, weight) = (x * 2.03 + 7.1, y * 2.03 + 3.7, weight / 2.0);
    }
    sum / weights
}

/// From 0 at `from` to 1 at `to`, without corners.
pub(super) fn ramp(from: f32, to: f32, at: f32) -> f32 {
    smooth(((at - from) / (to - from)).clamp(0.0, 1.0))
}

pub(super) fn mix(one: Colour, other: Colour, share: f32) -> Colour {
    let share = share.clamp(0.0, 1.0);
    [0, 1, 2].map(|part| one[part] + (other[part] - one[part]) * share)
}

/// Light of a colour, so much of it, added.
pub(super) fn lit(colour: Colour, light: Colour, strength: f32) -> Colour {
    [0, 1, 2].map(|part| colour[part] + light[part] * strength)
}

pub(super) fn distance((x, y): (f32, f32), (to_x, to_y): (f32, f32)) -> f32 {
    let (across, down) = (x - to_x, y - to_y);
    (across * across + down * down).sqrt()
}

fn smooth(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}
