//! What can go wrong that is nobody's choice. Expected refusals are enums beside the function that refuses.

use playout_domain::id::WorkspaceId;
use uuid::Uuid;

/// A failure of the store. Everything here is the operator's business, never the caller's.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or did not answer.
    #[error("the database failed: {0}")]
    Database(#[source] Cause),
    /// The database cannot be opened, or only for reading.
    #[error("cannot open {what} for writing: {source}")]
    Open {
        /// Which one: a file, or a server.
        what: String,
        /// Why.
        source: Cause,
    },
    /// The database was brought up to date by a newer version of the program.
    #[error(
        "the database is of a newer version than this program (migration {version} is unknown here): start the \
         newer version, or restore a backup from before its first start"
    )]
    Newer {
        /// The first migration that this program does not know.
        version: i64,
    },
    /// Secrets in the database were encrypted with other keys than the configured ones.
    #[error(
        "the secret key is not the one that the secrets in the database were encrypted with: restore the \
         secret.key of this data directory, or set PLAYOUT_SECRET_KEY to the key it was started with ({0})"
    )]
    WrongKey(#[source] crate::vault::VaultError),
    /// A concurrent change took away what this one stands on, such as media deleted while a post was being made.
    #[error("a concurrent change got in the way ({constraint})")]
    Conflict {
        /// The constraint that noticed, as the database names it.
        constraint: String,
    },
    /// The claim of an idempotency key was taken over while its work was done. Nothing was changed.
    #[error("another process has taken this request over")]
    ClaimLost,
    /// A migration failed, or the database is of a newer version than this program.
    #[error("the database cannot be migrated: {0}")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The address of the database cannot be read.
    #[error("the database address is no sqlite:// or postgres:// URL: {0}")]
    Address(String),
    /// A search took longer than a search may.
    #[error("a search took too long")]
    TooSlow,
    /// A row holds what no version of the program writes.
    #[error("{table}.{column} of row {row} cannot be read: {reason}")]
    BadRow {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The row's identifier, where it has one.
        row: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A sealed value does not open.
    #[error("{table}.{column} of row {row}: {source}")]
    Sealed {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The row's identifier.
        row: Uuid,
        /// Why.
        source: crate::vault::VaultError,
    },
    /// A row that must exist is missing.
    #[error("there is no row {row} in {table}")]
    Missing {
        /// The table.
        table: &'static str,
        /// The identifier looked for.
        row: Uuid,
    },
    /// A value to be stored does not fit its column.
    #[error("a value for {workspace} cannot be stored: {reason}")]
    Unstorable {
        /// Whose value it is.
        workspace: WorkspaceId,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::Database("it does not answer, or all connections to it are busy".into());
        }
        let Some(failure) = error.as_database_error() else {
            return Self::Database(error.into());
        };
        let conflict = failure.is_foreign_key_violation() || failure.is_unique_violation();
        if !conflict {
            return Self::Database(error.into());
        }
        let constraint = failure.constraint().unwrap_or(failure.message()).to_owned();
        Self::Conflict { constraint }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match &error {
            rusqlite::Error::SqliteFailure(failure, message)
                if CONFLICTS.contains(&failure.extended_code) =>
            {
                Self::Conflict {
                    constraint: message.clone().unwrap_or_else(|| failure.to_string()),
                }
            }
            _ => Self::Database(error.into()),
        }
    }
}

/// The extended codes of a violated foreign key, primary key or unique index.
const CONFLICTS: [i32; 3] = [
    rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY,
    rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY,
    rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE,
];

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        match error {
            sqlx::migrate::MigrateError::VersionMissing(version) => Self::Newer { version },
            other => Self::Migrate(other),
        }
    }
}

/// What a database's driver says is wrong.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The result of every function of the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
