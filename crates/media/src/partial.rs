//! A blob that comes in over many requests, some of them cut.

mod file;

use std::io;

use bytes::Bytes;
use futures_util::TryStreamExt;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

pub use self::file::IfMissing;
use self::file::{PartialFile, unfinished_name};
use crate::blob_error::{BlobError, storage};
use crate::blobs::{Blobs, Place};
use crate::bucket::{Extent, PartialObject};

/// An unfinished blob that no other task can write as long as this exists: of any process, if the storage is a local directory; of this
/// one, if it is a bucket.
///
/// A lost process loses what was written since the last [`Partial::sync`]. Begin with [`Partial::go_on_from`].
#[derive(Debug)]
pub struct Partial(Kind);

#[derive(Debug)]
enum Kind {
    File(PartialFile),
    Object(Box<PartialObject>),
}

impl Blobs {
    /// Takes hold of the unfinished blob `key`, or of the finished one if it is whole already; `None` while another
    /// has hold of it.
    pub async fn hold_partial(&self, key: &str, if_missing: IfMissing) -> Result<Option<Partial>, BlobError> {
        let held = match self.place() {
            Place::Directory(directory) => {
                let place = directory.place_of(key)?;
                let held = PartialFile::hold(self, key, place, if_missing).await?;
                held.map(Kind::File)
            }
            Place::Bucket(bucket) => {
                PartialObject::hold(bucket, key).map(|object| Kind::Object(Box::new(object)))
            }
        };
        Ok(held.map(Partial))
    }

    /// Whether an unfinished blob that one process holds is held for all of them.
    pub fn locks_partials(&self) -> bool {
        matches!(self.place(), Place::Directory(_))
    }

    /// Removes the unfinished blob `key`, even while another holds it; one that is missing is fine.
    pub async fn remove_partial(&self, key: &str) -> Result<(), BlobError> {
        let unfinished = match self.place() {
            Place::Directory(directory) => unfinished_name(&directory.place_of(key)?),
            Place::Bucket(bucket) => return self.within_limit(key, bucket.remove_partial(key)).await?,
        };
        match tokio::fs::remove_file(unfinished).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(storage(key, error)),
            _ => Ok(()),
        }
    }

    /// The SHA-256 of a whole blob. Takes as long as reading it does, and little memory.
    pub async fn sha256(&self, key: &str) -> Result<[u8; 32], BlobError> {
        let size_bytes = self.head(key).await?;
        let mut pieces = self.get_range(key, 0..size_bytes, size_bytes).await?;
        let mut hashing = spawn_blocking(Sha256::new);
        while let Some(piece) = pieces.try_next().await? {
            let hash = hashing.await.map_err(|error| storage(key, error))?;
            hashing = spawn_blocking(move || hash.chain_update(&piece));
        }
        let hash = hashing.await.map_err(|error| storage(key, error))?;
        Ok(hash.finalize().into())
    }
}

impl Partial {
    /// Forgets everything behind the first `offset` bytes; the next write goes there. `note` is what [`Partial::note`] returned there. Where fewer
    /// are stored it is [`BlobError::Size`].
    pub async fn go_on_from(&mut self, offset: u64, note: Option<&str>) -> Result<(), BlobError> {
        match &mut self.0 {
            Kind::File(file) => file.go_on_from(offset).await,
            Kind::Object(object) => Box::pin(object.go_on_from(offset, note)).await,
        }
    }

    /// Where another finds what the last [`Partial::sync`] has left for it, to be recorded with the position. Only a bucket has such notes.
    pub fn note(&self) -> Option<&str> {
        match &self.0 {
            Kind::File(_) => None,
            Kind::Object(object) => object.note(),
        }
    }

    /// Where the next byte goes.
    pub fn position(&self) -> u64 {
        match &self.0 {
            Kind::File(file) => file.position(),
            Kind::Object(object) => object.position(),
        }
    }

    /// Takes the next bytes, of any length; waits while too many are on their way.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        match &mut self.0 {
            Kind::File(file) => file.write(bytes).await,
            Kind::Object(object) => object.write(bytes).await,
        }
    }

    /// Brings what was written to the storage, to survive a power loss. Returns the position up to which it does; only from there can
    /// another go on. Note it, then call [`Partial::is_noted`].
    pub async fn sync(&mut self, extent: Extent) -> Result<u64, BlobError> {
        match &mut self.0 {
            Kind::File(file) => {
                file.sync().await?;
                Ok(file.position())
            }
            Kind::Object(object) => Box::pin(object.sync(extent)).await,
        }
    }

    /// The position that the last [`Partial::sync`] returned is noted where the next request reads it: those before are forgotten.
    pub fn is_noted(&mut self) {
        if let Kind::Object(object) = &mut self.0 {
            object.is_noted();
        }
    }

    /// The first bytes that are stored, `most` of them at most; of an unfinished one in a bucket, no more than
    /// [`crate::SNIFF_BYTES`].
    pub async fn head(&self, most: u64) -> Result<Vec<u8>, BlobError> {
        match &self.0 {
            Kind::File(file) => file.head(most).await,
            Kind::Object(object) => object.head(most).await,
        }
    }

    /// No request goes on with the blob, which has its name and is known by it: what is left of its unfinished state goes.
    pub fn is_over(&mut self) {
        match &mut self.0 {
            Kind::File(_) => {}
            Kind::Object(object) => object.is_over(),
        }
    }

    /// Gives the blob its name: from here on it can be read as any other. It is held still.
    ///
    /// # Errors
    /// [`BlobError::Size`] if the storage does not have its parts any more.
    pub async fn place(&mut self) -> Result<(), BlobError> {
        match &mut self.0 {
            Kind::File(file) => file.place().await,
            Kind::Object(object) => object.place().await,
        }
    }
}
