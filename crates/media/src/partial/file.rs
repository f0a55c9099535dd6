//! A blob that comes into a local directory over many requests: between them it lies on the disk, unfinished.
//!
//! The writer holds the lock on its file, of which there is one across all processes on the storage. The system
//! releases the lock with the last handle, so that a killed process leaves none behind, and one that is still
//! writing keeps it until its write has ended. The file's name is that of other unfinished uploads: an abandoned one
//! is removed with them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Buf, Bytes, BytesMut};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::blob_error::{BlobError, storage};
use crate::blobs::Blobs;
use crate::keys::has_size;
use crate::local::{PART_BYTES, remove_if_there};

/// Whether an unfinished blob that is missing is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfMissing {
    /// It is made, empty.
    Create,
    /// It is [`BlobError::NotFound`]; in a bucket [`Partial::go_on_from`] is [`BlobError::Size`].
    Fail,
}

/// An unfinished file that no other process or task can write as long as this exists.
#[derive(Debug)]
pub(crate) struct PartialFile {
    key: String,
    blobs: Box<Blobs>,
    place: PathBuf,
    unfinished: PathBuf,
    file: Arc<File>,
    position: u64,
    filling: BytesMut,
    writing: Option<JoinHandle<io::Result<BytesMut>>>,
}

impl PartialFile {
    /// Takes hold of the unfinished file of `place`, or of the finished one if it is whole already; `None` while another has hold of it.
    pub(crate) async fn hold(
        blobs: &Blobs,
        key: &str,
        place: PathBuf,
        if_missing: IfMissing,
    ) -> Result<Option<Self>, BlobError> {
        let (owned, held_for) = (key.to_owned(), Box::new(blobs.clone()));
        let held = spawn_blocking(move || hold(owned, held_for, place, if_missing)).await;
        match held.map_err(|error| storage(key, error))? {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Without this a storage that is not mounted would look like one that lost its blobs.
                blobs.check().await?;
                Err(BlobError::NotFound { key: key.to_owned() })
            }
            held => held.map_err(|error| storage(key, error)),
        }
    }

    /// Forgets everything behind the first `offset` bytes; the next write goes there. Where fewer are stored it is [`BlobError::Size`].
    pub(crate) async fn go_on_from(&mut self, offset: u64) -> Result<(), BlobError> {
        self.landed().await?;
        self.filling.clear();
        let cut = move |file: &File| {
            let stored_bytes = file.metadata()?.len();
            if stored_bytes > offset {
                file.set_len(offset)?;
            }
            Ok(stored_bytes)
        };
        let stored_bytes = self.on_disk(cut).await?;
        has_size(&self.key, stored_bytes.min(offset), offset)?;
        self.position = offset;
        Ok(())
    }

    /// Where the next byte goes.
    pub(crate) fn position(&self) -> u64 {
        self.position + self.filling.len() as u64
    }

    /// Takes the next bytes, of any length; waits while a part is still being written and the next one is full.
    pub(crate) async fn write(&mut self, mut bytes: Bytes) -> Result<(), BlobError> {
        while !bytes.is_empty() {
            let room = PART_BYTES - self.filling.len();
            let taken = bytes.len().min(room);
            self.filling.extend_from_slice(&bytes[..taken]);
            bytes.advance(taken);
            if taken == room {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Brings everything written so far to the disk, to survive a power loss.
    pub(crate) async fn sync(&mut self) -> Result<(), BlobError> {
        if !self.filling.is_empty() {
            self.flush().await?;
        }
        self.landed().await?;
        self.on_disk(File::sync_data).await
    }

    /// The first bytes that are stored, `most` of them at most.
    pub(crate) async fn head(&self, most: u64) -> Result<Vec<u8>, BlobError> {
        self.on_disk(move |file| {
            let stored = file.metadata()?.len().min(most);
            let mut head = vec![0; usize::try_from(stored).unwrap_or_default()];
            file.read_exact_at(&mut head, 0)?;
            Ok(head)
        })
        .await
    }

    /// Gives the blob its name: from here on it can be read as any other. It is held still.
    pub(crate) async fn place(&mut self) -> Result<(), BlobError> {
        let (unfinished, place) = (self.unfinished.clone(), self.place.clone());
        let placing = self.on_disk(move |file| {
            file.sync_all()?;
            // It may have been placed before, by a process that then ended.
            if !is_at(file, &place)? {
                std::fs::rename(&unfinished, &place)?;
            }
            sync_directory(&place)
        });
        match placing.await {
            Err(error) => Err(self.blobs.explained(error).await),
            placed => placed,
        }
    }

    async fn flush(&mut self) -> Result<(), BlobError> {
        let mut memory = self.landed().await?;
        memory.clear();
        let part = std::mem::replace(&mut self.filling, memory);
        let (file, at) = (Arc::clone(&self.file), self.position);
        self.position += part.len() as u64;
        self.writing = Some(spawn_blocking(move || {
            file.write_all_at(&part, at)?;
            Ok(part)
        }));
        Ok(())
    }

    /// Waits for the write that is under way, and answers the memory it used.
    async fn landed(&mut self) -> Result<BytesMut, BlobError> {
        let Some(writing) = self.writing.take() else {
            return Ok(BytesMut::with_capacity(PART_BYTES));
        };
        let written = writing.await.map_err(|error| storage(&self.key, error))?;
        written.map_err(|error| storage(&self.key, error))
    }

    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&File) -> io::Result<T> + Send + 'static,
    ) -> Result<T, BlobError> {
        let file = Arc::clone(&self.file);
        let done = spawn_blocking(move || work(&file)).await;
        let done = done.map_err(|error| storage(&self.key, error))?;
        done.map_err(|error| storage(&self.key, error))
    }
}

impl Drop for PartialFile {
    /// Closing the file would do, but for a moment a program that is being started shares all open files. A write that
    /// is still under way keeps the lock until it has ended.
    fn drop(&mut self) {
        if Arc::strong_count(&self.file) == 1 {
            // Closing follows in any case.
            let _closed_anyway = self.file.unlock();
        }
    }
}

fn hold(
    key: String,
    blobs: Box<Blobs>,
    place: PathBuf,
    if_missing: IfMissing,
) -> io::Result<Option<PartialFile>> {
    let unfinished = unfinished_name(&place);
    let file = open(&unfinished, &place, if_missing)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    if !is_at(&file, &place)? {
        if place.exists() {
            // Another made the blob whole just before this one made a second file for it.
            remove_if_there(&unfinished)?;
            return Ok(None);
        }
        // Such a second file that was removed by now, or a blob that was.
        if !is_at(&file, &unfinished)? {
            return Ok(None);
        }
    }
    Ok(Some(PartialFile {
        key,
        blobs,
        place,
        unfinished,
        file: Arc::new(file),
        position: 0,
        filling: BytesMut::with_capacity(PART_BYTES),
        writing: None,
    }))
}

fn open(unfinished: &Path, place: &Path, if_missing: IfMissing) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    if if_missing == IfMissing::Create {
        let file = options.create(true).truncate(false).open(unfinished)?;
        sync_directory(unfinished)?;
        return Ok(file);
    }
    match options.open(unfinished) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => options.open(place),
        opened => opened,
    }
}

/// Whether `path` leads to this very file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match std::fs::metadata(path) {
        Ok(found) => {
            let file = file.metadata()?;
            Ok((found.dev(), found.ino()) == (file.dev(), file.ino()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path.parent().unwrap_or(Path::new("/")))?.sync_all()
}

/// The form in which abandoned uploads are looked for.
pub(super) fn unfinished_name(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push("#0");
    PathBuf::from(name)
}
