//! The look of a slide.

/// The look of a slide: size, position and style of its text, and how its picture fits. The default is what most people
/// post (`docs/contract.md#slides`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Look {
    /// How large the text is before it shrinks to fit.
    pub size: Size,
    /// Where in the safe area the text stands.
    pub position: Position,
    /// What keeps the text legible on any picture.
    pub style: Style,
    /// How a picture of another shape fills the slide.
    pub fit: Fit,
}

/// How large the text is before it shrinks to fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Size {
    /// For much text.
    Small,
    /// The provider's own default.
    #[default]
    Medium,
    /// For a headline.
    Large,
}

/// Where in the safe area the text stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Position {
    /// At its upper edge.
    Top,
    /// In its optical middle.
    #[default]
    Middle,
    /// At its lower edge.
    Bottom,
}

/// What keeps the text legible on any picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// White letters with a dark outline.
    #[default]
    Outline,
    /// Dark letters on white, one rounded box a line, the boxes of a paragraph merged.
    Box,
    /// White letters alone.
    Plain,
}

/// How a picture of another shape fills the slide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Fit {
    /// Cut at the centre.
    #[default]
    Cover,
    /// Shown whole, on a blurred copy of itself.
    Contain,
}
