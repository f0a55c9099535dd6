//! Why a use case did not do what it was asked.

use playout_domain::error::Refusal;
use playout_domain::platform::Connection;
use playout_media::{BlobError, ProbeError, RenditionError};
use playout_store::StoreError;

/// Why a use case did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The caller's business.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The database failed, or holds what it must not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The storage failed.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// A stored file could not be looked into, through no fault of the file.
    #[error(transparent)]
    Probe(ProbeError),
    /// A picture that was looked into before could not be drawn anew.
    #[error(transparent)]
    Rendition(#[from] RenditionError),
    /// A slide could not be drawn, through no fault of its picture or caption.
    #[error("a slide was lost while it was drawn")]
    Press,
    /// A password could not be hashed.
    #[error("a password could not be hashed: {0}")]
    Password(String),
    /// This node lacks the provider's app that an account was connected with. Another node may have it.
    #[error(
        "this node has no app of {provider} for {connection:?} accounts: configure it as on the node that connected the account"
    )]
    NoApp {
        /// The provider's identifier.
        provider: String,
        /// How the account is connected.
        connection: Connection,
    },
    /// A task was lost.
    #[error("a task was lost: {0}")]
    Task(#[from] tokio::task::JoinError),
}

impl AppError {
    /// Whether the same may succeed when it is done again, without anything being mended: the database was away, or kept it waiting for too long.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_passing())
    }
}
