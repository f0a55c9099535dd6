//! Writing a blob piece by piece, hashing on the way.

use bytes::{Buf, Bytes, BytesMut};
use object_store::{MultipartUpload, PutPayload};
use sha2::{Digest, Sha256};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::blobs::{BlobError, failed, storage};
use crate::direct::BLOCK_BYTES;

/// A blob on its way in. Nothing is visible under its key until [`Upload::finish`] returns; dropped or aborted
/// before that, it leaves nothing behind.
///
/// One part is hashed and written on other threads while the next is filled, and no more: [`Upload::write`] waits
/// for the disk, so that a fast client cannot fill the memory.
#[derive(Debug)]
pub struct Upload {
    key: String,
    parts: Box<dyn MultipartUpload>,
    part_bytes: usize,
    filling: BytesMut,
    state: State,
    size_bytes: u64,
}

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

/// What a part in flight brings back: the hash so far, and its memory for the part after the next.
type Landed = Result<(Sha256, BytesMut), BlobError>;

#[derive(Debug)]
enum State {
    Idle(Sha256, BytesMut),
    InFlight(JoinHandle<Landed>),
    Failed,
}

impl Upload {
    pub(crate) fn new(key: &str, parts: Box<dyn MultipartUpload>, part_bytes: usize) -> Self {
        let state = State::Idle(Sha256::new(), aligned(part_bytes));
        Self {
            key: key.to_owned(),
            parts,
            part_bytes,
            filling: aligned(part_bytes),
            state,
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

    /// How many bytes were taken so far.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Writes what is left, syncs file and directory, and gives the blob its name.
    pub async fn finish(mut self) -> Result<Finished, BlobError> {
        if !self.filling.is_empty() {
            self.flush().await?;
        }
        let (hash, _) = self.land().await?;
        self.parts
            .complete()
            .await
            .map_err(|error| failed(&self.key, error))?;
        Ok(Finished {
            size_bytes: self.size_bytes,
            sha256: hash.finalize().into(),
        })
    }

    /// Gives up and removes what was written; returns when it is gone.
    pub async fn abort(mut self) -> Result<(), BlobError> {
        // A part that failed to be written is no reason not to clean up.
        drop(self.land().await);
        self.parts.abort().await.map_err(|error| failed(&self.key, error))
    }

    /// Sends the filled part on its way, once the one before has arrived.
    async fn flush(&mut self) -> Result<(), BlobError> {
        let (hash, spare) = self.land().await?;
        let part = std::mem::replace(&mut self.filling, spare).freeze();
        let written = self.parts.put_part(PutPayload::from_bytes(part.clone()));
        let (key, part_bytes) = (self.key.clone(), self.part_bytes);
        self.state = State::InFlight(tokio::spawn(async move {
            let hashed = spawn_blocking(move || hash_part(hash, part));
            let (written, hashed) = futures_util::future::join(written, hashed).await;
            written.map_err(|error| failed(&key, error))?;
            let (hash, part) = hashed.map_err(|error| storage(&key, error))?;
            Ok((hash, reuse(part, part_bytes)))
        }));
        Ok(())
    }

    /// Waits for the part in flight; leaves the upload broken until [`Upload::flush`] says otherwise.
    async fn land(&mut self) -> Landed {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Idle(hash, spare) => Ok((hash, spare)),
            State::InFlight(part) => part.await.map_err(|error| storage(&self.key, error))?,
            State::Failed => Err(storage(
                &self.key,
                std::io::Error::other("an earlier part was not written"),
            )),
        }
    }
}

fn hash_part(mut hash: Sha256, part: Bytes) -> (Sha256, Bytes) {
    hash.update(&part);
    (hash, part)
}

/// The part's memory, emptied; fresh memory if the store still holds on to the part.
fn reuse(part: Bytes, part_bytes: usize) -> BytesMut {
    match part.try_into_mut() {
        Ok(mut memory) => {
            memory.clear();
            memory
        }
        Err(_) => aligned(part_bytes),
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
