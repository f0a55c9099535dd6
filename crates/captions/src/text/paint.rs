//! A set caption as pixels.

use super::boxes;
use super::emoji::Sprite;
use super::fonts::Face;
use super::glyphs::{Glyphs, Key, Part};
use super::raster::Mask;
use super::typeset::{Placed, Typeset};
use crate::look::Style;
use crate::patch::Patch;
use crate::{HEIGHT, WIDTH};

/// How far a shadow is below its letter, in ems.
const SHADOW_DROP: f32 = 0.025;

/// The provider's own black.
const INK: [u8; 3] = [0x16, 0x18, 0x23];
const BLACK: [u8; 3] = [0, 0, 0];
const WHITE: [u8; 3] = [255, 255, 255];

/// Sides of a patch are multiples of this, or the canvas's edge.
const BLOCK: i32 = 16;

impl Typeset {
    /// Paints the caption into the patch, which is made as large as it has to be.
    pub(super) fn paint(&self, glyphs: &Glyphs, patch: &mut Patch) {
        let layers = self.layers(glyphs);
        clear(patch, &layers);
        for layer in &layers {
            match layer {
                Layer::Mask {
                    mask,
                    colour,
                    opacity,
                    x,
                    y,
                } => ink(patch, mask, *colour, *opacity, (*x, *y)),
                Layer::Sprite { sprite, x, y } => stamp(patch, sprite, (*x, *y)),
            }
        }
    }

    /// What is painted, from the bottom up.
    fn layers(&self, glyphs: &Glyphs) -> Vec<Layer> {
        let letters = || self.glyphs.iter().filter(|glyph| glyph.face != Face::Emoji);
        let part = |part, colour, opacity, drop: i32| {
            letters().map(move |glyph| {
                let (key, x, y) = self.key(glyph, part);
                Layer::Mask {
                    mask: glyphs.mask(key),
                    colour,
                    opacity,
                    x,
                    y: y + drop,
                }
            })
        };
        let mut layers = Vec::with_capacity(2 * self.glyphs.len() + 1);
        let mut colour = WHITE;
        match self.style {
            Style::Outline => layers.extend(part(Part::Rim, BLACK, 255, 0)),
            Style::Plain => {
                let drop = SHADOW_DROP * f32::from(self.size);
                layers.extend(part(Part::Shadow, BLACK, 150, drop as i32));
            }
            Style::Box => {
                colour = INK;
                let mask = Mask::of(&boxes::outline(&self.bars, self.box_height)).into();
                layers.push(Layer::Mask {
                    mask,
                    colour: WHITE,
                    opacity: 255,
                    x: 0,
                    y: 0,
                });
            }
        }
        layers.extend(part(Part::Fill, colour, 255, 0));
        layers.extend(
            self.glyphs
                .iter()
                .filter(|glyph| glyph.face == Face::Emoji)
                .map(|glyph| {
                    let (key, x, y) = self.key(glyph, Part::Fill);
                    Layer::Sprite {
                        sprite: glyphs.sprite(key),
                        x,
                        y,
                    }
                }),
        );
        layers
    }

    /// What to paint for a glyph, and where its origin is: emoji on whole pixels, letters on quarters.
    fn key(&self, glyph: &Placed, part: Part) -> (Key, i32, i32) {
        let steps = if glyph.face == Face::Emoji { 1 } else { 4 };
        let across = (glyph.x * steps as f32 + 0.5) as i32;
        let quarter = (across % steps) as u8;
        let key = Key {
            face: glyph.face,
            id: glyph.id,
            size: self.size,
            quarter,
            part,
        };
        (key, across / steps, (glyph.y + 0.5) as i32)
    }
}

enum Layer {
    Mask {
        mask: std::sync::Arc<Mask>,
        colour: [u8; 3],
        opacity: u8,
        x: i32,
        y: i32,
    },
    Sprite {
        sprite: std::sync::Arc<Sprite>,
        x: i32,
        y: i32,
    },
}

impl Layer {
    /// Left, top, right and bottom on the slide.
    fn bounds(&self) -> [i32; 4] {
        let (left, top, width, height) = match self {
            Self::Mask { mask, x, y, .. } => (x + mask.left, y + mask.top, mask.width, mask.height),
            Self::Sprite { sprite, x, y } => (x + sprite.left, y + sprite.top, sprite.width, sprite.height),
        };
        [left, top, left + width as i32, top + height as i32]
    }

    fn is_empty(&self) -> bool {
        let [left, top, right, bottom] = self.bounds();
        left == right || top == bottom
    }
}

/// Makes the patch a clear sheet just large enough for all layers.
fn clear(patch: &mut Patch, layers: &[Layer]) {
    let join = |[a, b, c, d]: [i32; 4], [e, f, g, h]: [i32; 4]| [a.min(e), b.min(f), c.max(g), d.max(h)];
    let drawn = layers.iter().filter(|layer| !layer.is_empty()).map(Layer::bounds);
    let [left, top, right, bottom] = drawn.reduce(join).unwrap_or_default();
    let low = |edge: i32| (edge.max(0) / BLOCK * BLOCK) as u32;
    let high = |edge: i32, most: u32| ((edge.max(0) + BLOCK - 1) / BLOCK * BLOCK).min(most as i32) as u32;
    (patch.left, patch.top) = (low(left), low(top));
    patch.width = high(right, WIDTH).saturating_sub(patch.left);
    patch.height = high(bottom, HEIGHT).saturating_sub(patch.top);
    patch.rgba.clear();
    patch
        .rgba
        .resize(patch.width as usize * patch.height as usize * 4, 0);
}

/// The part of a row that lies on the patch: its bytes there, and the first and last of its pixels.
fn row(patch: &mut Patch, (x, y): (i32, i32), width: usize) -> Option<(&mut [u8], usize)> {
    let line = usize::try_from(y - patch.top as i32)
        .ok()
        .filter(|line| *line < patch.height as usize)?;
    let column = x - patch.left as i32;
    let skipped = usize::try_from(-column).unwrap_or(0);
    let from = usize::try_from(column).unwrap_or(0);
    let count = width
        .saturating_sub(skipped)
        .min((patch.width as usize).saturating_sub(from));
    let begin = (line * patch.width as usize + from) * 4;
    patch
        .rgba
        .get_mut(begin..begin + count * 4)
        .map(|bytes| (bytes, skipped))
}

/// Lays one colour over the patch wherever the mask covers.
fn ink(patch: &mut Patch, mask: &Mask, colour: [u8; 3], opacity: u8, (x, y): (i32, i32)) {
    let solid = [colour[0], colour[1], colour[2], 255];
    for (line, cover) in (y + mask.top..).zip(mask.rows()) {
        let Some((bytes, skipped)) = row(patch, (x + mask.left, line), mask.width) else {
            continue;
        };
        for (pixel, cover) in bytes.chunks_exact_mut(4).zip(&cover[skipped..]) {
            let alpha = share(u32::from(*cover), u32::from(opacity));
            if alpha == 255 {
                pixel.copy_from_slice(&solid);
            } else if alpha != 0 {
                for (below, part) in pixel.iter_mut().zip(solid) {
                    *below = (share(u32::from(part), alpha) + share(u32::from(*below), 255 - alpha)) as u8;
                }
            }
        }
    }
}

/// Lays a sprite over the patch.
fn stamp(patch: &mut Patch, sprite: &Sprite, (x, y): (i32, i32)) {
    for (line, colours) in (y + sprite.top..).zip(sprite.rgba.chunks_exact(sprite.width.max(1) * 4)) {
        let Some((bytes, skipped)) = row(patch, (x + sprite.left, line), sprite.width) else {
            continue;
        };
        for (pixel, above) in bytes
            .chunks_exact_mut(4)
            .zip(colours[skipped * 4..].chunks_exact(4))
        {
            let clear = 255 - u32::from(above[3]);
            for (below, above) in pixel.iter_mut().zip(above) {
                *below = (u32::from(*above) + share(u32::from(*below), clear)).min(255) as u8;
            }
        }
    }
}

/// `value × part / 255`, rounded.
fn share(value: u32, part: u32) -> u32 {
    ((value * part + 128) * 257) >> 16
}
