//! Any text in any look is set and painted, or refused.
//!
//! The first byte chooses the look, the others are the text. `cargo xtask fuzz layout` begins with the captions of the corpus.

use std::collections::HashSet;
use std::sync::LazyLock;

use icu_normalizer::DecomposingNormalizerBorrowed;
use playout_captions::{Patch, Refusal, Typesetter, Warning};

use crate::look::look;

static TYPESETTER: LazyLock<Typesetter> = LazyLock::new(Typesetter::new);

/// Any bytes as a look and a text.
pub(crate) fn layout(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(text);
    let typeset = match TYPESETTER.set(&text, look(*choice)) {
        Ok(typeset) => typeset,
        Err(Refusal::TooLong { fits, characters }) => {
            assert!(fits < characters, "{fits} of {characters} fit");
            return;
        }
        Err(other) => panic!("{other}"),
    };
    check_warnings(&text, &typeset.warnings);
    let mut patch = Patch::default();
    TYPESETTER.paint(&typeset, &mut patch);
    check_patch(&patch);
    // The last painting is cached; it must look the same.
    let mut again = Patch::default();
    TYPESETTER.paint(&typeset, &mut again);
    assert!(patch.rgba == again.rgba, "another picture the second time");
}

/// Each character is named once, and occurs in the text, perhaps in parts.
fn check_warnings(text: &str, warnings: &[Warning]) {
    if warnings.is_empty() {
        return;
    }
    let parts = |text: &str| {
        DecomposingNormalizerBorrowed::new_nfd()
            .normalize(text)
            .into_owned()
    };
    let given: HashSet<char> = parts(text).chars().collect();
    let mut named = HashSet::new();
    for character in warnings
        .iter()
        .flat_map(|Warning::MissingGlyphs(missing)| missing)
    {
        assert!(named.insert(*character), "{character:?} is named twice");
        let parts = parts(character.encode_utf8(&mut [0; 4]));
        assert!(
            parts.chars().all(|part| given.contains(&part)),
            "{character:?} is not in the text"
        );
    }
}

/// The patch is within the canvas, and what it shows within the safe area.
fn check_patch(patch: &Patch) {
    let (width, height) = (patch.width as usize, patch.height as usize);
    assert_eq!(patch.rgba.len(), width * height * 4);
    assert!(patch.left + patch.width <= 1080 && patch.top + patch.height <= 1920);
    for (index, pixel) in patch
        .rgba
        .chunks_exact(4)
        .enumerate()
        .filter(|(_, pixel)| **pixel != [0; 4])
    {
        let (x, y) = (
            patch.left as usize + index % width,
            patch.top as usize + index / width,
        );
        assert!(
            (120..960).contains(&x) && (80..1470).contains(&y),
            "{x} {y} {pixel:?}"
        );
        assert!(
            pixel[..3].iter().all(|part| *part <= pixel[3]),
            "brighter than its alpha: {x} {y} {pixel:?}"
        );
    }
}
