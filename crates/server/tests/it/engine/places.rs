//! What leaves a database where it is: no hold begins, and what is planned goes out.

use serde_json::Value;

use super::hold::{HOUR, plan, searched};
use crate::harness::{Db, TestApp, execute_in, on_both, texts_in};

on_both!(an_installation_of_an_earlier_version_is_taken_as_it_is_once);

/// Starts another process after these statements; a post that was planned before goes out without a hold.
async fn is_at_its_place_after(db: Db, change: &str) -> TestApp {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    t.stop().await;
    t.app.store.close().await;
    let url = t.app.config.database_url.expose().to_owned();
    for statement in change.split(';') {
        execute_in(&url, db, statement).await;
    }
    t.replace().await;
    searched(&t).await;
    assert!(t.app.store.find_last_hold().await.unwrap().is_none());
    t.advance(HOUR).await;
    let root = t.settled(&post).await;
    assert_eq!(
        (&root["state"], &root["errorText"]),
        (&Value::from("PUBLISHED"), &Value::Null),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 1);
    t
}

/// The version before had no table for the OID: the start that makes it finds the database at its place.
async fn an_installation_of_an_earlier_version_is_taken_as_it_is_once(db: Db) {
    let before =
        "DROP TABLE instance_place; DELETE FROM _sqlx_migrations WHERE description = 'instance place'";
    let t = is_at_its_place_after(db, before).await;
    let noted = texts_in(
        t.app.config.database_url.expose(),
        db,
        "SELECT CAST(table_oid AS TEXT) FROM instance_place",
    )
    .await;
    assert!(noted.len() == 1 && !noted[0].is_empty(), "{noted:?}");
}

/// Each of them gives the table, or its index, another file.
#[tokio::test]
async fn a_table_whose_rows_are_written_anew_begins_no_hold() {
    let rewrites = "VACUUM FULL instance; REINDEX TABLE instance; CLUSTER instance USING instance_pkey;
        ALTER TABLE instance ALTER COLUMN pulse TYPE NUMERIC; ALTER TABLE instance ALTER COLUMN pulse TYPE BIGINT";
    is_at_its_place_after(Db::Postgres, rewrites).await;
}
