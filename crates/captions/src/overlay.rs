//! A caption's pixels as the picture under them is stored: YCbCr with alpha, in tiles of one MCU.

use crate::patch::Patch;
use crate::planes::Planes;
use crate::{HEIGHT, WIDTH};

/// Pixels across and down a tile: one MCU of a 4:2:0 JPEG.
pub(crate) const TILE: usize = 16;
/// Tiles across the canvas; the last is cut by its edge.
pub(crate) const COLUMNS: usize = (WIDTH as usize).div_ceil(TILE);
/// Tiles down the canvas.
pub(crate) const ROWS: usize = (HEIGHT as usize).div_ceil(TILE);

/// What lies over a canvas: only the tiles that show anything.
#[derive(Debug)]
pub(crate) struct Overlay {
    tiles: Vec<Tile>,
    /// For each place on the canvas, row by row, one more than the index of its tile; 0 where there is none.
    places: Vec<u16>,
}

/// Sixteen by sixteen pixels: luma and chroma already multiplied by their alpha.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    pub(crate) luma: [u8; TILE * TILE],
    pub(crate) alpha: [u8; TILE * TILE],
    pub(crate) chroma: [[u8; 64]; 2],
    pub(crate) chroma_alpha: [u8; 64],
}

/// `value`, multiplied by its alpha already, over `under`. Where alpha is 0 and value 0, `under` is unchanged.
#[inline]
pub(crate) fn over(under: u8, value: u8, alpha: u8) -> u8 {
    let product = u16::from(under) * u16::from(255 - alpha) + 128;
    (((product + (product >> 8)) >> 8) as u8).saturating_add(value)
}

impl Overlay {
    /// Nothing at all.
    pub(crate) fn new() -> Self {
        Self {
            tiles: Vec::new(),
            places: vec![0; COLUMNS * ROWS],
        }
    }

    /// Takes a patch instead of what was there. What lies outside the canvas is cut off.
    pub(crate) fn take(&mut self, patch: &Patch) {
        self.tiles.clear();
        self.places.fill(0);
        let end = |start: u32, length: u32, limit: u32| start.saturating_add(length).min(limit) as usize;
        let right = end(patch.left, patch.width, WIDTH);
        let bottom = end(patch.top, patch.height, HEIGHT);
        for row in patch.top as usize / TILE..bottom.div_ceil(TILE) {
            for column in patch.left as usize / TILE..right.div_ceil(TILE) {
                let pixels = cut(patch, (column * TILE, row * TILE));
                if pixels.iter().any(|pixel| pixel[3] != 0) {
                    self.tiles.push(Tile::of(&pixels));
                    let number = u16::try_from(self.tiles.len()).expect("a canvas has 8160 tiles");
                    self.places[row * COLUMNS + column] = number;
                }
            }
        }
    }

    /// The tiles that show anything, and the number of the place of each, in their order.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = (usize, &Tile)> {
        let tile = |number: &u16| self.tiles.get(usize::from(*number).checked_sub(1)?);
        let places = self.places.iter().enumerate();
        places.filter_map(move |(place, number)| Some((place, tile(number)?)))
    }

    /// Lays this over a canvas of 4:2:0.
    pub(crate) fn lay_over(&self, canvas: &mut Planes) {
        let [luma, cb, cr] = canvas.parts_mut();
        for (place, tile) in self.tiles() {
            let (column, row) = (place % COLUMNS, place / COLUMNS);
            let at = row * TILE * luma.width + column * TILE;
            blend::<TILE>(
                &mut luma.samples[at..],
                luma.width,
                (&tile.luma, &tile.alpha),
                luma.width - column * TILE,
            );
            for (plane, values) in [&mut *cb.samples, &mut *cr.samples].into_iter().zip(&tile.chroma) {
                let at = row * 8 * cb.width + column * 8;
                blend::<8>(
                    &mut plane[at..],
                    cb.width,
                    (values, &tile.chroma_alpha),
                    cb.width - column * 8,
                );
            }
        }
    }
}

/// Blends `SIDE` rows of values onto samples `pitch` apart, of which `room` are left to the edge.
fn blend<const SIDE: usize>(samples: &mut [u8], pitch: usize, (values, alphas): (&[u8], &[u8]), room: usize) {
    let rows = values.chunks_exact(SIDE).zip(alphas.chunks_exact(SIDE));
    for (under, (values, alphas)) in samples.chunks_mut(pitch).zip(rows) {
        let under = &mut under[..SIDE.min(room)];
        for ((under, value), alpha) in under.iter_mut().zip(values).zip(alphas) {
            *under = over(*under, *value, *alpha);
        }
    }
}

/// The pixels of the patch within the tile whose first is `(x, y)` of the canvas; clear where there are none.
fn cut(patch: &Patch, (x, y): (usize, usize)) -> [[u8; 4]; TILE * TILE] {
    let mut pixels = [[0; 4]; TILE * TILE];
    let (left, top) = (patch.left as usize, patch.top as usize);
    let (width, height) = (patch.width as usize, patch.height as usize);
    let columns = x.max(left)..(x + TILE).min(left + width).min(WIDTH as usize);
    for row in y.max(top)..(y + TILE).min(top + height).min(HEIGHT as usize) {
        let from = ((row - top) * width + columns.start - left) * 4;
        let Some(source) = patch.rgba.get(from..from + columns.len() * 4) else {
            break;
        };
        let to = (row - y) * TILE + columns.start - x;
        pixels[to..][..columns.len()].copy_from_slice(source.as_chunks().0);
    }
    pixels
}

impl Tile {
    fn of(pixels: &[[u8; 4]; TILE * TILE]) -> Self {
        let mut tile = Self {
            luma: [0; TILE * TILE],
            alpha: [0; TILE * TILE],
            chroma: [[0; 64]; 2],
            chroma_alpha: [0; 64],
        };
        for ((luma, alpha), pixel) in tile.luma.iter_mut().zip(&mut tile.alpha).zip(pixels) {
            let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
            *luma = ((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16) as u8;
            *alpha = pixel[3];
        }
        for at in 0..64 {
            let first = at / 8 * 2 * TILE + at % 8 * 2;
            let four = [first, first + 1, first + TILE, first + TILE + 1].map(|at| pixels[at]);
            let sum = |channel: usize| four.iter().map(|pixel| i32::from(pixel[channel])).sum::<i32>();
            let [red, green, blue, alpha] = [0, 1, 2, 3].map(sum);
            // Chroma stands around 128, which is multiplied by alpha like the colour: 128 / 255 of 65536 is 32896.
            let cb = -11059 * red - 21709 * green + 32768 * blue + 32896 * alpha;
            let cr = 32768 * red - 27439 * green - 5329 * blue + 32896 * alpha;
            tile.chroma[0][at] = ((cb + (1 << 17)) >> 18).clamp(0, 255) as u8;
            tile.chroma[1][at] = ((cr + (1 << 17)) >> 18).clamp(0, 255) as u8;
            tile.chroma_alpha[at] = ((alpha + 2) / 4) as u8;
        }
        tile
    }
}
