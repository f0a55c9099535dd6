//! SQLite without a thread between: statements run where they are called, because most take less time than a hop to
//! another thread. Only what waits for the disk, a commit, goes to a blocking thread.
//!
//! One connection writes, behind a lock that queues fairly; a few read, each its own snapshot (WAL). Other processes
//! may write too: where the file is locked, the statement is tried again for a while. Transactions share their commits
//! (`sqlite/writer.rs`).

mod backup_mark;
mod connection;
mod copy;
mod failure;
mod log;
mod look;
mod place;
mod statement;
mod writer;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, ffi};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use self::connection::{connect, patiently, reader};
use self::failure::{Outcome, closed, failure, interrupted};
use self::log::leave_log;
pub use self::place::IN_A_BACKUP;
use self::place::{Place, keep_private, refuse_lone_log};
use self::statement::rows;
pub(crate) use self::statement::{read_within, text};
pub(crate) use self::writer::SqliteTx;
use self::writer::Writer;
use super::error::Result;
use super::param::Param;
use super::row::Row;

/// Connections for reading.
const READERS: usize = 4;
/// A search looks after so many steps of SQLite's machine whether it is over.
const STEPS: i32 = 1_000;

/// An SQLite file: one writer, a few readers.
pub(crate) struct Sqlite {
    place: Arc<Place>,
    writer: Arc<tokio::sync::Mutex<Writer>>,
    readers: Mutex<Vec<Connection>>,
    /// Idle connections of searches: at most as many as searches run at once.
    searchers: Mutex<Vec<Connection>>,
    permits: Semaphore,
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
        let writer = Writer::of(writer, &place);
        Ok(Self {
            place,
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            readers: Mutex::default(),
            searchers: Mutex::default(),
            permits: Semaphore::new(READERS),
        })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// Runs a reading statement.
    pub(crate) async fn read(&self, sql: &str, params: &[Param]) -> Outcome<Vec<Row>> {
        self.with_reader(|reader| rows(reader, sql, params)).await
    }

    /// Runs a reading statement until its rows take so many bytes; returns what `read` makes of them, and whether there were more.
    pub(crate) async fn read_within<T>(
        &self,
        sql: &str,
        params: &[Param],
        bytes: usize,
        read: fn(&Row) -> Result<T>,
    ) -> Outcome<Result<(Vec<T>, bool)>> {
        self.with_reader(|reader| read_within(reader, sql, params, bytes, read))
            .await
    }

    /// Reads on a connection that is free, again while another process holds the file.
    async fn with_reader<T>(&self, reading: impl Fn(&Connection) -> Outcome<T>) -> Outcome<T> {
        let _permit = self.permits.acquire().await.map_err(|_| closed())?;
        self.place.check_lately()?;
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => reader(&self.place)?,
        };
        let reader = &mut connection;
        let read = patiently(move || reading(reader)).await;
        self.idle().push(connection);
        read
    }

    /// Runs a reading statement that may take long on a thread of its own, on a connection of its own, until `until` or the caller stops
    /// waiting. `searching` holds its place, which is given back when it has ended.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        searching: impl FnOnce(&Connection) -> Outcome<T> + Send + 'static,
        until: Instant,
    ) -> Outcome<T> {
        self.place.check_lately()?;
        let idle = self.searchers().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => reader(&self.place)?,
        };
        let ending = Ending::default();
        let is_over = Arc::clone(&ending.0);
        let searching = tokio::task::spawn_blocking(move || {
            // Not an interrupt, which does nothing before the statement has begun.
            let is_over = move || is_over.load(Ordering::Relaxed);
            connection.progress_handler(STEPS, Some(is_over))?;
            let found = searching(&connection);
            connection.progress_handler(0, None::<fn() -> bool>)?;
            Outcome::Ok((found?, connection))
        });
        let Ok(searched) = tokio::time::timeout_at(until, searching).await else {
            return Err(interrupted());
        };
        let (found, connection) = searched.unwrap_or_else(|_| Err(interrupted()))?;
        if !self.permits.is_closed() {
            self.searchers().push(connection);
        }
        Ok(found)
    }

    /// Runs one writing statement by itself; returns its rows, and how many it changed.
    pub(crate) async fn write(&self, sql: String, params: Vec<Param>) -> Outcome<(Vec<Row>, u64)> {
        let mut tx = self.begin().await?;
        let rows = tx.rows(&sql, &params)?;
        let changed = tx.changes();
        tx.commit().await?;
        Ok((rows, changed))
    }

    /// Begins a transaction that may write, once no other does.
    pub(crate) async fn begin(&self) -> Outcome<SqliteTx> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        if self.permits.is_closed() {
            return Err(closed());
        }
        self.place.check_lately()?;
        SqliteTx::begin(writer, Arc::clone(&self.writer)).await
    }

    /// Waits until what is done is permanent.
    pub(crate) async fn settled(&self) -> Outcome<()> {
        let permanent = self.writer.lock().await.permanent();
        match permanent {
            Some(permanent) => permanent.await.unwrap_or_else(|_| Err(closed())),
            None => Ok(()),
        }
    }

    /// Waits for the transactions that run, makes permanent what is done, lets no other begin, and closes what is idle.
    pub(crate) async fn close(&self) {
        let mut writer = self.writer.lock().await;
        self.permits.close();
        writer.commit();
        if self.place.check().is_err() {
            leave_log(writer.connection());
            self.idle().iter().for_each(leave_log);
            self.searchers().iter().for_each(leave_log);
        }
        self.idle().clear();
        self.searchers().clear();
    }

    fn searchers(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.searchers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a search when it is dropped.
#[derive(Default)]
struct Ending(Arc<AtomicBool>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
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
    async fn what_a_transaction_has_read_that_changes_nothing_can_be_waited_for() {
        let (_folder, sqlite) = opened().await;
        sqlite.settled().await.unwrap();
        let (first, second) = done_before(&sqlite, 1).await;
        drop(second);
        assert!(permanent(&sqlite).is_empty());
        sqlite.settled().await.unwrap();
        assert_eq!(permanent(&sqlite), [1]);
        first.await.unwrap();
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

    /// What it would have to undo is more than is kept in memory.
    #[tokio::test]
    async fn a_transaction_that_changes_many_pages_is_done_or_undone() {
        let (_folder, sqlite) = opened().await;
        for id in 0..500 {
            let (sql, params) = insert(id, &"x".repeat(4_000));
            sqlite.write(sql.to_owned(), params.to_vec()).await.unwrap();
        }
        let changed = |sqlite: &Sqlite| {
            let reader = Connection::open(sqlite.path()).unwrap();
            let sql = "SELECT COUNT(*) FROM kites WHERE name LIKE '%y'";
            reader.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()
        };
        let change = "UPDATE kites SET name = name || 'y'";
        let mut undone = sqlite.begin().await.unwrap();
        undone.rows(change, &[]).unwrap();
        drop(undone);
        let mut done = sqlite.begin().await.unwrap();
        assert_eq!(changed(&sqlite), 0);
        done.rows(change, &[]).unwrap();
        done.commit().await.unwrap();
        assert_eq!(changed(&sqlite), 500);
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
