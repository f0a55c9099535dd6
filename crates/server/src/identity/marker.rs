//! The marker of a storage: to which database it belongs.

use std::io::ErrorKind;
use std::path::Path;

use bytes::Bytes;
use playout_media::{BlobError, Blobs};
use playout_store::Store;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::open_error::OpenError;

/// The marker in the storage.
pub(crate) const MARKER: &str = "playout-storage.json";

/// The content of the storage's marker.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Marker {
    pub(crate) id: Uuid,
    pub(crate) pulse: i64,
}

impl Marker {
    pub(crate) fn to_bytes(self) -> Bytes {
        Bytes::from(serde_json::to_vec(&self).unwrap_or_default())
    }
}

/// The marker of a storage, if it has one.
pub(crate) async fn marker_of(blobs: &Blobs) -> Result<Option<Marker>, BlobError> {
    match blobs.get(MARKER).await {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(BlobError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Which storage is in a directory, by its marker; `None` where it has none.
///
/// # Errors
/// When there is a marker that cannot be read.
pub fn storage_in(directory: &Path) -> Result<Option<Uuid>, OpenError> {
    let path = directory.join(MARKER);
    match std::fs::read(&path) {
        Ok(bytes) => match serde_json::from_slice::<Marker>(&bytes) {
            Ok(marker) => Ok(Some(marker.id)),
            Err(error) => Err(format!("{}: {error}", path.display()).into()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Whether a storage belongs to the database. The first start adopts any.
///
/// # Errors
/// When the database or the storage fails.
pub async fn belongs(store: &Store, blobs: &Blobs) -> Result<bool, OpenError> {
    let Some(known) = store.storage_id().await? else {
        return Ok(true);
    };
    Ok(marker_of(blobs).await?.is_some_and(|marker| marker.id == known))
}
