//! How slides look (`docs/contract.md#slides`): words on the wire.

use serde_json::{Value, json};

use crate::read::ObjectReader;
use crate::same::Says;

/// An enum of which each value is a word of the API.
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
    /// How large the text is before it shrinks to fit.
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
    /// Where in the safe area the text stands.
    CaptionPosition {
        /// At its upper edge.
        Top = "top",
        /// In its middle.
        #[default]
        Middle = "middle",
        /// At its lower edge.
        Bottom = "bottom",
    }
}

words! {
    /// What keeps the text legible on any picture.
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
    /// How an image of another shape fills the slide.
    Fit {
        /// Cut at the centre.
        #[default]
        Cover = "cover",
        /// Shown whole, before a blurred copy of itself.
        Contain = "contain",
    }
}

/// How slides look; what is not said is as most people post it.
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

/// Adds the fields of a look to those of a request.
pub(super) fn describe(properties: &mut Value) {
    properties["captionSize"] = optional(
        "How large the text is before it shrinks to fit.",
        CaptionSize::WORDS,
        CaptionSize::default().as_str(),
    );
    properties["captionPosition"] = optional(
        "Where it stands in the part of the slide that the provider's buttons leave free.",
        CaptionPosition::WORDS,
        CaptionPosition::default().as_str(),
    );
    properties["captionStyle"] = optional(
        "What keeps it legible: a dark outline, white boxes, or nothing.",
        CaptionStyle::WORDS,
        CaptionStyle::default().as_str(),
    );
    properties["fit"] = optional(
        "How an image of another shape fills the slide: cut at the centre, or whole before a blurred copy of itself.",
        Fit::WORDS,
        Fit::default().as_str(),
    );
}

/// One of a few words, or `null`, and what its absence means.
pub(super) fn optional<T>(description: &str, words: &[(&str, T)], default: &str) -> Value {
    let words = words.iter().map(|(word, _)| Value::from(*word));
    let words: Value = words.chain([Value::Null]).collect();
    json!({ "type": ["string", "null"], "description": description, "enum": words, "default": default })
}
