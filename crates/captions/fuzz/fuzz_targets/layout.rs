//! Any text in any style is set and painted, or refused: `cargo +nightly fuzz run layout` in `crates/captions`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use playout_captions::{Look, Patch, Position, Size, Style, Typesetter};

static TYPESETTER: LazyLock<Typesetter> = LazyLock::new(Typesetter::new);

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let look = Look {
        size: [Size::Small, Size::Medium, Size::Large][usize::from(choice % 3)],
        position: [Position::Top, Position::Middle, Position::Bottom][usize::from(choice / 3 % 3)],
        style: [Style::Outline, Style::Box, Style::Plain][usize::from(choice / 9 % 3)],
        ..Look::default()
    };
    let text: String = text.chars().take(500).collect();
    let Ok(typeset) = TYPESETTER.set(&text, look) else { return };
    let mut patch = Patch::default();
    TYPESETTER.paint(&typeset, &mut patch);
    let (width, height) = (patch.width as usize, patch.height as usize);
    assert_eq!(patch.rgba.len(), width * height * 4);
    for (index, pixel) in patch.rgba.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] != 0) {
        let (x, y) = (patch.left as usize + index % width, patch.top as usize + index / width);
        assert!((120..960).contains(&x) && (80..1470).contains(&y), "{x} {y} {pixel:?}");
    }
});
