//! From bytes that are written to blobs under their names, several at once where they belong together.
//!
//! Making a file last takes the disk two things: its bytes are synced, and after its naming the directory is. The first can
//! happen early, while others are still being made; the second is shared by all that are named together.

use std::collections::BTreeSet;

use futures_util::future::try_join_all;

use crate::blob_error::{BlobError, failed, storage};
use crate::blobs::Blobs;
use crate::finished::{Finished, Unfinished};
use crate::local::sync_directory;
use crate::parts::Parts;

/// A blob that has all its bytes, but no name yet. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Sealed {
    pub(crate) key: String,
    pub(crate) blobs: Blobs,
    pub(crate) parts: Box<dyn Parts>,
    pub(crate) unfinished: Unfinished,
    pub(crate) finished: Finished,
}

/// A sealed blob whose bytes survive a power loss. Only its name is missing: [`keep_all`].
#[derive(Debug)]
pub struct Synced(Sealed);

impl Sealed {
    /// What it is.
    pub fn finished(&self) -> Finished {
        self.finished
    }

    /// Makes its bytes last, as far as they can without a name.
    pub async fn sync(mut self) -> Result<Synced, BlobError> {
        let synced = self.parts.sync().await;
        synced.map_err(|error| failed(&self.key, error))?;
        Ok(Synced(self))
    }

    /// Syncs the blob and gives it its name, both so that they last.
    pub async fn keep(self) -> Result<Finished, BlobError> {
        let finished = self.finished;
        keep_all(vec![self.sync().await?]).await?;
        Ok(finished)
    }
}

impl Synced {
    /// What it is.
    pub fn finished(&self) -> Finished {
        self.0.finished
    }
}

/// Gives blobs their names, so that all last when this returns. After an error any of them may have its name.
pub async fn keep_all(blobs: Vec<Synced>) -> Result<(), BlobError> {
    let naming = blobs.into_iter().map(|Synced(mut blob)| async move {
        let directory = match blob.parts.name().await {
            Ok(directory) => directory,
            Err(error) => return Err(blob.blobs.explained(failed(&blob.key, error)).await),
        };
        blob.unfinished.forget();
        Ok::<_, BlobError>(directory)
    });
    let directories = try_join_all(naming).await?;
    let directories: BTreeSet<_> = directories.into_iter().flatten().collect();
    try_join_all(directories.into_iter().map(sync_directory))
        .await
        .map_err(|error| storage("", error))?;
    Ok(())
}
