//! Properties that hold for every caption.

use proptest::prelude::*;

use super::{Look, Patch, Position, Size, Style, Typesetter, painted};
use crate::refusal::Refusal;

/// Characters of every kind that is set differently.
fn character() -> impl Strategy<Value = char> {
    let from = |range: std::ops::RangeInclusive<u32>| range.prop_filter_map("no character", char::from_u32);
    prop_oneof![
        6 => from(0x20..=0x17f),
        1 => from(0x300..=0x36f),
        2 => from(0x590..=0x6ff),
        2 => from(0x900..=0xbff),
        1 => from(0xe00..=0xe7f),
        1 => from(0x1100..=0x11ff),
        1 => from(0x2000..=0x2bff),
        2 => from(0x3000..=0x9fff),
        1 => from(0xac00..=0xd7ff),
        2 => from(0x1f000..=0x1faff),
        1 => Just('\u{200d}'),
        1 => Just('\u{fe0f}'),
        1 => Just('\n'),
        1 => any::<char>(),
    ]
}

fn caption(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(character(), 0..most).prop_map(|characters| characters.into_iter().collect())
}

fn look() -> impl Strategy<Value = Look> {
    let position = prop_oneof![
        Just(Position::Top),
        Just(Position::Middle),
        Just(Position::Bottom)
    ];
    let size = prop_oneof![Just(Size::Small), Just(Size::Medium), Just(Size::Large)];
    let style = prop_oneof![Just(Style::Outline), Just(Style::Box), Just(Style::Plain)];
    (position, size, style).prop_map(|(position, size, style)| Look {
        position,
        size,
        style,
        ..Look::default()
    })
}

/// The first painted pixel outside the part of the slide that is free of the provider's buttons.
fn outside(patch: &Patch) -> Option<(u32, u32, u8)> {
    let pixel = |(index, rgba): (usize, &[u8])| {
        let index = index as u32;
        (
            patch.left + index % patch.width,
            patch.top + index / patch.width,
            rgba[3],
        )
    };
    let free =
        |(x, y, alpha): &(u32, u32, u8)| *alpha == 0 || ((120..960).contains(x) && (80..1470).contains(y));
    patch
        .rgba
        .chunks_exact(4)
        .enumerate()
        .map(pixel)
        .find(|pixel| !free(pixel))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_painted_outside_the_safe_area(caption in caption(160), look in look()) {
        let typesetter = Typesetter::new();
        match painted(&typesetter, &caption, look) {
            Ok((typeset, patch)) => {
                prop_assert_eq!(outside(&patch), None);
                prop_assert!(patch.left % 16 == 0 && patch.top % 16 == 0 && patch.width % 8 == 0 && patch.height % 16 == 0);
                prop_assert!(typeset.glyphs.iter().all(|glyph| glyph.id != 0), "a glyph that stands for none");
            }
            Err(refusal) => prop_assert!(matches!(refusal, Refusal::TooLong { .. }), "another refusal"),
        }
    }

    #[test]
    fn five_hundred_characters_of_anything_are_set_or_refused(caption in caption(500), look in look()) {
        let typesetter = Typesetter::new();
        if let Err(Refusal::TooLong { fits, characters }) = typesetter.set(&caption, look) {
            prop_assert!(fits < characters);
        }
    }

    #[test]
    fn colours_never_exceed_their_alpha(caption in caption(40), look in look()) {
        let (_, patch) = painted(&Typesetter::new(), &caption, look).unwrap();
        prop_assert!(patch.rgba.chunks_exact(4).all(|pixel| pixel[..3].iter().all(|part| *part <= pixel[3])));
    }
}

#[test]
fn five_hundred_of_the_same_are_set_or_refused() {
    let typesetter = Typesetter::new();
    for text in [
        "😀",
        "👨‍👩‍👧‍👦",
        "ก็",
        "ﷺ",
        "e\u{301}\u{302}\u{303}\u{304}",
        "\u{202e}a",
        "\n",
        "क्",
        "한",
        "🇦",
        "\u{200d}",
        "W",
    ] {
        for style in [Style::Outline, Style::Box, Style::Plain] {
            let look = Look {
                style,
                size: Size::Large,
                ..Look::default()
            };
            let caption: String = text.chars().cycle().take(500).collect();
            if let Ok((_, patch)) = painted(&typesetter, &caption, look) {
                assert_eq!(outside(&patch), None, "{text}");
            }
        }
    }
    let emoji = typesetter.set(&"😀".repeat(500), Look::default()).unwrap();
    assert_eq!((emoji.glyphs.len(), emoji.warnings.len()), (500, 0));
}
