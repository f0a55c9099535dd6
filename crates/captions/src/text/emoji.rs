//! Colour emoji, painted from the font's vectors (OpenType COLR version 1).

use harfrust::GlyphId;
use read_fonts::model::Font;
use read_fonts::model::glyph::color::{Brush, Color, CompositeMode, PaintSink};
use read_fonts::types::{BoundingBox, Matrix};

use super::fonts::Face;
use super::outlines::outline;
use super::raster::Mask;
use super::shade::{Pixel, Shade, over, soft_light};

/// An emoji in pixels: premultiplied RGBA, rows from the top, around the glyph's origin.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sprite {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rgba: Vec<u8>,
}

/// Paints a glyph of the emoji font for text of `size` pixels; empty when the font has no colours for it.
pub(super) fn paint(id: u32, size: f32) -> Sprite {
    let font = Face::Emoji.font();
    let Some(glyph) = font.color_glyphs().get(GlyphId::new(id)) else {
        return Sprite::default();
    };
    let scale = Face::Emoji.unit() * size;
    let canvas = glyph
        .clip_box()
        .map(|clip| Canvas::around(clip, scale))
        .unwrap_or_default();
    let mut painter = Painter::new(font, canvas, scale);
    if glyph.paint(&mut painter).is_err() {
        return Sprite::default();
    }
    painter.finish()
}

/// Where a sprite lies around the glyph's origin.
#[derive(Debug, Clone, Copy, Default)]
struct Canvas {
    left: i32,
    top: i32,
    width: usize,
    height: usize,
}

impl Canvas {
    fn around(clip: BoundingBox<f32>, scale: f32) -> Self {
        let (left, top) = ((clip.x_min * scale).floor(), (-clip.y_max * scale).floor());
        let (right, bottom) = ((clip.x_max * scale).ceil(), (-clip.y_min * scale).ceil());
        let side = |length: f32| (length as usize).min(512);
        Self {
            left: left as i32,
            top: top as i32,
            width: side(right - left),
            height: side(bottom - top),
        }
    }
}

struct Painter {
    colors: Vec<Pixel>,
    canvas: Canvas,
    transforms: Vec<Matrix<f32>>,
    /// What each clip leaves free, all clips before it included; `None` is everything.
    clips: Vec<Option<Mask>>,
    layers: Vec<Vec<Pixel>>,
}

impl Painter {
    fn new(font: &'static Font, canvas: Canvas, scale: f32) -> Self {
        let palette = font.palettes().get(0);
        let colors = palette
            .map(|palette| palette.colors().iter().map(straight).collect())
            .unwrap_or_default();
        let base = Matrix {
            xx: scale,
            yx: 0.0,
            xy: 0.0,
            yy: -scale,
            dx: 0.0,
            dy: 0.0,
        };
        let mut painter = Self {
            colors,
            canvas,
            transforms: vec![base],
            clips: Vec::new(),
            layers: Vec::new(),
        };
        painter.add_layer();
        painter
    }

    fn add_layer(&mut self) {
        self.layers
            .push(vec![[0.0; 4]; self.canvas.width * self.canvas.height]);
    }

    fn transform(&self) -> Matrix<f32> {
        self.transforms.last().copied().unwrap_or(Matrix::IDENTITY)
    }

    /// The glyph's inside, within the clips.
    fn mask(&self, glyph: GlyphId) -> Mask {
        let mut mask = Mask::of(&outline(Face::Emoji, glyph.to_u32(), self.transform()));
        if let Some(Some(clip)) = self.clips.last() {
            let (left, top, width) = (mask.left, mask.top, mask.width.max(1));
            for (index, cover) in mask.cover.iter_mut().enumerate() {
                let around = clip.at(left + (index % width) as i32, top + (index / width) as i32);
                *cover = (u16::from(*cover) * u16::from(around) / 255) as u8;
            }
        }
        mask
    }

    fn pour(&mut self, mask: &Mask, brush: &Brush<'_>, transform: Matrix<f32>) {
        let Some(shade) = Shade::of(brush, transform, &self.colors) else {
            return;
        };
        let (canvas, Some(layer)) = (self.canvas, self.layers.last_mut()) else {
            return;
        };
        for (row, cover) in (mask.top..).zip(mask.rows()) {
            let Some(y) = usize::try_from(row - canvas.top)
                .ok()
                .filter(|y| *y < canvas.height)
            else {
                continue;
            };
            for (column, cover) in (mask.left..).zip(cover) {
                let Ok(x) = usize::try_from(column - canvas.left) else {
                    continue;
                };
                if *cover != 0 && x < canvas.width {
                    let pixel = shade.at(column as f32 + 0.5, row as f32 + 0.5);
                    let below = &mut layer[y * canvas.width + x];
                    *below = over(pixel.map(|part| part * f32::from(*cover) / 255.0), *below);
                }
            }
        }
    }

    fn everything(&self) -> Mask {
        let Canvas {
            left,
            top,
            width,
            height,
        } = self.canvas;
        Mask {
            left,
            top,
            width,
            height,
            cover: vec![255; width * height],
        }
    }

    fn finish(mut self) -> Sprite {
        let Canvas {
            left,
            top,
            width,
            height,
        } = self.canvas;
        let layer = self.layers.drain(..).next().unwrap_or_default();
        let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let bytes = |pixel: &Pixel| pixel.map(|part| byte(part.min(pixel[3])));
        let rgba = layer.iter().flat_map(bytes).collect();
        Sprite {
            left,
            top,
            width,
            height,
            rgba,
        }
    }
}

impl PaintSink for Painter {
    fn push_transform(&mut self, transform: Matrix<f32>) {
        self.transforms.push(self.transform() * transform);
    }

    fn pop_transform(&mut self) {
        self.transforms.pop();
    }

    fn push_clip_glyph(&mut self, glyph: GlyphId) {
        let mask = self.mask(glyph);
        self.clips.push(Some(mask));
    }

    /// The canvas is the clip box already.
    fn push_clip_box(&mut self, _: BoundingBox<f32>) {
        self.clips.push(self.clips.last().cloned().flatten());
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn fill(&mut self, brush: Brush<'_>) {
        let mask = self
            .clips
            .last()
            .cloned()
            .flatten()
            .unwrap_or_else(|| self.everything());
        self.pour(&mask, &brush, self.transform());
    }

    fn fill_glyph(&mut self, glyph: GlyphId, brush_transform: Option<Matrix<f32>>, brush: Brush<'_>) {
        let mask = self.mask(glyph);
        let transform = brush_transform.map_or(self.transform(), |own| self.transform() * own);
        self.pour(&mask, &brush, transform);
    }

    fn push_layer(&mut self, _: CompositeMode) {
        self.add_layer();
    }

    /// The font uses these three modes; any other is laid over.
    fn pop_layer_with_mode(&mut self, mode: CompositeMode) {
        let Some(above) = self.layers.pop() else { return };
        let Some(below) = self.layers.last_mut() else {
            return;
        };
        for (above, below) in above.iter().zip(below) {
            *below = match mode {
                CompositeMode::SrcIn => above.map(|part| part * below[3]),
                CompositeMode::SoftLight => soft_light(*above, *below),
                _ => over(*above, *below),
            };
        }
    }
}

fn straight(color: &Color) -> Pixel {
    [color.red(), color.green(), color.blue(), color.alpha()].map(|part| f32::from(part) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::super::fonts::Face;
    use super::paint;

    #[test]
    fn a_red_heart_is_red_and_fills_its_em() {
        let id = Face::Emoji.font().charmap().map_unicode('❤').unwrap().to_u32();
        let heart = paint(id, 100.0);
        let middle = (heart.height / 2 * heart.width + heart.width / 2) * 4;
        let [red, green, blue, alpha] = heart.rgba[middle..middle + 4] else {
            panic!("no pixel")
        };
        assert!(
            red > 180 && green < 100 && blue < 100 && alpha == 255,
            "{red} {green} {blue} {alpha}"
        );
        assert!((80..=130).contains(&heart.width) && (80..=130).contains(&heart.height));
    }
}
