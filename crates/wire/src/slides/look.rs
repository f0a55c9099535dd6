//! The appearance of slides (`docs/contract.md#slides`): its words on the wire.

use serde_json::{Value, json};

use crate::read::ObjectReader;
use crate::same::Says;

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
    pub(super) fn read(reader: &mut ObjectReader<'_>) -> Option<Self> {
        let size = reader.word_or("captionSize", CaptionSize::WORDS, CaptionSize::default());
        let position = reader.word_or(
            "captionPosition",
            CaptionPosition::WORDS,
            CaptionPosition::default(),
        );
        let style = reader.word_or("captionStyle", CaptionStyle::WORDS, CaptionStyle::default());
        let fit = reader.word_or("fit", Fit::WORDS, Fit::default());
        Some(Self {
            size: size?,
            position: position?,
            style: style?,
            fit: fit?,
        })
    }
}

impl Says for SlideLook {
    fn says(&self) -> Value {
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

/// Adds the appearance fields to those of a request.
pub(super) fn describe(properties: &mut Value) {
    properties["captionSize"] = optional(
        "The size of the text before it shrinks to fit.",
        CaptionSize::WORDS,
        CaptionSize::default().as_str(),
    );
    properties["captionPosition"] = optional(
        "Its position in the part of the slide that the provider's buttons leave free.",
        CaptionPosition::WORDS,
        CaptionPosition::default().as_str(),
    );
    properties["captionStyle"] = optional(
        "How it is kept legible: a dark outline, white boxes, or nothing.",
        CaptionStyle::WORDS,
        CaptionStyle::default().as_str(),
    );
    properties["fit"] = optional(
        "How an image with another aspect ratio fills the slide: cropped at the centre, or whole on a blurred copy of itself.",
        Fit::WORDS,
        Fit::default().as_str(),
    );
}

/// One of a few words, or `null`, with the meaning of its absence.
pub(super) fn optional<T>(description: &str, words: &[(&str, T)], default: &str) -> Value {
    let words = words.iter().map(|(word, _)| Value::from(*word));
    let words: Value = words.chain([Value::Null]).collect();
    json!({ "type": ["string", "null"], "description": description, "enum": words, "default": default })
}
