//! Bringing the schema up to date.
//!
//! A migration expands the schema: the release before it goes on working beside it. What a release no longer uses is removed by a
//! migration of a later release (`docs/decisions.md#migrations-expand-first-and-contract-a-release-later`). The row in
//! `compatibility` determines which programs may run: a program that does not know the newest migrations runs on the schema if it
//! knows the migration that the row names.
//!
//! On PostgreSQL a statement that changes a table waits for all that use the table, and every later statement on it waits behind
//! it. So it waits for a moment only, lets the others pass, and tries again. Indexes of large tables are not made by migrations,
//! but by `indexes.rs`.

use std::time::Duration;

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, SqlSafeStr};

use super::error::{Result, StoreError};
use super::indexes;
use super::param::params;
use super::row::read_all;
use super::sqlite::Sqlite;
use super::store::{Pools, Store};
use super::text_index;
use super::triggers;
use super::word_checks;

/// Every migration, oldest first. Never change one that was released: add another.
pub(crate) const MIGRATIONS: [(&str, &str); 45] = [
    ("people", include_str!("../../migrations/0001_people.sql")),
    (
        "accounts and media",
        include_str!("../../migrations/0002_accounts_and_media.sql"),
    ),
    ("posts", include_str!("../../migrations/0003_posts.sql")),
    (
        "log and webhooks",
        include_str!("../../migrations/0004_log_and_webhooks.sql"),
    ),
    (
        "removed files",
        include_str!("../../migrations/0005_removed_files.sql"),
    ),
    (
        "sessions and audit",
        include_str!("../../migrations/0006_sessions_and_audit.sql"),
    ),
    (
        "password resets",
        include_str!("../../migrations/0007_password_resets.sql"),
    ),
    (
        "revocations",
        include_str!("../../migrations/0008_revocations.sql"),
    ),
    (
        "device authorizations",
        include_str!("../../migrations/0009_device_authorizations.sql"),
    ),
    (
        "second factors",
        include_str!("../../migrations/0010_second_factors.sql"),
    ),
    (
        "provider events",
        include_str!("../../migrations/0011_provider_events.sql"),
    ),
    (
        "connections",
        include_str!("../../migrations/0012_connections.sql"),
    ),
    ("limits", include_str!("../../migrations/0013_limits.sql")),
    ("time zones", include_str!("../../migrations/0014_time_zones.sql")),
    ("webhooks", include_str!("../../migrations/0015_webhooks.sql")),
    (
        "programs of sessions",
        include_str!("../../migrations/0016_session_programs.sql"),
    ),
    (
        "failed uploads",
        include_str!("../../migrations/0017_failed_uploads.sql"),
    ),
    (
        "verified addresses",
        include_str!("../../migrations/0018_verified_addresses.sql"),
    ),
    ("instance", include_str!("../../migrations/0019_instance.sql")),
    ("trail", include_str!("../../migrations/0020_trail.sql")),
    (
        "unnamed files",
        include_str!("../../migrations/0021_unnamed_files.sql"),
    ),
    (
        "webhook turns",
        include_str!("../../migrations/0022_webhook_turns.sql"),
    ),
    ("counts", include_str!("../../migrations/0023_counts.sql")),
    ("hold", include_str!("../../migrations/0024_hold.sql")),
    ("lateness", include_str!("../../migrations/0025_lateness.sql")),
    ("job queues", include_str!("../../migrations/0026_job_queues.sql")),
    (
        "compatibility",
        include_str!("../../migrations/0027_compatibility.sql"),
    ),
    (
        "refused tokens",
        include_str!("../../migrations/0028_refused_tokens.sql"),
    ),
    ("hold ended", include_str!("../../migrations/0029_hold_ended.sql")),
    ("sent texts", include_str!("../../migrations/0030_sent_texts.sql")),
    ("last hold", include_str!("../../migrations/0031_last_hold.sql")),
    (
        "account handles",
        include_str!("../../migrations/0032_account_handles.sql"),
    ),
    (
        "instance place",
        include_str!("../../migrations/0033_instance_place.sql"),
    ),
    (
        "hidden posts",
        include_str!("../../migrations/0034_hidden_posts.sql"),
    ),
    ("asked for", include_str!("../../migrations/0035_asked_for.sql")),
    ("imports", include_str!("../../migrations/0036_imports.sql")),
    (
        "folded texts",
        include_str!("../../migrations/0037_folded_texts.sql"),
    ),
    (
        "earlier marks",
        include_str!("../../migrations/0038_earlier_marks.sql"),
    ),
    (
        "listed media",
        include_str!("../../migrations/0039_listed_media.sql"),
    ),
    ("finishing", include_str!("../../migrations/0040_finishing.sql")),
    ("rates", include_str!("../../migrations/0041_rates.sql")),
    (
        "open streams",
        include_str!("../../migrations/0042_open_streams.sql"),
    ),
    (
        "upload notes",
        include_str!("../../migrations/0043_upload_notes.sql"),
    ),
    (
        "wrong codes",
        include_str!("../../migrations/0044_wrong_codes.sql"),
    ),
    (
        "access of keys",
        include_str!("../../migrations/0045_key_access.sql"),
    ),
];

/// How long a statement waits for SQLite's lock when another process holds it.
const PATIENCE: Duration = Duration::from_secs(15);

/// How migrations on PostgreSQL wait for locks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LockPatience {
    /// How long a statement waits: less than the statements of the service do, which wait behind it.
    pub(crate) each: Duration,
    /// How long the others then have.
    pub(crate) pause: Duration,
    /// How often a lock of a table is tried.
    pub(crate) tries: u32,
    /// How often the lock that lets one node migrate is tried: another node may have a long migration to do.
    pub(crate) turns: u32,
}

/// A minute for a table, ten for another node.
const LOCK_PATIENCE: LockPatience = LockPatience {
    each: Duration::from_secs(2),
    pause: Duration::from_secs(1),
    tries: 20,
    turns: 200,
};

impl Store {
    /// Brings the schema up to date. Safe to call from several nodes at once.
    ///
    /// # Errors
    /// When a migration fails, a table stays locked for a minute, or a newer program has made the schema one that this
    /// program cannot use.
    pub async fn migrate(&self) -> Result<()> {
        self.migrate_with(&migrator(&MIGRATIONS), LOCK_PATIENCE).await
    }

    pub(crate) async fn migrate_with(&self, migrator: &Migrator, patience: LockPatience) -> Result<()> {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let mut connection = migrating(sqlite).await?;
                let migrated = run(migrator, &mut connection).await;
                let indexed = finish(&mut connection).await;
                let closed = connection.close().await;
                migrated?;
                indexed?;
                Ok(closed?)
            }
            Pools::Postgres(postgres) => {
                let mut connection = postgres.work.connect_beside().await?;
                let migrated = migrate_postgres(migrator, &mut connection, patience).await;
                connection.close().await?;
                migrated
            }
        }
    }

    /// How many migrations are still to be applied.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn pending_migrations(&self) -> Result<usize> {
        let applied = self.applied_migrations().await?;
        Ok(MIGRATIONS.len().saturating_sub(applied.len()))
    }

    /// Whether no program has ever migrated the database.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn is_new(&self) -> Result<bool> {
        Ok(self.applied_migrations().await?.is_empty())
    }

    /// Whether the role of the connection may make tables, as migrations do. In PostgreSQL 15 and later only the owner of a database may, unless
    /// others were allowed to.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn may_make_tables(&self) -> Result<bool> {
        if !self.is_shared() {
            return Ok(true);
        }
        let sql = "SELECT nspname FROM pg_namespace
            WHERE nspname = current_schema() AND has_schema_privilege(oid, 'CREATE')";
        Ok(self.row(sql, params![]).await?.is_some())
    }

    /// Looks, and makes no table.
    async fn applied_migrations(&self) -> Result<Vec<i64>> {
        let sql = match &self.0.pools {
            Pools::Sqlite(_) => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'"
            }
            Pools::Postgres(_) => "SELECT relname FROM pg_class WHERE oid = to_regclass('_sqlx_migrations')",
        };
        if self.row(sql, params![]).await?.is_none() {
            return Ok(Vec::new());
        }
        let sql = "SELECT version FROM _sqlx_migrations ORDER BY version";
        let rows = self.rows(sql, params![]).await?;
        read_all(&rows, |row| row.of("_sqlx_migrations").get("version"))
    }
}

/// Runs the migrations on PostgreSQL, by one node at a time.
async fn migrate_postgres(
    migrator: &Migrator,
    connection: &mut PgConnection,
    patience: LockPatience,
) -> Result<()> {
    // What is there already is no news, at each start.
    let limit = format!(
        "SET lock_timeout = {}; SET client_min_messages = warning",
        patience.each.as_millis()
    );
    connection.execute(AssertSqlSafe(limit)).await?;
    wait_for_turn(connection, patience).await?;
    let mut tried = 1;
    let migrated = loop {
        match make(migrator, connection).await {
            Err(error) if tried < patience.tries && waited_for_lock(&error) => {
                let tries = patience.tries;
                tracing::warn!(
                    "{error}: another transaction uses the table. Try {tried} of {tries}; the next follows"
                );
                tried += 1;
                tokio::time::sleep(patience.pause).await;
            }
            Err(error) if waited_for_lock(&error) => break Err(StoreError::Locked(error)),
            other => break Ok(other?),
        }
    };
    connection.unlock().await?;
    migrated
}

/// Runs the migrations, and makes what the schema of PostgreSQL has beside them.
async fn make(migrator: &Migrator, connection: &mut PgConnection) -> Result<(), MigrateError> {
    run(migrator, connection).await?;
    Ok(triggers::create_on_postgres(connection).await?)
}

/// Takes the lock under which one node migrates. Each try is a statement of its own: a statement that waits for long would
/// keep `CREATE INDEX CONCURRENTLY` waiting for its snapshot.
async fn wait_for_turn(connection: &mut PgConnection, patience: LockPatience) -> Result<()> {
    let mut tried = 1;
    loop {
        match connection.lock().await {
            Err(error) if tried < patience.turns && waited_for_lock(&error) => {
                if tried == 1 {
                    tracing::info!("another node migrates the database; this one waits for it");
                }
                tried += 1;
                tokio::time::sleep(patience.pause).await;
            }
            other => return Ok(other?),
        }
    }
}

/// Runs the migrations that this program knows and the database does not. Those that only the database knows are skipped where
/// its compatibility row allows this program to run.
async fn run<C>(migrator: &Migrator, connection: &mut C) -> Result<(), MigrateError>
where
    C: Migrate + ReadCompatibility,
{
    let newest = migrator
        .iter()
        .map(|migration| migration.version)
        .max()
        .unwrap_or_default();
    let newer = applied(connection)
        .await?
        .into_iter()
        .find(|version| *version > newest);
    let Some(newer) = newer else {
        return migrator.run_direct(None, connection, false).await;
    };
    let oldest = connection.oldest_compatible().await.unwrap_or(i64::MAX);
    if oldest > newest {
        return Err(MigrateError::VersionMissing(newer));
    }
    tracing::warn!(
        "a newer version has migrated the database (migration {newer}), and this one may still run beside it: start the newer \
         version here as well"
    );
    Ok(())
}

/// Reads the row in `compatibility`.
pub(crate) trait ReadCompatibility {
    /// The newest migration that a program must know at least.
    async fn oldest_compatible(&mut self) -> Result<i64, sqlx::Error>;
}

const OLDEST: &str = "SELECT oldest FROM compatibility WHERE id = 1";

impl ReadCompatibility for PgConnection {
    async fn oldest_compatible(&mut self) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(OLDEST).fetch_one(self).await
    }
}

impl ReadCompatibility for sqlx::SqliteConnection {
    async fn oldest_compatible(&mut self) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(OLDEST).fetch_one(self).await
    }
}

/// Whether a lock was not to be had in time (SQLSTATE 55P03).
fn waited_for_lock(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "55P03")
}

/// A migrator for these, numbered from 1.
pub(crate) fn migrator(migrations: &[(&'static str, &'static str)]) -> Migrator {
    let migration = |(version, (name, sql)): (i64, &(&'static str, &'static str))| {
        Migration::new(
            version,
            (*name).into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    };
    let mut migrator = Migrator::with_migrations((1..).zip(migrations).map(migration).collect());
    // The lock is taken here, in `wait_for_turn`.
    migrator.set_locking(false);
    migrator
}

/// Names the schema that the migrations and the indexes of large tables make: equal texts, equal name.
#[cfg(test)]
pub(crate) fn schema_fingerprint() -> String {
    use sha2::{Digest, Sha256};
    let indexes = indexes::LARGE_INDEXES.iter().map(|index| index.definition);
    let all: String = MIGRATIONS.iter().map(|(_, sql)| *sql).chain(indexes).collect();
    Sha256::digest(all)
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

async fn applied(connection: &mut impl Migrate) -> Result<Vec<i64>, MigrateError> {
    let table = &Migrator::DEFAULT.table_name;
    connection.ensure_migrations_table(table).await?;
    let applied = connection.list_applied_migrations(table).await?;
    Ok(applied.into_iter().map(|migration| migration.version).collect())
}

/// What the schema of SQLite has beside the migrations.
async fn finish(connection: &mut SqliteConnection) -> Result<()> {
    word_checks::rewrite(connection).await?;
    indexes::create_all(connection, &indexes::LARGE_INDEXES).await?;
    triggers::create_on_sqlite(connection).await?;
    text_index::create(connection).await
}

/// A connection for migrations alone: the migrator brings its own driver.
async fn migrating(sqlite: &Sqlite) -> Result<SqliteConnection> {
    let options = SqliteConnectOptions::new()
        .filename(sqlite.path())
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .disable_statement_logging();
    Ok(options.connect().await?)
}
