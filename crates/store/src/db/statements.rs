//! Statements that run by themselves, on either database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
use tokio::time::timeout;

use super::error::{Result, StoreError};
use super::param::Param;
use super::postgres::{self, ANSWER, PgTx, answered, bound};
use super::row::Row;
use super::sqlite::text;
use super::store::{Pools, Store};

/// How many searches run at once.
pub const SEARCHES: usize = 2;
/// For how long each may run.
const SEARCH_LIMIT: Duration = Duration::from_secs(5);

impl Store {
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
                    postgres::rows_within(&mut connection, sql, params, bytes).await
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
                    let found = postgres::rows_within(&mut tx, sql, params, bytes).await;
                    tx.rollback().await?;
                    found
                };
                let limited = async move { timeout(SEARCH_LIMIT + ANSWER, searching).await };
                match tokio::spawn(limited).await {
                    Ok(Ok(Err(error))) if postgres::was_cancelled(&error) => Err(StoreError::TooSlow),
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
