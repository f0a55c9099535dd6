//! Texts of people: characters that deceive, because names of people, workspaces and files are shown beside the words of others.

/// Whether a character is no part of a name that people see: control characters, line and paragraph separators, and those
/// that change the direction of the text around them (Unicode Bidirectional Algorithm, UAX #9), which can turn
/// `gpj.exe` into `exe.jpg`.
pub const fn is_deceptive(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Whether a character is a control character that no text of a post needs: all of ASCII's but tab and the ends of lines. In JSON
/// each takes six bytes, and PostgreSQL keeps no U+0000.
pub const fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}')
}

/// Whether a text shows nothing: white space, and characters that are not drawn by themselves (Unicode, `Default_Ignorable_Code_Point`
/// of `DerivedCoreProperties.txt`), such as zero-width spaces, joiners and variation selectors, or the blank Braille pattern.
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|character| character.is_whitespace() || is_undrawn(character))
}

const fn is_undrawn(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// A name in a mail to a recipient who did not request it: one line of at most 80 characters in which mail programs
/// see neither a link nor an address. In quotes, so that it does not read as a sentence of the mail.
pub fn quoted_name(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !is_deceptive(*c)).collect();
    let words = plain.split_whitespace().map(without_links);
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let cut: String = words.join(" ").chars().take(MAX_QUOTED_CHARS).collect();
    format!("“{}”", cut.trim().replace(['"', '“', '”'], "'"))
}

const MAX_QUOTED_CHARS: usize = 80;

/// What joins the parts of an address, full-width and ideographic forms included, parts them here. A dot at the end of a
/// word stays.
fn without_links(word: &str) -> String {
    let joins = |c: char| {
        matches!(
            c,
            '/' | '\\' | ':' | '@' | '.' | '。' | '．' | '｡' | '／' | '：' | '＠' | '<' | '>'
        )
    };
    let parts: Vec<&str> = word.split(joins).filter(|part| !part.is_empty()).collect();
    let end = if word.ends_with('.') { "." } else { "" };
    match parts.is_empty() {
        true => String::new(),
        false => format!("{}{end}", parts.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_mail_carries_no_link_no_line_and_no_direction() {
        for (name, quoted) in [
            ("Kites & Co.", "“Kites & Co.”"),
            ("Straße 5 – Büro", "“Straße 5 – Büro”"),
            (
                "Win at https://evil.example/x?y",
                "“Win at https evil example x?y”",
            ),
            ("www.evil.example", "“www evil example”"),
            ("write to eve@evil.example", "“write to eve evil example”"),
            ("evil。example", "“evil example”"),
            ("a\r\nBcc: b@example.org", "“aBcc b example org”"),
            ("exe\u{202e}gpj", "“exegpj”"),
            ("say \"hi\"", "“say 'hi'”"),
            ("...", "“”"),
        ] {
            assert_eq!(quoted_name(name), quoted, "{name:?}");
        }
        assert_eq!(quoted_name(&"x".repeat(100)).chars().count(), 82);
    }

    #[test]
    fn a_text_of_spaces_and_undrawn_characters_is_blank() {
        for blank in [
            "",
            " \n",
            "\u{200b}\u{200d}",
            "\u{feff} \u{2060}",
            "\u{e0041}\u{fe0f}",
            "\u{2800}",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for text in [
            ".",
            "👩\u{200d}🚀",
            "e\u{301}",
            "❤\u{fe0f}",
            "می\u{200c}خواهم",
            "\u{301}",
        ] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn letters_marks_and_joiners_of_every_script_are_fine() {
        for name in ["Ada Łuczak", "नमस्ते", "می‌خواهم", "👩‍🚀 crew", "日本語"]
        {
            assert!(!name.chars().any(is_deceptive), "{name}");
        }
        for deceptive in [
            '\u{202e}', '\u{2066}', '\u{200f}', '\n', '\u{7f}', '\u{2029}', '\u{61c}',
        ] {
            assert!(is_deceptive(deceptive), "{deceptive:?}");
        }
    }
}
