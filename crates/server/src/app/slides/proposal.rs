//! What a language model wrote, read as captions. The answer is untrusted data: one without the requested form is not used,
//! and of one with it only the text is.

use playout_wire::slides::{MAX_CAPTION_CHARS, ProposedCaption, ProposedCaptions, SlideLength};
use serde::Deserialize;
use serde_json::{Value, json};

/// The longest content of a post, in UTF-16 code units, as the provider counts (`docs/contract.md#platform-schema`).
const MAX_CONTENT_UNITS: usize = 2200;

/// The form of the answer, as a JSON schema. It uses only the parts of JSON Schema that every endpoint supports.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "caption": { "type": "string" },
            "slides": { "type": "array", "items": { "type": "string" } }
        },
        "required": ["caption", "slides"],
        "additionalProperties": false
    })
}

/// What a slide's caption is asked to keep to, in characters.
pub(super) const fn wanted_chars(length: SlideLength) -> usize {
    match length {
        SlideLength::Short => 60,
        SlideLength::Medium => 120,
        SlideLength::Long => 220,
    }
}

#[derive(Deserialize)]
struct Document {
    caption: String,
    slides: Vec<String>,
}

/// Reads an answer as captions of so many slides; an error is a message to the model about what is wrong with it.
pub(super) fn read(text: &str, slides: u32, length: SlideLength) -> Result<ProposedCaptions, String> {
    let document: Document = serde_json::from_str(document_in(text)).map_err(|error| {
        format!("it is no JSON document of the form {{\"caption\": \"…\", \"slides\": [\"…\"]}}: {error}")
    })?;
    let given = document.slides.len();
    if given != slides as usize {
        return Err(format!(
            "`slides` must have exactly {slides} texts; it has {given}"
        ));
    }
    // A text that is a little longer than it should be is better than one that is cut.
    let most = (wanted_chars(length) * 3 / 2).min(MAX_CAPTION_CHARS);
    let cut_slide = |text: &String| cut(&clean(text), most, |_| 1);
    let captions: Vec<String> = document.slides.iter().map(cut_slide).collect();
    let caption = cut(&clean(&document.caption), MAX_CONTENT_UNITS, char::len_utf16);
    if caption.is_empty() || captions.iter().any(String::is_empty) {
        return Err("no caption may be empty".to_owned());
    }
    let slides = (1..)
        .zip(captions)
        .map(|(index, caption)| ProposedCaption { index, caption });
    Ok(ProposedCaptions {
        caption,
        slides: slides.collect(),
    })
}

/// The document in an answer: some models put it in a code fence, or write a text before it.
fn document_in(text: &str) -> &str {
    match (text.find('{'), text.rfind('}')) {
        (Some(first), Some(last)) if first < last => &text[first..=last],
        _ => text,
    }
}

/// The text without what is not text: control characters other than line breaks, and marks that turn the direction of what
/// follows.
fn clean(text: &str) -> String {
    let is_text = |c: &char| *c == '\n' || !(c.is_control() || is_mark(*c));
    let kept: String = text.replace("\r\n", "\n").chars().filter(is_text).collect();
    let lines: Vec<&str> = kept.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// The text cut to `most`, as `size` measures characters: at the end of a word where there is one, never in the middle of
/// what looks like one character, and with an ellipsis.
fn cut(text: &str, most: usize, size: impl Fn(char) -> usize) -> String {
    if text.chars().map(&size).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let fits = |c: &char| {
        let taken = size(*c);
        let fits = taken <= left;
        left = left.saturating_sub(taken);
        fits
    };
    let end: usize = text.chars().take_while(fits).map(char::len_utf8).sum();
    let end = whole(text, end);
    let word = match text[end..].starts_with(char::is_whitespace) {
        true => Some(end),
        false => text[..end].rfind(char::is_whitespace).filter(|at| *at >= end / 2),
    };
    format!("{}…", text[..word.unwrap_or(end)].trim_end())
}

/// `end`, or an earlier place at which a character begins that does not belong to the one before it.
fn whole(text: &str, mut end: usize) -> usize {
    let belongs = |end: usize| {
        let next = text[end..].chars().next();
        next.is_some_and(is_joined) || text[..end].ends_with('\u{200d}')
    };
    while end > 0 && belongs(end) {
        end -= text[..end].chars().next_back().map_or(0, char::len_utf8);
    }
    end
}

/// Marks, joiners, selectors and skin tones: what changes the character before it.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{93a}'..='\u{94f}' | '\u{9bc}'..='\u{9cd}' | '\u{bbe}'..='\u{bcd}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(slides: &[&str]) -> String {
        json!({ "caption": "Kites #wind", "slides": slides }).to_string()
    }

    #[test]
    fn a_document_is_found_in_a_fence_and_behind_words() {
        for text in [
            document(&["a", "b", "c"]),
            format!("```json\n{}\n```", document(&["a", "b", "c"])),
            format!("Here you are:\n{}\nEnjoy!", document(&["a", "b", "c"])),
        ] {
            let read = read(&text, 3, SlideLength::Short).unwrap();
            let captions: Vec<(u32, &str)> = read
                .slides
                .iter()
                .map(|slide| (slide.index, slide.caption.as_str()))
                .collect();
            assert_eq!(captions, [(1, "a"), (2, "b"), (3, "c")]);
            assert_eq!(read.caption, "Kites #wind");
        }
    }

    #[test]
    fn what_has_another_form_is_not_used_and_the_model_is_told_why() {
        for (text, why) in [
            (document(&["a", "b"]), "exactly 3"),
            (document(&["a", "b", "c", "d"]), "exactly 3"),
            (document(&["a", " \u{202e}\n", "c"]), "empty"),
            (String::new(), "no JSON"),
            ("Sorry".to_owned(), "no JSON"),
            (r#"{"caption":"x","slides":["a","b","#.to_owned(), "no JSON"),
            (r#"{"caption":"x","slides":[1,2,3]}"#.to_owned(), "no JSON"),
            (r#"{"slides":["a","b","c"]}"#.to_owned(), "no JSON"),
        ] {
            let problem = read(&text, 3, SlideLength::Short).unwrap_err();
            assert!(problem.contains(why), "{text}: {problem}");
        }
    }

    #[test]
    fn controls_and_marks_of_direction_go_and_joiners_stay() {
        assert_eq!(
            clean("  One\r\n\u{7} two \u{202e}three\u{2069}\u{1b}[31m\0 "),
            "One\ntwo three[31m"
        );
        assert_eq!(clean("👩\u{200d}🚀 नमस्\u{200d}ते"), "👩\u{200d}🚀 नमस्\u{200d}ते");
    }

    #[test]
    fn too_long_a_text_is_cut_at_a_word_and_never_within_a_character() {
        let cut = |text: &str, most| cut(text, most, |_| 1);
        assert_eq!(cut("Three kites", 11), "Three kites");
        assert_eq!(cut("Three kites, one wind", 14), "Three kites,…");
        assert_eq!(cut("Donaudampfschifffahrt", 8), "Donauda…");
        assert_eq!(cut("ab👩\u{200d}👩\u{200d}👧cd", 6), "ab…");
        assert_eq!(cut("abcde\u{301}fgh", 6), "abcd…");
        assert_eq!(
            super::cut(&"🪁".repeat(2000), 2200, char::len_utf16)
                .encode_utf16()
                .count(),
            2199
        );
    }

    #[test]
    fn captions_keep_to_half_as_much_again_as_was_wanted() {
        let long = "word ".repeat(200);
        for (length, most) in [
            (SlideLength::Short, 90),
            (SlideLength::Medium, 180),
            (SlideLength::Long, 330),
        ] {
            let read = read(&document(&[&long, "b", "c"]), 3, length).unwrap();
            let chars = read.slides[0].caption.chars().count();
            assert!((most - 6..=most).contains(&chars), "{chars}");
        }
    }
}
