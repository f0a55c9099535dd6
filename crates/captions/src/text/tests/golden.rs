//! Every caption of the corpus in every style, compared with pictures that were looked at.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[path = "../../../tests/kept.rs"]
mod kept;

use super::corpus::CAPTIONS;
use super::{Look, Patch, Position, Size, Style, Typesetter, painted};
use kept::is_kept;

const STYLES: [(&str, Style); 3] = [
    ("outline", Style::Outline),
    ("box", Style::Box),
    ("plain", Style::Plain),
];

/// What the captions lie on here.
const GREY: u32 = 0x80;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A patch on grey, RGB.
fn on_grey(patch: &Patch) -> Vec<u8> {
    let lay = |pixel: &[u8]| {
        let below = (GREY * (255 - u32::from(pixel[3])) + 127) / 255;
        [0, 1, 2].map(|part| (u32::from(pixel[part]) + below) as u8)
    };
    patch.rgba.chunks_exact(4).flat_map(lay).collect()
}

/// Whether the picture of that name is this one; otherwise it is written.
fn matches(name: &str, patch: &Patch) -> bool {
    let path = folder().join(format!("{name}.webp"));
    let pixels = on_grey(patch);
    let encoder = webp::Encoder::from_rgb(&pixels, patch.width, patch.height);
    is_kept(&path, (patch.width, patch.height), &pixels, || {
        encoder.encode_lossless()
    })
}

#[test]
fn every_caption_looks_as_it_did_when_it_was_looked_at() {
    let typesetter = Typesetter::new();
    let mut list = String::from("caption\tstyle\tleft\ttop\twidth\theight\tsize\tglyphs\twarnings\n");
    let mut changed = Vec::new();
    for (index, (name, caption)) in CAPTIONS.iter().enumerate() {
        // Plain pictures are the largest and show the same letters: every third is enough.
        let styles = if index % 3 == 0 { &STYLES[..] } else { &STYLES[..2] };
        for (word, style) in styles.iter().copied() {
            // Positions and sizes take turns, so that each is seen in each style.
            let look = Look {
                style,
                position: [Position::Middle, Position::Top, Position::Bottom][index % 3],
                size: [Size::Medium, Size::Medium, Size::Large, Size::Small][index % 4],
                ..Look::default()
            };
            let (typeset, patch) = painted(&typesetter, caption, look).unwrap();
            let Patch {
                left,
                top,
                width,
                height,
                ..
            } = patch;
            let warnings: Vec<String> = typeset.warnings.iter().map(ToString::to_string).collect();
            let (size, glyphs) = (typeset.size, typeset.glyphs.len());
            let warnings = warnings.join("; ");
            writeln!(
                list,
                "{name}\t{word}\t{left}\t{top}\t{width}\t{height}\t{size}\t{glyphs}\t{warnings}"
            )
            .unwrap();
            let picture = format!("{name}.{word}");
            if !matches(&picture, &patch) {
                changed.push(picture);
            }
        }
    }
    let known = std::fs::read_to_string(folder().join("list.tsv")).unwrap_or_default();
    std::fs::write(folder().join("list.tsv"), &list).unwrap();
    assert!(
        changed.is_empty() && known == list,
        "pictures in tests/golden were out of date and are rewritten now; look at what changed, and commit it: {changed:?}"
    );
}
