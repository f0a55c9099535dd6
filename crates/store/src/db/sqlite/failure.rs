//! Failures of SQLite that the store itself reports.

use rusqlite::ffi;

/// What comes of a call of SQLite.
pub(crate) type Outcome<T> = Result<T, rusqlite::Error>;

pub(super) fn interrupted() -> rusqlite::Error {
    failure(ffi::SQLITE_INTERRUPT, "a search took too long")
}

pub(super) fn closed() -> rusqlite::Error {
    failure(ffi::SQLITE_MISUSE, "the database was closed")
}

pub(super) fn failure(code: i32, message: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some(message.to_owned()))
}
