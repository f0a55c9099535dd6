//! Indexes of large tables are made beside the running service, by one node, also after an earlier try that was broken off.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};

use super::harness::{on_postgres, url_of, vault};
use super::world::World;
use crate::Store;
use crate::db::indexes::{LargeIndex, create_all};

const WANTED: [LargeIndex; 1] = [LargeIndex {
    name: "events_by_kind",
    table: "events",
    definition: "(workspace_id, kind, id)",
}];
const POLL_EVERY: Duration = Duration::from_millis(10);

/// A connection past the store.
async fn beside(store: &Store) -> PgConnection {
    PgConnection::connect(&url_of(store).await).await.unwrap()
}

async fn run(connection: &mut PgConnection, sql: &str) {
    connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
}

async fn number(connection: &mut PgConnection, sql: &str) -> i64 {
    let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM {sql}"));
    sqlx::query_scalar(sql).fetch_one(connection).await.unwrap()
}

/// How many indexes of that name are valid.
async fn valid(connection: &mut PgConnection) -> i64 {
    let found = "pg_index WHERE indexrelid = to_regclass('events_by_kind') AND indisvalid";
    number(connection, found).await
}

const INSERT_EVENT: &str = "INSERT INTO events (workspace_id, id, kind, payload, created_at)
    SELECT id, gen_random_uuid(), 'kite', '{}', 0 FROM workspaces";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_is_not_valid_is_made_again() {
    on_postgres(|store: Store| async move {
        let _world = World::new(store.clone()).await;
        let mut connection = beside(&store).await;
        for _ in 0..2 {
            run(&mut connection, INSERT_EVENT).await;
        }
        // Two rows of a kind: the try fails and leaves an index that is not valid.
        let unique = "CREATE UNIQUE INDEX CONCURRENTLY events_by_kind ON events (workspace_id, kind)";
        connection.execute(unique).await.unwrap_err();
        assert_eq!(
            number(&mut connection, "pg_class WHERE relname = 'events_by_kind'").await,
            1
        );
        assert_eq!(valid(&mut connection).await, 0);
        store.build(&WANTED, POLL_EVERY).await.unwrap();
        assert_eq!(valid(&mut connection).await, 1);
        run(&mut connection, INSERT_EVENT).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_nodes_one_makes_the_index_and_both_go_on() {
    on_postgres(|store: Store| async move {
        let other = Store::connect(&url_of(&store).await, vault()).await.unwrap();
        let both = tokio::join!(store.build(&WANTED, POLL_EVERY), other.build(&WANTED, POLL_EVERY));
        both.0.unwrap();
        both.1.unwrap();
        assert_eq!(valid(&mut beside(&store).await).await, 1);
        other.close().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_transaction_delays_the_index_and_keeps_nobody_else_waiting() {
    on_postgres(|store: Store| async move {
        let _world = World::new(store.clone()).await;
        let mut long = beside(&store).await;
        run(&mut long, &format!("BEGIN; {INSERT_EVENT}")).await;
        let nodes = [
            store.clone(),
            Store::connect(&url_of(&store).await, vault()).await.unwrap(),
        ];
        let building = nodes.map(|node| tokio::spawn(async move { node.build(&WANTED, POLL_EVERY).await }));
        let mut connection = beside(&store).await;
        let waits = "pg_stat_progress_create_index WHERE phase LIKE 'waiting for writers%'";
        while number(&mut connection, waits).await == 0 {
            tokio::task::yield_now().await;
        }
        run(
            &mut connection,
            &format!("SET lock_timeout = '60s'; {INSERT_EVENT}"),
        )
        .await;
        assert_eq!(valid(&mut connection).await, 0);
        run(&mut long, "COMMIT").await;
        for built in building {
            built.await.unwrap().unwrap();
        }
        assert_eq!(valid(&mut connection).await, 1);
    })
    .await;
}

/// As an earlier version has made it.
const RETIRED: &str = "CREATE INDEX posts_publishing ON posts (platform_id) WHERE publishing";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_nothing_uses_any_more_is_taken_away() {
    on_postgres(|store: Store| async move {
        let mut connection = beside(&store).await;
        run(&mut connection, RETIRED).await;
        store.build_indexes().await.unwrap();
        let left = "pg_class WHERE relname = 'posts_publishing'";
        assert_eq!(number(&mut connection, left).await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_file_gets_its_indexes_with_its_migrations() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    store.migrate().await.unwrap();
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    connection.execute(RETIRED).await.unwrap();
    store.migrate().await.unwrap();
    for _ in 0..2 {
        create_all(&mut connection, &WANTED).await.unwrap();
    }
    for (name, wanted) in [("events_by_kind", 1_i64), ("posts_publishing", 0)] {
        let found = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master WHERE name = $1").bind(name);
        let found: i64 = found.fetch_one(&mut connection).await.unwrap();
        assert_eq!(found, wanted, "{name}");
    }
}
