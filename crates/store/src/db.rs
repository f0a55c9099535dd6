//! The two databases behind one interface: statements are written once, with `$1` parameters, and run on either.
//!
//! SQLite has one writer connection, whose transactions begin IMMEDIATE, and a few readers (`sqlite.rs`).
//! PostgreSQL has one pool at READ COMMITTED, so writers are concurrent: what must be exact is one statement
//! that checks and writes, or follows a lock taken with [`Tx::lock`]. Locks are taken in the order workspace,
//! platform, posts (by position), jobs, submissions, usage, webhooks, their deliveries.
//!
//! All differences between the databases are in this file.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::TryStreamExt;
use playout_domain::change::{Change, Noun};
use playout_domain::id::WorkspaceId;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{AssertSqlSafe, Executor, Row as _, SqlSafeStr};
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use crate::changes::Changes;
use crate::error::{Result, StoreError};
use crate::fan_out::Show;
use crate::param::Param;
use crate::pg_tx::PgTx;
use crate::postgres::{self, ANSWER, LONG, Postgres, answered};
use crate::row::Row;
use crate::sqlite::{Sqlite, SqliteTx};
use crate::vault::Vault;

/// The channel on which PostgreSQL notifies other nodes of new jobs.
pub(crate) const JOBS_CHANNEL: &str = "playout_jobs";

/// The store: all SQL of the product. Cheap to clone.
#[derive(Clone)]
pub struct Store(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) pools: Pools,
    pub(crate) vault: Vault,
    pub(crate) job_signal: Notify,
    pub(crate) changes: Changes,
    pub(crate) delivery_signal: Notify,
    pub(crate) show: OnceLock<Show>,
    /// Places for [`Store::search`].
    pub(crate) searches: Arc<Semaphore>,
}

/// How many searches run at once.
pub const SEARCHES: usize = 2;
/// For how long each may run.
const SEARCH_LIMIT: Duration = Duration::from_secs(5);

pub(crate) enum Pools {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// A transaction. Dropping it rolls back.
pub(crate) struct Tx {
    on: On,
    store: Store,
    wakes_workers: bool,
    wakes_senders: bool,
    changes: BTreeSet<Change>,
}

enum On {
    Sqlite(SqliteTx),
    Postgres {
        tx: PgTx,
        /// How long a statement's answer is waited for.
        patience: Duration,
    },
}

/// The query with every parameter bound.
macro_rules! bound {
    ($sql:expr, $params:expr) => {{
        let query = sqlx::query($sql);
        $params.into_iter().fold(query, |query, param| match param {
            Param::Uuid(value) => query.bind(value),
            Param::Int(value) => query.bind(value),
            Param::Text(value) => query.bind(value),
            Param::Bytes(value) => query.bind(value),
            Param::Bool(value) => query.bind(value),
            Param::Json(value) => query.bind(value.map(sqlx::types::Json)),
        })
    }};
}

impl Store {
    /// Begins a transaction that may write.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        self.begin_in(|postgres| &postgres.work).await
    }

    /// [`Store::begin`] on a connection of the engine's own, unless the database may be a copy that was not compared yet.
    pub(crate) async fn begin_claim(&self) -> Result<Tx> {
        let tx = self.begin_in(|postgres| &postgres.engine).await?;
        self.check_home().await?;
        Ok(tx)
    }

    /// Fails while the database may be a copy that was not compared yet; to be called when there is a connection.
    pub(crate) async fn check_home(&self) -> Result<()> {
        match &self.0.pools {
            Pools::Postgres(postgres) if !postgres.home.is_right().await => Err(StoreError::Unavailable(
                "it is not where it was, or may be older than it was, as after a failover, and is compared with what is known of it first"
                    .into(),
            )),
            _ => Ok(()),
        }
    }

    async fn begin_in(&self, pool: fn(&Postgres) -> &PgPool) -> Result<Tx> {
        let on = match &self.0.pools {
            Pools::Sqlite(sqlite) => On::Sqlite(sqlite.begin().await?),
            Pools::Postgres(postgres) => On::Postgres {
                tx: answered(ANSWER, PgTx::begin(pool(postgres))).await?,
                patience: ANSWER,
            },
        };
        Ok(Tx {
            on,
            store: self.clone(),
            wakes_workers: false,
            wakes_senders: false,
            changes: BTreeSet::new(),
        })
    }

    /// Runs one writing statement by itself; returns how many rows it changed.
    pub(crate) async fn execute(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.write(text(sql), params).await?.1,
            Pools::Postgres(postgres) => {
                let asked = postgres.work.execute(bound!(sql, params));
                answered(ANSWER, asked).await?.rows_affected()
            }
        })
    }

    /// [`Store::execute`] for a chore that no request waits for: it may take long.
    pub(crate) async fn execute_long(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        let changed = tx.execute(sql, params).await?;
        tx.commit().await?;
        Ok(changed)
    }

    /// Runs one writing statement by itself; returns its row.
    pub(crate) async fn write_row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let (rows, _) = sqlite.write(text(sql), params).await?;
                rows.into_iter().next().map(Row::Sqlite)
            }
            Pools::Postgres(postgres) => {
                let asked = postgres.work.fetch_optional(bound!(sql, params));
                answered(ANSWER, asked).await?.map(Row::Postgres)
            }
        })
    }

    /// What follows a `SELECT` within a statement, so that no other transaction changes its rows until the
    /// statement has ended.
    pub(crate) fn row_lock(&self) -> &'static str {
        match self.0.pools {
            Pools::Sqlite(_) => "",
            Pools::Postgres(_) => " FOR NO KEY UPDATE",
        }
    }

    /// Runs one reading statement by itself.
    pub(crate) async fn rows(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let rows = sqlite.read(&text(sql), &params).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Pools::Postgres(postgres) => {
                let asked = postgres.work.fetch_all(bound!(sql, params));
                let rows = answered(ANSWER, asked).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// [`Store::rows`] until they take so many bytes; returns whether there were more. There is always a first.
    pub(crate) async fn rows_within(
        &self,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
    ) -> Result<(Vec<Row>, bool)> {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let (rows, is_cut) = sqlite.read_within(&sql, &params, bytes).await?;
                Ok((rows.into_iter().map(Row::Sqlite).collect(), is_cut))
            }
            Pools::Postgres(postgres) => {
                let asked = async {
                    let mut connection = postgres.work.acquire().await?;
                    rows_of(&mut connection, sql, params, bytes).await
                };
                answered(ANSWER, asked).await
            }
        }
    }

    /// [`Store::rows_within`] for a statement whose cost its caller decides: few at once, on threads that may block, and for
    /// [`SEARCH_LIMIT`].
    ///
    /// # Errors
    /// [`StoreError::TooSlow`] when that is over.
    pub(crate) async fn search(
        &self,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
    ) -> Result<(Vec<Row>, bool)> {
        // Owned by the work: who goes away frees no place before it has ended.
        let permit = Arc::clone(&self.0.searches).acquire_owned().await;
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let searched = sqlite.search(permit, sql, params, bytes, SEARCH_LIMIT).await;
                let (rows, is_cut) = searched.map_err(|error| match error.sqlite_error_code() {
                    Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::TooSlow,
                    _ => error.into(),
                })?;
                Ok((rows.into_iter().map(Row::Sqlite).collect(), is_cut))
            }
            Pools::Postgres(postgres) => {
                let pool = postgres.work.clone();
                let searching = async move {
                    let _permit = permit;
                    let mut tx = PgTx::begin(&pool).await?;
                    let limit = format!("SET LOCAL statement_timeout = {}", SEARCH_LIMIT.as_millis());
                    tx.execute(AssertSqlSafe(limit)).await?;
                    let found = rows_of(&mut tx, sql, params, bytes).await;
                    tx.rollback().await?;
                    found
                };
                let limited = async move { timeout(SEARCH_LIMIT + ANSWER, searching).await };
                match tokio::spawn(limited).await {
                    Ok(Ok(Err(error))) if was_cancelled(&error) => Err(StoreError::TooSlow),
                    Ok(Ok(searched)) => Ok(searched?),
                    Ok(Err(_)) | Err(_) => Err(StoreError::TooSlow),
                }
            }
        }
    }

    /// The function that returns at which place a text has another, from 1; 0 where it has not.
    pub(crate) fn position_function(&self) -> &'static str {
        match self.0.pools {
            Pools::Sqlite(_) => "instr",
            Pools::Postgres(_) => "strpos",
        }
    }

    /// [`Store::row`] on a connection of the engine's own.
    pub(crate) async fn engine_row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        let Pools::Postgres(postgres) = &self.0.pools else {
            return self.row(sql, params).await;
        };
        let asked = postgres.engine.fetch_optional(bound!(sql, params));
        Ok(answered(ANSWER, asked).await?.map(Row::Postgres))
    }

    /// Runs one reading statement by itself; returns its first row.
    pub(crate) async fn row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let rows = sqlite.read(&text(sql), &params).await?;
                rows.into_iter().next().map(Row::Sqlite)
            }
            Pools::Postgres(postgres) => {
                let asked = postgres.work.fetch_optional(bound!(sql, params));
                answered(ANSWER, asked).await?.map(Row::Postgres)
            }
        })
    }
}

impl Tx {
    /// Lets its statements take long: for what cannot be split, such as a deletion with all that hangs on it.
    pub(crate) async fn take_long(&mut self) -> Result<()> {
        if let On::Postgres { tx, patience } = &mut self.on {
            let limit = format!("SET LOCAL statement_timeout = {}", LONG.as_millis());
            answered(*patience, tx.execute(AssertSqlSafe(limit))).await?;
            *patience = LONG + ANSWER;
        }
        Ok(())
    }

    /// Runs a statement; returns how many rows it changed.
    pub(crate) async fn execute(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => tx.execute(&text(sql), &params)?,
            On::Postgres { tx, patience } => {
                let asked = tx.execute(bound!(sql, params));
                answered(*patience, asked).await?.rows_affected()
            }
        })
    }

    /// Runs a statement; returns its rows.
    pub(crate) async fn rows(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => {
                let rows = tx.rows(&text(sql), &params)?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            On::Postgres { tx, patience } => {
                let asked = tx.fetch_all(bound!(sql, params));
                let rows = answered(*patience, asked).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Runs a statement; returns its first row.
    pub(crate) async fn row(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => tx.rows(&text(sql), &params)?.into_iter().next().map(Row::Sqlite),
            On::Postgres { tx, patience } => {
                let asked = tx.fetch_optional(bound!(sql, params));
                answered(*patience, asked).await?.map(Row::Postgres)
            }
        })
    }

    /// Runs a `SELECT` and keeps its rows from being changed by others until the end of the transaction. On SQLite
    /// the transaction is the only writer anyway.
    pub(crate) async fn lock(&mut self, select: &'static str, params: Vec<Param>) -> Result<Vec<Row>> {
        match self.on {
            On::Sqlite(_) => self.rows(select, params).await,
            On::Postgres { .. } => {
                let select = format!("{select} FOR NO KEY UPDATE");
                self.rows(AssertSqlSafe(select), params).await
            }
        }
    }

    /// [`Tx::lock`], and waits also for transactions that are adding references to the rows.
    pub(crate) async fn lock_for_delete(
        &mut self,
        select: &'static str,
        params: Vec<Param>,
    ) -> Result<Vec<Row>> {
        match self.on {
            On::Sqlite(_) => self.rows(select, params).await,
            On::Postgres { .. } => {
                self.rows(AssertSqlSafe(format!("{select} FOR UPDATE")), params)
                    .await
            }
        }
    }

    /// Runs a `SELECT` and keeps its rows from being deleted until the end of the transaction; others may do the same at
    /// the same time.
    pub(crate) async fn hold(&mut self, select: &'static str, params: Vec<Param>) -> Result<Vec<Row>> {
        match self.on {
            On::Sqlite(_) => self.rows(select, params).await,
            On::Postgres { .. } => {
                let select = format!("{select} FOR KEY SHARE");
                self.rows(AssertSqlSafe(select), params).await
            }
        }
    }

    /// What follows a `SELECT` of the rows of `alias` that no other transaction holds.
    pub(crate) fn skip_locked(&self, alias: &str) -> String {
        match self.on {
            On::Sqlite(_) => String::new(),
            On::Postgres { .. } => format!("FOR UPDATE OF {alias} SKIP LOCKED"),
        }
    }

    /// The store it is a transaction of.
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// The store's vault.
    pub(crate) fn vault(&self) -> &Vault {
        &self.store.0.vault
    }

    /// Notes that a job was added or brought forward: workers are woken once this is committed.
    pub(crate) fn wake_workers(&mut self) {
        self.wakes_workers = true;
    }

    /// Notes that there is something to send to a webhook: it is sent once this is committed.
    pub(crate) fn wake_senders(&mut self) {
        self.wakes_senders = true;
    }

    /// Notes a change that open pages show: they are notified after the commit.
    pub(crate) fn changed(&mut self, workspace: WorkspaceId, noun: Noun) {
        self.changes.insert(Change { workspace, noun });
    }

    /// Makes all of it permanent, then wakes the workers if there is something for them, and notifies readers of
    /// the changes.
    pub(crate) async fn commit(mut self) -> Result<()> {
        if self.wakes_workers
            && let On::Postgres { tx, patience } = &mut self.on
        {
            let notify = sqlx::query("SELECT pg_notify($1, '')").bind(JOBS_CHANNEL);
            answered(*patience, tx.execute(notify)).await?;
        }
        match self.on {
            On::Sqlite(tx) => tx.commit().await?,
            On::Postgres { tx, .. } => Box::pin(postgres::commit(tx)).await?,
        }
        if self.wakes_workers {
            self.store.0.job_signal.notify_one();
        }
        if self.wakes_senders {
            self.store.0.delivery_signal.notify_one();
        }
        for change in self.changes {
            self.store.tell(change.workspace, change.noun);
        }
        Ok(())
    }
}

/// Whether PostgreSQL ended a statement because of its time limit (SQLSTATE 57014).
fn was_cancelled(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "57014")
}

/// The rows of a statement until they take so many bytes, and whether there were more.
async fn rows_of(
    connection: &mut PgConnection,
    sql: String,
    params: Vec<Param>,
    bytes: usize,
) -> Result<(Vec<Row>, bool), sqlx::Error> {
    let mut stream = connection.fetch(bound!(AssertSqlSafe(sql), params));
    let (mut rows, mut taken) = (Vec::new(), 0);
    while let Some(row) = stream.try_next().await? {
        if taken >= bytes {
            return Ok((rows, true));
        }
        let sizes = (0..row.len()).map(|index| {
            let value = row.try_get_raw(index).ok()?;
            value.as_bytes().ok().map(in_json)
        });
        taken += sizes.flatten().sum::<usize>();
        rows.push(Row::Postgres(row));
    }
    Ok((rows, false))
}

/// How many bytes a text takes in JSON, where some characters are written as two bytes or six.
pub(crate) fn in_json(text: &[u8]) -> usize {
    let more = |byte: &u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 1,
        0..0x20 => 5,
        _ => 0,
    };
    text.len() + text.iter().map(more).sum::<usize>()
}

/// The text of a statement.
fn text(sql: impl SqlSafeStr) -> String {
    sql.into_sql_str().as_str().to_owned()
}
