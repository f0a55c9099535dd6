//! A video of a bucket as a file, for `ffmpeg`, which reads nothing else: its beginning, where the frame of a poster is, and its end,
//! where its index may be. Between them is a hole that takes no space.

use std::io::{self, Write};
use std::path::Path;

use futures_util::TryStreamExt;
use tempfile::NamedTempFile;
use tokio::runtime::Handle;

use crate::blobs::Blobs;
use crate::bucket::EXCERPT_PREFIX;

/// A second of 4K video at 100 Mbit/s, and an index of minutes before it.
const BEGINNING_BYTES: u64 = 16 << 20;
/// The index of an hour.
const END_BYTES: u64 = 8 << 20;
/// Copies what a poster needs of a video into a file in `folder`, which is removed when dropped. Blocks: never call it on an
/// asynchronous thread.
pub(crate) fn excerpt(
    blobs: &Blobs,
    key: &str,
    size_bytes: u64,
    folder: &Path,
    runtime: &Handle,
) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix(EXCERPT_PREFIX)
        .tempfile_in(folder)?;
    file.as_file().set_len(size_bytes)?;
    let beginning = 0..size_bytes.min(BEGINNING_BYTES);
    let end = beginning.end.max(size_bytes.saturating_sub(END_BYTES))..size_bytes;
    for range in [beginning, end] {
        io::Seek::seek(&mut file, io::SeekFrom::Start(range.start))?;
        runtime.block_on(async {
            let pieces = blobs.get_range(key, range, size_bytes).await;
            let mut pieces = pieces.map_err(io::Error::other)?;
            while let Some(piece) = pieces.try_next().await.map_err(io::Error::other)? {
                file.write_all(&piece)?;
            }
            Ok::<_, io::Error>(())
        })?;
    }
    Ok(file)
}
