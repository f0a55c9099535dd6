//! Pictures that compress like photos: gradients, soft clouds, hard shapes and grain, the same for the same seed.

/// Red, green and blue of `width × height` pixels.
pub(crate) fn photo((width, height): (usize, usize), seed: u32) -> Vec<u8> {
    let shapes: Vec<Shape> = (0..24)
        .map(|number| Shape::new(seed.wrapping_mul(31) + number))
        .collect();
    let mut rgb = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let across = x as f32 / width as f32;
            let down = y as f32 / height as f32;
            let cloud = [96, 24, 6].map(|cell| cloud((x, y), cell, seed));
            let light = cloud[0] * 50.0 + cloud[1] * 26.0 + cloud[2] * 16.0 - 46.0;
            let mut colour = [
                60.0 + 120.0 * across,
                90.0 + 70.0 * down,
                180.0 - 110.0 * down * across,
            ];
            for shape in shapes.iter().filter(|shape| shape.covers(across, down)) {
                colour = shape.colour;
            }
            let grain = (hash(x as u32, y as u32, seed) % 13) as f32 - 6.0;
            rgb.extend(colour.map(|channel| (channel + light + grain).clamp(0.0, 255.0) as u8));
        }
    }
    rgb
}

struct Shape {
    at: [f32; 2],
    radii: [f32; 2],
    is_round: bool,
    colour: [f32; 3],
}

impl Shape {
    fn new(seed: u32) -> Self {
        let part = |number: u32| (hash(seed, number, 7) % 1000) as f32 / 1000.0;
        Self {
            at: [part(0), part(1)],
            radii: [0.02 + part(2) * 0.14, 0.02 + part(3) * 0.08],
            is_round: part(4) < 0.5,
            colour: [part(5), part(6), part(7)].map(|part| part * 255.0),
        }
    }

    fn covers(&self, x: f32, y: f32) -> bool {
        let across = (x - self.at[0]) / self.radii[0];
        let down = (y - self.at[1]) / self.radii[1];
        if self.is_round {
            across * across + down * down < 1.0
        } else {
            across.abs() < 1.0 && down.abs() < 1.0
        }
    }
}

/// Between 0 and 1, smooth over cells of so many pixels.
fn cloud((x, y): (usize, usize), cell: usize, seed: u32) -> f32 {
    let corner = |x: usize, y: usize| (hash(x as u32, y as u32, seed ^ cell as u32) % 256) as f32 / 255.0;
    let (column, row) = (x / cell, y / cell);
    let (across, down) = ((x % cell) as f32 / cell as f32, (y % cell) as f32 / cell as f32);
    let upper = corner(column, row) * (1.0 - across) + corner(column + 1, row) * across;
    let lower = corner(column, row + 1) * (1.0 - across) + corner(column + 1, row + 1) * across;
    upper * (1.0 - down) + lower * down
}

/// A number for a place, the same for the same seed.
pub(crate) fn hash(x: u32, y: u32, seed: u32) -> u32 {
    let mut mixed =
        x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
    mixed = (mixed ^ mixed >> 12).wrapping_mul(0x297A_2D39);
    mixed ^ mixed >> 15
}
