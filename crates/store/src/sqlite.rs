//! SQLite without a thread between: statements run where they are called, because most take less time than a hop to
//! another thread. Only what waits for the disk, a commit, goes to a blocking thread.
//!
//! One connection writes, behind a lock that queues fairly; a few read, each its own snapshot (WAL). Other processes
//! may write too: where the file is locked, the statement is tried again for a while.
//!
//! Waiting for the disk is shared. A transaction that is done lets the next one on as a part of the same transaction of
//! the file, each a savepoint of its own, and requests a commit in the lock's queue: transactions that are in the queue
//! before it are made permanent by the same commit. No caller gets success before the disk has it, and no reader sees it
//! before.

mod backup_mark;
mod copy;
mod log;
mod look;
mod place;
mod statement;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, InterruptHandle, OpenFlags, ffi};
use sync_wrapper::SyncWrapper;
use tokio::sync::{OwnedMutexGuard, Semaphore, oneshot};

use self::log::{Log, leave_log};
use self::place::{Place, keep_private, refuse_lone_log};
use self::statement::{rows, rows_within};
use crate::param::Param;
use crate::row::SqliteRow;

/// Connections for reading.
const READERS: usize = 4;
/// How often, and how far apart, to try a file that another process has locked: 15 seconds in all.
const TRIES: u32 = 1500;
const PAUSE: Duration = Duration::from_millis(10);

/// The log is copied into the file by [`Log`], not by commits.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -2000; PRAGMA mmap_size = 0; PRAGMA wal_autocheckpoint = 0;
    PRAGMA journal_size_limit = 16777216;";

type Outcome<T> = Result<T, rusqlite::Error>;

/// An SQLite file: one writer, a few readers.
pub(crate) struct Sqlite {
    place: Arc<Place>,
    writer: Arc<tokio::sync::Mutex<Writer>>,
    readers: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

/// The connection that writes, and who waits for its next commit.
struct Writer {
    connection: Connection,
    place: Arc<Place>,
    /// Transactions that are done and not yet permanent. While there is one, a commit is in the lock's queue.
    done: Vec<oneshot::Sender<Outcome<()>>>,
    log: Log,
}

/// A transaction that may write. Dropping it rolls back.
pub(crate) struct SqliteTx {
    writer: Option<SyncWrapper<OwnedMutexGuard<Writer>>>,
    of: Arc<tokio::sync::Mutex<Writer>>,
}

impl Sqlite {
    /// Opens the file, or creates it.
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        refuse_lone_log(path)?;
        backup_mark::adopt(path)?;
        keep_private(path);
        let writer = connect(path)?;
        if writer.is_readonly(rusqlite::MAIN_DB)? {
            return Err(failure(
                ffi::SQLITE_READONLY,
                "attempt to write a readonly database",
            ));
        }
        let place = Arc::new(Place::of(path));
        let writer = Writer {
            place: Arc::clone(&place),
            log: Log::of(&writer, Arc::clone(&place)),
            connection: writer,
            done: Vec::new(),
        };
        Ok(Self {
            place,
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            readers: Mutex::default(),
            permits: Semaphore::new(READERS),
        })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// Runs a reading statement.
    pub(crate) async fn read(&self, sql: &str, params: &[Param]) -> Outcome<Vec<SqliteRow>> {
        Ok(self.read_within(sql, params, usize::MAX).await?.0)
    }

    /// Runs a reading statement until its rows take so many bytes; returns whether there were more.
    pub(crate) async fn read_within(
        &self,
        sql: &str,
        params: &[Param],
        bytes: usize,
    ) -> Outcome<(Vec<SqliteRow>, bool)> {
        let _permit = self.permits.acquire().await.map_err(|_| closed())?;
        self.place.check_lately()?;
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => reader(&self.place)?,
        };
        let reading = &mut connection;
        let rows = patiently(move || rows_within(reading, sql, params, bytes)).await;
        self.idle().push(connection);
        rows
    }

    /// Runs a reading statement that may take long on a thread of its own, on a connection of its own, until `limit` is over or
    /// the caller stops waiting. `place` is given back when it has ended.
    pub(crate) async fn search<P: Send + 'static>(
        &self,
        place: P,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
        limit: Duration,
    ) -> Outcome<(Vec<SqliteRow>, bool)> {
        let connection = reader(&self.place)?;
        let interrupting = Interrupting(connection.get_interrupt_handle());
        let searching = tokio::task::spawn_blocking(move || {
            let _place = place;
            rows_within(&connection, &sql, &params, bytes)
        });
        match tokio::time::timeout(limit, searching).await {
            Ok(searched) => {
                drop(interrupting);
                searched.unwrap_or_else(|_| Err(interrupted()))
            }
            Err(_) => Err(interrupted()),
        }
    }

    /// Runs one writing statement by itself; returns its rows, and how many it changed.
    pub(crate) async fn write(&self, sql: String, params: Vec<Param>) -> Outcome<(Vec<SqliteRow>, u64)> {
        let mut tx = self.begin().await?;
        let rows = tx.rows(&sql, &params)?;
        let changed = tx.changes();
        tx.commit().await?;
        Ok((rows, changed))
    }

    /// Begins a transaction that may write, once no other does.
    pub(crate) async fn begin(&self) -> Outcome<SqliteTx> {
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        if self.permits.is_closed() {
            return Err(closed());
        }
        self.place.check_lately()?;
        if writer.connection.is_autocommit() {
            let beginning = &mut *writer;
            patiently(move || run(&beginning.connection, "BEGIN IMMEDIATE")).await?;
        }
        if let Err(error) = run(&writer.connection, "SAVEPOINT part") {
            writer.roll_back();
            return Err(error);
        }
        Ok(SqliteTx {
            writer: Some(SyncWrapper::new(writer)),
            of: Arc::clone(&self.writer),
        })
    }

    /// Waits for the transactions that run, makes permanent what is done, lets no other begin, and closes what is idle.
    pub(crate) async fn close(&self) {
        let mut writer = self.writer.lock().await;
        self.permits.close();
        writer.commit();
        if self.place.check().is_err() {
            leave_log(&writer.connection);
            self.idle().iter().for_each(leave_log);
        }
        self.idle().clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SqliteTx {
    /// Runs a statement; returns its rows.
    pub(crate) fn rows(&mut self, sql: &str, params: &[Param]) -> Outcome<Vec<SqliteRow>> {
        rows(self.connection()?, sql, params)
    }

    /// Runs a statement; returns how many rows it changed.
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
        let Some(mut writer) = self.writer.take().map(SyncWrapper::into_inner) else {
            return Ok(());
        };
        if let Err(error) = run(&writer.connection, "RELEASE part") {
            writer.roll_back();
            return Err(error);
        }
        let (done, permanent) = oneshot::channel();
        writer.done.push(done);
        let is_first = writer.done.len() == 1;
        drop(writer);
        if is_first {
            // A task of its own: a caller that stops waiting for the outcome must not leave the others without one.
            tokio::spawn(commit(Arc::clone(&self.of)));
        }
        permanent.await.unwrap_or_else(|_| Err(closed()))
    }

    /// The connection, unless an error has undone the transaction: then each statement would be one of its own.
    fn connection(&mut self) -> Outcome<&mut Connection> {
        let writer = self.writer.as_mut().ok_or(rusqlite::Error::InvalidQuery)?;
        let connection = &mut writer.get_mut().connection;
        match connection.is_autocommit() {
            true => Err(failure(ffi::SQLITE_ABORT, "the transaction was undone")),
            false => Ok(connection),
        }
    }
}

impl Drop for SqliteTx {
    fn drop(&mut self) {
        if let Some(mut writer) = self.writer.take().map(SyncWrapper::into_inner) {
            writer.roll_back();
        }
    }
}

/// Commits what is done, after those who are in the lock's queue already have had their turn.
async fn commit(writer: Arc<tokio::sync::Mutex<Writer>>) {
    let mut writer = writer.lock_owned().await;
    if let Err(error) = tokio::task::spawn_blocking(move || writer.commit()).await {
        tracing::error!("a commit was lost: {error}");
    }
}

impl Writer {
    /// Makes permanent what is done, and sends the outcome to those who wait for it.
    fn commit(&mut self) {
        if self.done.is_empty() {
            return;
        }
        let committed = self.place.check().and_then(|()| run(&self.connection, "COMMIT"));
        if committed.is_err() && !self.connection.is_autocommit() {
            roll_back(&self.connection, "ROLLBACK");
        }
        self.tell(committed);
        self.log.after_commit(&self.connection);
    }

    /// Undoes the part that runs. Some errors, a full disk for one, have undone everything already: then those who are
    /// done have failed too.
    fn roll_back(&mut self) {
        if self.connection.is_autocommit() {
            let undone = failure(
                ffi::SQLITE_ABORT,
                "the transaction was undone together with another",
            );
            return self.tell(Err(undone));
        }
        match self.done.is_empty() {
            true => roll_back(&self.connection, "ROLLBACK"),
            false => roll_back(&self.connection, "ROLLBACK TO part; RELEASE part"),
        }
    }

    fn tell(&mut self, outcome: Outcome<()>) {
        for waiting in self.done.drain(..) {
            let told = match &outcome {
                Ok(()) => Ok(()),
                Err(rusqlite::Error::SqliteFailure(error, text)) => {
                    Err(rusqlite::Error::SqliteFailure(*error, text.clone()))
                }
                Err(error) => Err(failure(ffi::SQLITE_ERROR, &error.to_string())),
            };
            // The send fails if the caller has gone.
            let _ = waiting.send(told);
        }
    }
}

/// Runs a statement that has neither parameters nor rows.
fn run(connection: &Connection, sql: &str) -> Outcome<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

fn roll_back(connection: &Connection, sql: &str) {
    if let Err(error) = connection.execute_batch(sql) {
        tracing::error!("a transaction could not be rolled back: {error}");
    }
}

fn connect(path: &Path) -> Outcome<Connection> {
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
fn beside(place: &Place) -> Outcome<Connection> {
    place.check()?;
    let connection = connect(place.path())?;
    place.check()?;
    Ok(connection)
}

fn reader(place: &Place) -> Outcome<Connection> {
    let connection = beside(place)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

/// Ends what runs on a connection when it is dropped.
struct Interrupting(InterruptHandle);

impl Drop for Interrupting {
    fn drop(&mut self) {
        self.0.interrupt();
    }
}

fn interrupted() -> rusqlite::Error {
    failure(ffi::SQLITE_INTERRUPT, "a search took too long")
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

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Waker};

    use super::*;

    async fn opened() -> (tempfile::TempDir, Arc<Sqlite>) {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(&folder.path().join("a.db")).unwrap();
        let table = "CREATE TABLE kites (id INTEGER PRIMARY KEY, name TEXT)".to_owned();
        sqlite.write(table, Vec::new()).await.unwrap();
        (folder, Arc::new(sqlite))
    }

    /// Whether a future, begun by this, is not done yet.
    fn waits<F: Future + Unpin>(future: &mut F) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        Pin::new(future).poll(&mut context).is_pending()
    }

    fn insert(id: i64, name: &str) -> (&'static str, [Param; 2]) {
        let params = [Param::Int(Some(id)), Param::Text(Some(name.to_owned()))];
        ("INSERT INTO kites VALUES ($1, $2)", params)
    }

    /// The IDs that another connection reads: what is permanent.
    fn permanent(sqlite: &Sqlite) -> Vec<i64> {
        let other = Connection::open(sqlite.path()).unwrap();
        let mut ids = other.prepare("SELECT id FROM kites ORDER BY id").unwrap();
        let ids = ids.query_map([], |row| row.get(0)).unwrap();
        ids.collect::<Outcome<_>>().unwrap()
    }

    /// A transaction that has written `id` and is done, while the next holds the lock.
    async fn done_before(sqlite: &Arc<Sqlite>, id: i64) -> (impl Future<Output = Outcome<()>>, SqliteTx) {
        let mut first = sqlite.begin().await.unwrap();
        let mut next = Box::pin(sqlite.begin());
        // In the lock's queue from here on.
        assert!(waits(&mut next));
        let (sql, params) = insert(id, "first");
        first.rows(sql, &params).unwrap();
        let mut done = Box::pin(first.commit());
        assert!(waits(&mut done));
        (done, next.await.unwrap())
    }

    #[tokio::test]
    async fn whoever_waits_for_the_lock_shares_the_commit_of_whoever_is_done() {
        let (_folder, sqlite) = opened().await;
        let (first, mut second) = done_before(&sqlite, 1).await;
        let (sql, params) = insert(2, "second");
        second.rows(sql, &params).unwrap();
        assert!(
            permanent(&sqlite).is_empty(),
            "nobody was told, and nobody reads it"
        );
        let (first, second) = tokio::join!(first, second.commit());
        assert!(first.is_ok() && second.is_ok());
        assert_eq!(permanent(&sqlite), [1, 2]);
    }

    #[tokio::test]
    async fn what_is_rolled_back_takes_nothing_with_it() {
        let (_folder, sqlite) = opened().await;
        let (first, mut second) = done_before(&sqlite, 1).await;
        let (sql, params) = insert(2, "second");
        second.rows(sql, &params).unwrap();
        drop(second);
        first.await.unwrap();
        assert_eq!(permanent(&sqlite), [1]);
        drop(sqlite.begin().await.unwrap());
        let other = Connection::open(sqlite.path()).unwrap();
        other.execute("DELETE FROM kites", []).unwrap();
    }

    #[tokio::test]
    async fn an_error_that_undoes_the_transaction_is_told_to_all_that_were_in_it() {
        let (_folder, sqlite) = opened().await;
        let (first, mut second) = done_before(&sqlite, 1).await;
        let no_space = "PRAGMA max_page_count = 1";
        second.rows(no_space, &[]).unwrap();
        let (sql, params) = insert(2, &"x".repeat(1_000_000));
        assert!(second.rows(sql, &params).is_err());
        assert!(
            second.rows(sql, &params).is_err(),
            "no statement of its own follows"
        );
        drop(second);
        assert!(first.await.is_err());
        assert!(permanent(&sqlite).is_empty());
    }

    #[tokio::test]
    async fn whoever_stops_waiting_leaves_no_transaction_open() {
        let (_folder, sqlite) = opened().await;
        let mut first = sqlite.begin().await.unwrap();
        let (sql, params) = insert(1, "first");
        first.rows(sql, &params).unwrap();
        let mut done = Box::pin(first.commit());
        assert!(waits(&mut done));
        drop(done);
        drop(sqlite.begin().await.unwrap());
        sqlite.close().await;
        assert_eq!(permanent(&sqlite), [1]);
    }

    #[tokio::test]
    async fn the_log_is_copied_into_the_file_while_commits_go_on() {
        let (folder, sqlite) = opened().await;
        let (_, params) = insert(1, &"x".repeat(1_000_000));
        for _ in 0..150 {
            let replaced = "INSERT OR REPLACE INTO kites VALUES ($1, $2)".to_owned();
            sqlite.write(replaced, params.to_vec()).await.unwrap();
        }
        let log = folder.path().join("a.db-wal").metadata().unwrap().len();
        assert!(log < 100_000_000, "{log} bytes of 150,000,000 that were written");
    }
}
