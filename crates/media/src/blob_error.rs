//! Why a blob could not be stored or read, and the bytes of one that can.

use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;
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
    /// A blob has not as many bytes as were written, as one that was copied in part.
    #[error("the storage's file {key:?} has {size_bytes} bytes instead of {expected_bytes}")]
    Size {
        /// The key asked for.
        key: String,
        /// What the storage has.
        size_bytes: u64,
        /// What was written.
        expected_bytes: u64,
    },
    /// The directory or the bucket that the storage is is missing. Nothing is made in its place.
    #[error("{place} of the storage is missing")]
    Away {
        /// Which one: `the folder /srv/media`, `the bucket media`.
        place: String,
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
    /// A bucket could not be reached, or answered with an error again and again.
    #[error("the storage is not available at {key:?}: {source}")]
    Unavailable {
        /// The key it was working on.
        key: String,
        /// The last error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The storage itself failed: disk full, no permission, connection lost.
    #[error("storage failed at {key:?}: {source}{}", remedy(.source.as_ref()))]
    Storage {
        /// The key it was working on.
        key: String,
        /// The storage's own error.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl BlobError {
    /// Whether the same may work later: the storage is missing, too slow, or full.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Away { .. } | Self::TimedOut { .. } | Self::Unavailable { .. } => true,
            Self::Storage { source, .. } => is_caused_by(
                source.as_ref(),
                &[ErrorKind::StorageFull, ErrorKind::QuotaExceeded],
            ),
            Self::Url { .. } | Self::NotFound { .. } | Self::Size { .. } | Self::Key { .. } => false,
        }
    }
}

/// Whether the error, or one that it was caused by, is an input/output error of one of these kinds.
fn is_caused_by(error: &(dyn Error + Send + Sync + 'static), kinds: &[ErrorKind]) -> bool {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |cause| <dyn Error>::source(*cause)).any(|cause| {
        let cause = cause.downcast_ref::<std::io::Error>();
        cause.is_some_and(|cause| kinds.contains(&cause.kind()))
    })
}

/// What to do where the cause is one of permissions.
fn remedy(cause: &(dyn Error + Send + Sync + 'static)) -> &'static str {
    match is_caused_by(cause, &[ErrorKind::PermissionDenied]) {
        true => {
            ". The user that this process runs as must be able to read and write the files of the storage: run it as the user that the service \
             runs as, or give the storage to that user (`chown -R`)"
        }
        false => "",
    }
}

pub(crate) fn failed(key: &str, error: object_store::Error) -> BlobError {
    match error {
        object_store::Error::NotFound { .. } => BlobError::NotFound { key: key.to_owned() },
        // The name that `object_store` has for buckets of any provider that speaks this protocol.
        object_store::Error::Generic { store: "S3", source } => BlobError::Unavailable {
            key: key.to_owned(),
            source,
        },
        other => storage(key, other),
    }
}

pub(crate) fn away(directory: &Path) -> BlobError {
    BlobError::Away {
        place: format!("the folder {}", directory.display()),
    }
}

pub(crate) fn storage(key: &str, source: impl Error + Send + Sync + 'static) -> BlobError {
    BlobError::Storage {
        key: key.to_owned(),
        source: Box::new(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storage_that_belongs_to_another_user_is_reported_with_the_cause_and_what_to_do() {
        let said = |kind: ErrorKind| storage("cd/two", std::io::Error::from(kind)).to_string();
        let denied = said(ErrorKind::PermissionDenied);
        assert!(
            denied.starts_with("storage failed at \"cd/two\": permission denied.")
                && denied.contains("`chown -R`"),
            "{denied}"
        );
        assert_eq!(
            said(ErrorKind::StorageFull),
            "storage failed at \"cd/two\": no storage space"
        );
    }

    #[test]
    fn a_full_storage_may_take_the_same_later_and_one_that_denies_it_does_not() {
        let failed = |kind: ErrorKind| storage("cd/two", std::io::Error::from(kind));
        assert!(failed(ErrorKind::StorageFull).is_passing());
        assert!(failed(ErrorKind::QuotaExceeded).is_passing());
        assert!(!failed(ErrorKind::PermissionDenied).is_passing());
    }
}
