//! Lights out of focus: a street at night, a café in the evening.

use super::noise::{Colour, chance, distance, lit, mix, octaves, ramp};
use super::pixels;

/// Discs of light before a blurred room.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lights {
    pub(super) seed: u32,
    /// From above to below.
    pub(super) room: [Colour; 3],
    pub(super) colours: &'static [Colour],
    pub(super) count: i32,
    /// Where the uppermost and the lowest are.
    pub(super) reach: (f32, f32),
}

struct Disc {
    at: (f32, f32),
    radius: f32,
    strength: f32,
    colour: Colour,
}

impl Lights {
    /// Red, green and blue of `width × height` pixels.
    pub(crate) fn paint(&self, (width, height): (usize, usize)) -> Vec<u8> {
        let discs: Vec<Disc> = (0..self.count).map(|number| self.disc(number)).collect();
        let scale = width as f32;
        pixels((width, height), self.seed, |x, y| {
            let at = ((x as f32 + 0.5) / scale, (y as f32 + 0.5) / scale);
            discs
                .iter()
                .fold(self.room(at), |below, disc| disc.over(below, at))
        })
    }

    fn room(&self, (x, y): (f32, f32)) -> Colour {
        let upper = mix(self.room[0], self.room[1], y / 0.9);
        let blur = octaves(x * 2.3, y * 2.3, (self.seed, 4)) - 0.5;
        lit(mix(upper, self.room[2], y / 0.9 - 0.97), [40.0; 3], blur)
    }

    fn disc(&self, number: i32) -> Disc {
        let chance = |what: i32| chance(number, what, self.seed + 5);
        let (highest, lowest) = self.reach;
        Disc {
            at: (chance(0) * 1.2 - 0.1, highest + chance(1) * (lowest - highest)),
            radius: 0.02 + 0.085 * chance(2) * chance(2),
            strength: chance(3),
            colour: self.colours[(chance(4) * 0.999 * self.colours.len() as f32) as usize],
        }
    }
}

impl Disc {
    /// Brighter at its rim, as lenses draw it, with a little light around it.
    fn over(&self, below: Colour, at: (f32, f32)) -> Colour {
        let far = distance(at, self.at) / self.radius;
        if far > 8.0 {
            return below;
        }
        let near = far.min(1.0);
        let share = ramp(1.06, 0.9, far) * (0.55 + 0.45 * near * near) * (0.18 + 0.6 * self.strength);
        let wide = far * far / 2.56;
        let halo = 0.05 / (1.0 + wide * wide) * self.strength;
        let left = [0, 1, 2].map(|part| below[part] - self.colour[part] * 0.35 * share);
        lit(left, self.colour, share + halo)
    }
}
