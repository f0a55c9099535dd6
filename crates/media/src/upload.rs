//! Writing a blob piece by piece, hashing on the way.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use bytes::{Buf, Bytes, BytesMut};
use object_store::{MultipartUpload, PutPayload};
use sha2::{Digest, Sha256};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::blobs::{BlobError, failed, storage};
use crate::direct::BLOCK_BYTES;

/// A blob on its way in. Nothing is visible under its key until [`Upload::finish`] returns; dropped or aborted
/// before that, it leaves nothing behind.
///
/// While one part is filled, the one before is hashed and [`WRITES`] are written on other threads, and no more:
/// [`Upload::write`] waits for the disk, so that a fast client cannot fill the memory.
#[derive(Debug)]
pub struct Upload {
    key: String,
    parts: Box<dyn MultipartUpload>,
    unfinished: Option<PathBuf>,
    part_bytes: usize,
    filling: BytesMut,
    hash: Hash,
    writes: VecDeque<JoinHandle<object_store::Result<()>>>,
    /// Parts on their way: memory to be used again as soon as nobody else holds it.
    sent: VecDeque<Bytes>,
    size_bytes: u64,
}

/// Parts that are written at the same time: a disk that always has one more to do is not waited for.
const WRITES: usize = 2;

/// What a finished upload turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Its length.
    pub size_bytes: u64,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
}

impl Finished {
    /// The hash in lower-case hexadecimal.
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }
}

/// An upload that has all its bytes, but no name yet. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Sealed {
    upload: Upload,
    finished: Finished,
}

impl Sealed {
    /// What it is.
    pub fn finished(&self) -> Finished {
        self.finished
    }

    /// Syncs file and directory, and gives the blob its name.
    pub async fn keep(mut self) -> Result<Finished, BlobError> {
        let completed = self.upload.parts.complete().await;
        completed.map_err(|error| failed(&self.upload.key, error))?;
        Ok(self.finished)
    }
}

/// The hash so far: here, or with the part that is being added on another thread.
#[derive(Debug)]
enum Hash {
    Here(Sha256),
    Growing(JoinHandle<Sha256>),
    /// A part was lost: the upload is broken.
    Lost,
}

impl Upload {
    pub(crate) fn new(key: &str, parts: Box<dyn MultipartUpload>, part_bytes: usize) -> Self {
        Self {
            key: key.to_owned(),
            parts,
            unfinished: None,
            part_bytes,
            filling: aligned(part_bytes),
            hash: Hash::Here(Sha256::new()),
            writes: VecDeque::new(),
            sent: VecDeque::new(),
            size_bytes: 0,
        }
    }

    /// Takes the next bytes, of any length; waits while a part is still being written and the next one is full.
    ///
    /// After an error the upload is broken: every later call fails too.
    pub async fn write(&mut self, mut bytes: Bytes) -> Result<(), BlobError> {
        self.size_bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            let room = self.part_bytes - self.filling.len();
            let taken = bytes.len().min(room);
            self.filling.extend_from_slice(&bytes[..taken]);
            bytes.advance(taken);
            if taken == room {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// The same, in a local file that can be looked into while it grows.
    pub(crate) fn in_file(self, unfinished: PathBuf) -> Self {
        Self {
            unfinished: Some(unfinished),
            ..self
        }
    }

    /// The file that holds what has been written so far, if it is a local one.
    pub fn unfinished(&self) -> Option<&Path> {
        self.unfinished.as_deref()
    }

    /// How many bytes were taken so far.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Writes what is left, syncs file and directory, and gives the blob its name.
    pub async fn finish(self) -> Result<Finished, BlobError> {
        self.seal().await?.keep().await
    }

    /// Writes what is left, so that it is known what the blob will be; it may still be dropped.
    pub async fn seal(mut self) -> Result<Sealed, BlobError> {
        if !self.filling.is_empty() {
            self.flush().await?;
        }
        let hash = self.land().await?;
        let finished = Finished {
            size_bytes: self.size_bytes,
            sha256: hash.finalize().into(),
        };
        Ok(Sealed {
            upload: self,
            finished,
        })
    }

    /// Gives up and removes what was written; returns when it is gone.
    pub async fn abort(mut self) -> Result<(), BlobError> {
        // A part that failed to be written is no reason not to clean up.
        drop(self.land().await);
        self.parts.abort().await.map_err(|error| failed(&self.key, error))
    }

    /// Sends the filled part on its way, once there is room for it.
    async fn flush(&mut self) -> Result<(), BlobError> {
        let hash = self.hashed().await?;
        if self.writes.len() >= WRITES {
            self.written().await?;
        }
        let next = self.memory();
        let part = std::mem::replace(&mut self.filling, next).freeze();
        self.writes.push_back(tokio::spawn(
            self.parts.put_part(PutPayload::from_bytes(part.clone())),
        ));
        self.sent.push_back(part.clone());
        self.hash = Hash::Growing(spawn_blocking(move || hash.chain_update(&part)));
        Ok(())
    }

    /// Waits for everything in flight; leaves the upload broken until something is sent again.
    async fn land(&mut self) -> Result<Sha256, BlobError> {
        let hash = self.hashed().await;
        while !self.writes.is_empty() {
            self.written().await?;
        }
        hash
    }

    async fn hashed(&mut self) -> Result<Sha256, BlobError> {
        match std::mem::replace(&mut self.hash, Hash::Lost) {
            Hash::Here(hash) => Ok(hash),
            Hash::Growing(growing) => growing.await.map_err(|error| storage(&self.key, error)),
            Hash::Lost => Err(storage(
                &self.key,
                std::io::Error::other("an earlier part was not written"),
            )),
        }
    }

    /// Waits for the oldest write. A failed one breaks the upload.
    async fn written(&mut self) -> Result<(), BlobError> {
        let Some(oldest) = self.writes.pop_front() else {
            return Ok(());
        };
        let written = oldest.await.map_err(|error| storage(&self.key, error));
        let written = written.and_then(|written| written.map_err(|error| failed(&self.key, error)));
        if written.is_err() {
            self.hash = Hash::Lost;
        }
        written
    }

    /// Memory for the next part: that of one that has arrived, or fresh.
    fn memory(&mut self) -> BytesMut {
        match self.sent.pop_front().map(Bytes::try_into_mut) {
            Some(Ok(mut memory)) => {
                memory.clear();
                memory
            }
            Some(Err(held)) => {
                self.sent.push_front(held);
                aligned(self.part_bytes)
            }
            None => aligned(self.part_bytes),
        }
    }
}

/// Empty memory for a part that begins where a disk's block may begin, so that it can be written without a copy.
fn aligned(part_bytes: usize) -> BytesMut {
    let mut memory = BytesMut::zeroed(part_bytes + BLOCK_BYTES);
    let before = memory.as_ptr().align_offset(BLOCK_BYTES).min(BLOCK_BYTES);
    memory.advance(before);
    memory.clear();
    memory
}
