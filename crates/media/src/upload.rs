//! Writing a blob piece by piece, hashing on the way.

use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::blob_error::{BlobError, failed, storage};
use crate::blobs::{Blobs, Place};
use crate::bucket::{BucketParts, Growing};
use crate::direct::DirectFile;
use crate::finished::{Finished, Unfinished};
use crate::intake::{Gathered, Intake};
use crate::local::PART_BYTES;
use crate::parts::Parts;
use crate::sealed::{Sealed, Synced};

/// A blob on its way in. Nothing is visible under its key until [`Upload::finish`] returns; dropped or aborted
/// before that, it leaves nothing behind.
#[derive(Debug)]
pub struct Upload {
    key: String,
    blobs: Blobs,
    intake: Intake,
    unfinished: Unfinished,
    size_bytes: u64,
}

impl Blobs {
    /// Starts writing the blob `key` piece by piece.
    pub async fn upload(&self, key: &str) -> Result<Upload, BlobError> {
        let directory = match self.place() {
            Place::Directory(directory) => directory,
            Place::Bucket(bucket) => {
                let growing = Growing::new(bucket.clone(), bucket.path(key)?);
                return Ok(Upload::new(
                    key,
                    Box::new(BucketParts::new(growing)),
                    self.clone(),
                ));
            }
        };
        let file = DirectFile::create(directory.path().clone(), directory.place_of(key)?).await;
        let file = self.explain(file.map_err(|error| storage(key, error))).await?;
        let unfinished = file.unfinished();
        Ok(Upload::new(key, Box::new(file), self.clone()).in_file(unfinished))
    }

    /// Writes the blob `key` whole, and syncs it; [`crate::keep_all`] gives it its name.
    pub async fn write_unnamed(&self, key: &str, bytes: Bytes) -> Result<Synced, BlobError> {
        let mut upload = self.upload(key).await?;
        upload.write(bytes).await?;
        upload.seal().await?.sync().await
    }
}

impl Upload {
    pub(crate) fn new(key: &str, parts: Box<dyn Parts>, blobs: Blobs) -> Self {
        Self {
            key: key.to_owned(),
            intake: Intake::new(parts, PART_BYTES),
            blobs,
            unfinished: Unfinished::default(),
            size_bytes: 0,
        }
    }

    /// The same, in a local file that can be looked into while it grows.
    pub(crate) fn in_file(self, unfinished: PathBuf) -> Self {
        Self {
            unfinished: Unfinished(Some(unfinished)),
            ..self
        }
    }

    /// Takes the next bytes, of any length; waits while too many are on their way to the disk, so that a fast client
    /// cannot fill the memory.
    ///
    /// After an error the upload is broken: every later call fails too.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        self.size_bytes += bytes.len() as u64;
        let taken = self.intake.take(bytes).await;
        taken.map_err(|error| failed(&self.key, error))
    }

    /// The file that holds what has been written so far, if it is a local one.
    pub fn unfinished(&self) -> Option<&Path> {
        self.unfinished.0.as_deref()
    }

    /// How many bytes were taken so far.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Writes what is left, syncs file and directory, and gives the blob its name.
    pub async fn finish(self) -> Result<Finished, BlobError> {
        self.seal().await?.keep().await
    }

    /// Writes what is left, so that the blob's content is known; it may still be dropped.
    pub async fn seal(self) -> Result<Sealed, BlobError> {
        let gathered = self.intake.end().await;
        let Gathered { parts, sha256 } = gathered.map_err(|error| failed(&self.key, error))?;
        let finished = Finished {
            size_bytes: self.size_bytes,
            sha256,
        };
        Ok(Sealed {
            key: self.key,
            blobs: self.blobs,
            parts,
            unfinished: self.unfinished,
            finished,
        })
    }

    /// Aborts the upload and removes what was written; returns when it is removed.
    pub async fn abort(mut self) -> Result<(), BlobError> {
        self.unfinished.forget();
        let mut parts = self.intake.stop().await;
        parts.abort().await.map_err(|error| failed(&self.key, error))
    }
}
