//! One line of a caption.

use std::ops::Range;

use super::area::SAFE;
use super::boxes::Bar;
use super::ink::Ink;
use super::shaping::Shaped;
use super::typeset::{Placed, Typeset};
use crate::{HEIGHT, WIDTH};

/// One line, measured.
pub(super) struct Row<'a> {
    shaped: &'a Shaped,
    /// Clusters as they are read on the slide, from left to right.
    order: Vec<usize>,
    pub(super) width: f32,
    /// In ems, from where the line begins on the left.
    pub(super) ink: Ink,
}

impl<'a> Row<'a> {
    pub(super) fn blank(shaped: &'a Shaped) -> Self {
        Self {
            shaped,
            order: Vec::new(),
            width: 0.0,
            ink: Ink {
                left: 0.0,
                right: 0.0,
                top: 0.0,
                bottom: 0.0,
            },
        }
    }

    pub(super) fn new(shaped: &'a Shaped, line: Range<usize>) -> Self {
        let mut row = Self {
            order: visual(shaped, line),
            ..Self::blank(shaped)
        };
        for index in &row.order {
            let cluster = &shaped.clusters[*index];
            if !cluster.ink.is_empty() {
                row.ink = row.ink.with(cluster.ink.moved(row.width));
            }
            row.width += cluster.advance;
        }
        row
    }

    pub(super) fn is_blank(&self) -> bool {
        self.order.is_empty()
    }

    /// Its box, `beside` ems wider on both sides.
    pub(super) fn bar(&self, em: f32, middle: f32, beside: f32) -> Bar {
        let half = if self.is_blank() {
            0.0
        } else {
            (self.width / 2.0 + beside) * em
        };
        Bar { half, middle }
    }

    /// Whether all its ink stays between the margins.
    pub(super) fn is_within(&self, em: f32, beside: f32) -> bool {
        let overhang = (-self.ink.left).max(self.ink.right - self.width).max(0.0);
        (self.width + 2.0 * (overhang + beside)) * em <= SAFE.width() + 0.01
    }

    /// Adds its glyphs, centred on the slide; nothing when a number went beyond all measure.
    pub(super) fn place(&self, em: f32, baseline: f32, typeset: &mut Typeset) -> Option<()> {
        let mut pen = (WIDTH as f32 - self.width * em) / 2.0;
        for index in &self.order {
            let cluster = &self.shaped.clusters[*index];
            for glyph in &self.shaped.glyphs[cluster.glyphs.clone()] {
                let (x, y) = (pen + glyph.x * em, baseline - glyph.y * em);
                let inside = (0.0..WIDTH as f32).contains(&x) && (0.0..HEIGHT as f32).contains(&y);
                typeset.glyphs.push(Placed {
                    face: cluster.face,
                    id: glyph.id,
                    x,
                    y,
                });
                inside.then_some(())?;
            }
            pen += cluster.advance * em;
        }
        Some(())
    }
}

/// The clusters of a line as they stand from left to right (UAX 9, L2).
fn visual(shaped: &Shaped, line: Range<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = line.collect();
    let level = |index: &usize| shaped.clusters[*index].level;
    let highest = order.iter().map(level).max().unwrap_or(0);
    let lowest = order
        .iter()
        .map(level)
        .filter(|level| level % 2 == 1)
        .min()
        .unwrap_or(u8::MAX);
    for depth in (lowest..=highest).rev() {
        let mut from = 0;
        while from < order.len() {
            let run = order[from..]
                .iter()
                .take_while(|index| level(index) >= depth)
                .count();
            order[from..from + run].reverse();
            from += run.max(1);
        }
    }
    order
}
