//! The two databases behind one face: statements are written once, with `$1` parameters, and run on either.
//!
//! SQLite has one writer connection, whose transactions begin IMMEDIATE, and a few readers (`sqlite.rs`).
//! PostgreSQL has one pool at READ COMMITTED, so writers are concurrent: whatever must be exact is one statement
//! that checks and writes, or follows a lock taken with [`Tx::lock`]. Locks are taken in the order workspace,
//! platform, posts (by position), jobs, submissions, usage, webhooks, their deliveries.
//!
//! All differences between the databases are in this file.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use playout_domain::change::{Change, Noun};
use playout_domain::id::WorkspaceId;
use sqlx::postgres::{PgPool, Postgres};
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr, Transaction};
use tokio::sync::Notify;

use crate::changes::Changes;
use crate::error::Result;
use crate::fan_out::Show;
use crate::param::Param;
use crate::row::Row;
use crate::sqlite::{Sqlite, SqliteTx};
use crate::vault::Vault;

/// The channel on which PostgreSQL tells other nodes of new jobs.
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
}

pub(crate) enum Pools {
    Sqlite(Sqlite),
    Postgres(PgPool),
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
    Postgres(Transaction<'static, Postgres>),
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
        let on = match &self.0.pools {
            Pools::Sqlite(sqlite) => On::Sqlite(sqlite.begin().await?),
            Pools::Postgres(pool) => On::Postgres(pool.begin().await?),
        };
        Ok(Tx {
            on,
            store: self.clone(),
            wakes_workers: false,
            wakes_senders: false,
            changes: BTreeSet::new(),
        })
    }

    /// Runs one writing statement by itself; answers how many rows it changed.
    pub(crate) async fn execute(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.write(text(sql), params).await?.1,
            Pools::Postgres(pool) => pool.execute(bound!(sql, params)).await?.rows_affected(),
        })
    }

    /// Runs one writing statement by itself; answers the row it returns.
    pub(crate) async fn write_row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let (rows, _) = sqlite.write(text(sql), params).await?;
                rows.into_iter().next().map(Row::Sqlite)
            }
            Pools::Postgres(pool) => pool.fetch_optional(bound!(sql, params)).await?.map(Row::Postgres),
        })
    }

    /// What follows a `SELECT` within a statement, whose rows nobody else may change until the statement has ended.
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
            Pools::Postgres(pool) => {
                let rows = pool.fetch_all(bound!(sql, params)).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Runs one reading statement by itself; answers its first row.
    pub(crate) async fn row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let rows = sqlite.read(&text(sql), &params).await?;
                rows.into_iter().next().map(Row::Sqlite)
            }
            Pools::Postgres(pool) => pool.fetch_optional(bound!(sql, params)).await?.map(Row::Postgres),
        })
    }
}

impl Tx {
    /// Runs a statement; answers how many rows it changed.
    pub(crate) async fn execute(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => tx.execute(&text(sql), &params)?,
            On::Postgres(tx) => tx.execute(bound!(sql, params)).await?.rows_affected(),
        })
    }

    /// Runs a statement; answers the rows it returns.
    pub(crate) async fn rows(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => {
                let rows = tx.rows(&text(sql), &params)?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            On::Postgres(tx) => {
                let rows = tx.fetch_all(bound!(sql, params)).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Runs a statement; answers the first row it returns.
    pub(crate) async fn row(&mut self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &mut self.on {
            On::Sqlite(tx) => tx.rows(&text(sql), &params)?.into_iter().next().map(Row::Sqlite),
            On::Postgres(tx) => tx.fetch_optional(bound!(sql, params)).await?.map(Row::Postgres),
        })
    }

    /// Runs a `SELECT` and keeps its rows from being changed by others until the end of the transaction. On SQLite
    /// the transaction is the only writer anyway.
    pub(crate) async fn lock(&mut self, select: &'static str, params: Vec<Param>) -> Result<Vec<Row>> {
        match self.on {
            On::Sqlite(_) => self.rows(select, params).await,
            On::Postgres(_) => {
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
            On::Postgres(_) => {
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
            On::Postgres(_) => {
                let select = format!("{select} FOR KEY SHARE");
                self.rows(AssertSqlSafe(select), params).await
            }
        }
    }

    /// What follows a `SELECT` of the rows of `alias` that nobody else holds.
    pub(crate) fn skip_locked(&self, alias: &str) -> String {
        match self.on {
            On::Sqlite(_) => String::new(),
            On::Postgres(_) => format!("FOR UPDATE OF {alias} SKIP LOCKED"),
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

    /// Notes that it changes something that people look at: they are told once this is committed.
    pub(crate) fn changed(&mut self, workspace: WorkspaceId, noun: Noun) {
        self.changes.insert(Change { workspace, noun });
    }

    /// Makes all of it permanent, then wakes the workers if there is something for them, and tells what changed.
    pub(crate) async fn commit(mut self) -> Result<()> {
        if self.wakes_workers
            && let On::Postgres(tx) = &mut self.on
        {
            tx.execute(sqlx::query("SELECT pg_notify($1, '')").bind(JOBS_CHANNEL))
                .await?;
        }
        match self.on {
            On::Sqlite(tx) => tx.commit().await?,
            On::Postgres(tx) => tx.commit().await?,
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

/// The text of a statement.
fn text(sql: impl SqlSafeStr) -> String {
    sql.into_sql_str().as_str().to_owned()
}
