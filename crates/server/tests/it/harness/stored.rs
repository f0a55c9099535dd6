//! What the database really holds: for tests of what it must not hold, and for writing rows that the service never would.

use std::fs::DirEntry;
use std::path::Path;
use std::{io, vec};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};

use super::{Db, TestApp};

/// Everything that the database holds, as bytes. PostgreSQL shows bytes as hexadecimal digits.
pub(crate) async fn everything_stored(t: &TestApp, db: Db) -> Vec<u8> {
    let url = t.app.config.database_url.expose();
    if db == Db::Sqlite {
        let path = url.strip_prefix("sqlite://").unwrap();
        let files = ["", "-wal"].map(|end| std::fs::read(format!("{path}{end}")).unwrap_or_default());
        return files.concat();
    }
    let mut connection = PgConnection::connect(url).await.unwrap();
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    let mut stored = Vec::new();
    for table in tables {
        let rows = sqlx::AssertSqlSafe(format!("SELECT t::text FROM \"{table}\" t"));
        let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut connection).await.unwrap();
        stored.extend(rows.concat().into_bytes());
    }
    stored
}

/// What is in a directory of the storage, but for the marker that names the storage, whole or being written, and a bucket's folder of notes.
pub(crate) fn stored_files(directory: impl AsRef<Path>) -> io::Result<vec::IntoIter<io::Result<DirEntry>>> {
    let is_marker = |entry: &io::Result<DirEntry>| {
        entry.as_ref().is_ok_and(|entry| {
            let name = entry.file_name();
            name.to_string_lossy().starts_with("playout-storage.json") || name == "unfinished"
        })
    };
    let entries: Vec<_> = std::fs::read_dir(directory)?
        .filter(|entry| !is_marker(entry))
        .collect();
    Ok(entries.into_iter())
}

/// SQLSTATE `deadlock_detected` (PostgreSQL's appendix A, "Error Codes"). The server ended one of two transactions, without effect.
const DEADLOCK: &str = "40P01";

/// Runs a statement on the database at this address, past the service, again where it and a statement of the service wait for
/// each other.
pub(crate) async fn execute_in(url: &str, db: Db, sql: impl Into<String>) {
    let sql: String = sql.into();
    match db {
        Db::Sqlite => {
            let mut connection = SqliteConnection::connect(url).await.unwrap();
            connection.execute(AssertSqlSafe(sql)).await.unwrap();
        }
        Db::Postgres => {
            let mut connection = PgConnection::connect(url).await.unwrap();
            while let Err(error) = connection.execute(AssertSqlSafe(sql.clone())).await {
                let code = error.as_database_error().and_then(|error| error.code());
                assert_eq!(code.as_deref(), Some(DEADLOCK), "{error}");
            }
        }
    }
}

/// The texts that a query finds in the database at this address, past the service.
pub(crate) async fn texts_in(url: &str, db: Db, sql: impl Into<String>) -> Vec<String> {
    let sql = AssertSqlSafe(sql.into());
    match db {
        Db::Sqlite => {
            let mut connection = SqliteConnection::connect(url).await.unwrap();
            sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
        }
        Db::Postgres => {
            let mut connection = PgConnection::connect(url).await.unwrap();
            sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap()
        }
    }
}

/// Whether these bytes are among them.
pub(crate) fn holds(stored: &[u8], wanted: &[u8]) -> bool {
    stored.windows(wanted.len()).any(|window| window == wanted)
}

/// Bytes as PostgreSQL shows them.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
