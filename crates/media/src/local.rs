//! Operations on a local directory that the general interface lacks or does less well.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::stream::{StreamExt, try_unfold};
use playout_domain::time::Time;

use crate::blob_error::{BlobStream, storage};

/// How much an upload gathers before it is written: large enough that a hop to another thread costs nothing,
/// small enough that hashing and writing find the part in the cache of the processor.
pub(crate) const PART_BYTES: usize = 1 << 20;

/// `object_store` reads files in pieces of 8 KiB, each with a hop to another thread; serving a video that way
/// costs several times the CPU of these.
const READ_BYTES: u64 = 512 << 10;

/// `range` of `file` in large pieces.
pub(crate) fn stream(file: File, range: Range<u64>, key: String) -> BlobStream {
    try_unfold((file, range, key), async |(file, range, key)| {
        if range.is_empty() {
            return Ok(None);
        }
        let piece = range.start..range.end.min(range.start + READ_BYTES);
        let rest = piece.end..range.end;
        let read = tokio::task::spawn_blocking(move || read_piece(file, piece)).await;
        let (file, bytes) = read
            .map_err(|error| storage(&key, error))?
            .map_err(|error| storage(&key, error))?;
        Ok(Some((bytes, (file, rest, key))))
    })
    .boxed()
}

fn read_piece(mut file: File, piece: Range<u64>) -> io::Result<(File, Bytes)> {
    let length = piece.end - piece.start;
    file.seek(SeekFrom::Start(piece.start))?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    (&mut file).take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok((file, Bytes::from(bytes)))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Makes the names in a directory last.
pub(crate) async fn sync_directory(directory: PathBuf) -> io::Result<()> {
    let synced = tokio::task::spawn_blocking(move || File::open(directory)?.sync_all()).await;
    synced.map_err(io::Error::other).flatten()
}

/// Makes the directories between `root` and `path` that are missing, and never `root` itself.
pub(crate) fn make_parents(root: &Path, path: &Path) -> io::Result<()> {
    let parents: Vec<_> = path
        .ancestors()
        .skip(1)
        .take_while(|parent| *parent != root)
        .collect();
    for parent in parents.into_iter().rev() {
        match std::fs::create_dir(parent) {
            Ok(()) => File::open(parent.parent().unwrap_or(root))?.sync_all()?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes `bytes` to the file at `path`, and syncs it; never in part. No directory is made.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_beside(path, bytes, || Ok(()))
}

/// Writes `bytes` to the file at `path`, which must exist, and syncs it; never in part, but on a full disk. It is not made where it is missing, also
/// not where the directory is replaced meanwhile, as when a file system is unmounted: then the file that was written beside it is missing
/// too.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match write_beside(path, bytes, || std::fs::metadata(path).map(drop)) {
        Err(error) if has_no_room(&error) => overwrite(path, bytes),
        written => written,
    }
}

/// Whether no file can be written beside another one, as on a full disk.
fn has_no_room(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | InvalidFilename)
}

/// Writes `bytes` over the content of a file, in the place that it has: most file systems need no more room for that. A power failure may
/// leave both in part, unless they fit a sector of the disk.
fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Writes a file beside `path`, if it then `may_be_written`, and gives it that name.
fn write_beside(
    path: &Path,
    bytes: &[u8],
    may_be_written: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    let (unfinished, mut file) = create_beside(path)?;
    let written = may_be_written()
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&unfinished, path))
        .and_then(|()| File::open(path.parent().unwrap_or(Path::new("/")))?.sync_all());
    if written.is_err() {
        // It may have gone with the directory, or have its name.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

/// A new file beside `path`, with the name of an unfinished upload.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 1_u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!("#{number}"));
        let unfinished = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&unfinished) {
            Ok(file) => return Ok((unfinished, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Removes files with names that `is_meant` accepts, last written before `before`.
pub(crate) fn remove_old(directory: &Path, before: Time, is_meant: fn(&str) -> bool) -> io::Result<u64> {
    let mut removed = 0;
    let entries = match std::fs::read_dir(directory) {
        // A directory that is gone holds nothing to remove.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            removed += remove_old(&entry.path(), before, is_meant)?;
        } else if is_meant(&entry.file_name().to_string_lossy()) && is_older(&entry, before)? {
            removed += u64::from(remove_if_there(&entry.path())?);
        }
    }
    Ok(removed)
}

/// Whether a file is an unfinished upload (`name#1`: the form `object_store` gives them).
pub(crate) fn is_unfinished(name: &str) -> bool {
    let number = name.rsplit_once('#').map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a file was last written before `before`. One that vanished meanwhile was an upload that ended well.
fn is_older(entry: &std::fs::DirEntry, before: Time) -> io::Result<bool> {
    match written(entry) {
        Ok(written) => Ok(written < before),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn written(entry: &std::fs::DirEntry) -> io::Result<Time> {
    let modified = entry.metadata()?.modified()?;
    let since_epoch = modified.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok(Time::from_micros(
        i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX),
    ))
}

pub(crate) fn remove_if_there(path: &Path) -> io::Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
