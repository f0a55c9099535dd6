//! The appearance of slides (`docs/contract.md#slides`): its words on the wire.

use serde_json::{Value, json};

use crate::canonical::Canonical;
use crate::read::{FieldType, ObjectReader, word};

/// An enum each of whose values is a word of the API.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$meaning:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$meaning])* $value,)*
        }

        impl $name {
            /// Every word and its meaning.
            pub(super) const WORDS: &[(&'static str, Self)] = &[$(($word, Self::$value)),*];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)*
                }
            }
        }
    };
}
pub(super) use words;

words! {
    /// The size of the text before it shrinks to fit.
    CaptionSize {
        /// For much text.
        Small = "small",
        /// For a sentence.
        #[default]
        Medium = "medium",
        /// For a headline.
        Large = "large",
    }
}

words! {
    /// The position of the text in the safe area.
    CaptionPosition {
        /// At the top.
        Top = "top",
        /// In its middle.
        #[default]
        Middle = "middle",
        /// At the bottom.
        Bottom = "bottom",
    }
}

words! {
    /// How the text is kept legible on any picture.
    CaptionStyle {
        /// White letters with a dark outline.
        #[default]
        Outline = "outline",
        /// Dark letters on white boxes.
        Box = "box",
        /// White letters alone.
        Plain = "plain",
    }
}

words! {
    /// How an image with another aspect ratio fills the slide.
    Fit {
        /// Cropped at the centre.
        #[default]
        Cover = "cover",
        /// Shown whole, on a blurred copy of itself.
        Contain = "contain",
    }
}

/// The appearance of slides; the defaults are the most common choices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SlideLook {
    /// `captionSize`
    pub size: CaptionSize,
    /// `captionPosition`
    pub position: CaptionPosition,
    /// `captionStyle`
    pub style: CaptionStyle,
    /// `fit`
    pub fit: Fit,
}

impl SlideLook {
    pub(super) fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        let size = read_word(
            reader,
            "captionSize",
            CaptionSize::WORDS,
            "The size of the text before it shrinks to fit.",
        );
        let position = read_word(
            reader,
            "captionPosition",
            CaptionPosition::WORDS,
            "Its position in the part of the slide that the provider's buttons leave free.",
        );
        let style = read_word(
            reader,
            "captionStyle",
            CaptionStyle::WORDS,
            "How it is kept legible: a dark outline, white boxes, or nothing.",
        );
        let fit = read_word(
            reader,
            "fit",
            Fit::WORDS,
            "How an image with another aspect ratio fills the slide: cropped at the centre, or whole on a blurred copy of itself.",
        );
        Some(Self {
            size: size?,
            position: position?,
            style: style?,
            fit: fit?,
        })
    }
}

/// Reads one of a few words; its absence means the default one.
pub(super) fn read_word<T: Copy + Default + PartialEq>(
    reader: &mut ObjectReader<'_>,
    name: &'static str,
    words: &[(&str, T)],
    description: &str,
) -> Option<T> {
    let default = words.iter().find(|(_, meaning)| *meaning == T::default());
    let default = default.map(|(word, _)| *word);
    let found = reader.optional(name, word(words).with("default", default), description);
    found.map(Option::unwrap_or_default)
}

impl Canonical for SlideLook {
    fn canonical(&self) -> Value {
        let Self {
            size,
            position,
            style,
            fit,
        } = self;
        json!({
            "captionSize": size.as_str(),
            "captionPosition": position.as_str(),
            "captionStyle": style.as_str(),
            "fit": fit.as_str(),
        })
    }
}
