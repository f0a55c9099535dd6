//! A caption that is set and not painted yet.

use super::boxes::Bar;
use super::fonts::Face;
use super::warning::Warning;
use crate::look::Style;

/// A caption in lines, every glyph in its place on the slide.
#[derive(Debug, Default)]
pub struct Typeset {
    /// Pixels of an em.
    pub(super) size: u16,
    pub(super) style: Style,
    pub(super) glyphs: Vec<Placed>,
    /// One a line, for style `box`.
    pub(super) bars: Vec<Bar>,
    /// Pixels of each box from top to bottom.
    pub(super) box_height: f32,
    /// What could not be shown.
    pub warnings: Vec<Warning>,
}

/// A glyph and where its origin stands on the slide, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) face: Face,
    pub(super) id: u32,
    pub(super) x: f32,
    pub(super) y: f32,
}
