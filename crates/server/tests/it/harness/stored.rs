//! What the database really holds: for tests that say what it must not.

use sqlx::{Connection, PgConnection};

use super::{Db, TestApp};

/// Everything that the database holds, as bytes. PostgreSQL shows bytes as hexadecimal digits.
pub(crate) async fn everything_stored(t: &TestApp, db: Db) -> Vec<u8> {
    let url = t.app.config.database_url.expose();
    if db == Db::Sqlite {
        let path = url.strip_prefix("sqlite://").unwrap();
        let files = ["", "-wal"].map(|end| std::fs::read(format!("{path}{end}")).unwrap_or_default());
        return files.concat();
    }
    let mut connection = PgConnection::connect(url).await.unwrap();
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    let mut stored = Vec::new();
    for table in tables {
        let rows = sqlx::AssertSqlSafe(format!("SELECT t::text FROM \"{table}\" t"));
        let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut connection).await.unwrap();
        stored.extend(rows.concat().into_bytes());
    }
    stored
}

/// Whether these bytes are among them.
pub(crate) fn holds(stored: &[u8], wanted: &[u8]) -> bool {
    stored.windows(wanted.len()).any(|window| window == wanted)
}

/// Bytes as PostgreSQL shows them.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
