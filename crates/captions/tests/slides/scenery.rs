//! Landscapes and lights, drawn from formulas: what the captions of the page about slides lie on.
//!
//! A scene is painted from far to near: sky, sun, clouds and northern lights, then one ridge before the other, and water
//! that mirrors them all. Lengths are parts of the picture's width, `y` downwards.

mod lights;
mod noise;
pub(crate) mod scenes;

pub(crate) use lights::Lights;
use noise::{Colour, chance, distance, lit, mix, noise, octaves, ramp};

/// Where the sky's lowest colour is reached.
const HORIZON: f32 = 1.15;
/// Points of a ridge's line for each width of the picture, and how far it goes on beside it.
const POINTS: f32 = 2880.0;
const BESIDE: f32 = 0.1;

/// What a landscape consists of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene {
    seed: u32,
    /// From the zenith to the horizon.
    sky: [Colour; 3],
    sun: Option<Sun>,
    /// How much of the sky, and the colour.
    clouds: Option<(f32, Colour)>,
    is_polar_night: bool,
    /// From far to near.
    ridges: &'static [Ridge],
    /// The first ridge with trees on it, and how wide they are.
    trees: Option<(usize, f32)>,
    mist: f32,
    /// Where water begins, and its own colour.
    water: Option<(f32, Colour)>,
}

#[derive(Debug, Clone, Copy)]
struct Sun {
    at: (f32, f32),
    radius: f32,
    colour: Colour,
    glow: f32,
}

#[derive(Debug, Clone, Copy)]
struct Ridge {
    base: f32,
    height: f32,
    /// Hills for each width of the picture.
    hills: f32,
    crest: Colour,
    foot: Colour,
}

/// A scene with the lines of its ridges.
struct Painter<'a> {
    scene: &'a Scene,
    lines: Vec<Vec<f32>>,
}

impl Scene {
    /// Red, green and blue of `width × height` pixels, the first row so far below the scene's upper edge.
    pub(crate) fn paint(&self, (width, height): (usize, usize), top: f32) -> Vec<u8> {
        let lines = self
            .ridges
            .iter()
            .enumerate()
            .map(|(number, ridge)| self.line(number, ridge));
        let painter = Painter {
            scene: self,
            lines: lines.collect(),
        };
        let scale = width as f32;
        pixels((width, height), self.seed, |x, y| {
            painter.at((x as f32 + 0.5) / scale, (y as f32 + 0.5) / scale + top)
        })
    }

    /// The height of a ridge at each point.
    fn line(&self, number: usize, ridge: &Ridge) -> Vec<f32> {
        let shift = number as f32;
        let seed = self.seed + 70 + number as u32;
        let height = |point: usize| {
            let x = point as f32 / POINTS - BESIDE;
            let hill = octaves(x * ridge.hills + shift * 13.7 + 64.0, shift * 5.1, (seed, 6)) - 0.5;
            ridge.base - ridge.height * 2.0 * hill - self.trees(x, number)
        };
        (0..((1.0 + 2.0 * BESIDE) * POINTS) as usize)
            .map(height)
            .collect()
    }

    /// How high the trees of a ridge stand there: three rows of firs.
    fn trees(&self, x: f32, number: usize) -> f32 {
        let Some((first, width)) = self.trees.filter(|(first, _)| number >= *first) else {
            return 0.0;
        };
        let width = width * (1.0 + (number - first) as f32 * 0.8);
        let seed = self.seed + 90 + number as u32;
        let tree = |row: i32| {
            let at = x / width + row as f32 * 0.37 + number as f32 * 0.61;
            let chance = chance(at.floor() as i32 + 99, row, seed);
            let from_trunk = (at - at.floor() - 0.5).abs();
            (1.0 - from_trunk * (2.6 + 0.8 * chance)).max(0.0) * (0.6 + chance * 1.5) * width * 2.2
        };
        (0..3).map(tree).fold(0.0, f32::max)
    }
}

impl Painter<'_> {
    fn at(&self, x: f32, y: f32) -> Colour {
        match self.scene.water {
            Some((surface, tint)) if y > surface => self.water((x, y - surface), surface, tint),
            _ => self.land(x, y),
        }
    }

    /// What is mirrored, on waves that get longer towards the viewer.
    fn water(&self, (x, depth): (f32, f32), surface: f32, tint: Colour) -> Colour {
        let (seed, far) = (self.scene.seed + 170, (depth + 0.002).sqrt());
        let swell = noise(x * 5.0 / (0.08 + depth) + 640.0, far * 120.0, seed) - 0.5;
        let ripple = noise(x * 14.0 / (0.1 + depth) + 640.0, far * 270.0, seed + 1) - 0.5;
        let mirrored = surface - depth + swell * 0.03 * (0.3 + depth * 3.0) + ripple * 0.012;
        let shown = self.land(x + ripple * 0.01, mirrored.clamp(0.0, surface));
        let shown = mix(shown.map(|part| part * 0.82), tint, 0.12 + depth * 0.55);
        lit(
            shown,
            [1.0; 3],
            26.0 * ramp(0.2, 0.4, ripple) * (1.0 - depth).max(0.0),
        )
    }

    fn land(&self, x: f32, y: f32) -> Colour {
        let mut colour = [0.0; 3];
        let mut open = 1.0;
        for (number, ridge) in self.scene.ridges.iter().enumerate().rev() {
            let below = y - self.height(number, x);
            let cover = ramp(-0.0015, 0.0015, below);
            if cover > 0.0 {
                colour = lit(colour, self.ground((x, y), number, ridge, below), cover * open);
                open *= 1.0 - cover;
            }
            if open <= 0.0 {
                return colour;
            }
        }
        lit(colour, self.sky(x, y), open)
    }

    fn height(&self, number: usize, x: f32) -> f32 {
        let line = &self.lines[number];
        let point = ((x + BESIDE) * POINTS).clamp(0.0, line.len() as f32 - 2.0);
        let (index, share) = (point as usize, point - point.floor());
        line[index] + (line[index + 1] - line[index]) * share
    }

    fn ground(&self, (x, y): (f32, f32), number: usize, ridge: &Ridge, below: f32) -> Colour {
        let (shift, seed) = (number as f32, self.scene.seed + 130);
        let colour = mix(ridge.crest, ridge.foot, below / 0.42);
        let grass = octaves(x * 26.0 + shift * 3.0, y * 34.0, (seed, 3)) - 0.5;
        let colour = lit(colour, [16.0; 3], grass);
        let mist = octaves(x * 2.2 + shift, y * 5.0, (seed + 20, 4));
        mix(colour, ridge.foot, ramp(0.3, 0.8, mist) * self.scene.mist)
    }

    fn sky(&self, x: f32, y: f32) -> Colour {
        let scene = self.scene;
        let down = (y / HORIZON).clamp(0.0, 1.0) * 1.8;
        let mut colour = mix(mix(scene.sky[0], scene.sky[1], down), scene.sky[2], down - 0.8);
        if scene.is_polar_night {
            colour = self.northern_lights((x, y), mix(colour, [240.0, 244.0, 255.0], self.star(x, y)));
        }
        if let Some(sun) = scene.sun {
            let far = distance((x, y), sun.at);
            let glow = 1.0 / (1.0 + far / sun.glow * (far / sun.glow));
            colour = mix(colour, sun.colour, glow * 0.75);
            colour = mix(
                colour,
                [255.0, 250.0, 236.0],
                ramp(sun.radius + 0.003, sun.radius - 0.003, far),
            );
        }
        if let Some((amount, cloud)) = scene.clouds {
            let density = octaves(x * 2.0, y * 5.2, (scene.seed + 11, 5));
            let share = ramp(1.0 - amount, 1.35 - amount, density) * ramp(0.0, 0.35, HORIZON - y + 0.15);
            colour = mix(colour, cloud, share * 0.8);
        }
        colour
    }

    fn star(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x * 90.0 + 90.0, y * 90.0);
        let brightness = chance(x as i32, y as i32, self.scene.seed + 50);
        if brightness < 0.965 {
            return 0.0;
        }
        let far = distance((x - x.floor(), y - y.floor()), (0.5, 0.5));
        (1.0 - far * far * 54.0 * (1.2 - brightness)).clamp(0.0, 1.0) * (1.1 - y / 100.0).clamp(0.0, 1.0)
    }

    /// Two curtains of rays that end in a bright, waving hem.
    fn northern_lights(&self, (x, y): (f32, f32), sky: Colour) -> Colour {
        let seed = self.scene.seed + 31;
        let along = x + 0.25 * (octaves(x * 1.5, y * 1.2, (seed, 3)) - 0.5) + 0.12 * y + 8.0;
        let rays = 0.35 + 1.76 * (octaves(along * 9.0, y * 0.6, (seed + 2, 4)) - 0.3).clamp(0.0, 1.0);
        let curtains = [(0.78, [70.0, 255.0, 170.0]), (0.55, [120.0, 120.0, 255.0])];
        curtains
            .into_iter()
            .zip(0..)
            .fold(sky, |sky, ((hem, colour), number)| {
                let above =
                    hem + 0.28 * (noise(along * 2.4, number as f32 * 9.0, seed + 4 + number) - 0.5) - y;
                if above <= 0.0 {
                    return sky;
                }
                let glow = ramp(0.0, 0.05, above) / (1.0 + 25.0 * above * above);
                lit(sky, colour, (glow * rays).min(1.0) * 0.62)
            })
    }
}

/// A picture of what is seen at each pixel, darker towards the corners and with the grain of a camera.
fn pixels((width, height): (usize, usize), seed: u32, at: impl Fn(usize, usize) -> Colour) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let across = x as f32 / width as f32 - 0.5;
            let down = y as f32 / height as f32 - 0.5;
            let light = 1.04 - 0.28 * (across * across + 3.0 * down * down);
            let grain = (chance(x as i32, y as i32, seed) - 0.5) * 6.0;
            rgb.extend(at(x, y).map(|part| (part * light + grain).clamp(0.0, 255.0) as u8));
        }
    }
    rgb
}
