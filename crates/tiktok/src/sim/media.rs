//! The bytes that the provider received: hashed, and kept in a temporary folder so that pages can play them.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::Serialize;
use tempfile::TempDir;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};
use tokio_util::io::ReaderStream;

use super::answer::with_headers;

/// A video or picture as it arrived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// Its name under `/sim/media/`.
    pub id: String,
    /// `video/mp4`, `image/jpeg`, …
    pub content_type: String,
    /// Its length.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// The URL it was pulled from; `None`: it was uploaded.
    pub url: Option<String>,
    /// Width in pixels, where the bytes contain it; else 0.
    pub width: u32,
    /// Height in pixels, where the bytes contain it; else 0.
    pub height: u32,
    /// Length in milliseconds, where the bytes contain it; else 0.
    pub duration_ms: u64,
}

/// The folder of received bytes; it goes away with the simulator.
#[derive(Debug)]
pub(super) struct Shelf(TempDir);

impl Shelf {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self(
            tempfile::Builder::new().prefix("playout-simulator-").tempdir()?,
        ))
    }

    /// Where the bytes of `id` are.
    pub(super) fn path(&self, id: &str) -> PathBuf {
        let name: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
        self.0.path().join(name)
    }

    pub(super) fn remove(&self, id: &str) {
        // A file that is gone already is as good as removed.
        let _ = std::fs::remove_file(self.path(id));
    }

    /// Serves the bytes of `id`, or the part that the `Range` header asks for.
    pub(super) async fn serve(
        &self,
        id: &str,
        content_type: &str,
        headers: &HeaderMap,
    ) -> io::Result<Response> {
        let mut file = File::open(self.path(id)).await?;
        let size = file.metadata().await?.len();
        let range = headers.get(header::RANGE).and_then(|value| value.to_str().ok());
        let Some(range) = range else {
            return Ok(body(200, 0..size, size, content_type, file));
        };
        let Some((first, length)) = parse_range(range, size) else {
            let unsatisfied = format!("bytes */{size}");
            return Ok(with_headers(416, &[("content-range", &unsatisfied)], ""));
        };
        file.seek(SeekFrom::Start(first)).await?;
        Ok(body(206, first..first + length, size, content_type, file))
    }
}

/// The bytes of `range` of a file of `size` bytes, which is read from where it stands.
fn body(status: u16, range: Range<u64>, size: u64, content_type: &str, file: File) -> Response {
    let content_range = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
    let length = range.end - range.start;
    let length_text = length.to_string();
    let mut headers = vec![
        ("content-type", content_type),
        ("content-length", length_text.as_str()),
        ("accept-ranges", "bytes"),
        ("x-content-type-options", "nosniff"),
    ];
    if status == 206 {
        headers.push(("content-range", &content_range));
    }
    with_headers(
        status,
        &headers,
        Body::from_stream(ReaderStream::with_capacity(file.take(length), 64 * 1024)),
    )
}

/// `(first, length)` of a single `bytes=` range inside `size`; `None` if there is none.
fn parse_range(text: &str, size: u64) -> Option<(u64, u64)> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let (first, last) = match (first.trim(), last.trim()) {
        ("", suffix) => (
            size.checked_sub(suffix.parse::<u64>().ok()?.min(size))?,
            size.checked_sub(1)?,
        ),
        (first, "") => (first.parse().ok()?, size.checked_sub(1)?),
        (first, last) => (
            first.parse().ok()?,
            last.parse::<u64>().ok()?.min(size.checked_sub(1)?),
        ),
    };
    if first > last || first >= size {
        None
    } else {
        Some((first, last - first + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::parse_range;

    #[test]
    fn a_range_is_cut_to_the_file() {
        assert_eq!(parse_range("bytes=0-99", 10), Some((0, 10)));
        assert_eq!(parse_range("bytes=4-", 10), Some((4, 6)));
        assert_eq!(parse_range("bytes=-3", 10), Some((7, 3)));
        assert_eq!(parse_range("bytes=2-2", 10), Some((2, 1)));
    }

    #[test]
    fn a_range_outside_the_file_is_refused() {
        for text in ["bytes=10-", "bytes=5-4", "bytes=x-2", "items=0-1", "bytes=-0"] {
            assert_eq!(parse_range(text, 10), None, "{text}");
        }
    }
}
