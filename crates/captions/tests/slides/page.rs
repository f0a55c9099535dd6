//! The pictures of `docs/slides.md`, drawn by the crate itself.

mod captions;
mod contact;
mod studio;

use std::path::{Path, PathBuf};

use crate::kept::is_kept;
use contact::Sheet;
use studio::Studio;

/// No picture of the page is larger, so that it opens at once.
const MOST_BYTES: usize = 120_000;
const QUALITY: f32 = 78.0;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn sheets() -> Vec<Sheet> {
    let studio = Studio::new();
    let slides = captions::SHEETS.iter().map(|(name, columns, posts)| {
        let tiles = posts.iter().map(|post| studio.slide(post)).collect();
        Sheet::new(name, *columns, tiles)
    });
    let mut sheets: Vec<Sheet> = slides.collect();
    sheets.push(studio.positions());
    sheets.push(studio.fits());
    for (name, captions) in ["hard-1", "hard-2"].into_iter().zip(captions::HARD.chunks(12)) {
        sheets.push(Sheet::new(
            name,
            2,
            captions.iter().map(|name| studio.hard(name)).collect(),
        ));
    }
    sheets
}

#[test]
fn the_pictures_of_the_page_are_those_that_were_looked_at() {
    let mut changed = Vec::new();
    for sheet in sheets() {
        let (width, height, rgba) = sheet.draw();
        let file = webp::Encoder::from_rgba(&rgba, width, height).encode(QUALITY);
        assert!(file.len() <= MOST_BYTES, "{}: {} bytes", sheet.name, file.len());
        let shown = webp::Decoder::new(&file).decode().unwrap();
        let path = docs().join(format!("slides/{}.webp", sheet.name));
        if !is_kept(&path, (width, height), &shown, || file) {
            changed.push(sheet.name);
        }
    }
    assert!(
        changed.is_empty(),
        "pictures in docs/slides were out of date and are rewritten now; look at what changed, and commit it: {changed:?}"
    );
}

#[test]
fn every_picture_is_drawn_anew_and_shown_on_the_page() {
    let page = std::fs::read_to_string(docs().join("slides.md")).unwrap();
    let files = std::fs::read_dir(docs().join("slides")).unwrap();
    let mut files: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let shown = |file: &&String| !page.contains(&format!("](slides/{file})"));
    assert_eq!(files.iter().filter(shown).collect::<Vec<_>>(), [] as [&String; 0]);
    let mut drawn: Vec<String> = captions::SHEETS
        .iter()
        .map(|(name, ..)| format!("{name}.webp"))
        .collect();
    drawn.extend(["positions", "fits", "hard-1", "hard-2"].map(|name| format!("{name}.webp")));
    drawn.sort();
    assert_eq!(files, drawn);
}
