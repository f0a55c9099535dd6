//! Failures of the store. Expected refusals are enums beside the function that refuses.

use playout_domain::id::WorkspaceId;
use uuid::Uuid;

use super::vault::VaultError;

/// A failure of the store. Everything here is the operator's business, never the caller's.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or did not answer.
    #[error("the database failed: {0}")]
    Database(#[source] Cause),
    /// The database is away, stalls, is overloaded, or another transaction holds for long what this one needs. Later it may work.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] Cause),
    /// The database did not confirm a commit: it may have been made or not.
    #[error("the database did not confirm a commit in time; whether it was made is not known")]
    Unconfirmed,
    /// The address leads to a pooler that lends one connection of the server to several clients.
    #[error(
        "the database address leads to a pooler in transaction or statement mode, in which notifications and prepared statements \
         get lost: set pool_mode = session for this database in PgBouncer, or give the address of PostgreSQL itself"
    )]
    SharedConnections,
    /// The database cannot be opened, or only for reading.
    #[error("cannot open {what} for writing: {source}")]
    Open {
        /// Which one: a file, or a server.
        what: String,
        /// Why.
        source: Cause,
    },
    /// The file of an SQLite database is damaged.
    #[error(
        "the database file is damaged ({0}): stop the service, move the file away with its -wal and -shm, and restore a backup \
         (`playoutd restore DIRECTORY`). A database file that was copied over another one must not stay beside that one's -wal and -shm files"
    )]
    Damaged(String),
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
    #[error("the secret key is not the one that the secrets in the database were encrypted with ({0})")]
    WrongKey(#[source] VaultError),
    /// A concurrent change took away what this one stands on, such as media deleted while a post was being made.
    #[error("a concurrent change got in the way ({constraint})")]
    Conflict {
        /// The constraint that noticed, as the database names it.
        constraint: String,
    },
    /// The row is not, or is no longer, what the caller wanted to change. Nothing was changed.
    #[error("it was changed since it was read")]
    Stale,
    /// The claim of an idempotency key was taken over while its work was done. Nothing was changed.
    #[error("another process has taken this request over")]
    ClaimLost,
    /// A migration changes a table that another transaction has used all the time.
    #[error(
        "{0}: another transaction has used the table for a minute. Nothing was changed by it. End that transaction \
         (pg_stat_activity shows it) and start again"
    )]
    Locked(#[source] sqlx::migrate::MigrateError),
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
        source: VaultError,
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

impl StoreError {
    /// Whether the same may succeed soon without anything being mended: the database was away, stalled or busy for a moment, which readiness
    /// shows where it goes on.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Unconfirmed)
    }

    /// Whether a row holds what cannot be read, which will not pass by itself.
    pub fn is_bad_row(&self) -> bool {
        matches!(self, Self::BadRow { .. } | Self::Sealed { .. })
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let Some(failure) = error.as_database_error() else {
            return match error {
                sqlx::Error::PoolTimedOut => {
                    Self::Unavailable("it does not answer, or all connections to it are busy".into())
                }
                // The pool has written the text, with the address.
                sqlx::Error::Io(refusal) if refusal.kind() == std::io::ErrorKind::ConnectionRefused => {
                    Self::Unavailable(refusal.into())
                }
                // A balancer that accepts and closes while the server behind it is away breaks the protocol.
                sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed | sqlx::Error::Protocol(_) => {
                    Self::Unavailable(error.into())
                }
                _ => Self::Database(error.into()),
            };
        };
        let code = failure.code().unwrap_or_default();
        // Without the line of PostgreSQL's own source, which sqlx adds.
        let said = || format!("{} (SQLSTATE {code}){}", failure.message(), remedy(&code)).into();
        if is_passing(&code) {
            return Self::Unavailable(said());
        }
        let conflict = failure.is_foreign_key_violation() || failure.is_unique_violation();
        if !conflict {
            return Self::Database(said());
        }
        let constraint = failure.constraint().unwrap_or(failure.message()).to_owned();
        Self::Conflict { constraint }
    }
}

/// `read_only_sql_transaction`.
const READ_ONLY: &str = "25006";
/// `invalid_catalog_name`.
const NO_DATABASE: &str = "3D000";
/// `undefined_table`: the statements here name tables that the migrations have created.
const NO_TABLE: &str = "42P01";

/// `lock_not_available`.
const LOCKED: &str = "55P03";

/// What to do after an SQLSTATE that an operator has caused.
fn remedy(sqlstate: &str) -> &'static str {
    match sqlstate {
        READ_ONLY => {
            ": PostgreSQL only reads, as a standby does and a server that is still recovering. Try again when \
             `SELECT pg_is_in_recovery()` returns false"
        }
        LOCKED => ": another transaction holds what it needs; pg_stat_activity shows which",
        // `invalid_authorization_specification` and `invalid_password`.
        "28000" | "28P01" => ": correct the user and the password in PLAYOUT_DATABASE_URL",
        NO_DATABASE | NO_TABLE => {
            ": the database was removed or emptied. Stop every node, and restore a backup (`playoutd restore DIRECTORY`)"
        }
        _ => "",
    }
}

/// Whether the same may work later after this SQLSTATE of PostgreSQL:
/// <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn is_passing(sqlstate: &str) -> bool {
    const STATES: [&str; 8] = [
        READ_ONLY, // the server is a standby, or still recovers
        NO_DATABASE,
        NO_TABLE,
        "25P03", // idle_in_transaction_session_timeout
        "40001", // serialization_failure
        "40P01", // deadlock_detected
        LOCKED,
        "57014", // query_canceled: the time limit of a statement
    ];
    // Connections, resources such as disk and memory, an operator's intervention, errors of the system.
    const CLASSES: [&str; 4] = ["08", "53", "57P", "58"];
    STATES.contains(&sqlstate) || CLASSES.iter().any(|class| sqlstate.starts_with(class))
}

/// Whether the server has no database of that name.
pub(super) fn is_without_database(error: &sqlx::Error) -> bool {
    has_code(error, NO_DATABASE)
}

fn has_code(error: &sqlx::Error, sqlstate: &str) -> bool {
    let failure = error.as_database_error();
    failure.is_some_and(|failure| failure.code().as_deref() == Some(sqlstate))
}

/// Why a database cannot be opened, without the line of PostgreSQL's own source, which sqlx adds.
pub(super) fn unopened(error: sqlx::Error) -> Cause {
    let Some(failure) = error.as_database_error() else {
        return error.into();
    };
    let code = failure.code().unwrap_or_default();
    let advice = match &*code {
        NO_DATABASE => {
            ": make it (`createdb`), or set PLAYOUT_DATABASE_URL to the right one. If it was removed, stop every node, make it and restore a \
             backup (`playoutd restore DIRECTORY`)"
        }
        code => remedy(code),
    };
    format!("{} (SQLSTATE {code}){advice}", failure.message()).into()
}

fn is_read_only(error: &sqlx::Error) -> bool {
    has_code(error, READ_ONLY)
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
            rusqlite::Error::SqliteFailure(failure, _) if PASSING.contains(&failure.code) => {
                Self::Unavailable(text_of(&error).into())
            }
            _ if is_damage(&error) => Self::Damaged(text_of(&error)),
            _ => Self::Database(text_of(&error).into()),
        }
    }
}

/// What SQLite says, without the number of the error and its general name, which rusqlite adds as the source.
pub(crate) fn text_of(error: &rusqlite::Error) -> String {
    let text = error.to_string();
    match text
        .strip_prefix("Error code ")
        .and_then(|rest| rest.split_once(": "))
    {
        Some((_, name)) => name.to_owned(),
        None => text,
    }
}

/// Whether SQLite found that its file is damaged.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    let damage = [
        rusqlite::ErrorCode::DatabaseCorrupt,
        rusqlite::ErrorCode::NotADatabase,
    ];
    error
        .sqlite_error_code()
        .is_some_and(|code| damage.contains(&code))
}

/// SQLite's codes after which the same may work later: another process holds the lock, or the disk is full or fails.
const PASSING: [rusqlite::ErrorCode; 4] = [
    rusqlite::ErrorCode::DatabaseBusy,
    rusqlite::ErrorCode::DiskFull,
    rusqlite::ErrorCode::SystemIoFailure,
    rusqlite::ErrorCode::CannotOpen,
];

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
            sqlx::migrate::MigrateError::Execute(error)
            | sqlx::migrate::MigrateError::ExecuteMigration(error, _)
                if is_read_only(&error) =>
            {
                error.into()
            }
            other => Self::Migrate(other),
        }
    }
}

/// The error of a database's driver.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The result of every function of the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
