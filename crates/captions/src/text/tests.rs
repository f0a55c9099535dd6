//! Captions as a whole: pictures that were looked at, and what is true of every caption.

mod corpus;
mod golden;
mod properties;

use super::{Typeset, Typesetter};
use crate::look::{Look, Position, Size, Style};
use crate::patch::Patch;
use crate::refusal::Refusal;

/// A patch with the caption on it.
fn painted(typesetter: &Typesetter, caption: &str, look: Look) -> Result<(Typeset, Patch), Refusal> {
    let typeset = typesetter.set(caption, look)?;
    let mut patch = Patch::default();
    typesetter.paint(&typeset, &mut patch);
    Ok((typeset, patch))
}

#[test]
fn an_empty_caption_paints_nothing() {
    let typesetter = Typesetter::new();
    for caption in ["", " \n\t", "\u{e000}", "\u{200d}\u{202e}"] {
        let (_, patch) = painted(&typesetter, caption, Look::default()).unwrap();
        assert_eq!(
            (patch.width, patch.height, patch.rgba.len()),
            (0, 0, 0),
            "{caption:?}"
        );
    }
}

#[test]
fn a_caption_stands_where_it_was_asked_to() {
    let typesetter = Typesetter::new();
    let top = |position, style| {
        let look = Look {
            position,
            style,
            ..Look::default()
        };
        let (_, patch) = painted(&typesetter, "Here it is", look).unwrap();
        (patch.top, patch.top + patch.height)
    };
    for style in [Style::Outline, Style::Box, Style::Plain] {
        assert!(
            top(Position::Top, style).0 <= 96,
            "{:?}",
            top(Position::Top, style)
        );
        let (from, to) = top(Position::Middle, style);
        assert!((from + to).abs_diff(2 * 775) <= 48, "{from} {to}");
        assert!((1456..=1472).contains(&top(Position::Bottom, style).1));
    }
}

#[test]
fn larger_text_is_larger() {
    let typesetter = Typesetter::new();
    let sizes = [Size::Small, Size::Medium, Size::Large].map(|size| {
        typesetter
            .set(
                "Aa",
                Look {
                    size,
                    ..Look::default()
                },
            )
            .unwrap()
            .size
    });
    assert_eq!(sizes, [52, 70, 96]);
}

#[test]
fn much_text_is_made_smaller_and_too_much_is_refused_with_what_fits() {
    let typesetter = Typesetter::new();
    let look = Look {
        size: Size::Large,
        ..Look::default()
    };
    let smaller = typesetter.set(&"many words ".repeat(45), look).unwrap().size;
    assert!((36..60).contains(&smaller), "{smaller}");
    let text = "word\n".repeat(200);
    let Err(Refusal::TooLong { fits, characters }) = typesetter.set(&text, look) else {
        panic!("it fits")
    };
    assert_eq!(characters, 800);
    assert!((80..200).contains(&fits), "{fits}");
    assert!(typesetter.set(&"word\n".repeat(fits / 4 - 1), look).is_ok());
}

#[test]
fn a_long_word_is_made_smaller_before_it_is_cut() {
    let typesetter = Typesetter::new();
    let size = |text: &str| typesetter.set(text, Look::default()).unwrap().size;
    assert!((53..70).contains(&size("Unverhältnismäßigkeitsgrund")));
    assert_eq!(size(&"Donaudampfschifffahrt".repeat(3)), 70);
}

#[test]
fn every_paragraph_has_its_own_direction() {
    let typesetter = Typesetter::new();
    let typeset = typesetter.set("שלום abc!\nabc שלום!", Look::default()).unwrap();
    let (first, second) = (typeset.glyphs[0].y, typeset.glyphs[typeset.glyphs.len() - 1].y);
    let marks: Vec<f32> = [first, second]
        .into_iter()
        .map(|line| {
            let mark = super::fonts::Face::TikTok
                .font()
                .charmap()
                .map_unicode('!')
                .unwrap()
                .to_u32();
            typeset
                .glyphs
                .iter()
                .find(|glyph| glyph.y == line && glyph.id == mark)
                .unwrap()
                .x
        })
        .collect();
    assert!(marks[0] < 540.0 && marks[1] > 540.0, "{marks:?}");
}

#[test]
fn the_same_caption_gives_the_same_bytes_with_and_without_what_was_kept() {
    let used = Typesetter::new();
    let caption = "Same bytes 🎉 كل مرة";
    let first = painted(&used, caption, Look::default()).unwrap().1;
    painted(&used, "something else 🎈", Look::default()).unwrap();
    let again = painted(&used, caption, Look::default()).unwrap().1;
    let fresh = painted(&Typesetter::new(), caption, Look::default()).unwrap().1;
    assert!(first.rgba == again.rgba && first.rgba == fresh.rgba);
}
