use super::harness::{on_both, vault};
use super::world::{NOON, World, new_group};
use sqlx::{AssertSqlSafe, Connection, Executor, Row, SqliteConnection};

use crate::db::params;
use crate::{Store, StoreError, Vault};

on_both!(
    a_migrated_database_has_nothing_pending_and_can_be_migrated_again,
    nothing_outlives_its_workspace,
    a_word_that_a_column_does_not_know_is_refused,
);

async fn a_migrated_database_has_nothing_pending_and_can_be_migrated_again(store: Store) {
    assert_eq!(store.pending_migrations().await.unwrap(), 0);
    store.migrate().await.unwrap();
    store.ping().await.unwrap();
}

async fn nothing_outlives_its_workspace(store: Store) {
    let world = World::new(store.clone()).await;
    let media = world.media(10).await;
    let mut group = new_group(world.platform, true, None);
    group.root.media_ids = vec![media.id];
    world.group(group).await;
    let job = world.claim_at(NOON).await.remove(0);
    world.open(&job).await;
    store.execute("DELETE FROM workspaces", Vec::new()).await.unwrap();
    for table in [
        "members",
        "platforms",
        "posts",
        "post_media",
        "jobs",
        "submissions",
        "media",
        "events",
        "usage",
        "webhooks",
        "webhook_deliveries",
        "storage_reservations",
    ] {
        let sql = format!("SELECT COUNT(*) AS rows_left FROM {table}");
        let row = store.row(AssertSqlSafe(sql), Vec::new()).await.unwrap().unwrap();
        assert_eq!(
            row.of("workspaces").get::<i64>("rows_left").unwrap(),
            0,
            "{table}"
        );
    }
}

#[tokio::test]
async fn a_new_database_has_everything_pending() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    assert_eq!(
        store.pending_migrations().await.unwrap(),
        crate::db::migrations::MIGRATIONS.len()
    );
}

#[tokio::test]
async fn no_row_that_sqlite_inserts_is_checked_by_a_table_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    store.migrate().await.unwrap();
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%CHECK (%' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    assert!(tables.len() > 10, "{tables:?}");
    for table in tables {
        let explain = format!("EXPLAIN INSERT INTO {table} DEFAULT VALUES");
        let program = connection.fetch_all(AssertSqlSafe(explain)).await.unwrap();
        let codes: Vec<String> = program.iter().map(|row| row.get("opcode")).collect();
        assert!(codes.iter().any(|code| code == "Insert"), "{table}: {codes:?}");
        assert!(
            !codes.iter().any(|code| code == "OpenEphemeral"),
            "{table}: {codes:?}"
        );
    }
}

async fn a_word_that_a_column_does_not_know_is_refused(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(true, None).await;
    for sql in [
        "UPDATE posts SET state = 'LATER' WHERE id = $1",
        "UPDATE posts SET waiting = 'rain', state = 'ACTION_REQUIRED' WHERE id = $1",
        "UPDATE jobs SET kind = 'sleep' WHERE post_id = $1",
        "UPDATE jobs SET queue = 'end' WHERE post_id = $1",
    ] {
        let refused = store.execute(sql, params![post.id]).await.unwrap_err();
        assert!(
            refused.to_string().to_lowercase().contains("check constraint"),
            "{refused}"
        );
    }
    let known = "UPDATE posts SET waiting = 'inbox', state = 'ACTION_REQUIRED' WHERE id = $1";
    assert_eq!(store.execute(known, params![post.id]).await.unwrap(), 1);
}

#[tokio::test]
async fn an_address_of_another_kind_is_refused_without_showing_its_password() {
    let refused = Store::connect("mysql://user:hunter2@host/db", vault())
        .await
        .err()
        .unwrap();
    assert!(matches!(&refused, StoreError::Address(_)));
    assert!(!refused.to_string().contains("hunter2"));
}

#[tokio::test]
async fn tokens_do_not_open_with_another_key_and_the_error_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    store.migrate().await.unwrap();
    let world = World::new(store.clone()).await;
    let other = Store::connect(&url, Vault::new(vec![[8; 32]]).unwrap())
        .await
        .unwrap();
    let refused = other.tokens(world.platform).await.unwrap_err().to_string();
    assert!(
        refused.contains("platforms.access_token") && refused.contains("not configured"),
        "{refused}"
    );
}

#[tokio::test]
async fn where_there_were_users_sign_up_stays_open_and_the_first_of_them_operates_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    let before = crate::db::migrations::MIGRATIONS
        .iter()
        .take_while(|(name, _)| *name != "instance");
    for (_, sql) in before {
        run_all(&store, sql).await;
    }
    let people = [1_u8, 2].map(|number| playout_domain::id::UserId(uuid::Uuid::from_bytes([number; 16])));
    for (at, user) in [20_i64, 10].into_iter().zip(people) {
        let sql = "INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, '', $3)";
        store
            .execute(sql, params![user, user.to_string(), at])
            .await
            .unwrap();
    }
    run_all(&store, include_str!("../../migrations/0019_instance.sql")).await;
    let instance = store.instance().await.unwrap();
    assert!(instance.has_users && instance.signup_open);
    assert!(store.is_operator(people[1]).await.unwrap() && !store.is_operator(people[0]).await.unwrap());
}

/// Runs the statements of a migration.
async fn run_all(store: &Store, sql: &str) {
    let lines = sql.lines().filter(|line| !line.trim().starts_with("--"));
    let sql: String = lines.flat_map(|line| [line, "\n"]).collect();
    for statement in sql.split(';').filter(|statement| !statement.trim().is_empty()) {
        let statement = sqlx::AssertSqlSafe(statement.to_owned());
        store.execute(statement, Vec::new()).await.unwrap();
    }
}
