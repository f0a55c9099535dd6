//! The Unicode properties of a character that typesetting needs.

use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};
use icu_properties::props::{
    DefaultIgnorableCodePoint, Emoji, EmojiModifier, EmojiPresentation, GeneralCategory, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};

/// The one script a character is written in, or common or inherited.
pub(super) fn script(character: char) -> Script {
    CodePointMapData::<Script>::new().get(character)
}

/// A mark that combines with what stands before it and takes no room of its own; selectors of a variant are none.
pub(super) fn is_mark(character: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark};
    matches!(category(character), NonspacingMark | EnclosingMark) && !is_ignorable(character)
}

/// A code point without a shared meaning: unassigned, a surrogate, or for private use.
pub(super) fn is_meaningless(character: char) -> bool {
    use GeneralCategory::{PrivateUse, Surrogate, Unassigned};
    matches!(category(character), PrivateUse | Surrogate | Unassigned)
}

/// Shows nothing by itself: joiners, selectors, marks of direction.
pub(super) fn is_ignorable(character: char) -> bool {
    character >= '\u{ad}' && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

/// Whether a cluster is shown as a colour emoji (UTS 51, section 4: presentation and sequences).
pub(super) fn is_emoji(cluster: &str) -> bool {
    let mut characters = cluster.chars();
    let Some(first) = characters.next() else {
        return false;
    };
    if first.is_ascii_alphabetic() || !CodePointSetData::new::<Emoji>().contains(first) {
        return false;
    }
    let Some(second) = characters.next() else {
        return CodePointSetData::new::<EmojiPresentation>().contains(first);
    };
    match second {
        '\u{fe0e}' => false,
        '\u{fe0f}' | '\u{20e3}' | '\u{200d}' => true,
        _ if CodePointSetData::new::<EmojiModifier>().contains(second) => true,
        _ => CodePointSetData::new::<EmojiPresentation>().contains(first),
    }
}

/// The two characters a character is canonically made of; the second is missing where it is only another's twin.
pub(super) fn parts(character: char) -> Option<(char, Option<char>)> {
    match CanonicalDecompositionBorrowed::new().decompose(character) {
        Decomposed::Default => None,
        Decomposed::Singleton(twin) => Some((twin, None)),
        Decomposed::Expansion(base, mark) => Some((base, Some(mark))),
    }
}

fn category(character: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(character)
}

#[cfg(test)]
mod tests {
    use super::is_emoji;

    #[test]
    fn what_is_shown_in_colour_follows_presentation_and_selectors() {
        for colour in [
            "😀",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "☝🏽",
            "🇫🇷",
            "❤\u{200d}🔥",
            "#\u{20e3}",
        ] {
            assert!(is_emoji(colour), "{colour}");
        }
        for text in ["1", "#", "a", "❤", "😀\u{fe0e}", "©", "e\u{301}", "★", "", "か"] {
            assert!(!is_emoji(text), "{text}");
        }
    }
}
