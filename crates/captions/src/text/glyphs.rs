//! Glyphs as pixels, each painted once and kept for the next caption.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use read_fonts::types::Matrix;

use super::effects::{BLUR, OUTLINE};
use super::emoji::{self, Sprite};
use super::fonts::Face;
use super::outlines::outline;
use super::raster::Mask;

/// Bytes that are kept at most, in two halves: when the younger is full, the older is dropped.
const KEPT_BYTES: usize = 16 << 20;

/// What is painted for a glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The letter itself.
    Fill,
    /// The letter with a rim around it.
    Rim,
    /// The letter, blurred.
    Shadow,
}

/// One glyph of one size. Places between pixels are distinguished by quarters, across only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) face: Face,
    pub(super) id: u32,
    pub(super) size: u16,
    pub(super) quarter: u8,
    pub(super) part: Part,
}

#[derive(Debug, Clone)]
enum Painted {
    Mask(Arc<Mask>),
    Sprite(Arc<Sprite>),
}

#[derive(Debug, Default)]
struct Halves {
    young: HashMap<Key, Painted>,
    old: HashMap<Key, Painted>,
    young_bytes: usize,
}

/// Painted glyphs.
#[derive(Debug, Default)]
pub(super) struct Glyphs {
    kept: Mutex<Halves>,
}

impl Glyphs {
    /// The coverage of a letter, around its origin.
    pub(super) fn mask(&self, key: Key) -> Arc<Mask> {
        if let Some(Painted::Mask(mask)) = self.find(key) {
            return mask;
        }
        let mask = Arc::new(paint(key));
        self.keep(key, Painted::Mask(Arc::clone(&mask)), mask.cover.len());
        mask
    }

    /// An emoji in colour, around its origin.
    pub(super) fn sprite(&self, key: Key) -> Arc<Sprite> {
        if let Some(Painted::Sprite(sprite)) = self.find(key) {
            return sprite;
        }
        let sprite = Arc::new(emoji::paint(key.id, f32::from(key.size)));
        self.keep(key, Painted::Sprite(Arc::clone(&sprite)), sprite.rgba.len());
        sprite
    }

    fn find(&self, key: Key) -> Option<Painted> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.young.get(&key) {
            return Some(found.clone());
        }
        let found = kept.old.remove(&key)?;
        kept.young.insert(key, found.clone());
        Some(found)
    }

    fn keep(&self, key: Key, painted: Painted, bytes: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.young_bytes += bytes + size_of::<(Key, Painted, Mask)>();
        if kept.young_bytes > KEPT_BYTES / 2 {
            kept.old = std::mem::take(&mut kept.young);
            kept.young_bytes = bytes;
        }
        kept.young.insert(key, painted);
    }
}

fn paint(key: Key) -> Mask {
    let size = f32::from(key.size);
    let scale = key.face.unit() * size;
    let matrix = Matrix {
        xx: scale,
        yx: 0.0,
        xy: 0.0,
        yy: -scale,
        dx: f32::from(key.quarter) / 4.0,
        dy: 0.0,
    };
    let path = outline(key.face, key.id, matrix);
    match key.part {
        Part::Fill => Mask::of(&path),
        Part::Rim => Mask::of(&path.rimmed(OUTLINE * size)),
        Part::Shadow => super::blur::blurred(&Mask::of(&path), (BLUR * size) as usize),
    }
}
