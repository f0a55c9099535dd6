//! Transactions, on either database.
//!
//! On SQLite one at a time writes. On PostgreSQL they run at READ COMMITTED (`postgres/limits.rs`) beside one another: what must be exact
//! is one statement that checks and writes, or follows a lock taken with [`Tx::lock`]. Locks are taken in the order workspace, platform,
//! posts (by position), jobs, turns, submissions, usage, webhooks, their deliveries.

use std::collections::BTreeSet;
use std::time::Duration;

use playout_domain::change::{Change, Noun};
use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
use uuid::Uuid;

use super::error::Result;
use super::lookup::{Lookup, bytes};
use super::param::{Param, params};
use super::postgres::{self, ANSWER, LONG, PgTx, Pool, Postgres, answered, bound};
use super::row::{Row, read_all};
use super::sqlite::{SqliteTx, text};
use super::store::{Pools, Store};
use super::vault::Vault;

/// The channel on which PostgreSQL notifies other nodes of new jobs.
pub(crate) const JOBS_CHANNEL: &str = "playout_jobs";

/// How often each node looks for due jobs at the latest, whether or not it was woken.
pub const POLL_EVERY: Duration = Duration::from_secs(5);

/// A transaction. Dropping it rolls back.
pub(crate) struct Tx {
    on: On,
    store: Store,
    wakes_workers: bool,
    wakes_own_worker: bool,
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

impl Store {
    /// Begins a transaction that may write.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        self.begin_in(|postgres| &postgres.work).await
    }

    /// Waits until all that a transaction may have read by now is permanent. On SQLite it sees what others have done before the disk has it;
    /// one that ended without a commit has not waited for that.
    ///
    /// # Errors
    /// When the commit of the others fails.
    pub async fn settled(&self) -> Result<()> {
        if let Pools::Sqlite(sqlite) = &self.0.pools {
            sqlite.settled().await?;
        }
        Ok(())
    }

    /// [`Store::begin`] on a connection of the engine's own, unless the database may be a copy that was not compared yet.
    pub(crate) async fn begin_claim(&self) -> Result<Tx> {
        let tx = self.begin_in(|postgres| &postgres.engine).await?;
        self.check_home().await?;
        Ok(tx)
    }

    /// [`Store::begin`], unless the database may be a copy that was not compared yet: where it is one, what a change replaces or removes, such as
    /// the text of a post that may be out, must be kept, and is once a hold has marked the post.
    pub(crate) async fn begin_compared(&self) -> Result<Tx> {
        let mut tx = self.begin().await?;
        if let Pools::Postgres(postgres) = &self.0.pools {
            postgres.home.doubt_unless_recent();
            // Its files or tables may have been put back under a connection that stayed.
            let sql = "SELECT id FROM instance WHERE id = 1 AND pulse >= $1";
            if tx.row(sql, params![postgres.home.pulse()]).await?.is_none() {
                postgres.home.doubt();
            }
        }
        self.check_home().await?;
        Ok(tx)
    }

    async fn begin_in(&self, pool: fn(&Postgres) -> &Pool) -> Result<Tx> {
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
            wakes_own_worker: false,
            wakes_senders: false,
            changes: BTreeSet::new(),
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

    /// [`Store::rows`] for a search that may take long where an index is still being made, or an account has very much. On SQLite no
    /// statement has a limit.
    pub(crate) async fn rows_long(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        if let Pools::Sqlite(_) = &self.0.pools {
            return self.rows(sql, params).await;
        }
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        let rows = tx.rows(sql, params).await?;
        tx.commit().await?;
        Ok(rows)
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
            On::Sqlite(tx) => tx.rows(&text(sql), &params)?,
            On::Postgres { tx, patience } => {
                let asked = tx.fetch_all(bound!(sql, params));
                let rows = answered(*patience, asked).await?;
                rows.into_iter().map(Row::from).collect()
            }
        })
    }

    /// [`Store::look_up`] as this transaction has made it.
    pub(crate) async fn look_up<T>(
        &mut self,
        lookup: &Lookup,
        ids: Vec<Uuid>,
        read: fn(&Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        let rows = match &mut self.on {
            On::Sqlite(tx) => tx.rows(lookup.sqlite, &[bytes(&ids).into()])?,
            On::Postgres { tx, patience } => {
                let asked = tx.fetch_all(sqlx::query(lookup.postgres).bind(ids));
                let rows = answered(*patience, asked).await?;
                rows.into_iter().map(Row::from).collect()
            }
        };
        read_all(&rows, read)
    }

    /// Runs a statement; returns its first row.
    pub(crate) async fn row(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => tx.rows(&text(sql), &params)?.into_iter().next(),
            On::Postgres { tx, patience } => {
                let asked = tx.fetch_optional(bound!(sql, params));
                answered(*patience, asked).await?.map(Row::from)
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
    pub(crate) async fn lock_for_reference(
        &mut self,
        select: &'static str,
        params: Vec<Param>,
    ) -> Result<Vec<Row>> {
        match self.on {
            On::Sqlite(_) => self.rows(select, params).await,
            On::Postgres { .. } => {
                let select = format!("{select} FOR KEY SHARE");
                self.rows(AssertSqlSafe(select), params).await
            }
        }
    }

    /// Waits for other transactions that have taken their turn at this name; those that come later wait for the end of this one. On
    /// SQLite the transaction is the only writer anyway.
    pub(crate) async fn take_turn(&mut self, name: &str) -> Result<()> {
        if let On::Postgres { .. } = self.on {
            let digest = Sha256::digest(name);
            let number = digest
                .iter()
                .take(8)
                .fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
            self.execute("SELECT pg_advisory_xact_lock($1)", params![number])
                .await?;
        }
        Ok(())
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

    /// Notes that a job for `run_at` was added. No worker is woken for one so far ahead that every node looks, and
    /// sees it, before it is due.
    pub(crate) fn wake_workers_for(&mut self, run_at: Time, now: Time) {
        if run_at <= now.plus(2 * POLL_EVERY) {
            self.wake_workers();
        }
    }

    /// Notes that this node's worker has given back a job for `run_at`, which it claims again itself. If it ends before, the others see the job
    /// when they look: to notify them makes every commit wait for its turn on PostgreSQL.
    pub(crate) fn wake_own_worker_for(&mut self, run_at: Time, now: Time) {
        if run_at <= now.plus(2 * POLL_EVERY) {
            self.wakes_own_worker = true;
        }
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
        if self.wakes_workers || self.wakes_own_worker {
            self.store.0.job_signal.notify_one();
        }
        if self.wakes_senders {
            self.store.0.delivery_signal.notify_one();
        }
        for change in self.changes {
            self.store.notify(change);
        }
        Ok(())
    }
}
