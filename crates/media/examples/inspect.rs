//! Prints how the service would process files, and how long it takes.
//!
//! `cargo run --release -p playout-media --example inspect -- FILE...`

use std::path::Path;
use std::time::Instant;

use playout_domain::media::MediaType;
use playout_media::{BlobReader, FitLimits, Inspected, Inspector, Poster, fit_jpeg};

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() {
    let inspector = Inspector::new(Poster::detect());
    for file in std::env::args().skip(1) {
        match report(&inspector, Path::new(&file)) {
            Ok(report) => println!("{file}: {report}"),
            Err(error) => println!("{file}: {error}"),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "measures real time, and has no service around it"
)]
fn report(inspector: &Inspector, path: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let started = Instant::now();
    let Inspected {
        mime,
        probe,
        preview_jpeg,
        placeholder_because,
    } = inspector.inspect(&mut BlobReader::open(path)?)?;
    let mut report = format!("{}\n  {probe:?}\n", mime.as_str());
    report += &format!(
        "  preview of {} bytes after {:?}",
        preview_jpeg.len(),
        started.elapsed()
    );
    if let Some(reason) = placeholder_because {
        report += &format!(", a placeholder: {reason}");
    }
    if mime.media_type() == MediaType::Image {
        let (file, started) = (std::fs::read(path)?, Instant::now());
        let limits = FitLimits {
            max_short_side: 1080,
            max_long_side: 1920,
            max_bytes: 20_000_000,
        };
        let rendition = fit_jpeg(&file, mime, limits)?;
        report += &format!(
            "\n  rendition of {} bytes after {:?}",
            rendition.len(),
            started.elapsed()
        );
    }
    Ok(report)
}
