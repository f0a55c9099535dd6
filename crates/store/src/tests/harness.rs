//! A fresh store for every test, on either database.

use std::panic::resume_unwind;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};

use crate::db::chance::random_bytes;
use crate::db::indexes::LARGE_INDEXES;
use crate::db::migrations::schema_fingerprint;
use crate::{Store, Vault};

/// Where the tests may make databases: the one setting they read.
const POSTGRES: &str = "PLAYOUT_TEST_POSTGRES";

/// Makes two tests of each function that it names, `name::sqlite` and `name::postgres`. A function that is left out is
/// dead code, which the compiler reports.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $crate::tests::harness::on_sqlite(super::$name).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                $crate::tests::harness::on_postgres(super::$name).await;
            }
        }
    )*};
}
pub(crate) use on_both;

/// The vault of every test store.
pub(crate) fn vault() -> Vault {
    Vault::new(vec![[7; 32]]).unwrap()
}

/// Runs `body` on a fresh SQLite file.
pub(crate) async fn on_sqlite<F: Future<Output = ()> + Send + 'static>(body: fn(Store) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    store.migrate().await.unwrap();
    body(store.clone()).await;
    store.close().await;
}

/// Runs `body` on a fresh clone of the template, and drops it afterwards, even if it panics.
pub(crate) async fn on_postgres<F: Future<Output = ()> + Send + 'static>(body: fn(Store) -> F) {
    let server = server();
    let mut admin = PgConnection::connect(&server).await.unwrap();
    let template = template(&mut admin, &server).await;
    let name = format!("playout_test_{:032x}", u128::from_le_bytes(random_bytes()));
    run(&mut admin, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    let store = Store::connect_with(&database(&server, &name), vault(), 20)
        .await
        .unwrap();
    let outcome = tokio::spawn(body(store.clone())).await;
    store.close().await;
    run(&mut admin, format!("DROP DATABASE {name} WITH (FORCE)")).await;
    if let Err(failure) = outcome {
        resume_unwind(failure.into_panic());
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the address of the test server has no other way in"
)]
fn server() -> String {
    std::env::var(POSTGRES).unwrap_or_else(|_| {
        panic!("{POSTGRES} is not set: these tests need a PostgreSQL, such as `cargo xtask test` starts")
    })
}

/// The address of another database on the same server.
fn database(server: &str, name: &str) -> String {
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}

/// The address of the database that a store on PostgreSQL is connected to.
pub(crate) async fn url_of(store: &Store) -> String {
    let row = store
        .row("SELECT current_database()::text AS name", Vec::new())
        .await
        .unwrap()
        .unwrap();
    database(&server(), &row.of("pg_database").get::<String>("name").unwrap())
}

/// The name of a database with our schema and no rows; made by whichever test is first. It is named after the
/// migrations, so that none of another version is ever used.
async fn template(admin: &mut PgConnection, server: &str) -> String {
    let name = format!("playout_template_{}", schema_fingerprint());
    run(admin, "SELECT pg_advisory_lock(7269)".to_owned()).await;
    let sql = "SELECT COUNT(*) FROM pg_database WHERE datname = $1";
    let found = sqlx::query(sql).bind(&name).fetch_one(&mut *admin).await.unwrap();
    if found.get::<i64, _>(0) == 0 {
        let raw = format!("{name}_raw");
        run(admin, format!("DROP DATABASE IF EXISTS {raw}")).await;
        run(admin, format!("CREATE DATABASE {raw}")).await;
        let store = Store::connect(&database(server, &raw), vault()).await.unwrap();
        store.migrate().await.unwrap();
        store
            .build(&LARGE_INDEXES, Duration::from_millis(1))
            .await
            .unwrap();
        store.close().await;
        run(admin, format!("ALTER DATABASE {raw} RENAME TO {name}")).await;
    }
    run(admin, "SELECT pg_advisory_unlock(7269)".to_owned()).await;
    name
}

async fn run(admin: &mut PgConnection, sql: String) {
    admin.execute(AssertSqlSafe(sql)).await.unwrap();
}
