//! The texts of the checkout: sources, manifests, papers. Build output and data are not part of it.

use std::path::Path;

use crate::failure::{Doing, Outcome};

/// Larger files are assets, not texts.
const LARGEST_TEXT_BYTES: u64 = 2_000_000;

/// One text file of the checkout.
#[derive(Debug)]
pub struct Text {
    /// Its path from the root, with `/` between folders.
    pub path: String,
    /// Its text.
    pub content: String,
}

impl Text {
    /// Whether it is Rust.
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it is Rust that becomes part of a crate: below some `src`, as opposed to tests, examples and benches.
    pub fn is_source(&self) -> bool {
        self.is_rust() && self.path.split('/').any(|folder| folder == "src")
    }

    /// Whether all of it is compiled for tests only: the file of a `mod tests;`, and what lies below `tests`.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.split('/').any(|folder| folder == "tests")
    }
}

/// Reads every text below `root`, ordered by path.
///
/// # Errors
/// When a folder or a file cannot be read.
pub fn texts(root: &Path) -> Outcome<Vec<Text>> {
    let mut found = Vec::new();
    collect(root, "", &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn collect(root: &Path, folder: &str, found: &mut Vec<Text>) -> Outcome<()> {
    for entry in std::fs::read_dir(root.join(folder)).doing(format!("reading {folder}/"))? {
        let entry = entry.doing(format!("reading {folder}/"))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        if is_skipped(folder, &name) {
            continue;
        }
        let kind = entry.file_type().doing(&path)?;
        if kind.is_dir() {
            collect(root, &path, found)?;
        } else if kind.is_file() && entry.metadata().doing(&path)?.len() <= LARGEST_TEXT_BYTES {
            let bytes = std::fs::read(entry.path()).doing(&path)?;
            found.extend(
                String::from_utf8(bytes)
                    .ok()
                    .map(|content| Text { path, content }),
            );
        }
    }
    Ok(())
}

/// What `.gitignore` ignores, git's own (a folder, or a file in a second work tree), and what the conformance programs and the fuzzer keep for themselves.
fn is_skipped(folder: &str, name: &str) -> bool {
    let at_root = folder.is_empty() && (name == "data" || name == "target" || name.starts_with("target-"));
    let of_fuzzer = folder == "fuzz" && ["seeds", "artifacts"].contains(&name);
    at_root
        || of_fuzzer
        || [
            ".git",
            "node_modules",
            "dist",
            "generated",
            ".hypothesis",
            ".schemathesis",
        ]
        .contains(&name)
}
