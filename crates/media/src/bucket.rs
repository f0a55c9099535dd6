//! A bucket of an object storage (S3) as the place of blobs.
//!
//! A blob is an object. One that is still coming in is a multipart upload, begun with its first full part (`growing.rs`); what
//! came in one request and is to be continued by another, on any node, is described by a note among the objects (`object.rs`,
//! `note.rs`). Nothing relies on conditional writes, and listings are used only to clean up: which of two requests was first
//! is decided in the database.

mod begun;
mod growing;
mod note;
mod object;
mod open;
mod parts;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};
use object_store::multipart::MultipartStore;
use object_store::path::Path;
use object_store::{MultipartId, ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload};
use playout_domain::time::Time;
use tokio::sync::Semaphore;

use self::begun::Begun;
pub(crate) use self::growing::Growing;
use self::note::Note;
pub use self::object::Extent;
pub(crate) use self::object::PartialObject;
pub use self::open::BucketOptions;
pub(crate) use self::parts::BucketParts;
use crate::blob_error::{BlobError, failed};
use crate::keys::path;

/// The size of all parts but the last. S3 takes none smaller and 10,000 at most
/// (<https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html>), Cloudflare R2 none of different sizes
/// (<https://developers.cloudflare.com/r2/objects/multipart-objects/>): blobs of up to 52 GB.
pub(crate) const PART_BYTES: usize = 5 << 20;
/// How many parts, of all uploads together, are in memory to be sent.
const SENT_AT_ONCE: usize = 8;
/// Where the notes of unfinished blobs are. No blob has such a key.
const UNFINISHED: &str = "unfinished";

/// How the files are named that are made of videos for their posters, so that those of killed processes can be distinguished from
/// others.
pub(crate) const EXCERPT_PREFIX: &str = "playout-poster-";

/// What a bucket must do.
pub(crate) trait BucketStore: ObjectStore + MultipartStore {}

impl<T: ObjectStore + MultipartStore> BucketStore for T {}

/// A bucket, or a folder of one. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Bucket(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Arc<dyn BucketStore>,
    name: String,
    prefix: Path,
    /// Where the bytes of unfinished parts are kept, in files without a name.
    scratch: PathBuf,
    sending: Semaphore,
    /// Unfinished blobs that this process is writing.
    held: Mutex<HashSet<String>>,
    begun: Option<Begun>,
}

/// An unfinished blob that no other task of this process writes. On other nodes one may: the database knows which is right.
#[derive(Debug)]
struct Held {
    bucket: Bucket,
    key: String,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.bucket.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.remove(&self.key);
    }
}

impl Bucket {
    fn new(
        store: Arc<dyn BucketStore>,
        name: String,
        prefix: Path,
        scratch: PathBuf,
        begun: Option<Begun>,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            name,
            prefix,
            scratch,
            sending: Semaphore::new(SENT_AT_ONCE),
            held: Mutex::default(),
            begun,
        }))
    }

    /// One in memory, for tests.
    #[cfg(test)]
    pub(crate) fn in_memory(scratch: PathBuf) -> Self {
        let store = Arc::new(object_store::memory::InMemory::new());
        Self::new(
            store,
            "memory".to_owned(),
            Path::from("some/folder"),
            scratch,
            None,
        )
    }

    pub(crate) fn store(&self) -> &dyn BucketStore {
        &*self.0.store
    }

    /// Where files without a name may be made.
    pub(crate) fn scratch(&self) -> &std::path::Path {
        &self.0.scratch
    }

    /// Where the blob `key` is, or will be.
    pub(crate) fn path(&self, key: &str) -> Result<Path, BlobError> {
        Ok(self.below(&path(key)?))
    }

    fn below(&self, path: &Path) -> Path {
        self.0.prefix.parts().chain(path.parts()).collect()
    }

    /// The key of the blob at `location`, if one may be there.
    pub(crate) fn key_of(&self, location: &Path) -> Option<String> {
        let parts = location.prefix_match(&self.0.prefix)?;
        let parts: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
        let is_blob = parts.first().is_some_and(|first| first != UNFINISHED);
        is_blob.then(|| parts.join("/"))
    }

    /// All objects of the folder.
    pub(crate) fn list(&self) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.store().list(Some(&self.0.prefix))
    }

    /// Fails if there is no such bucket, or it cannot be reached.
    pub(crate) async fn check(&self) -> Result<(), BlobError> {
        let nothing = self.below(&Path::from(UNFINISHED).join("nothing"));
        match self.store().list(Some(&nothing)).next().await {
            Some(Err(object_store::Error::NotFound { .. })) => Err(self.away()),
            Some(Err(error)) => Err(failed("", error)),
            _ => Ok(()),
        }
    }

    fn away(&self) -> BlobError {
        BlobError::Away {
            place: format!("the bucket {}", self.0.name),
        }
    }

    /// Takes hold of an unfinished blob; `None` while another task of this process has it.
    fn hold(&self, key: &str) -> Option<Arc<Held>> {
        let mut held = self.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.insert(key.to_owned()).then(|| {
            Arc::new(Held {
                bucket: self.clone(),
                key: key.to_owned(),
            })
        })
    }

    /// Where the note of this name of an unfinished blob is.
    fn note_path(&self, key: &str, name: &str) -> Result<Path, BlobError> {
        Ok(self.notes_of(key)?.join(name))
    }

    fn notes_of(&self, key: &str) -> Result<Path, BlobError> {
        let notes = Path::from(UNFINISHED).parts().chain(path(key)?.parts()).collect();
        Ok(self.below(&notes))
    }

    /// The key of the unfinished blob of which the note at `location` is, if it is one.
    fn key_of_note(&self, location: &Path) -> Option<String> {
        let notes = self.below(&Path::from(UNFINISHED));
        let parts: Vec<_> = location.prefix_match(&notes)?.collect();
        let (_offset, key) = parts.split_last()?;
        let key: Vec<_> = key.iter().map(|part| part.as_ref().to_owned()).collect();
        Some(key.join("/"))
    }

    async fn put(&self, path: &Path, bytes: Bytes) -> object_store::Result<()> {
        let put = self.store().put(path, PutPayload::from_bytes(bytes)).await;
        put.map(drop)
    }

    /// Deletes an object; one that is missing is fine.
    async fn delete(&self, path: &Path) -> object_store::Result<()> {
        match self.store().delete(path).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            deleted => deleted,
        }
    }

    /// Ends a multipart upload; one that is over is fine.
    async fn abort(&self, path: &Path, id: &MultipartId) -> object_store::Result<()> {
        match self.store().abort_multipart(path, id).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            aborted => aborted,
        }
    }

    /// Removes what there is of the unfinished blob `key`.
    pub(crate) async fn remove_partial(&self, key: &str) -> Result<(), BlobError> {
        let path = self.path(key)?;
        let notes = self.store().list(Some(&self.notes_of(key)?));
        let notes: Vec<_> = notes.try_collect().await.map_err(|error| failed(key, error))?;
        for note in notes {
            let removed = async {
                if let Some(id) = self.multipart_of(&note.location).await? {
                    self.abort(&path, &id).await?;
                }
                self.delete(&note.location).await
            };
            removed.await.map_err(|error| failed(key, error))?;
        }
        Ok(())
    }

    /// The multipart upload that a note names.
    async fn multipart_of(&self, note: &Path) -> object_store::Result<Option<MultipartId>> {
        let bytes = match self.store().get(note).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            found => found?.bytes().await?,
        };
        Ok(Note::read(&bytes).and_then(|note| note.multipart))
    }

    /// Ends a multipart upload of a blob that has no notes, with which no one can go on. Returns whether it did.
    async fn end_without_notes(&self, key: &str, id: &MultipartId) -> object_store::Result<bool> {
        let (Ok(path), Ok(notes)) = (self.path(key), self.notes_of(key)) else {
            return Ok(false);
        };
        if self.store().list(Some(&notes)).try_next().await?.is_some() {
            return Ok(false);
        }
        self.abort(&path, id).await?;
        Ok(true)
    }

    /// Removes notes that were written before `before`, and ends multipart uploads that were begun before it and have no note, of blobs whose
    /// key `is_ours`: a bucket may hold what other programs write. Returns how many.
    pub(crate) async fn remove_abandoned(
        &self,
        before: Time,
        is_ours: fn(&str) -> bool,
    ) -> Result<u64, BlobError> {
        let removed = async {
            let mut removed = 0;
            let mut notes = self.store().list(Some(&self.below(&Path::from(UNFINISHED))));
            while let Some(note) = notes.try_next().await? {
                let is_old = Time::from_micros(note.last_modified.timestamp_micros()) < before;
                let key = self.key_of_note(&note.location).filter(|key| is_ours(key));
                if let Some(key) = key.filter(|_| is_old) {
                    let multipart = self.multipart_of(&note.location).await?;
                    self.delete(&note.location).await?;
                    removed += 1;
                    if let Some(id) = multipart {
                        removed += u64::from(self.end_without_notes(&key, &id).await?);
                    }
                }
            }
            let Some(begun) = &self.0.begun else {
                return Ok(removed);
            };
            for (path, id) in begun.before(before).await? {
                if let Some(key) = self.key_of(&path).filter(|key| is_ours(key)) {
                    removed += u64::from(self.end_without_notes(&key, &id).await?);
                }
            }
            Ok(removed)
        };
        removed.await.map_err(|error| failed("", error))
    }
}

#[cfg(test)]
mod tests;
