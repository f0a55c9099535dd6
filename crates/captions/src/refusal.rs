//! Why there is no slide.

/// Why there is no slide. Every one is about the input, and names what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The bytes are no JPEG or WebP picture.
    #[error("this is no JPEG or WebP picture")]
    NoPicture,
    /// The picture is damaged, or of a kind that is not taken; the text names which.
    #[error("this picture cannot be read: {0}")]
    Unreadable(String),
    /// The picture has more pixels than are taken.
    #[error("this picture is {width} by {height} pixels; at most {most} million are taken")]
    TooLarge {
        /// Its columns.
        width: u32,
        /// Its rows.
        height: u32,
        /// Millions of pixels that are taken.
        most: u32,
    },
    /// The text does not fit the safe area at the smallest legible size.
    #[error(
        "this caption does not fit on a slide even at the smallest legible size; about {fits} of its {characters} characters do"
    )]
    TooLong {
        /// Characters (grapheme clusters) that would fit.
        fits: usize,
        /// Characters (grapheme clusters) of the caption.
        characters: usize,
    },
}
