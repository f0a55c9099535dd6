//! The outlines of glyphs.

use harfrust::GlyphId;
use read_fonts::model::glyph::outline::{DrawMemory, DrawOptions};
use read_fonts::types::Matrix;

use super::fonts::Face;
use super::path::{Path, Pen};

/// A glyph's outline in pixels; empty when it has none.
pub(super) fn outline(face: Face, id: u32, matrix: Matrix<f32>) -> Path {
    let mut path = Path::default();
    if let Some(glyph) = face.font().outline_glyphs().get(GlyphId::new(id)) {
        let mut pen = Pen {
            path: &mut path,
            matrix,
        };
        if glyph
            .draw(&DrawOptions::new(), DrawMemory::Scratch, &mut pen)
            .is_err()
        {
            return Path::default();
        }
    }
    path.close();
    path
}
