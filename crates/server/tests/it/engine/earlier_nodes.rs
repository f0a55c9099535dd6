//! A node that starts on a restored database with its data directory of before, after other nodes have searched for the posts.

use std::time::Duration;

use playout_domain::time::Time;
use playout_store::IN_A_BACKUP;
use serde_json::Value;

use super::hold::{DAY, HOUR, plan, searched};
use crate::harness::{Db, TestApp, execute_in, on_both};

on_both!(a_data_directory_that_was_used_after_a_restore_begins_another_hold);

/// A restored database whose hold is over, and a post in it that was not found.
async fn restored(db: Db) -> (TestApp, String) {
    let mut t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let post = plan(&t, &platform, ("due tomorrow", &clip), DAY).await;
    let backup = t.copy_database().await;
    let marked = format!("UPDATE instance SET home = '{IN_A_BACKUP}'");
    execute_in(&backup.url, db, marked).await;
    t.clock.advance(HOUR);
    t.go_on_with(backup).await;
    searched(&t).await;
    (t, post)
}

/// Starts a node whose data directory has another pulse than the database ever had, written then.
async fn start_node_of(t: &mut TestApp, written_at: Time) {
    t.stop().await;
    let remembered = format!("1000000 {written_at}\n");
    std::fs::write(t.dir.path().join("pulse"), remembered).unwrap();
    t.replace().await;
    searched(t).await;
}

#[tokio::test]
async fn a_data_directory_of_before_a_restore_begins_no_second_hold() {
    let (mut t, post) = restored(Db::Postgres).await;
    let hold = t.app.store.find_last_hold().await.unwrap();
    let restored_at = hold.as_ref().unwrap().held_at;
    t.clock.advance(2 * HOUR);
    start_node_of(&mut t, restored_at.minus(Duration::from_secs(61))).await;
    assert_eq!(t.app.store.find_last_hold().await.unwrap(), hold);
    let root = t.root(&post).await;
    assert_eq!(
        (&root["state"], &root["errorText"]),
        (&Value::from("QUEUE"), &Value::Null)
    );
    t.clock.advance(DAY);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_data_directory_that_was_used_after_a_restore_begins_another_hold(db: Db) {
    let (mut t, _) = restored(db).await;
    let restored_at = t.app.store.find_last_hold().await.unwrap().unwrap().held_at;
    t.clock.advance(2 * HOUR);
    start_node_of(&mut t, restored_at.plus(HOUR)).await;
    let hold = t.app.store.find_last_hold().await.unwrap().unwrap();
    assert!(hold.held_at > restored_at, "{hold:?}");
    assert!(hold.because.contains("older than its data directory"), "{hold:?}");
}
