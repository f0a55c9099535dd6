//! Makes the built dashboard part of the program: lists the files of `web/dist`, each with its packed variants. Where the
//! dashboard was not built the list is empty, and the program serves the plain pages alone.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script everything by the environment"
)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let dist = root.join("../../web/dist");
    // The folder is part of the checkout: a path that is not there would run this anew each time.
    println!("cargo::rerun-if-changed={}", dist.display());
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("dashboard.rs"), table(&dist)?)
}

/// The table of files as Rust: `index.html` first, if there is one.
fn table(dist: &Path) -> io::Result<String> {
    let index = match dist.join("index.html") {
        path if path.is_file() => format!("Some(include_str!({:?}))", path.canonicalize()?),
        _ => "None".to_owned(),
    };
    let mut table = format!("const INDEX: Option<&str> = {index};\nconst ASSETS: &[Asset] = &[\n");
    for path in assets(&dist.join("assets"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(table, "Asset {{ name: {name:?}, content: {} }},", content(&path))
            .map_err(io::Error::other)?;
    }
    table.push_str("];\n");
    Ok(table)
}

/// The files below `assets`, in order, without the packed variants; none where the folder is missing.
fn assets(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path().canonicalize()?;
        let is_packed = path.extension().is_some_and(|end| end == "br" || end == "gz");
        if path.is_file() && !is_packed {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn content(path: &Path) -> String {
    let packed = ["br", "gz"].map(|end| {
        let mut variant = path.as_os_str().to_owned();
        variant.push(format!(".{end}"));
        PathBuf::from(variant)
    });
    match &packed {
        [brotli, gzip] if brotli.is_file() && gzip.is_file() => {
            format!(
                "Content::Packed {{ brotli: include_bytes!({brotli:?}), gzip: include_bytes!({gzip:?}) }}"
            )
        }
        _ => format!("Content::Plain(include_bytes!({path:?}))"),
    }
}
