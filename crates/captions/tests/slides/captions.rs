//! Captions and pictures together.

use playout_captions::{Compositor, Fit, Look, Patch, Position, Size, Style, Warning};

use crate::files::{CANVAS, PLAIN, jpeg, planes};
use crate::photo::photo;

/// Rows and columns of luma in which two slides differ: the first and the last of each.
fn changed(one: &[u8], other: &[u8]) -> Option<[usize; 4]> {
    let (one, other) = (planes(one), planes(other));
    let changed = (0..1080 * 1920).filter(|at| one[*at] != other[*at]);
    changed
        .map(|at| (at % 1080, at / 1080))
        .fold(None, |sides, (x, y)| {
            let [left, right, top, bottom] = sides.unwrap_or([x, x, y, y]);
            Some([left.min(x), right.max(x), top.min(y), bottom.max(y)])
        })
}

#[test]
fn a_caption_stands_where_it_shall_and_changes_nothing_outside_the_safe_area() {
    let compositor = Compositor::new();
    let file = jpeg(&photo(CANVAS, 1), CANVAS, PLAIN);
    let bare = compositor.bake(&file, "", Look::default()).unwrap().jpeg;
    assert!(
        bare == compositor
            .bake_patch(&file, &Patch::default(), Fit::Cover)
            .unwrap()
    );
    let mut tops = Vec::new();
    for position in [Position::Top, Position::Middle, Position::Bottom] {
        for style in [Style::Outline, Style::Box, Style::Plain] {
            let size = Size::Large;
            let look = Look {
                position,
                style,
                size,
                ..Look::default()
            };
            let slide = compositor
                .bake(&file, "Hello there, how are you today?", look)
                .unwrap();
            assert_eq!(slide.warnings, []);
            let [left, right, top, bottom] = changed(&slide.jpeg, &bare).unwrap();
            // Whole blocks change, so up to fifteen pixels more than the caption itself.
            assert!(
                left >= 104 && right < 976 && top >= 64 && bottom < 1488,
                "{left} {right} {top} {bottom}"
            );
            tops.push(top);
        }
    }
    assert!(tops[0] < tops[3] && tops[3] < tops[6], "{tops:?}");
}

#[test]
fn characters_that_no_font_has_are_named_beside_the_slide() {
    let file = jpeg(&photo((300, 500), 1), (300, 500), PLAIN);
    let slide = Compositor::new()
        .bake(&file, "a\u{E000}b", Look::default())
        .unwrap();
    assert!(
        slide.warnings == [Warning::MissingGlyphs(vec!['\u{E000}'])],
        "{:?}",
        slide.warnings
    );
}
