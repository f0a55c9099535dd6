//! Keys and sizes of blobs.

use object_store::path::Path;

use crate::blob_error::BlobError;

/// The path of the blob `key` in the storage.
pub(crate) fn path(key: &str) -> Result<Path, BlobError> {
    let refused = || BlobError::Key { key: key.to_owned() };
    let path = Path::parse(key).map_err(|_| refused())?;
    // A key with `#` would collide with the names of unfinished uploads.
    if key.is_empty() || key.contains('#') {
        Err(refused())
    } else {
        Ok(path)
    }
}

/// Fails if a blob of `size_bytes` was written with another size.
///
/// # Errors
/// [`BlobError::Size`].
pub fn has_size(key: &str, size_bytes: u64, expected_bytes: u64) -> Result<(), BlobError> {
    if size_bytes == expected_bytes {
        return Ok(());
    }
    Err(BlobError::Size {
        key: key.to_owned(),
        size_bytes,
        expected_bytes,
    })
}
