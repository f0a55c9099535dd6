//! Searches: reading statements whose cost their caller decides. Few run at once, each of them for a limited time, on threads that may
//! block (SQLite) or in a transaction that the server ends (PostgreSQL). A search ends when its caller stops waiting.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Executor, Row as _};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout, timeout_at};

use super::error::{Result, StoreError};
use super::param::Param;
use super::postgres::{self, ANSWER, PgTx, Pool, SIGN_OF_LIFE, answered};
use super::row::Row;
use super::sqlite;
use super::store::{Pools, Store};

/// How many searches run at once.
pub const SEARCHES: usize = 2;
/// For how long each may run.
const SEARCH_LIMIT: Duration = Duration::from_secs(5);

/// A search that runs: its statements, one after the other, have [`SEARCH_LIMIT`] together.
pub(crate) struct Search {
    store: Store,
    /// Held by the work, too: a caller that goes away frees no place before the work has ended.
    place: Option<Arc<OwnedSemaphorePermit>>,
    until: Instant,
    on: Option<PgSearch>,
}

/// The transaction of a search on PostgreSQL.
struct PgSearch {
    tx: Option<PgTx>,
    pool: Pool,
    /// The server's process.
    process: i32,
    is_running: bool,
    place: Option<Arc<OwnedSemaphorePermit>>,
}

impl Store {
    /// Waits for a place and begins a search.
    pub(crate) async fn begin_search(&self) -> Result<Search> {
        let place = Arc::clone(&self.0.searches).acquire_owned().await;
        let place = place.ok().map(Arc::new);
        let on = match &self.0.pools {
            Pools::Sqlite(_) => None,
            Pools::Postgres(postgres) => {
                let beginning = PgSearch::begin(&postgres.work, place.clone());
                Some(answered(ANSWER, beginning).await?)
            }
        };
        Ok(Search {
            store: self.clone(),
            place,
            until: Instant::now() + SEARCH_LIMIT,
            on,
        })
    }
}

impl Search {
    /// [`Store::read_within`] as a part of the search.
    ///
    /// # Errors
    /// When the database fails; [`StoreError::TooSlow`] when the time is over.
    pub(crate) async fn read_within<T: Send + 'static>(
        &mut self,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
        read: fn(&Row) -> Result<T>,
    ) -> Result<(Vec<T>, bool)> {
        if let Some(on) = &mut self.on {
            return on.read_within(sql, params, bytes, read, self.until).await;
        }
        let Pools::Sqlite(sqlite) = &self.store.0.pools else {
            return Err(StoreError::TooSlow);
        };
        let place = self.place.clone();
        let searching = move |on: &rusqlite::Connection| {
            let _place = place;
            sqlite::read_within(on, &sql, &params, bytes, read)
        };
        let searched = sqlite.search(searching, self.until).await;
        searched.map_err(|error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::TooSlow,
            _ => error.into(),
        })?
    }

    /// What `read` makes of the first row of a statement.
    ///
    /// # Errors
    /// As [`Search::read_within`].
    pub(crate) async fn read_one<T: Send + 'static>(
        &mut self,
        sql: String,
        params: Vec<Param>,
        read: fn(&Row) -> Result<T>,
    ) -> Result<Option<T>> {
        let (found, _) = self.read_within(sql, params, usize::MAX, read).await?;
        Ok(found.into_iter().next())
    }

    /// Has PostgreSQL read its tables by bitmaps of their indexes alone from here on, or as it likes.
    pub(crate) async fn read_by_bitmaps(&mut self, alone: bool) -> Result<()> {
        let Some(on) = &mut self.on else {
            return Ok(());
        };
        for way in ["seqscan", "indexscan", "indexonlyscan"] {
            let set = format!("SET LOCAL enable_{way} = {}", if alone { "off" } else { "on" });
            on.read_within(set, Vec::new(), usize::MAX, |_| Ok(()), self.until)
                .await?;
        }
        Ok(())
    }

    /// Has PostgreSQL read a list in the order of its index from here on, or as it likes. Of a new table it expects few rows where there
    /// are a million, and would read and sort all of them for a page.
    pub(crate) async fn read_in_order(&mut self, alone: bool) -> Result<()> {
        let Some(on) = &mut self.on else {
            return Ok(());
        };
        let value = if alone { "off" } else { "on" };
        let set = format!(
            "SELECT set_config('enable_sort', '{value}', TRUE), set_config('enable_bitmapscan', '{value}', TRUE),
                set_config('enable_seqscan', '{value}', TRUE)"
        );
        on.read_within(set, Vec::new(), usize::MAX, |_| Ok(()), self.until)
            .await?;
        Ok(())
    }

    /// The store that it searches.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Ends it; one that is dropped ends as well, a little later.
    pub(crate) async fn end(mut self) -> Result<()> {
        let tx = self.on.as_mut().and_then(|on| on.tx.take());
        match tx {
            Some(tx) => answered(ANSWER, tx.rollback()).await,
            None => Ok(()),
        }
    }
}

impl PgSearch {
    async fn begin(pool: &Pool, place: Option<Arc<OwnedSemaphorePermit>>) -> sqlx::Result<Self> {
        let mut tx = PgTx::begin(pool).await?;
        let limit = format!("SET LOCAL statement_timeout = {}", SEARCH_LIMIT.as_millis());
        tx.execute(AssertSqlSafe(limit)).await?;
        let process = tx.fetch_one("SELECT pg_backend_pid()").await?.try_get(0)?;
        Ok(Self {
            tx: Some(tx),
            pool: pool.clone(),
            process,
            is_running: false,
            place,
        })
    }

    async fn read_within<T>(
        &mut self,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
        read: fn(&Row) -> Result<T>,
        until: Instant,
    ) -> Result<(Vec<T>, bool)> {
        let Some(tx) = &mut self.tx else {
            return Err(StoreError::TooSlow);
        };
        self.is_running = true;
        let found = timeout_at(until, postgres::read_within(tx, sql, params, bytes, read)).await;
        let found = found.map_err(|_| StoreError::TooSlow)?;
        // What was not read to its end is still being sent.
        self.is_running = matches!(found, Ok(Ok((_, true)) | Err(_)));
        match found {
            Err(error) if postgres::was_cancelled(&error) => Err(StoreError::TooSlow),
            found => found?,
        }
    }
}

/// Ends the statement that runs: the server would go on for a caller that has gone away.
impl Drop for PgSearch {
    fn drop(&mut self) {
        let (Some(tx), Ok(runtime), true) = (self.tx.take(), Handle::try_current(), self.is_running) else {
            return;
        };
        let (pool, process, place) = (self.pool.clone(), self.process, self.place.take());
        runtime.spawn(async move {
            let cancel = format!("SELECT pg_cancel_backend({process})");
            let cancelled = pool.run(async |on| on.execute(AssertSqlSafe(cancel)).await);
            // Where that fails, the server ends the statement after its limit.
            let _ = timeout(SIGN_OF_LIFE, cancelled).await;
            drop((tx, place));
        });
    }
}
