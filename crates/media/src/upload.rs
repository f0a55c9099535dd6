//! Writing a blob piece by piece, hashing on the way.

use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::blobs::{BlobError, Blobs, failed};
use crate::intake::{Gathered, Intake};
use crate::parts::Parts;
use crate::sealed::Sealed;

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

/// A local file to be removed unless the upload ends well.
#[derive(Debug, Default)]
pub(crate) struct Unfinished(Option<PathBuf>);

impl Unfinished {
    /// It has its name, or is gone.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // What cannot be removed now, the sweep of abandoned uploads removes later.
            let _left_to_the_sweep = std::fs::remove_file(path);
        }
    }
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

impl Upload {
    pub(crate) fn new(key: &str, parts: Box<dyn Parts>, blobs: Blobs) -> Self {
        Self {
            key: key.to_owned(),
            intake: Intake::new(parts, blobs.part_bytes()),
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
