//! Statements that run by themselves, on either database.

use sqlx::{Executor, SqlSafeStr};

use uuid::Uuid;

use super::error::Result;
use super::lookup::{Lookup, bytes};
use super::param::Param;
use super::postgres::{self, ANSWER, answered, bound};
use super::row::Row;
use super::sqlite::text;
use super::store::{Pools, Store};

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

    /// Runs one writing statement by itself; returns its rows.
    pub(crate) async fn write_rows(&self, sql: impl SqlSafeStr, params: Vec<Param>) -> Result<Vec<Row>> {
        Ok(match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.write(text(sql), params).await?.0,
            Pools::Postgres(postgres) => {
                let asked = postgres
                    .work
                    .run(async |on| on.fetch_all(bound!(sql, params)).await);
                let rows = answered(ANSWER, asked).await?;
                rows.into_iter().map(Row::from).collect()
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
