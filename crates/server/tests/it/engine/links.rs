//! A post's ID and address at the provider: when they are revealed, that no digit is lost, and that the page is there.

use std::time::Duration;

use playout_domain::time::Time;
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    asking_finds_the_address_once_moderation_is_over,
    a_notification_brings_the_address_at_once,
    photos_have_an_address_of_their_kind,
);

const MINUTE_MS: u64 = 60_000;

/// The page behind a post's `releaseUrl`, which must be the one of its only publication.
async fn opens_its_page(t: &TestApp, root: &Value) {
    let published = &t.sim.publications()[0];
    assert_eq!(root["releaseId"], published.post_id.as_str());
    assert_eq!(root["releaseUrl"], format!("{}{}", t.sim.url(), published.path()));
    let page = t.api.follow(root["releaseUrl"].as_str().unwrap()).await;
    assert_eq!(page.status, 200);
    let html = String::from_utf8(page.body).unwrap();
    assert!(html.contains("First flight"), "the caption is on the page");
}

/// Publishes under moderation and waits for the address; returns the root and the moment it was known.
async fn revealed(t: &TestApp, media: &str) -> (Value, Time) {
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[media.to_owned()]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(
        (&root["releaseId"], &root["releaseUrl"]),
        (&Value::Null, &Value::Null),
        "not revealed yet"
    );
    let root = t.run_until(&post, |root| root["releaseUrl"].is_string()).await;
    (root, t.now())
}

async fn asking_finds_the_address_once_moderation_is_over(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.moderation_ms, knobs.webhooks) = (20 * MINUTE_MS, false));
    let clip = t.api.upload_clip().await;
    let (root, at) = revealed(&t, &clip).await;
    let public_at = t.sim.publications()[0].public_at.unwrap();
    assert!(
        at >= public_at && at.since(public_at) < Duration::from_secs(1200),
        "asked often enough"
    );
    opens_its_page(&t, &root).await;
}

async fn a_notification_brings_the_address_at_once(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.moderation_ms = 20 * MINUTE_MS);
    let clip = t.api.upload_clip().await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[clip]).await;
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), &root["releaseUrl"]),
        (Some("PUBLISHED"), &Value::Null)
    );
    t.advance(Duration::from_secs(1200)).await;
    let root = t.root(&post).await;
    opens_its_page(&t, &root).await;
}

async fn photos_have_an_address_of_their_kind(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.moderation_ms = MINUTE_MS);
    let photo = t.api.upload_photo(720, 960).await;
    let (root, _) = revealed(&t, &photo).await;
    assert!(
        root["releaseUrl"]
            .as_str()
            .unwrap()
            .contains("/@kitestudio/photo/"),
        "{root:#}"
    );
    opens_its_page(&t, &root).await;
}

#[tokio::test]
async fn a_private_post_never_gets_an_address_and_nobody_asks_for_one() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    body["settings"]["privacy_level"] = json!("SELF_ONLY");
    let post = t.api.create_post(&body).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    let asked = t.sim.journal().len();
    t.advance(Duration::from_secs(12 * 3600)).await;
    assert_eq!(
        t.sim.journal().len(),
        asked,
        "nothing was asked after the post was out"
    );
    let root = t.root(&post).await;
    assert_eq!(
        (&root["releaseId"], &root["releaseUrl"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn identifiers_beyond_53_bits_keep_every_digit() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    for _ in 0..3 {
        let post = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
        let root = t.settled(&post).await;
        let published = t.sim.publications().pop().unwrap();
        assert!(published.post_id.parse::<u64>().unwrap() > 1 << 53);
        assert_eq!(root["releaseId"], published.post_id.as_str());
    }
}

#[tokio::test]
async fn a_post_whose_id_is_never_told_stays_published_without_one() {
    let t = TestApp::start(Db::Sqlite).await;
    t.sim.turn(|knobs| knobs.omit_post_id = true);
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.settled(&post).await;
    for _ in 0..100 {
        t.advance(Duration::from_secs(3600)).await;
    }
    let root = t.root(&post).await;
    assert_eq!(
        (root["state"].as_str(), &root["releaseId"]),
        (Some("PUBLISHED"), &Value::Null)
    );
    assert_eq!(t.sim.publication_count(), 1);
    let asked = t.calls(playout_tiktok::sim::Endpoint::Status).len();
    t.advance(Duration::from_secs(86_400)).await;
    let later = t.calls(playout_tiktok::sim::Endpoint::Status).len();
    assert_eq!(later, asked, "after three days nobody asks any more");
}
