//! Statements that run by themselves, on either database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
use tokio::time::timeout;
use uuid::Uuid;

use super::error::{Result, StoreError};
use super::lookup::{Lookup, bytes};
use super::param::Param;
use super::postgres::{self, ANSWER, PgTx, answered, bound};
use super::row::Row;
use super::sqlite::{self, text};
use super::store::{Pools, Store};

/// How many searches run at once.
pub const SEARCHES: usize = 2;
/// For how long each may run.
const SEARCH_LIMIT: Duration = Duration::from_secs(5);

impl Store {
    /// What `read` makes of the rows that belong to these.
    pub(crate) async fn look_up<T>(
        &self,
        lookup: &Lookup,
        ids: Vec<Uuid>,
        read: fn(&Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let params = [Param::from(bytes(&ids))];
                let found = sqlite.read_within(lookup.sqlite, &params, usize::MAX, read);
                found.await?.map(|(found, _)| found)
            }
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| on.fetch_all(sqlx::query(lookup.postgres).bind(ids)).await);
                let rows = answered(ANSWER, asked).await?;
                rows.into_iter().map(|row| read(&row.into())).collect()
            }
        }
    }

    /// Runs one writing statement by itself; returns how many rows it changed.
    pub(crate) async fn execute(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<u64> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.write(text(sql), params).await?.1,
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| on.execute(bound!(sql, params)).await);
                answered(ANSWER, asked).await?.rows_affected()
            }
        })
    }

    /// Runs one writing statement by itself; returns its row.
    pub(crate) async fn write_row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let (rows, _) = sqlite.write(text(sql), params).await?;
                rows.into_iter().next()
            }
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| on.fetch_optional(bound!(sql, params)).await);
                answered(ANSWER, asked).await?.map(Row::from)
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
            Pools::Sqlite(sqlite) => sqlite.read(&text(sql), &params).await?,
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| on.fetch_all(bound!(sql, params)).await);
                let rows = answered(ANSWER, asked).await?;
                rows.into_iter().map(Row::from).collect()
            }
        })
    }

    /// Runs one reading statement by itself until its rows take so many bytes; returns what `read` makes of them, and whether there were
    /// more. There is always a first.
    pub(crate) async fn read_within<T>(
        &self,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
        read: fn(&Row) -> Result<T>,
    ) -> Result<(Vec<T>, bool)> {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.read_within(&sql, &params, bytes, read).await?,
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| postgres::read_within(on, sql, params, bytes, read).await);
                answered(ANSWER, asked).await?
            }
        }
    }

    /// [`Store::read_within`] for a statement whose cost its caller decides: few at once, on threads that may block, and for
    /// [`SEARCH_LIMIT`].
    ///
    /// # Errors
    /// [`StoreError::TooSlow`] when that is over.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        sql: String,
        params: Vec<Param>,
        bytes: usize,
        read: fn(&Row) -> Result<T>,
    ) -> Result<(Vec<T>, bool)> {
        // Owned by the work: who goes away frees no place before it has ended.
        let permit = Arc::clone(&self.0.searches).acquire_owned().await;
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let searching = move |on: &rusqlite::Connection| {
                    let _permit = permit;
                    sqlite::read_within(on, &sql, &params, bytes, read)
                };
                let searched = sqlite.search(searching, SEARCH_LIMIT).await;
                searched.map_err(|error| match error.sqlite_error_code() {
                    Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::TooSlow,
                    _ => error.into(),
                })?
            }
            Pools::Postgres(postgres) => {
                let pool = postgres.work.clone();
                let searching = async move {
                    let _permit = permit;
                    let mut tx = PgTx::begin(&pool).await?;
                    let limit = format!("SET LOCAL statement_timeout = {}", SEARCH_LIMIT.as_millis());
                    tx.execute(AssertSqlSafe(limit)).await?;
                    let found = postgres::read_within(&mut tx, sql, params, bytes, read).await;
                    tx.rollback().await?;
                    found
                };
                let limited = async move { timeout(SEARCH_LIMIT + ANSWER, searching).await };
                match tokio::spawn(limited).await {
                    Ok(Ok(Err(error))) if postgres::was_cancelled(&error) => Err(StoreError::TooSlow),
                    Ok(Ok(searched)) => searched?,
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
        let asked = postgres
            .engine
            .run(async |on| on.fetch_optional(bound!(sql, params)).await);
        Ok(answered(ANSWER, asked).await?.map(Row::from))
    }

    /// Runs one reading statement by itself; returns its first row.
    pub(crate) async fn row(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Option<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let rows = sqlite.read(&text(sql), &params).await?;
                rows.into_iter().next()
            }
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| on.fetch_optional(bound!(sql, params)).await);
                answered(ANSWER, asked).await?.map(Row::from)
            }
        })
    }
}
