//! Connections to the file of a database.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::failure::Outcome;
use super::place::Place;

/// How often, and how far apart, to try a file that another process has locked: 15 seconds in all.
const TRIES: u32 = 1500;
pub(super) const PAUSE: Duration = Duration::from_millis(10);

/// The log is copied into the file beside the commits (`log.rs`), not by commits.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -2000; PRAGMA mmap_size = 0; PRAGMA wal_autocheckpoint = 0;
    PRAGMA journal_size_limit = 16777216;";

/// Runs a statement that has neither parameters nor rows.
pub(super) fn run(connection: &Connection, sql: &str) -> Outcome<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

pub(super) fn roll_back(connection: &Connection, sql: &str) {
    if let Err(error) = connection.execute_batch(sql) {
        tracing::error!("a transaction could not be rolled back: {error}");
    }
}

pub(super) fn connect(path: &Path) -> Outcome<Connection> {
    // Without CREATE: a file that was removed is not made anew.
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PAUSE * 100)?;
    connection.execute_batch(SETTINGS)?;
    connection.busy_timeout(Duration::ZERO)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

/// One more connection, only of the file that was opened: one that is closed as the last of another file takes the log of this one
/// away with it.
pub(super) fn beside(place: &Place) -> Outcome<Connection> {
    place.check()?;
    let connection = connect(place.path())?;
    place.check()?;
    Ok(connection)
}

pub(super) fn reader(place: &Place) -> Outcome<Connection> {
    let connection = beside(place)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

/// Tries again while another process holds the file.
pub(super) async fn patiently<T>(mut attempt: impl FnMut() -> Outcome<T>) -> Outcome<T> {
    for _ in 0..TRIES {
        match attempt() {
            Err(rusqlite::Error::SqliteFailure(failure, _)) if failure.code == ErrorCode::DatabaseBusy => {
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
    attempt()
}
