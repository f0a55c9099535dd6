//! Opening and closing a database.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use rusqlite::ErrorCode;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection as _, Executor};
use tokio::sync::{Notify, Semaphore};

use super::changes::Changes;
use super::error::{Result, StoreError, is_damage, is_without_database, text_of};
use super::postgres::Postgres;
use super::search::SEARCHES;
use super::sqlite::Sqlite;
use super::store::{Inner, Pools, Store};
use super::vault::Vault;

/// Most connections to PostgreSQL, by default.
pub const DEFAULT_POSTGRES_CONNECTIONS: u32 = 10;

/// A PostgreSQL database into which a backup is to be restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreTarget {
    /// It has no tables.
    Empty,
    /// It has tables.
    Filled,
    /// The server has no such database.
    Absent,
}

impl Store {
    /// Opens `sqlite:///absolute/path` (the file is created when missing) or `postgres://…`, with
    /// [`DEFAULT_POSTGRES_CONNECTIONS`]. Sealed columns are read and written with `vault`.
    ///
    /// # Errors
    /// When the address cannot be read or the database does not answer.
    pub async fn connect(url: &str, vault: Vault) -> Result<Self> {
        Self::connect_with(url, vault, DEFAULT_POSTGRES_CONNECTIONS).await
    }

    /// [`Store::connect`] with at most `connections` to PostgreSQL.
    ///
    /// # Errors
    /// When the address cannot be read or the database does not answer.
    pub async fn connect_with(url: &str, vault: Vault, connections: u32) -> Result<Self> {
        let pools = match url.strip_prefix("sqlite://") {
            Some(path) => Pools::Sqlite(opened(path, Sqlite::open)?),
            None => open_postgres(url, connections).await?,
        };
        Ok(Self::with(pools, vault))
    }

    /// [`Store::connect_with`] to look at what is there: nothing is made, and what is in a file of SQLite can only be read. `None` where
    /// there is no such file.
    ///
    /// # Errors
    /// When the address cannot be read or the database does not answer.
    pub async fn look(url: &str, vault: Vault, connections: u32) -> Result<Option<Self>> {
        let pools = match url.strip_prefix("sqlite://") {
            Some(path) => {
                if !Self::exists(url) {
                    return Ok(None);
                }
                Pools::Sqlite(opened(path, Sqlite::open_to_look)?)
            }
            None => open_postgres(url, connections).await?,
        };
        Ok(Some(Self::with(pools, vault)))
    }

    /// Whether there is a file of SQLite at this address, or the log of one; always `true` for PostgreSQL.
    pub fn exists(url: &str) -> bool {
        let is_there = |path: &str| Path::new(path).exists() || Path::new(&format!("{path}-wal")).exists();
        url.strip_prefix("sqlite://").is_none_or(is_there)
    }

    fn with(pools: Pools, vault: Vault) -> Self {
        Self(Arc::new(Inner {
            pools,
            vault,
            job_signal: Notify::new(),
            changes: Changes::default(),
            delivery_signal: Notify::new(),
            show: OnceLock::new(),
            searches: Arc::new(Semaphore::new(SEARCHES)),
            has_text_index: AtomicBool::new(false),
        }))
    }

    /// Whether a backup can be restored into a PostgreSQL database.
    ///
    /// # Errors
    /// When the address cannot be read or the database does not answer.
    pub async fn find_target(url: &str) -> Result<RestoreTarget> {
        let options: PgConnectOptions = url
            .parse()
            .map_err(|_| StoreError::Address(without_password(url)))?;
        let mut connection = match options.connect().await {
            Ok(connection) => connection,
            Err(error) if is_without_database(&error) => return Ok(RestoreTarget::Absent),
            Err(error) => return Err(error.into()),
        };
        let sql = "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'S') AND n.nspname = current_schema() LIMIT 1";
        let found = connection.fetch_optional(sqlx::raw_sql(sql)).await?;
        connection.close().await?;
        Ok(match found {
            None => RestoreTarget::Empty,
            Some(_) => RestoreTarget::Filled,
        })
    }

    /// Copies an SQLite database as of one moment into a new file, while it is used.
    ///
    /// # Errors
    /// When the copy cannot be written, or the database is none of SQLite's.
    pub async fn copy_to(&self, path: &Path) -> Result<()> {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => Ok(sqlite.copy_to(path).await?),
            Pools::Postgres(_) => Err(StoreError::Address("no SQLite database".to_owned())),
        }
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<()> {
        match &self.0.pools {
            Pools::Sqlite(_) => self.row("SELECT 1 AS alive", Vec::new()).await.map(drop),
            Pools::Postgres(postgres) => postgres.ping().await,
        }
    }

    /// Reads the file of an SQLite database through. PostgreSQL checks its own files.
    ///
    /// # Errors
    /// [`StoreError::Damaged`], or when the database fails.
    pub async fn check_file(&self) -> Result<()> {
        let Pools::Sqlite(_) = &self.0.pools else {
            return Ok(());
        };
        let row = self.row("PRAGMA quick_check(1)", Vec::new()).await?;
        let found: Option<String> = row
            .map(|row| row.of("the database").get("quick_check"))
            .transpose()?;
        match found {
            Some(damage) if damage != "ok" => Err(StoreError::Damaged(damage)),
            _ => Ok(()),
        }
    }

    /// Closes every connection, waiting for the statements that run.
    pub async fn close(&self) {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.close().await,
            Pools::Postgres(postgres) => postgres.close().await,
        }
    }
}

fn opened(path: &str, open: fn(&Path) -> Result<Sqlite, rusqlite::Error>) -> Result<Sqlite> {
    open(Path::new(path)).map_err(|source| match is_damage(&source) {
        true => StoreError::Damaged(text_of(&source)),
        false => StoreError::Open {
            what: format!("the SQLite file {path}"),
            source: unopened(&source).into(),
        },
    })
}

/// Why a file cannot be opened, and what to do where its user or its file system is the cause.
fn unopened(error: &rusqlite::Error) -> String {
    let text = text_of(error);
    match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => format!(
            "{text}. The user that this process runs as must be able to read and write the file and its folder: run it as the user that the \
             service runs as, or give the folder and the files in it to that user (`chown`)"
        ),
        _ => text,
    }
}

async fn open_postgres(url: &str, connections: u32) -> Result<Pools> {
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(StoreError::Address(without_password(url)));
    }
    let options: PgConnectOptions = url
        .parse()
        .map_err(|_| StoreError::Address(without_password(url)))?;
    Ok(Pools::Postgres(Postgres::open(options, connections).await?))
}

/// The address up to its scheme: the rest may hold a password.
fn without_password(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, _)) => format!("{scheme}://…"),
        None => "no scheme".to_owned(),
    }
}
