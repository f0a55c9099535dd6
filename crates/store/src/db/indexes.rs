//! Indexes of large tables, which migrations do not make: `CREATE INDEX` keeps all writers of its table waiting until it is done.
//!
//! On PostgreSQL they are made with `CREATE INDEX CONCURRENTLY` while the service runs, by the node that holds an advisory lock. That statement
//! waits for every transaction that was there before it, so that others only try for the lock, and never wait for it in a statement: each would wait
//! for the other. An index whose making was cut off is there and not valid; it is dropped and made again.
//! On SQLite they are made with the migrations. The index of texts is another one on each database: `text_index.rs`.

use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};

use super::error::Result;
use super::param::params;
use super::store::{Pools, Store};

/// An index of a table that may be large. One that is to be defined otherwise gets another name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LargeIndex {
    /// Its name.
    pub(crate) name: &'static str,
    /// The table.
    pub(crate) table: &'static str,
    /// What stands behind the table: columns and condition.
    pub(crate) definition: &'static str,
}

/// Those that later versions than migration 0023 have added.
pub(crate) const LARGE_INDEXES: [LargeIndex; 9] = [
    LargeIndex {
        name: "posts_to_search_for",
        table: "posts",
        definition: "(platform_id) WHERE look_since IS NOT NULL AND looked_at IS NULL",
    },
    LargeIndex {
        name: "posts_marked_by_id",
        table: "posts",
        definition: "(platform_id, id) WHERE look_since IS NOT NULL",
    },
    LargeIndex {
        name: "posts_without_release",
        table: "posts",
        definition: "(platform_id, updated_at) WHERE state = 'PUBLISHED' AND release_id IS NULL AND parent_id IS NULL",
    },
    LargeIndex {
        name: "submissions_unsettled",
        table: "submissions",
        // Not in other words: where the condition of a query implies that of an index, PostgreSQL may read the whole index instead of
        // looking up a post.
        definition: "(platform_id) WHERE COALESCE(outcome, 'unknown') IN ('unknown', 'in_inbox')",
    },
    LargeIndex {
        name: "removed_submissions_may_be_out",
        table: "removed_submissions",
        definition: "(provider, provider_account_id) WHERE may_be_out",
    },
    LargeIndex {
        name: "posts_release",
        table: "posts",
        definition: "(release_id) WHERE release_id IS NOT NULL",
    },
    LargeIndex {
        name: "removed_submissions_release",
        table: "removed_submissions",
        definition: "(release_id) WHERE release_id IS NOT NULL",
    },
    LargeIndex {
        name: "posts_state",
        table: "posts",
        definition: "(workspace_id, state, effective_at, id) WHERE position = 0",
    },
    LargeIndex {
        name: "posts_unfolded",
        table: "posts",
        definition: "(id) WHERE folded IS NULL AND parent_id IS NULL AND octet_length(content) <> length(content)",
    },
];

/// Those that nothing uses any more. Where a column is in the condition of an index, PostgreSQL enters each row that a change of it leaves into
/// all indexes of the table, and `publishing` changes twice with each publication.
pub(crate) const RETIRED_INDEXES: [&str; 2] = ["posts_publishing", "submissions_in_doubt"];

/// The advisory lock of the node that makes them: "playout", "indexes" in digits of ours.
const LOCK: i64 = 0x706c_6179_1d8e;
/// How often others look whether it is done.
const LOOK_EVERY: Duration = Duration::from_secs(1);

impl Store {
    /// Makes the indexes of large tables that are missing. Returns when all are there, whichever node has made them; that may take
    /// hours. The database can be used meanwhile.
    ///
    /// # Errors
    /// When the database fails. What was begun is begun again by the next call.
    pub async fn build_indexes(&self) -> Result<()> {
        self.build(&LARGE_INDEXES, LOOK_EVERY).await?;
        for name in RETIRED_INDEXES {
            self.drop_index(name).await?;
        }
        self.build_text_index(LOOK_EVERY).await
    }

    pub(crate) async fn build(&self, wanted: &[LargeIndex], look_every: Duration) -> Result<()> {
        let Pools::Postgres(postgres) = &self.0.pools else {
            return Ok(());
        };
        let mut builder = None;
        while !self.missing(wanted).await?.is_empty() {
            // A connection without limits of time, which ends with this future.
            let connection = match &mut builder {
                Some(connection) => connection,
                none => none.insert(postgres.work.connect_beside().await?),
            };
            if try_lock(connection).await? {
                // What another node has made meanwhile is not missing any more, and no other node makes any now.
                for index in self.missing(wanted).await? {
                    build_one(connection, index).await?;
                }
                break;
            }
            tokio::time::sleep(look_every).await;
        }
        match builder {
            Some(connection) => unlock_and_close(connection).await,
            None => Ok(()),
        }
    }

    /// Takes away an index that nothing uses any more, without keeping writers waiting. Where another node makes or takes away indexes, it is
    /// taken away at the next start.
    pub(super) async fn drop_index(&self, name: &'static str) -> Result<()> {
        let Pools::Postgres(postgres) = &self.0.pools else {
            return Ok(());
        };
        let found = "SELECT 1 FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'i'";
        if self.row(found, params![name.to_owned()]).await?.is_none() {
            return Ok(());
        }
        let mut connection = postgres.work.connect_beside().await?;
        if try_lock(&mut connection).await? {
            let drop = format!("DROP INDEX CONCURRENTLY IF EXISTS {name}");
            connection.execute(AssertSqlSafe(drop)).await?;
            tracing::info!("the index {name}, which nothing uses any more, is gone");
        }
        unlock_and_close(connection).await
    }

    /// Which of them are not there, or not valid. One that is being made is not valid either.
    async fn missing(&self, wanted: &[LargeIndex]) -> Result<Vec<LargeIndex>> {
        let mut missing = Vec::new();
        for index in wanted {
            let sql = "SELECT c.relname::text AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
                WHERE c.relname::text = $1 AND i.indrelid = to_regclass($2) AND i.indisvalid";
            let params = params![index.name.to_owned(), index.table.to_owned()];
            if self.row(sql, params).await?.is_none() {
                missing.push(*index);
            }
        }
        Ok(missing)
    }
}

/// The server releases the lock of a connection that was closed some time later, when the next to take it has asked in vain.
async fn unlock_and_close(mut connection: PgConnection) -> Result<()> {
    sqlx::query("SELECT pg_advisory_unlock_all()")
        .execute(&mut connection)
        .await?;
    Ok(connection.close().await?)
}

async fn try_lock(connection: &mut PgConnection) -> Result<bool> {
    let asked = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
    Ok(asked.fetch_one(connection).await?)
}

/// Each statement by itself: `CONCURRENTLY` is refused in a transaction.
async fn build_one(connection: &mut PgConnection, index: LargeIndex) -> Result<()> {
    let LargeIndex {
        name,
        table,
        definition,
    } = index;
    tracing::info!("making the index {name} of the table {table}; the service works meanwhile");
    // One that another process has not completed.
    let found = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL").bind(name);
    let is_there: bool = found.fetch_one(&mut *connection).await?;
    if is_there {
        let drop = format!("DROP INDEX CONCURRENTLY {name}");
        connection.execute(AssertSqlSafe(drop)).await?;
    }
    let create = format!("CREATE INDEX CONCURRENTLY {name} ON {table} {definition}");
    connection.execute(AssertSqlSafe(create)).await?;
    tracing::info!("the index {name} is there");
    Ok(())
}

/// Makes those that are missing in an SQLite file, and takes away those that nothing uses any more.
pub(crate) async fn create_all(connection: &mut SqliteConnection, wanted: &[LargeIndex]) -> Result<()> {
    for LargeIndex {
        name,
        table,
        definition,
    } in wanted
    {
        let create = format!("CREATE INDEX IF NOT EXISTS {name} ON {table} {definition}");
        connection.execute(AssertSqlSafe(create)).await?;
    }
    for name in RETIRED_INDEXES {
        let drop = format!("DROP INDEX IF EXISTS {name}");
        connection.execute(AssertSqlSafe(drop)).await?;
    }
    Ok(())
}
