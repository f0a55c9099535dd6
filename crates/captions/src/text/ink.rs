//! Glyphs, and where they paint, in ems.

use harfrust::{GlyphId, ShaperFont};

use super::fonts::Face;

/// One glyph of a cluster, in ems, `y` upwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) id: u32,
    /// From the cluster's origin.
    pub(super) x: f32,
    pub(super) y: f32,
}

/// What is painted of a cluster, in ems from its origin, `top` and `bottom` upwards from the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ink {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) top: f32,
    pub(super) bottom: f32,
}

impl Ink {
    pub(super) const NONE: Self = Self {
        left: f32::MAX,
        right: f32::MIN,
        top: f32::MIN,
        bottom: f32::MAX,
    };

    /// The smallest rectangle around both.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub(super) fn moved(self, x: f32) -> Self {
        Self {
            left: self.left + x,
            right: self.right + x,
            ..self
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.left > self.right
    }
}

/// Where a glyph paints; nothing for a glyph without an outline, such as a space.
pub(super) fn ink(font: &ShaperFont<'_, '_>, face: Face, glyph: Glyph) -> Ink {
    let extents = font
        .glyph_extents(GlyphId::new(glyph.id))
        .filter(|extents| extents.width > 0);
    let Some(extents) = extents else { return Ink::NONE };
    let unit = face.unit();
    let left = glyph.x + extents.x_bearing as f32 * unit;
    let top = glyph.y + extents.y_bearing as f32 * unit;
    Ink {
        left,
        right: left + extents.width as f32 * unit,
        top,
        bottom: top + extents.height as f32 * unit,
    }
}
