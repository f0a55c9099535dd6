//! Dumps of databases: plain SQL that any later version of the database reads. The first line is a comment: a JSON object
//! of further values that the tests need, such as API keys, of which the database holds only hashes.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use playout_domain::time::Clock;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};

use crate::harness::{Db, TestApp};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/tests/upgrades");

/// Where the dump of the version is whose newest migration has that number.
pub(super) fn path(version: i64, db: Db) -> PathBuf {
    let db = match db {
        Db::Sqlite => "sqlite",
        Db::Postgres => "postgres",
    };
    PathBuf::from(FOLDER).join(format!("{version:04}.{db}.sql"))
}

/// A kept dump.
pub(super) struct Kept {
    /// The newest migration of the version that made it.
    pub(super) version: i64,
    /// Further values that its tests need.
    pub(super) known: Value,
    /// All of it.
    pub(super) sql: String,
}

/// The dumps that are kept for a database, oldest first.
pub(super) fn kept(db: Db) -> Vec<Kept> {
    let versions = std::fs::read_dir(FOLDER).unwrap().filter_map(|file| {
        let name = file.unwrap().file_name().into_string().unwrap();
        let version = name.split('.').next()?.parse().ok()?;
        path(version, db).exists().then_some(version)
    });
    let versions: BTreeSet<i64> = versions.collect();
    versions.into_iter().map(|version| read(version, db)).collect()
}

fn read(version: i64, db: Db) -> Kept {
    let sql = std::fs::read_to_string(path(version, db)).unwrap();
    let known = sql.lines().next().unwrap().trim_start_matches("-- ");
    Kept {
        version,
        known: serde_json::from_str(known).unwrap(),
        sql,
    }
}

/// Writes what the database holds.
pub(super) async fn write(t: &TestApp, db: Db, mut known: Value) {
    let url = t.app.config.database_url.expose();
    known["now"] = serde_json::to_value(t.clock.now()).unwrap();
    let (version, sql) = match db {
        Db::Sqlite => of_sqlite(url).await,
        Db::Postgres => of_postgres(url).await,
    };
    std::fs::create_dir_all(FOLDER).unwrap();
    std::fs::write(path(version, db), format!("-- {known}\n{sql}")).unwrap();
}

const NEWEST: &str = "SELECT MAX(version) FROM _sqlx_migrations";

async fn of_sqlite(url: &str) -> (i64, String) {
    let mut connection = SqliteConnection::connect(url).await.unwrap();
    let version = sqlx::query_scalar(NEWEST)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    let mut lines = vec!["PRAGMA foreign_keys = OFF;".to_owned()];
    // The index of texts is made by the program that migrates.
    let tables = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE 'posts_text%' AND name NOT LIKE '%indexed_posts' ORDER BY rowid";
    let tables: Vec<(String, String)> = sqlx::query_as(tables).fetch_all(&mut connection).await.unwrap();
    for (table, sql) in tables {
        lines.push(format!("{sql};"));
        let columns = format!(
            "SELECT group_concat('quote(\"' || name || '\")', ' || '', '' || ') FROM pragma_table_info('{table}')"
        );
        let columns: String = sqlx::query_scalar(AssertSqlSafe(columns))
            .fetch_one(&mut connection)
            .await
            .unwrap();
        let rows = format!(
            "SELECT 'INSERT INTO \"{table}\" VALUES (' || {columns} || ');' FROM \"{table}\" ORDER BY 1"
        );
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(rows))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        lines.extend(rows);
    }
    let indexes =
        "SELECT sql || ';' FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid";
    let indexes: Vec<String> = sqlx::query_scalar(indexes)
        .fetch_all(&mut connection)
        .await
        .unwrap();
    lines.extend(indexes);
    (version, lines.join("\n") + "\n")
}

async fn of_postgres(url: &str) -> (i64, String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let version = sqlx::query_scalar(NEWEST)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    let dumped = Command::new("pg_dump")
        .args(["--inserts", "--no-owner", "--no-privileges", "--dbname", url])
        .output()
        .expect("pg_dump");
    assert!(
        dumped.status.success(),
        "{}",
        String::from_utf8_lossy(&dumped.stderr)
    );
    let sql = String::from_utf8(dumped.stdout).unwrap();
    // Comments, commands of psql, and settings that other versions of PostgreSQL do not have.
    let is_kept =
        |line: &&str| !line.is_empty() && !["--", "\\", "SET "].iter().any(|start| line.starts_with(start));
    let lines: Vec<&str> = sql.lines().filter(is_kept).collect();
    (version, lines.join("\n") + "\n")
}
