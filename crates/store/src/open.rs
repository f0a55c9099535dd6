//! Opening and closing a database, and bringing its schema up to date.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::migrate::{Migrate, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgListener};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection as _, Executor, SqlSafeStr};
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use crate::changes::{CHANGES_CHANNEL, Changes};
use crate::db::{Inner, JOBS_CHANNEL, Pools, SEARCHES, Store};
use crate::error::{Result, StoreError};
use crate::fan_out::Show;
use crate::postgres::{ANSWER, Postgres, answered};
use crate::sqlite::Sqlite;
use crate::vault::Vault;

/// Every migration, oldest first. Never change one that was released: add another.
pub(crate) const MIGRATIONS: [(&str, &str); 26] = [
    ("people", include_str!("../migrations/0001_people.sql")),
    (
        "accounts and media",
        include_str!("../migrations/0002_accounts_and_media.sql"),
    ),
    ("posts", include_str!("../migrations/0003_posts.sql")),
    (
        "log and webhooks",
        include_str!("../migrations/0004_log_and_webhooks.sql"),
    ),
    (
        "removed files",
        include_str!("../migrations/0005_removed_files.sql"),
    ),
    (
        "sessions and audit",
        include_str!("../migrations/0006_sessions_and_audit.sql"),
    ),
    (
        "password resets",
        include_str!("../migrations/0007_password_resets.sql"),
    ),
    ("revocations", include_str!("../migrations/0008_revocations.sql")),
    (
        "device authorizations",
        include_str!("../migrations/0009_device_authorizations.sql"),
    ),
    (
        "second factors",
        include_str!("../migrations/0010_second_factors.sql"),
    ),
    (
        "provider events",
        include_str!("../migrations/0011_provider_events.sql"),
    ),
    ("connections", include_str!("../migrations/0012_connections.sql")),
    ("limits", include_str!("../migrations/0013_limits.sql")),
    ("time zones", include_str!("../migrations/0014_time_zones.sql")),
    ("webhooks", include_str!("../migrations/0015_webhooks.sql")),
    (
        "programs of sessions",
        include_str!("../migrations/0016_session_programs.sql"),
    ),
    (
        "failed uploads",
        include_str!("../migrations/0017_failed_uploads.sql"),
    ),
    (
        "verified addresses",
        include_str!("../migrations/0018_verified_addresses.sql"),
    ),
    ("instance", include_str!("../migrations/0019_instance.sql")),
    ("trail", include_str!("../migrations/0020_trail.sql")),
    (
        "unnamed files",
        include_str!("../migrations/0021_unnamed_files.sql"),
    ),
    (
        "webhook turns",
        include_str!("../migrations/0022_webhook_turns.sql"),
    ),
    ("counts", include_str!("../migrations/0023_counts.sql")),
    ("hold", include_str!("../migrations/0024_hold.sql")),
    ("lateness", include_str!("../migrations/0025_lateness.sql")),
    ("job queues", include_str!("../migrations/0026_job_queues.sql")),
];

/// Most connections to PostgreSQL unless told otherwise.
pub const DEFAULT_POSTGRES_CONNECTIONS: u32 = 10;

/// How long a statement waits for SQLite's lock when another process holds it.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long the connection that hears of other nodes may be silent until it is tested.
const SILENCE: Duration = Duration::from_secs(20);

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
        let pools = if let Some(path) = url.strip_prefix("sqlite://") {
            let path = Path::new(path);
            let opened = Sqlite::open(path).map_err(|source| StoreError::Open {
                what: format!("the SQLite file {}", path.display()),
                source: source.into(),
            })?;
            Pools::Sqlite(opened)
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            open_postgres(url, connections).await?
        } else {
            return Err(StoreError::Address(without_password(url)));
        };
        Ok(Self(Arc::new(Inner {
            pools,
            vault,
            job_signal: Notify::new(),
            changes: Changes::default(),
            delivery_signal: Notify::new(),
            show: OnceLock::new(),
            searches: Arc::new(Semaphore::new(SEARCHES)),
        })))
    }

    /// Brings the schema up to date. Safe to call from several nodes at once.
    ///
    /// # Errors
    /// When a migration fails, or the database was migrated by a newer program.
    pub async fn migrate(&self) -> Result<()> {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let pool = migrating(sqlite).await?;
                let migrated = migrator().run(&pool).await;
                pool.close().await;
                migrated?;
            }
            Pools::Postgres(postgres) => {
                let pool = postgres.migrating().await?;
                let migrated = migrator().run(&pool).await;
                pool.close().await;
                migrated?;
            }
        }
        Ok(())
    }

    /// How many migrations are still to be applied.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn pending_migrations(&self) -> Result<usize> {
        let applied = match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let pool = migrating(sqlite).await?;
                let applied = applied(&mut *pool.acquire().await?).await;
                pool.close().await;
                applied?
            }
            Pools::Postgres(postgres) => applied(&mut *postgres.watch.acquire().await?).await?,
        };
        Ok(MIGRATIONS.len().saturating_sub(applied))
    }

    /// Whether a PostgreSQL database has no tables.
    ///
    /// # Errors
    /// When the address cannot be read or the database does not answer.
    pub async fn is_empty(url: &str) -> Result<bool> {
        let options: PgConnectOptions = url
            .parse()
            .map_err(|_| StoreError::Address(without_password(url)))?;
        let mut connection = options.connect().await?;
        let sql = "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'S') AND n.nspname = current_schema() LIMIT 1";
        let found = connection.fetch_optional(sqlx::raw_sql(sql)).await?;
        connection.close().await?;
        Ok(found.is_none())
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

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// When there is none.
    pub async fn ping(&self) -> Result<()> {
        match &self.0.pools {
            Pools::Sqlite(_) => self.row("SELECT 1 AS alive", Vec::new()).await.map(drop),
            Pools::Postgres(postgres) => postgres.ping().await,
        }
    }

    /// Whether transactions run beside one another, and other nodes may use the database: PostgreSQL.
    pub fn is_shared(&self) -> bool {
        matches!(self.0.pools, Pools::Postgres(_))
    }

    /// Closes every connection, waiting for the statements that run.
    pub async fn close(&self) {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => sqlite.close().await,
            Pools::Postgres(postgres) => postgres.close().await,
        }
    }

    /// Is notified when a job was added or brought forward. It keeps one notification for the next who waits, so
    /// that none is lost between a look and a wait.
    pub fn job_signal(&self) -> &Notify {
        &self.0.job_signal
    }

    /// Is notified when this process has made a delivery. Those of other nodes are found by looking.
    pub fn delivery_signal(&self) -> &Notify {
        &self.0.delivery_signal
    }

    /// Says how what events are about is shown to webhooks. The first word holds; without one, they are told what the log
    /// is told.
    pub fn show_with(&self, show: Show) {
        let _later = self.0.show.set(show);
    }

    /// Forwards what other nodes add to [`Store::job_signal`], and tells what they changed, for as long as it is polled. Ends
    /// at once on SQLite, which has no other nodes.
    ///
    /// # Errors
    /// When the connection cannot be made, or is lost for good.
    pub async fn listen(&self) -> Result<()> {
        let Pools::Postgres(postgres) = &self.0.pools else {
            return Ok(());
        };
        let mut listener = PgListener::connect_with(&postgres.watch).await?;
        listener.listen_all([JOBS_CHANNEL, CHANGES_CHANNEL]).await?;
        self.0.changes.were_missed();
        loop {
            let Ok(heard) = timeout(SILENCE, listener.try_recv()).await else {
                // Silence tells nothing: the other end may have vanished.
                answered(ANSWER, listener.execute("SELECT 1")).await?;
                continue;
            };
            match heard? {
                Some(told) if told.channel() == CHANGES_CHANNEL => self.0.changes.hear(told.payload()),
                Some(_) => self.job_signal().notify_one(),
                // A connection that was lost and made again: something may have been missed meanwhile.
                None => {
                    self.job_signal().notify_one();
                    self.0.changes.were_missed();
                }
            }
        }
    }
}

fn migrator() -> Migrator {
    let migration = |(version, (name, sql)): (i64, (&'static str, &'static str))| {
        Migration::new(
            version,
            name.into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    };
    Migrator::with_migrations((1..).zip(MIGRATIONS).map(migration).collect())
}

/// Names the schema that the migrations make: equal texts, equal name.
#[cfg(test)]
pub(crate) fn schema_fingerprint() -> String {
    use sha2::{Digest, Sha256};
    let all: String = MIGRATIONS.iter().map(|(_, sql)| *sql).collect();
    Sha256::digest(all)
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

async fn applied(connection: &mut impl Migrate) -> Result<usize> {
    let table = &Migrator::DEFAULT.table_name;
    connection.ensure_migrations_table(table).await?;
    Ok(connection.list_applied_migrations(table).await?.len())
}

/// A connection for migrations alone: the migrator brings its own driver.
async fn migrating(sqlite: &Sqlite) -> Result<SqlitePool> {
    let options = SqliteConnectOptions::new()
        .filename(sqlite.path())
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .disable_statement_logging();
    Ok(SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await?)
}

async fn open_postgres(url: &str, connections: u32) -> Result<Pools> {
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
