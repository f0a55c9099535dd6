//! A caption as it was typed, made fit to be set: paragraphs of ordinary characters.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::Script;

use super::characters::{is_mark, script};

/// Marks on one letter that are shown. Living languages stack three of those that go with any script, and four of
/// their own; more is there to run over the lines above and below.
const MARKS_OF_ANY_SCRIPT: usize = 3;
const MARKS_OF_ONE_SCRIPT: usize = 4;

/// The paragraphs of a caption: composed (NFC), without controls, trimmed. Blank lines between them are kept as
/// empty paragraphs, blank lines around the text are not.
pub(super) fn paragraphs(caption: &str) -> Vec<String> {
    let text: String = caption.replace("\r\n", "\n").chars().filter_map(plain).collect();
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(&text);
    let mut found: Vec<String> = text.split('\n').map(|line| calm(line.trim())).collect();
    while found.last().is_some_and(String::is_empty) {
        found.pop();
    }
    let blank = found.iter().take_while(|line| line.is_empty()).count();
    found.split_off(blank)
}

/// One kind of line end, one kind of tab, no controls. Overrides of direction are dropped (they make text read as
/// something else); isolates and embeddings stay, because they end with their paragraph (UAX 9, X8).
fn plain(character: char) -> Option<char> {
    match character {
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\t' => Some(' '),
        '\u{202d}' | '\u{202e}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}' => None,
        _ if character.is_control() => None,
        _ => Some(character),
    }
}

/// The line with no more marks on a letter than a language would put there.
fn calm(line: &str) -> String {
    let mut marks = 0;
    let mut any = 0;
    let keep = |character: &char| {
        if !is_mark(*character) {
            (marks, any) = (0, 0);
            return true;
        }
        marks += 1;
        any += usize::from(matches!(script(*character), Script::Inherited | Script::Common));
        marks <= MARKS_OF_ONE_SCRIPT && any <= MARKS_OF_ANY_SCRIPT
    };
    line.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn every_kind_of_line_end_ends_a_paragraph() {
        assert_eq!(
            paragraphs("a\r\nb\rc\u{2028}d\u{85}e\u{b}f"),
            ["a", "b", "c", "d", "e", "f"]
        );
    }

    #[test]
    fn blank_lines_are_kept_between_paragraphs_and_dropped_around_them() {
        assert_eq!(paragraphs("\n\n a \n\n\nb\t\n \n"), ["a", "", "", "b"]);
        assert!(paragraphs(" \n\t\r\n").is_empty());
    }

    #[test]
    fn overrides_of_direction_and_controls_are_dropped() {
        assert_eq!(paragraphs("a\u{202e}b\u{202d}c\u{0}\u{1b}d\u{7f}"), ["abcd"]);
    }

    #[test]
    fn decomposed_letters_are_composed() {
        assert_eq!(
            paragraphs("Tie\u{302}\u{301}ng Vie\u{323}\u{302}t"),
            ["Tiếng Việt"]
        );
    }

    #[test]
    fn a_letter_keeps_as_many_marks_as_a_language_would_put_on_it() {
        let zalgo = format!("x{}y", "\u{315}\u{31b}\u{321}".repeat(40));
        assert_eq!(paragraphs(&zalgo)[0].chars().count(), 5);
        let hebrew = "בְּרֵאשִׁ֖ית";
        assert_eq!(paragraphs(hebrew)[0].chars().count(), hebrew.chars().count());
    }
}
