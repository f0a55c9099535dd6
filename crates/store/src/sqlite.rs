//! SQLite without a thread between: statements run where they are called, because most take less time than a hop to
//! another thread. Only what waits for the disk, a commit, goes to a blocking thread.
//!
//! One connection writes, behind a lock that queues fairly; a few read, each its own snapshot (WAL). Other processes
//! may write too: whoever finds the file locked tries again for a while.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, Statement, ffi};
use sync_wrapper::SyncWrapper;
use tokio::sync::{OwnedMutexGuard, Semaphore};

use crate::param::Param;
use crate::row::SqliteRow;

/// Connections for reading.
const READERS: usize = 4;
/// How often, and how far apart, to try a file that another process has locked: 15 seconds in all.
const TRIES: u32 = 1500;
const PAUSE: Duration = Duration::from_millis(10);

/// The log is copied into the file every 16 MB, not every 4: a page that changes with each commit is copied once.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -2000; PRAGMA mmap_size = 0; PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 16777216;";

type Outcome<T> = Result<T, rusqlite::Error>;

/// An SQLite file: one writer, a few readers.
pub(crate) struct Sqlite {
    path: PathBuf,
    writer: Arc<tokio::sync::Mutex<Connection>>,
    readers: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

/// A transaction that may write. Dropping it rolls back.
pub(crate) struct SqliteTx {
    connection: Option<SyncWrapper<OwnedMutexGuard<Connection>>>,
}

impl Sqlite {
    /// Opens the file, or creates it.
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        let writer = connect(path)?;
        if writer.is_readonly(rusqlite::MAIN_DB)? {
            return Err(failure(
                ffi::SQLITE_READONLY,
                "attempt to write a readonly database",
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            readers: Mutex::default(),
            permits: Semaphore::new(READERS),
        })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a reading statement.
    pub(crate) async fn read(&self, sql: &str, params: &[Param]) -> Outcome<Vec<SqliteRow>> {
        let _permit = self.permits.acquire().await.map_err(|_| closed())?;
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => reader(&self.path)?,
        };
        let reading = &mut connection;
        let rows = patiently(move || rows(reading, sql, params)).await;
        self.idle().push(connection);
        rows
    }

    /// Runs one writing statement by itself; answers the rows it returns, and how many it changed.
    pub(crate) async fn write(&self, sql: String, params: Vec<Param>) -> Outcome<(Vec<SqliteRow>, u64)> {
        let mut tx = self.begin().await?;
        let rows = tx.rows(&sql, &params)?;
        let changed = tx.changes();
        tx.commit().await?;
        Ok((rows, changed))
    }

    /// Begins a transaction that may write, once nobody else does.
    pub(crate) async fn begin(&self) -> Outcome<SqliteTx> {
        let mut connection = Arc::clone(&self.writer).lock_owned().await;
        if self.permits.is_closed() {
            return Err(closed());
        }
        let beginning = &mut *connection;
        patiently(move || run(beginning, "BEGIN IMMEDIATE")).await?;
        Ok(SqliteTx {
            connection: Some(SyncWrapper::new(connection)),
        })
    }

    /// Waits for the transaction that runs, lets no other begin, and closes what is idle.
    pub(crate) async fn close(&self) {
        let _writer = self.writer.lock().await;
        self.permits.close();
        self.idle().clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SqliteTx {
    /// Runs a statement; answers the rows it returns.
    pub(crate) fn rows(&mut self, sql: &str, params: &[Param]) -> Outcome<Vec<SqliteRow>> {
        rows(self.connection()?, sql, params)
    }

    /// Runs a statement; answers how many rows it changed.
    pub(crate) fn execute(&mut self, sql: &str, params: &[Param]) -> Outcome<u64> {
        self.rows(sql, params)?;
        Ok(self.changes())
    }

    /// How many rows the last statement changed.
    fn changes(&mut self) -> u64 {
        self.connection().map_or(0, |connection| connection.changes())
    }

    /// Makes all of it permanent: on the disk when this returns.
    pub(crate) async fn commit(mut self) -> Outcome<()> {
        let Some(connection) = self.connection.take().map(SyncWrapper::into_inner) else {
            return Ok(());
        };
        let commit = move || {
            let committed = run(&connection, "COMMIT");
            if committed.is_err() && !connection.is_autocommit() {
                roll_back(&connection);
            }
            committed
        };
        tokio::task::spawn_blocking(commit)
            .await
            .unwrap_or(Err(rusqlite::Error::InvalidQuery))
    }

    fn connection(&mut self) -> Outcome<&mut Connection> {
        let connection = self.connection.as_mut().ok_or(rusqlite::Error::InvalidQuery)?;
        Ok(&mut **connection.get_mut())
    }
}

impl Drop for SqliteTx {
    fn drop(&mut self) {
        if let Ok(connection) = self.connection() {
            roll_back(connection);
        }
    }
}

/// Runs a statement that has neither parameters nor rows.
fn run(connection: &Connection, sql: &str) -> Outcome<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

fn roll_back(connection: &Connection) {
    if let Err(error) = connection.execute_batch("ROLLBACK") {
        tracing::error!("a transaction could not be rolled back: {error}");
    }
}

fn connect(path: &Path) -> Outcome<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PAUSE * 100)?;
    connection.execute_batch(SETTINGS)?;
    connection.busy_timeout(Duration::ZERO)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

fn reader(path: &Path) -> Outcome<Connection> {
    let connection = connect(path)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

fn closed() -> rusqlite::Error {
    failure(ffi::SQLITE_MISUSE, "the database was closed")
}

fn failure(code: i32, message: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some(message.to_owned()))
}

/// Tries again while another process holds the file.
async fn patiently<T>(mut attempt: impl FnMut() -> Outcome<T>) -> Outcome<T> {
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

fn rows(connection: &Connection, sql: &str, params: &[Param]) -> Outcome<Vec<SqliteRow>> {
    let mut statement = connection.prepare_cached(sql)?;
    bind(&mut statement, params)?;
    let columns: Arc<[String]> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        let values = (0..columns.len()).map(|index| row.get::<_, Value>(index));
        found.push(SqliteRow {
            columns: Arc::clone(&columns),
            values: values.collect::<Outcome<_>>()?,
        });
    }
    Ok(found)
}

/// To SQLite `$2` is a name, not a number: the parameter is looked up by what its name says.
fn bind(statement: &mut Statement<'_>, params: &[Param]) -> Outcome<()> {
    for index in 1..=statement.parameter_count() {
        let number = statement
            .parameter_name(index)
            .and_then(|name| name.get(1..)?.parse::<usize>().ok());
        let param = number.and_then(|number| params.get(number.checked_sub(1)?));
        let param = param.ok_or(rusqlite::Error::InvalidParameterCount(index, params.len()))?;
        statement.raw_bind_parameter(index, value(param))?;
    }
    Ok(())
}

fn value(param: &Param) -> ToSqlOutput<'_> {
    let borrowed = match param {
        Param::Uuid(Some(id)) => ValueRef::Blob(id.as_bytes()),
        Param::Int(Some(number)) => ValueRef::Integer(*number),
        Param::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
        Param::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
        Param::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
        Param::Json(Some(json)) => return ToSqlOutput::Owned(Value::Text(json.to_string())),
        Param::Uuid(None) | Param::Int(None) | Param::Text(None) | Param::Bytes(None) | Param::Json(None) => {
            ValueRef::Null
        }
    };
    ToSqlOutput::Borrowed(borrowed)
}
