//! Pictures with the detail of photos: a sky with soft clouds, hills one before the other with sharp ridges and texture, and the
//! grain of a sensor. The same seed gives the same picture.

/// Lattices of the light, in cells across the picture, with how much each adds.
const LIGHT: [(f32, f32); 3] = [(3.0, 46.0), (9.0, 22.0), (31.0, 10.0)];
/// Lattices of the texture of hills, in pixels of a cell, with how much each adds.
const TEXTURE: [(f32, f32); 4] = [(37.0, 26.0), (14.0, 28.0), (6.0, 32.0), (2.5, 40.0)];
/// Hills, one before the other.
const HILLS: usize = 4;

/// Red, green and blue of `width × height` pixels.
pub(crate) fn photo((width, height): (usize, usize), seed: u32) -> Vec<u8> {
    let hills: Vec<Hill> = (0..HILLS)
        .map(|number| Hill::new(number, (width, height), seed))
        .collect();
    let sky = colour(seed, 90).map(|channel| 120.0 + channel * 0.5);
    let mut rgb = Vec::with_capacity(width * height * 3);
    let (mut light, mut texture) = (vec![0.0; width], vec![0.0; width]);
    for y in 0..height {
        let down = y as f32 / height as f32;
        light.fill(-39.0 - 30.0 * down);
        texture.fill(-63.0);
        for (number, (cells, weight)) in LIGHT.iter().enumerate() {
            let noise = Noise {
                cell: width as f32 / cells,
                seed: seed + number as u32,
                weight: *weight,
            };
            noise.add_to(&mut light, y);
        }
        for (number, (cell, weight)) in TEXTURE.iter().enumerate() {
            let noise = Noise {
                cell: *cell,
                seed: seed + 50 + number as u32,
                weight: *weight,
            };
            noise.add_to(&mut texture, y);
        }
        for x in 0..width {
            let nearest = hills.iter().rfind(|hill| hill.ridge[x] <= y as f32);
            let (base, roughness) = nearest.map_or((sky, 0.09), |hill| (hill.colour, hill.roughness));
            let shade = light[x] + texture[x] * roughness + grain(x, y, seed);
            rgb.extend(base.map(|channel| (channel + shade).clamp(0.0, 255.0) as u8));
        }
    }
    rgb
}

struct Hill {
    /// The upper edge in each column.
    ridge: Vec<f32>,
    colour: [f32; 3],
    roughness: f32,
}

impl Hill {
    /// The nearest has the highest number.
    fn new(number: usize, (width, height): (usize, usize), seed: u32) -> Self {
        // Some photos have more of it than others.
        let detail = 1.35 + 0.35 * (seed % 7) as f32;
        let seed = seed.wrapping_mul(31).wrapping_add(number as u32);
        let top = 0.22 + 0.18 * number as f32 + 0.08 * part(seed, 1);
        let mut ridge = vec![top * height as f32; width];
        let rises = [(2.0, 0.10), (7.0, 0.04), (40.0, 0.012), (240.0, 0.006)];
        for (cells, weight) in rises {
            let noise = Noise {
                cell: width as f32 / cells,
                seed: seed ^ cells as u32,
                weight: weight * height as f32,
            };
            noise.add_to(&mut ridge, 0);
        }
        Self {
            ridge,
            colour: colour(seed, 2).map(|channel| 30.0 + channel * 0.7),
            roughness: (0.35 + 0.25 * number as f32) * (0.6 + part(seed, 5)) * detail,
        }
    }
}

/// Noise between 0 and `weight`, smooth over cells of `cell` pixels.
struct Noise {
    cell: f32,
    seed: u32,
    weight: f32,
}

impl Noise {
    /// Adds it to row `y`.
    fn add_to(&self, row: &mut [f32], y: usize) {
        let down = y as f32 / self.cell;
        let (above, share) = (down as u32, down.fract());
        let knot = |column: u32| {
            let seed = self.seed ^ column.wrapping_mul(0x9E37_79B1);
            let (upper, lower) = (part(seed, above), part(seed, above + 1));
            (upper + (lower - upper) * share) * self.weight
        };
        let (mut column, mut left, mut right) = (0, knot(0), knot(1));
        for (x, value) in row.iter_mut().enumerate() {
            let across = x as f32 / self.cell;
            if across as u32 != column {
                column = across as u32;
                (left, right) = (knot(column), knot(column + 1));
            }
            *value += left + (right - left) * across.fract();
        }
    }
}

/// What the sensor adds to a pixel: around 0, mostly little.
fn grain(x: usize, y: usize, seed: u32) -> f32 {
    let chance = hash((x as u32).wrapping_mul(0x85EB_CA77) ^ seed, y as u32);
    ((chance & 7) + (chance >> 3 & 7)) as f32 - 7.0
}

fn colour(seed: u32, number: u32) -> [f32; 3] {
    [0, 1, 2].map(|channel| 255.0 * part(seed, number + channel))
}

/// Between 0 and 1.
fn part(seed: u32, number: u32) -> f32 {
    (hash(seed, number) & 0xFFFF) as f32 / 65_535.0
}

fn hash(one: u32, other: u32) -> u32 {
    let mut mixed = one.wrapping_mul(0xC2B2_AE3D) ^ other.wrapping_mul(0x27D4_EB2F);
    mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
    mixed = (mixed ^ mixed >> 12).wrapping_mul(0x297A_2D39);
    mixed ^ mixed >> 15
}
