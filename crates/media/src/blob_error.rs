//! Why a blob could not be stored or read, and the bytes of one that can.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;

/// The bytes of a blob, in pieces of up to 512 KiB.
pub type BlobStream = BoxStream<'static, Result<Bytes, BlobError>>;

/// Why a blob could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The configured address of the storage is not one we understand.
    #[error("storage URL {url:?}: {reason}")]
    Url {
        /// As configured.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no blob of that key.
    #[error("the storage has no file {key:?}")]
    NotFound {
        /// The key asked for.
        key: String,
    },
    /// The directory of a local storage is missing. Nothing is made in its place.
    #[error("the folder {} of the storage is missing", .directory.display())]
    Away {
        /// Where it should be.
        directory: PathBuf,
    },
    /// The key has empty, `.` or `..` parts, or characters that a file name must not have.
    #[error("{key:?} is no key of a blob")]
    Key {
        /// The key asked for.
        key: String,
    },
    /// The storage took too long for one step.
    #[error("the storage did not answer within {} s at {key:?}", .limit.as_secs_f32())]
    TimedOut {
        /// The key it was working on.
        key: String,
        /// How long it may take.
        limit: Duration,
    },
    /// The storage itself failed: disk full, no permission, connection lost.
    #[error("storage failed at {key:?}")]
    Storage {
        /// The key it was working on.
        key: String,
        /// The storage's own error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

pub(crate) fn failed(key: &str, error: object_store::Error) -> BlobError {
    match error {
        object_store::Error::NotFound { .. } => BlobError::NotFound { key: key.to_owned() },
        other => storage(key, other),
    }
}

pub(crate) fn away(directory: &Path) -> BlobError {
    BlobError::Away {
        directory: directory.to_owned(),
    }
}

pub(crate) fn storage(key: &str, source: impl std::error::Error + Send + Sync + 'static) -> BlobError {
    BlobError::Storage {
        key: key.to_owned(),
        source: Box::new(source),
    }
}
