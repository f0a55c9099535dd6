//! A blob that comes into a bucket over many requests, on any node.
//!
//! A request leaves a note for the next one: the multipart upload, its parts, and the bytes after them. A note is named by the number of
//! bytes received and by a hash of what it holds, and the database has number and name, so that who reads them finds the note that belongs
//! to them. Two requests on different nodes may write at once: each has a note of its own bytes, or both the same one, and the database
//! takes that of one of them. A part that both send with different bytes has the `ETag` of one, and the bucket completes no upload with the
//! other.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use object_store::ObjectStoreExt;
use object_store::multipart::PartId;
use playout_domain::sniff::SNIFF_BYTES;
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;

use super::growing::Growing;
use super::note::Note;
use super::{Bucket, Held};
use crate::blob_error::{BlobError, failed};

/// How much of a note's hash is in its name.
const HASH_BYTES: usize = 16;
/// How much is gathered before it is written.
const PIECE_BYTES: usize = 512 << 10;

/// How much of an unfinished blob is brought to the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What the storage takes at once: in a bucket, full parts of 5 MiB.
    FullParts,
    /// All that was written.
    Everything,
}

/// An unfinished blob in a bucket.
#[derive(Debug)]
pub(crate) struct PartialObject {
    bucket: Bucket,
    key: String,
    held: Arc<Held>,
    state: State,
    filling: BytesMut,
    /// Its first bytes.
    head: BytesMut,
    /// The notes that the database may know of.
    noted: Vec<Noted>,
    /// Whether a note names the multipart upload, so that others can go on with it.
    is_named: bool,
}

/// A note of an unfinished blob.
#[derive(Debug)]
struct Noted {
    /// How far the blob has come.
    at: u64,
    name: String,
}

#[derive(Debug)]
enum State {
    /// Not looked at yet.
    Unknown,
    Growing(Growing),
    /// It has its name.
    Whole(u64),
}

impl PartialObject {
    /// Takes hold of the blob; `None` while another task of this process has it.
    pub(crate) fn hold(bucket: &Bucket, key: &str) -> Option<Self> {
        Some(Self {
            held: bucket.hold(key)?,
            bucket: bucket.clone(),
            key: key.to_owned(),
            state: State::Unknown,
            filling: BytesMut::new(),
            head: BytesMut::new(),
            noted: Vec::new(),
            is_named: false,
        })
    }

    /// Forgets everything behind the first `offset` bytes, of which this is the note.
    pub(crate) async fn go_on_from(&mut self, offset: u64, name: Option<&str>) -> Result<(), BlobError> {
        if let Some(mut growing) = self.take_growing() {
            growing.quiet().await;
            if !self.is_named {
                let _left_to_the_sweep = growing.abort().await;
            }
        }
        self.is_named = false;
        self.filling.clear();
        self.head.clear();
        self.noted.clear();
        let path = self.bucket.path(&self.key)?;
        let growing = Growing::new(self.bucket.clone(), path.clone());
        if offset == 0 {
            self.state = State::Growing(growing.after(None, Vec::new(), Arc::clone(&self.held)));
            return Ok(());
        }
        let name = name.unwrap_or_default().to_owned();
        let Some(note) = self.note_of(&name).await? else {
            let found = self.bucket.store().head(&path).await;
            return match found.map_err(|error| failed(&self.key, error)) {
                Ok(whole) if whole.size == offset => {
                    self.state = State::Whole(offset);
                    Ok(())
                }
                Ok(other) => Err(self.has_other_size(other.size, offset)),
                Err(BlobError::NotFound { .. }) => Err(self.has_other_size(0, offset)),
                Err(error) => Err(error),
            };
        };
        let sent = note.parts.into_iter().map(|content_id| PartId { content_id });
        let mut growing = growing.after(note.multipart, sent.collect(), Arc::clone(&self.held));
        let written = growing.write(note.rest).await;
        written.map_err(|error| failed(&self.key, error))?;
        if growing.position() != offset {
            return Err(self.has_other_size(growing.position(), offset));
        }
        self.is_named = growing.multipart().is_some();
        self.head.extend_from_slice(&note.head);
        self.state = State::Growing(growing);
        self.noted.push(Noted { at: offset, name });
        Ok(())
    }

    fn take_growing(&mut self) -> Option<Growing> {
        match std::mem::replace(&mut self.state, State::Unknown) {
            State::Growing(growing) => Some(growing),
            State::Unknown | State::Whole(_) => None,
        }
    }

    fn has_other_size(&self, size_bytes: u64, expected_bytes: u64) -> BlobError {
        BlobError::Size {
            key: self.key.clone(),
            size_bytes,
            expected_bytes,
        }
    }

    async fn note_of(&self, name: &str) -> Result<Option<Note>, BlobError> {
        if name.is_empty() {
            return Ok(None);
        }
        let path = self.bucket.note_path(&self.key, name)?;
        let found = async { self.bucket.store().get(&path).await?.bytes().await };
        match found.await {
            Ok(bytes) => Ok(Note::read(&bytes)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(&self.key, error)),
        }
    }

    /// Where the next byte goes.
    pub(crate) fn position(&self) -> u64 {
        match &self.state {
            State::Unknown => 0,
            State::Growing(growing) => growing.position() + self.filling.len() as u64,
            State::Whole(size_bytes) => *size_bytes,
        }
    }

    /// Takes the next bytes.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        let wanted = (SNIFF_BYTES as usize).saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..bytes.len().min(wanted)]);
        self.filling.reserve(PIECE_BYTES.max(bytes.len()));
        self.filling.extend_from_slice(&bytes);
        match self.filling.len() >= PIECE_BYTES {
            true => self.fill().await,
            false => Ok(()),
        }
    }

    async fn fill(&mut self) -> Result<(), BlobError> {
        let bytes = self.filling.split().freeze();
        let State::Growing(growing) = &mut self.state else {
            return match bytes.is_empty() {
                true => Ok(()),
                // Nothing can be added to a blob that has its name.
                false => Err(self.has_other_size(self.position(), self.position() + bytes.len() as u64)),
            };
        };
        let written = growing.write(bytes).await;
        written.map_err(|error| failed(&self.key, error))
    }

    /// Brings what came to the bucket, and notes it there. Returns how far it can be continued from.
    pub(crate) async fn sync(&mut self, extent: Extent) -> Result<u64, BlobError> {
        self.fill().await?;
        let State::Growing(growing) = &mut self.state else {
            return Ok(self.position());
        };
        let error = |error| failed(&self.key, error);
        growing.landed().await.map_err(error)?;
        let rest = match extent {
            Extent::Everything => growing.rest().await.map_err(error)?,
            Extent::FullParts => Bytes::new(),
        };
        let at = growing.full_parts_bytes() + rest.len() as u64;
        // Also where what came since the last note does not fill a part.
        let last = self.noted.last().map_or(0, |last| last.at);
        if at <= last {
            return Ok(last);
        }
        let parts = growing.sent().iter().map(|part| part.content_id.clone());
        let head = Bytes::copy_from_slice(&self.head);
        let note = Note::new(growing.multipart().cloned(), parts.collect(), head, rest);
        let bytes = note.to_bytes();
        let name = note_name(at, &bytes);
        let path = self.bucket.note_path(&self.key, &name)?;
        self.bucket.put(&path, bytes).await.map_err(error)?;
        self.is_named = growing.multipart().is_some();
        self.noted.push(Noted { at, name });
        Ok(at)
    }

    /// The name of the last note.
    pub(crate) fn note(&self) -> Option<&str> {
        self.noted.last().map(|noted| noted.name.as_str())
    }

    /// The database has the position of the last [`PartialObject::sync`]: no one goes on from one before.
    pub(crate) fn is_noted(&mut self) {
        let Some(last) = self.noted.pop() else { return };
        let passed = std::mem::replace(&mut self.noted, vec![last]);
        self.forget_notes(passed);
    }

    fn forget_notes(&self, of: Vec<Noted>) {
        let (bucket, key) = (self.bucket.clone(), self.key.clone());
        if !of.is_empty() {
            tokio::spawn(async move { delete_notes(&bucket, &key, of).await });
        }
    }

    /// No one goes on with the blob any more. Others may have left notes, too: requests on other nodes, and those whose bytes were received
    /// again.
    pub(crate) fn is_over(&mut self) {
        let (bucket, key) = (self.bucket.clone(), self.key.clone());
        let own = std::mem::take(&mut self.noted);
        tokio::spawn(async move {
            delete_notes(&bucket, &key, own).await;
            let _left_to_the_sweep = bucket.remove_partial(&key).await;
        });
    }

    /// The first bytes, `most` of them at most and 4096 (`SNIFF_BYTES`) of one that is not whole.
    pub(crate) async fn head(&self, most: u64) -> Result<Vec<u8>, BlobError> {
        if let State::Whole(size_bytes) = self.state {
            let path = self.bucket.path(&self.key)?;
            let head = self
                .bucket
                .store()
                .get_range(&path, 0..most.min(size_bytes))
                .await;
            return head.map(Into::into).map_err(|error| failed(&self.key, error));
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(self.head[..self.head.len().min(most)].to_vec())
    }

    /// Gives the blob its name.
    pub(crate) async fn place(&mut self) -> Result<(), BlobError> {
        self.fill().await?;
        let size_bytes = self.position();
        let State::Growing(growing) = &mut self.state else {
            return Ok(());
        };
        match growing.name(size_bytes).await {
            Ok(()) => {}
            Err(error) if is_lost(&error) => {
                self.bucket.check().await?;
                return Err(self.has_other_size(0, size_bytes));
            }
            Err(error) => return Err(failed(&self.key, error)),
        }
        self.state = State::Whole(size_bytes);
        Ok(())
    }
}

impl Drop for PartialObject {
    /// No one can go on with a multipart upload that no note names: it ends with the request, such as one that sends too much.
    fn drop(&mut self) {
        let growing = self.take_growing();
        let growing = growing.filter(|growing| growing.multipart().is_some() && !self.is_named);
        if let (Some(mut growing), Ok(runtime)) = (growing, Handle::try_current()) {
            runtime.spawn(async move {
                let _left_to_the_sweep = growing.abort().await;
            });
        }
    }
}

/// Equal notes have equal names, and different ones different names.
fn note_name(at: u64, bytes: &[u8]) -> String {
    format!("{at}-{}", hex::encode(&Sha256::digest(bytes)[..HASH_BYTES]))
}

/// What cannot be removed now, the sweep of abandoned uploads removes later.
async fn delete_notes(bucket: &Bucket, key: &str, of: Vec<Noted>) {
    for Noted { name, .. } in of {
        if let Ok(path) = bucket.note_path(key, &name) {
            let _left_to_the_sweep = bucket.delete(&path).await;
        }
    }
}

/// Whether the bucket does not have the parts any more, so that trying again is no use: the multipart upload is over, or one of its
/// parts was sent again with other bytes (the codes `NoSuchUpload` and `InvalidPart` of
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html>).
fn is_lost(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotFound { .. }) || error.to_string().contains("InvalidPart")
}
