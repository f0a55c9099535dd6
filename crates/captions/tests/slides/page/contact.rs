//! Pictures side by side, with rounded corners and nothing between them.

/// Pixels between pictures, and the radius of their corners.
const GAP: usize = 12;
const RADIUS: f32 = 14.0;

/// A picture on a sheet.
pub(super) struct Tile {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rgb: Vec<u8>,
}

/// Pictures in rows; those of one row are equally high, or stand in its middle.
pub(super) struct Sheet {
    pub(super) name: &'static str,
    columns: usize,
    tiles: Vec<Tile>,
}

impl Tile {
    /// A picture made smaller, `factor` by `factor` pixels to one.
    pub(super) fn reduced((width, height): (usize, usize), rgb: &[u8], factor: usize) -> Self {
        let (narrow, low) = (width / factor, height / factor);
        let part = |x: usize, y: usize, channel: usize| {
            let rows = (0..factor).map(|row| ((y * factor + row) * width + x * factor) * 3 + channel);
            let sum: usize = rows
                .map(|at| {
                    (0..factor)
                        .map(|column| usize::from(rgb[at + column * 3]))
                        .sum::<usize>()
                })
                .sum();
            ((sum + factor * factor / 2) / (factor * factor)) as u8
        };
        let pixels = (0..low).flat_map(|y| (0..narrow).map(move |x| (x, y)));
        let rgb = pixels
            .flat_map(|(x, y)| [0, 1, 2].map(|channel| part(x, y, channel)))
            .collect();
        Self {
            width: narrow,
            height: low,
            rgb,
        }
    }

    /// Between 0 at the corners and 1 within.
    fn cover(&self, x: usize, y: usize) -> f32 {
        let beyond = |at: usize, side: usize| {
            let from_edge = (at as f32 + 0.5).min(side as f32 - at as f32 - 0.5);
            (RADIUS - from_edge).max(0.0)
        };
        let (across, down) = (beyond(x, self.width), beyond(y, self.height));
        (RADIUS + 0.5 - (across * across + down * down).sqrt()).clamp(0.0, 1.0)
    }
}

impl Sheet {
    pub(super) fn new(name: &'static str, columns: usize, tiles: Vec<Tile>) -> Self {
        Self { name, columns, tiles }
    }

    /// Width, height, and red, green, blue and alpha of each pixel.
    pub(super) fn draw(&self) -> (u32, u32, Vec<u8>) {
        let column = self.tiles.iter().map(|tile| tile.width).max().unwrap_or(0);
        let width = self.columns * (column + GAP) - GAP;
        let rows: Vec<&[Tile]> = self.tiles.chunks(self.columns).collect();
        let tallest = |row: &&[Tile]| row.iter().map(|tile| tile.height).max().unwrap_or(0);
        let height = rows.iter().map(tallest).map(|row| row + GAP).sum::<usize>() - GAP;
        let mut rgba = vec![0; width * height * 4];
        let mut top = 0;
        for row in rows {
            let tall = tallest(&row);
            for (number, tile) in row.iter().enumerate() {
                let left = number * (column + GAP) + (column - tile.width) / 2;
                place(tile, (left, top + (tall - tile.height) / 2), &mut rgba, width);
            }
            top += tall + GAP;
        }
        (width as u32, height as u32, rgba)
    }
}

fn place(tile: &Tile, (left, top): (usize, usize), rgba: &mut [u8], width: usize) {
    for (index, pixel) in tile.rgb.chunks_exact(3).enumerate() {
        let (x, y) = (index % tile.width, index / tile.width);
        let at = ((top + y) * width + left + x) * 4;
        rgba[at..at + 3].copy_from_slice(pixel);
        rgba[at + 3] = (tile.cover(x, y) * 255.0) as u8;
    }
}
