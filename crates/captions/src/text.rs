//! Captions set as type.
//!
//! A caption goes through here in one direction: it is cleaned into paragraphs, the paragraphs become clusters in
//! fonts, the clusters glyphs (all in ems, so that no size needs shaping again), the glyphs lines at the largest size
//! that fits, and the lines pixels. Only the last step knows of colours.

mod area;
mod arrange;
mod blur;
mod boxes;
mod characters;
mod clean;
mod effects;
mod emoji;
mod fonts;
mod glyphs;
mod ink;
mod itemise;
mod lines;
mod outlines;
mod paint;
mod path;
mod raster;
mod rim;
mod row;
mod shade;
mod shaping;
#[cfg(test)]
mod tests;
mod typeset;
mod warning;

use self::arrange::Draft;
use self::glyphs::Glyphs;
use self::itemise::Han;
use self::lines::Breaker;
use self::shaping::Shaper;
use crate::look::Look;
use crate::patch::Patch;
use crate::refusal::Refusal;

pub use self::typeset::Typeset;
pub use self::warning::Warning;

/// Sets and paints captions; one for a whole program, as fonts and painted glyphs are kept in it.
#[derive(Default)]
pub struct Typesetter {
    shaper: Shaper,
    breaker: Breaker,
    glyphs: Glyphs,
}

impl Typesetter {
    /// A typesetter with the built-in fonts, whose caches are empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a caption within the safe area of a slide.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLong`] when it does not fit at the smallest legible size.
    pub fn set(&self, caption: &str, look: Look) -> Result<Typeset, Refusal> {
        let paragraphs = clean::paragraphs(caption);
        let mut missing = Vec::new();
        let shape = |text: &String| {
            let shaped = self.shaper.shape(text, Han::of(text, &paragraphs), &mut missing);
            let pieces = self.breaker.pieces(&shaped);
            (shaped, pieces)
        };
        let mut shaped: Vec<_> = paragraphs.iter().map(shape).collect();
        while shaped
            .last()
            .is_some_and(|(paragraph, _)| paragraph.clusters.is_empty())
        {
            shaped.pop();
        }
        let blank = shaped
            .iter()
            .take_while(|(paragraph, _)| paragraph.clusters.is_empty())
            .count();
        let draft = Draft::new(shaped.split_off(blank));
        let warnings = if missing.is_empty() {
            Vec::new()
        } else {
            vec![Warning::MissingGlyphs(missing)]
        };
        if draft.paragraphs.is_empty() {
            return Ok(Typeset {
                warnings,
                ..Typeset::default()
            });
        }
        let clusters: usize = draft
            .paragraphs
            .iter()
            .map(|(paragraph, _)| paragraph.clusters.len())
            .sum();
        match draft.arrange(look) {
            Ok(typeset) => Ok(Typeset { warnings, ..typeset }),
            Err(fits) => Err(Refusal::TooLong {
                fits: fits.min(clusters - 1),
                characters: clusters,
            }),
        }
    }

    /// Paints a set caption. The patch keeps its buffer and gets the smallest size that holds the caption; an empty
    /// caption leaves it without width.
    pub fn paint(&self, typeset: &Typeset, patch: &mut Patch) {
        typeset.paint(&self.glyphs, patch);
    }
}
