//! The place and the pulse, which distinguish a database from its copies.

use sqlx::AssertSqlSafe;

use super::harness::{on_both, on_postgres};
use super::world::{MINUTE, NOON};
use crate::db::params;
use crate::{LastSeen, Store, Tables};

on_both!(
    the_pulse_is_raised_above_what_was_seen_and_what_is_outside,
    the_pulse_is_raised_only_in_the_database_that_was_seen,
    a_migrated_database_is_complete,
    a_database_without_the_note_of_its_tables_is_that_of_a_backup_until_it_was_compared,
);

async fn the_pulse_is_raised_above_what_was_seen_and_what_is_outside(store: Store) {
    let seen = store.last_seen().await.unwrap();
    let raised = store.raise_pulse(&seen, seen.pulse + 7, "here", NOON).await;
    assert_eq!(raised.unwrap(), Some(seen.pulse + 8));
    let seen = store.last_seen().await.unwrap();
    assert_eq!((seen.home.as_deref(), seen.at), (Some("here"), Some(NOON)));
    let raised = store.raise_pulse(&seen, 0, "here", NOON.plus(MINUTE)).await;
    assert_eq!(raised.unwrap(), Some(seen.pulse + 1));
}

async fn the_pulse_is_raised_only_in_the_database_that_was_seen(store: Store) {
    let first = store.last_seen().await.unwrap();
    let pulse = store.raise_pulse(&first, 0, "here", NOON).await.unwrap();
    let seen = store.last_seen().await.unwrap();
    assert_eq!(Some(seen.pulse), pulse);
    for put_back in [
        "UPDATE instance SET pulse = pulse - 1",
        "UPDATE instance SET pulse = pulse + 1, home = 'there'",
    ] {
        store.execute(put_back, params![]).await.unwrap();
        let before = store.last_seen().await.unwrap();
        let raised = store.raise_pulse(&seen, seen.pulse, "here", NOON).await;
        assert_eq!(raised.unwrap(), None, "{put_back}");
        assert_eq!(store.last_seen().await.unwrap(), before, "nothing is changed");
    }
}

async fn a_migrated_database_is_complete(store: Store) {
    assert_eq!(store.find_incomplete_table().await.unwrap(), None);
}

/// Raises the pulse of what is there; returns what is there then.
async fn raised(store: &Store) -> LastSeen {
    let seen = store.last_seen().await.unwrap();
    let pulse = store.raise_pulse(&seen, 0, "here", NOON).await.unwrap();
    assert!(pulse.is_some(), "it is the database that was seen");
    store.last_seen().await.unwrap()
}

async fn a_database_without_the_note_of_its_tables_is_that_of_a_backup_until_it_was_compared(store: Store) {
    let seen = raised(&store).await;
    assert_eq!(seen.tables, Tables::Same);
    assert!(!seen.is_in_a_backup() && !seen.is_elsewhere("here"));
    store
        .execute("DELETE FROM instance_place", params![])
        .await
        .unwrap();
    let seen = store.last_seen().await.unwrap();
    assert!(seen.is_in_a_backup() && seen.is_elsewhere("here"));
    assert_eq!(raised(&store).await.tables, Tables::Same);
}

async fn alter(store: &Store, change: &str) {
    let sql = format!("ALTER TABLE {change}");
    store.execute(AssertSqlSafe(sql), params![]).await.unwrap();
}

/// `pg_restore` adds a table's primary key when the table is filled, and references last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_without_the_keys_that_a_dump_adds_last_is_incomplete() {
    on_postgres(|store: Store| async move {
        for (table, without, again) in [
            (
                "jobs",
                "jobs DROP CONSTRAINT jobs_post_id_fkey",
                "jobs ADD FOREIGN KEY (post_id) REFERENCES posts (id)",
            ),
            (
                "submissions",
                "submissions DROP CONSTRAINT submissions_pkey",
                "submissions ADD PRIMARY KEY (id)",
            ),
            (
                "instance",
                "instance RENAME TO renamed",
                "renamed RENAME TO instance",
            ),
        ] {
            alter(&store, without).await;
            let found = store.find_incomplete_table().await.unwrap();
            assert_eq!(found.as_deref(), Some(table));
            alter(&store, again).await;
            assert_eq!(store.find_incomplete_table().await.unwrap(), None);
        }
    })
    .await;
}
