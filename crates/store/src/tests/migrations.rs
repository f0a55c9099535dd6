//! Migrations beside a running service: they wait for locks in moments, leave room for the version before, and name what they
//! take away.

use std::time::Duration;

use playout_domain::id::WorkspaceId;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::harness::{on_both, on_postgres, url_of, vault};
use crate::db::migrations::{LockPatience, MIGRATIONS, migrator};
use crate::{Store, StoreError};

on_both!(
    a_program_runs_on_a_schema_that_a_newer_one_has_expanded,
    a_program_refuses_a_schema_that_takes_away_what_it_uses,
);

/// Long enough for everything that a test does meanwhile on a busy machine.
const PATIENCE: LockPatience = LockPatience {
    each: Duration::from_millis(100),
    pause: Duration::from_millis(100),
    tries: 1_000,
    turns: 1_000,
};

/// What this version knows, and one migration more.
fn with(next: &'static str) -> Vec<(&'static str, &'static str)> {
    MIGRATIONS.into_iter().chain([("next", next)]).collect()
}

const NEXT: &str = "ALTER TABLE workspaces ADD COLUMN colour TEXT;";

async fn beside(store: &Store) -> PgConnection {
    PgConnection::connect(&url_of(store).await).await.unwrap()
}

async fn run(connection: &mut PgConnection, sql: &str) {
    connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
}

/// Waits until a statement of another connection waits for a lock of `workspaces`.
async fn somebody_waits(connection: &mut PgConnection) {
    let sql = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'workspaces'::regclass";
    while sqlx::query_scalar::<_, i64>(sql)
        .fetch_one(&mut *connection)
        .await
        .unwrap()
        == 0
    {
        tokio::task::yield_now().await;
    }
}

#[test]
fn every_file_of_the_folder_is_a_migration() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
    let files = std::fs::read_dir(folder).unwrap();
    let mut texts: Vec<String> = files
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    let mut listed: Vec<&str> = MIGRATIONS.iter().map(|(_, sql)| *sql).collect();
    texts.sort();
    listed.sort_unstable();
    assert_eq!(texts, listed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_waits_for_a_table_lets_the_others_pass() {
    on_postgres(|store: Store| async move {
        let mut long = beside(&store).await;
        run(&mut long, "BEGIN; SELECT * FROM workspaces").await;
        let migrating = tokio::spawn({
            let store = store.clone();
            async move { store.migrate_with(&migrator(&with(NEXT)), PATIENCE).await }
        });
        let mut other = beside(&store).await;
        for _ in 0..3 {
            somebody_waits(&mut other).await;
            // It stands behind the migration, and gets its turn although the transaction has not ended.
            run(
                &mut other,
                "SET statement_timeout = '60s'; SELECT * FROM workspaces",
            )
            .await;
        }
        run(&mut long, "COMMIT").await;
        migrating.await.unwrap().unwrap();
        run(&mut other, "SELECT colour FROM workspaces").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_whose_table_stays_locked_gives_up_and_says_what_to_do() {
    on_postgres(|store: Store| async move {
        let mut long = beside(&store).await;
        run(&mut long, "BEGIN; SELECT * FROM workspaces").await;
        let patience = LockPatience { tries: 2, ..PATIENCE };
        let refused = store
            .migrate_with(&migrator(&with(NEXT)), patience)
            .await
            .unwrap_err();
        assert!(matches!(&refused, StoreError::Locked(_)), "{refused}");
        assert!(refused.to_string().contains("pg_stat_activity"), "{refused}");
        run(&mut long, "COMMIT").await;
        store
            .migrate_with(&migrator(&with(NEXT)), patience)
            .await
            .unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_starts_while_another_migrates_waits_for_it() {
    on_postgres(|store: Store| async move {
        let mut long = beside(&store).await;
        run(&mut long, "BEGIN; SELECT * FROM workspaces").await;
        let nodes = [
            store.clone(),
            Store::connect(&url_of(&store).await, vault()).await.unwrap(),
        ];
        let migrating = nodes.map(|node| {
            tokio::spawn(async move { node.migrate_with(&migrator(&with(NEXT)), PATIENCE).await })
        });
        somebody_waits(&mut beside(&store).await).await;
        run(&mut long, "COMMIT").await;
        for migrated in migrating {
            migrated.await.unwrap().unwrap();
        }
    })
    .await;
}

async fn a_program_runs_on_a_schema_that_a_newer_one_has_expanded(store: Store) {
    store
        .migrate_with(&migrator(&with(NEXT)), PATIENCE)
        .await
        .unwrap();
    store.migrate().await.unwrap();
    assert_eq!(store.pending_migrations().await.unwrap(), 0);
    assert!(
        store
            .find_workspace(WorkspaceId(uuid::Uuid::nil()))
            .await
            .unwrap()
            .is_none()
    );
}

async fn a_program_refuses_a_schema_that_takes_away_what_it_uses(store: Store) {
    let contracting = "UPDATE compatibility SET oldest = 999; ALTER TABLE users DROP COLUMN name;";
    store
        .migrate_with(&migrator(&with(contracting)), PATIENCE)
        .await
        .unwrap();
    let refused = store.migrate().await.unwrap_err();
    let newest = i64::try_from(MIGRATIONS.len()).unwrap() + 1;
    assert!(
        matches!(&refused, StoreError::Newer { version } if *version == newest),
        "{refused}"
    );
}

/// The newest migration from before the rule of expanding first.
const BEFORE_THE_RULE: usize = 26;

#[test]
fn migrations_take_nothing_away_that_the_release_before_uses() {
    for (number, (name, sql)) in (1..).zip(MIGRATIONS) {
        let found = breaking(sql);
        let says_so = sql.contains("-- contract:") && sql.contains("UPDATE compatibility SET oldest");
        assert!(
            number <= BEFORE_THE_RULE || found.is_empty() || says_so,
            "migration {number} ({name}) breaks programs of the release before: {found:#?}. Add what replaces it, let a release stop using \
             the old, and take it away in a later one with a line `-- contract: RELEASE no longer uses it` and \
             `UPDATE compatibility SET oldest = {number}`"
        );
    }
}

#[test]
fn what_breaks_the_release_before_is_found() {
    let breaks = [
        "DROP TABLE keys;",
        "ALTER TABLE keys DROP COLUMN name;",
        "ALTER TABLE keys\n  RENAME COLUMN name TO title;",
        "ALTER TABLE keys RENAME TO api_keys;",
        "ALTER TABLE keys ADD COLUMN colour TEXT NOT NULL;",
        "ALTER TABLE keys ALTER COLUMN name SET NOT NULL;",
        "ALTER TABLE keys ALTER COLUMN name TYPE BIGINT;",
        "alter table keys add constraint short check (length(name) < 9);",
        "CREATE UNIQUE INDEX keys_name ON keys (name);",
        "CREATE INDEX posts_state ON posts (state);",
        "DROP INDEX posts_list;",
    ];
    for sql in breaks {
        assert_eq!(breaking(sql).len(), 1, "{sql}");
    }
    let expands = "-- DROP TABLE in a comment; \n
        ALTER TABLE keys ADD COLUMN colour TEXT; ALTER TABLE keys ADD COLUMN used BIGINT NOT NULL DEFAULT 0;
        CREATE TABLE kites (id UUID NOT NULL PRIMARY KEY, name TEXT NOT NULL); CREATE INDEX kites_name ON kites (name);
        UPDATE keys SET colour = 'red' WHERE colour IS NULL;";
    assert_eq!(breaking(expands), Vec::<String>::new());
}

/// The statements that programs of the release before may not survive, or that keep them waiting while a table is read.
fn breaking(sql: &str) -> Vec<String> {
    let lines = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join(" ").to_uppercase();
    let statements = text
        .split(';')
        .map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" "));
    let statements: Vec<String> = statements.filter(|statement| !statement.is_empty()).collect();
    let is_new = |table: &str| {
        statements
            .iter()
            .any(|statement| statement.starts_with(&format!("CREATE TABLE {table} ")))
    };
    let table_of = |statement: &str| {
        let (_, table) = statement.split_once(" ON ")?;
        table.split([' ', '(']).next().map(str::to_owned)
    };
    let breaks = |statement: &&String| {
        let has = |part: &str| statement.contains(part);
        let alters = statement.starts_with("ALTER TABLE");
        let takes = has(" DROP ")
            || has(" RENAME ")
            || has("SET NOT NULL")
            || has(" TYPE ")
            || has(" ADD CONSTRAINT ");
        let wants = has(" ADD COLUMN ") && has("NOT NULL") && !has(" DEFAULT ");
        let indexes = statement.starts_with("CREATE INDEX") || statement.starts_with("CREATE UNIQUE INDEX");
        let drops = statement.starts_with("DROP ");
        drops
            || alters && (takes || wants)
            || indexes && !table_of(statement).is_some_and(|table| is_new(&table))
    };
    statements.iter().filter(breaks).cloned().collect()
}
