//! Keys and storages: a node to which one does not fit claims nothing, and a key is rotated node by node.

use std::time::Duration;

use playout_domain::platform::Platform;
use playout_server::app::App;
use playout_server::identity::Fit;
use playout_server::serve::Role;
use playout_tiktok::sim::{Endpoint, FailRule};
use serde_json::json;

use super::inbox::video_in_inbox;
use crate::harness::{CLIP, Db, KEY, Options, TestApp, eventually, on_both, post_body, texts_in};

on_both!(
    a_storage_whose_folder_is_missing_takes_nothing_and_is_not_made_anew,
    a_key_is_rotated_node_by_node_while_the_others_go_on,
    what_was_tried_before_a_key_was_rotated_comes_to_its_end_afterwards,
    a_key_that_is_left_out_too_early_is_missed_at_the_start,
    a_node_with_another_key_claims_nothing_beside_one_with_the_right_key,
    a_node_whose_storage_vanishes_claims_nothing_until_it_is_back,
);

const NEW: [u8; 32] = [9; 32];
const HOUR: Duration = Duration::from_secs(3600);

/// Lets every node that runs compare its key with the database's again.
async fn compare_again(t: &TestApp, nodes: i64) {
    let pulse = async || t.app.store.last_seen().await.unwrap().pulse;
    let wanted = pulse().await + 2 * nodes;
    eventually("every node has compared", async || {
        t.clock.advance(Duration::from_secs(1));
        pulse().await >= wanted
    })
    .await;
}

/// Lets a node that does not fit compare a few times.
async fn compared_in_vain(t: &TestApp) {
    for _ in 0..5 {
        t.clock.advance(Duration::from_secs(2));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// How often the job of the one post was claimed.
async fn claims(t: &TestApp, db: Db) -> Vec<String> {
    let url = t.app.config.database_url.expose();
    let sql = "SELECT CAST(attempt AS TEXT) FROM jobs WHERE post_id IS NOT NULL";
    texts_in(url, db, sql).await
}

/// Plans a post for in an hour.
async fn schedule(t: &TestApp, platform: &str) {
    let mut body = post_body(platform, &[t.api.upload_clip().await]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(t.now().plus(HOUR)));
    t.api.create_post(&body).await;
}

async fn account(t: &TestApp, id: &str) -> Platform {
    let found = t
        .app
        .store
        .find_platform(t.workspace.id, id.parse().unwrap())
        .await;
    found.unwrap().unwrap()
}

/// Stores new tokens, encrypted with that node's first key.
async fn refresh(app: &App, platform: &Platform) {
    let version = app.store.tokens(platform.id).await.unwrap().unwrap().version;
    let provider = app.provider_of(platform).unwrap();
    app.refresh_tokens(provider, platform, version).await.unwrap();
}

async fn a_key_is_rotated_node_by_node_while_the_others_go_on(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    schedule(&t, &platform).await;
    let (first, first_service) = t.node_with_keys(&[KEY, NEW]).await;
    let (second, second_service) = t.node_with_keys(&[KEY, NEW]).await;
    first.identity.fits().await;
    second.identity.fits().await;
    compare_again(&t, 3).await;
    assert_eq!(
        t.app.identity.fit(),
        Fit::Fits,
        "beside a node that has only the old key"
    );
    t.stop().await;
    first_service.stop().await;
    let (first, first_service) = t.node_with_keys(&[NEW, KEY]).await;
    first.identity.fits().await;
    first.store.reseal().await.unwrap();
    compare_again(&t, 2).await;
    assert_eq!(
        second.identity.fit(),
        Fit::Fits,
        "it opens what the new key has sealed"
    );
    refresh(&second, &account(&t, &platform).await).await;
    second_service.stop().await;
    let (second, second_service) = t.node_with_keys(&[NEW, KEY]).await;
    second.identity.fits().await;
    second.store.reseal().await.unwrap();
    first_service.stop().await;
    let (first, first_service) = t.node_with_keys(&[NEW]).await;
    first.identity.fits().await;
    second_service.stop().await;
    refresh(&first, &account(&t, &platform).await).await;
    t.clock.advance(HOUR);
    eventually("the post is out", async || t.sim.publication_count() == 1).await;
    first_service.stop().await;
}

/// A draft that waits in the inbox, and a post whose first try has failed.
async fn what_was_tried_before_a_key_was_rotated_comes_to_its_end_afterwards(db: Db) {
    let mut t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (draft, publish_id) = video_in_inbox(&t).await;
    t.sim.fail(FailRule::next("internal"));
    let platform = t.root(&draft).await["integrationId"].as_str().unwrap().to_owned();
    let body = post_body(&platform, &[t.api.upload_clip().await]);
    let failed = t.api.create_post(&body).await;
    t.run_until(&failed, |root| root["errorText"].is_string()).await;
    t.stop().await;
    let (both, service) = t.node_with_keys(&[NEW, KEY]).await;
    both.identity.fits().await;
    both.store.reseal().await.unwrap();
    service.stop().await;
    let (alone, service) = t.node_with_keys(&[NEW]).await;
    alone.identity.fits().await;
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    eventually("both are known to be out", async || {
        t.clock.advance(Duration::from_secs(30));
        let url = t.app.config.database_url.expose();
        let open = texts_in(url, db, "SELECT state FROM posts WHERE state <> 'PUBLISHED'").await;
        open.is_empty()
    })
    .await;
    assert_eq!(t.sim.publication_count(), 2);
    service.stop().await;
}

async fn a_key_that_is_left_out_too_early_is_missed_at_the_start(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("earlier secret key");
    let platform = t.connect("kitestudio").await;
    schedule(&t, &platform).await;
    let (behind, behind_service) = t.node_with_keys(&[KEY, NEW]).await;
    behind.identity.fits().await;
    let (ahead, ahead_service) = t.node_with_keys(&[NEW, KEY]).await;
    ahead.identity.fits().await;
    ahead.store.reseal().await.unwrap();
    refresh(&behind, &account(&t, &platform).await).await;
    behind_service.stop().await;
    ahead_service.stop().await;
    t.stop().await;
    let (alone, service) = t.node_with_keys(&[NEW]).await;
    eventually("it was compared", async || {
        alone.identity.fit() == Fit::MissingKey
    })
    .await;
    t.clock.advance(HOUR);
    compared_in_vain(&t).await;
    assert_eq!(t.calls(Endpoint::CreatorInfo).len(), 1, "when it was connected");
    let (both, both_service) = t.node_with_keys(&[NEW, KEY]).await;
    both.identity.fits().await;
    both.store.reseal().await.unwrap();
    both_service.stop().await;
    eventually("it fits", async || {
        t.clock.advance(Duration::from_secs(2));
        alone.identity.fit() == Fit::Fits
    })
    .await;
    eventually("the post is out", async || t.sim.publication_count() == 1).await;
    service.stop().await;
}

async fn a_node_with_another_key_claims_nothing_beside_one_with_the_right_key(db: Db) {
    let options = Options {
        role: Some(Role::Api),
        ..Options::default()
    };
    let t = TestApp::start_with(db, options).await;
    t.errors.expect("the secret key of this database is missing");
    let platform = t.connect("kitestudio").await;
    schedule(&t, &platform).await;
    let (wrong, wrong_service) = t.node_with_keys(&[NEW]).await;
    eventually("it was compared", async || wrong.identity.fit() == Fit::WrongKey).await;
    t.clock.advance(HOUR);
    compared_in_vain(&t).await;
    assert_eq!(claims(&t, db).await, ["0"]);
    let (_, service) = t.second_node().await;
    eventually("the post is out", async || t.sim.publication_count() == 1).await;
    wrong_service.stop().await;
    service.stop().await;
}

async fn a_storage_whose_folder_is_missing_takes_nothing_and_is_not_made_anew(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("the storage at");
    let photo = t.api.upload_photo(720, 960).await;
    let (here, away) = (t.dir.path().join("media"), t.dir.path().join("away"));
    std::fs::rename(&here, &away).unwrap();
    // Before the node has noticed it.
    assert_eq!(t.app.identity.fit(), Fit::Fits);
    let clip = t.api.upload_form("clip.mp4", "video/mp4", CLIP, &[]).await;
    let slides = json!({ "slides": [{ "index": 1, "mediaId": photo, "caption": "Fly" }] });
    let composite = t.api.post("/public/v1/slides/composite", &slides).await;
    for refused in [clip, composite] {
        refused.refused(503, "unavailable");
        assert_ne!(refused.header("retry-after"), "");
    }
    eventually("it was compared", async || {
        t.clock.advance(Duration::from_millis(200));
        t.app.identity.fit() == Fit::MissingStorage
    })
    .await;
    let told = t.errors.errors("the storage at").remove(0);
    assert!(
        told.contains("is missing") && !told.contains("another's"),
        "{told}"
    );
    assert!(!here.exists());
    std::fs::rename(&away, &here).unwrap();
    eventually("it fits", async || {
        t.clock.advance(Duration::from_secs(2));
        t.app.identity.fit() == Fit::Fits
    })
    .await;
    t.api.upload_clip().await;
    t.api.post("/public/v1/slides/composite", &slides).await.ok();
}

async fn a_node_whose_storage_vanishes_claims_nothing_until_it_is_back(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("the storage at");
    let platform = t.connect("kitestudio").await;
    schedule(&t, &platform).await;
    let (here, away) = (t.dir.path().join("media"), t.dir.path().join("away"));
    // As a file system that is unmounted: its mount point is an empty directory.
    std::fs::rename(&here, &away).unwrap();
    std::fs::create_dir(&here).unwrap();
    eventually("it was compared", async || {
        t.clock.advance(Duration::from_millis(200));
        t.app.identity.fit() == Fit::WrongStorage
    })
    .await;
    t.clock.advance(HOUR);
    compared_in_vain(&t).await;
    assert_eq!(claims(&t, db).await, ["0"]);
    assert_eq!(
        std::fs::read_dir(&here).unwrap().count(),
        0,
        "no marker is made there"
    );
    std::fs::remove_dir(&here).unwrap();
    std::fs::rename(&away, &here).unwrap();
    eventually("it fits", async || {
        t.clock.advance(Duration::from_secs(2));
        t.app.identity.fit() == Fit::Fits
    })
    .await;
    eventually("the post is out", async || t.sim.publication_count() == 1).await;
}
