//! Uploads and pulls under way in a copy whose account the hold passes over: they may have been given up and followed by others since the
//! copy was made. No more bytes are sent, and none are served.

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::Value;

use super::hold::{DAY, HOUR, plan, publish, searched, searched_in_time};
use super::restored::MINUTE;
use super::tokens::disable;
use crate::harness::{Db, Options, TestApp, eventually, execute_in, on_both};

on_both!(
    an_upload_under_way_in_the_copy_is_not_continued_once_its_account_is_enabled_again,
    an_upload_whose_last_chunk_was_lost_in_the_copy_is_not_continued_once_its_account_is_enabled_again,
    a_pull_under_way_in_the_copy_is_served_nothing_once_its_account_is_enabled_again,
);

/// Restores a copy with an upload that was given up since, and followed by another one, because its account was disabled for a while. The
/// account is disabled while the hold passes over it, and enabled before the post's next run.
async fn is_found_and_not_continued(db: Db, is_last_chunk_noted: bool) {
    let mut t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (platform, other) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    let clip = t.api.upload_clip().await;
    plan(&t, &other, ("keeps the hold", &clip), 5 * DAY).await;
    t.sim.inject(Fault::new(Endpoint::UploadLast, FaultAction::Drop));
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.idle().await;
    assert_eq!(
        t.root(&post).await["state"],
        "QUEUE",
        "its chunk is sent again later"
    );
    disable(&t, &platform, true).await;
    let copy = t.copy_database().await;
    if !is_last_chunk_noted {
        let not_noted = "UPDATE submissions SET last_byte_at = NULL".to_owned();
        execute_in(&copy.url, db, not_noted).await;
    }

    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    disable(&t, &platform, false).await;
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));

    t.sim.hold(Endpoint::VideoList, HoldPoint::Before);
    t.go_on_with(copy).await;
    t.sim.held(Endpoint::VideoList, 1).await;
    eventually("the hold has passed over the disabled account", async || {
        t.app.store.hold_progress().await.unwrap().left == 1
    })
    .await;
    disable(&t, &platform, false).await;
    t.sim.release(Endpoint::VideoList);
    searched_in_time(&t).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    t.advance(HOUR).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

async fn an_upload_under_way_in_the_copy_is_not_continued_once_its_account_is_enabled_again(db: Db) {
    is_found_and_not_continued(db, false).await;
}

async fn an_upload_whose_last_chunk_was_lost_in_the_copy_is_not_continued_once_its_account_is_enabled_again(
    db: Db,
) {
    is_found_and_not_continued(db, true).await;
}

/// The provider's fetch fails, and the post goes out after the search.
async fn a_pull_under_way_in_the_copy_is_served_nothing_once_its_account_is_enabled_again(db: Db) {
    let mut t = TestApp::start_with(db, Options::default().set("tiktok_transfer", "pull")).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .turn(|knobs| (knobs.pull_delay_ms, knobs.webhooks) = (600_000, false));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    t.advance(MINUTE).await;
    let init = t.calls(Endpoint::VideoInit);
    let body: Value = serde_json::from_str(&init[0].body).unwrap();
    let address = body["source_info"]["video_url"].as_str().unwrap();
    let path = address.strip_prefix(&t.app.config.base_url).unwrap().to_owned();
    disable(&t, &platform, true).await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    disable(&t, &platform, false).await;
    assert_eq!(t.api.with_key(None).get(&path).await.status, 404);
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.sim.publication_count(), 1);
}
