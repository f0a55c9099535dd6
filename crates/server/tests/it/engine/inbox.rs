//! Posts that the creator finishes in the provider's app.

mod again;
mod directly;
mod questions;

use std::time::Duration;

use playout_tiktok::sim::{Account, Endpoint, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    a_video_finished_by_the_creator_is_published_when_the_provider_says_so,
    a_video_finished_by_the_creator_is_found_by_asking_when_nothing_is_told,
    photos_go_to_the_inbox_with_their_texts,
    a_draft_finished_for_the_creator_alone_is_published_without_an_address,
    a_full_inbox_keeps_the_post_waiting_until_there_is_room,
);

async fn send_to_inbox(t: &TestApp, media: &str) -> String {
    let platform = t.connect("kitestudio").await;
    t.api.create_post(&inbox_body(&platform, media)).await
}

fn inbox_body(platform: &str, media: &str) -> Value {
    let mut body = post_body(platform, &[media.to_owned()]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    body
}

/// The post is in the inbox: its error text states it, and nothing is public.
async fn lies_in_inbox(t: &TestApp, post: &str) -> String {
    let root = t.settled(post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("inbox") && text.contains("publish it there"),
        "{text}"
    );
    assert_eq!(t.sim.publication_count(), 0);
    let delivered = t.sim.inbox_deliveries();
    assert_eq!(delivered.len(), 1);
    delivered[0].publish_id.clone()
}

/// The post is out, under the creator's own caption, and has its address.
fn is_out(t: &TestApp, root: &Value) {
    let published = t.only_publication(root);
    assert_eq!(root["errorText"], Value::Null);
    assert_eq!(root["releaseUrl"], format!("{}{}", t.sim.url(), published.path()));
}

/// Lets time pass until the post has its address, as [`is_out`].
pub(super) async fn comes_out(t: &TestApp, post: &str) {
    let root = t.run_until(post, |root| root["releaseUrl"].is_string()).await;
    is_out(t, &root);
}

/// A video that was sent to the inbox: its post, and the provider's identifier of its draft.
pub(super) async fn video_in_inbox(t: &TestApp) -> (String, String) {
    let clip = t.api.upload_clip().await;
    let post = send_to_inbox(t, &clip).await;
    let publish_id = lies_in_inbox(t, &post).await;
    (post, publish_id)
}

async fn a_video_finished_by_the_creator_is_published_when_the_provider_says_so(db: Db) {
    let t = TestApp::start(db).await;
    let (post, publish_id) = video_in_inbox(&t).await;
    assert!(
        t.sim
            .finish_draft(&publish_id, Some("In my own words"), "PUBLIC_TO_EVERYONE")
    );
    t.idle().await;
    comes_out(&t, &post).await;
}

async fn a_video_finished_by_the_creator_is_found_by_asking_when_nothing_is_told(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, publish_id) = video_in_inbox(&t).await;
    t.advance(Duration::from_secs(5 * 3600)).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    comes_out(&t, &post).await;
}

async fn photos_go_to_the_inbox_with_their_texts(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = send_to_inbox(&t, &photo).await;
    let publish_id = lies_in_inbox(&t, &post).await;
    let delivered = &t.sim.inbox_deliveries()[0];
    assert_eq!(
        (delivered.description.as_str(), delivered.media.len()),
        ("First flight #kites", 1)
    );
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    t.idle().await;
    let root = t.run_until(&post, |root| root["releaseUrl"].is_string()).await;
    is_out(&t, &root);
    assert!(
        root["releaseUrl"].as_str().unwrap().contains("/photo/"),
        "{root:#}"
    );
}

async fn a_draft_finished_for_the_creator_alone_is_published_without_an_address(db: Db) {
    let t = TestApp::start(db).await;
    let (post, publish_id) = video_in_inbox(&t).await;
    assert!(t.sim.finish_draft(&publish_id, None, "SELF_ONLY"));
    t.idle().await;
    let root = t.root(&post).await;
    assert_eq!(
        (root["state"].as_str(), &root["releaseUrl"]),
        (Some("PUBLISHED"), &Value::Null),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_full_inbox_keeps_the_post_waiting_until_there_is_room(db: Db) {
    let t = TestApp::start(db).await;
    let open_id = t.open_id("kitestudio");
    t.sim
        .change_account(&open_id, |account: &mut Account| account.pending_shares = 5);
    let clip = t.api.upload_clip().await;
    let post = send_to_inbox(&t, &clip).await;
    let waiting = t.run_until(&post, |root| root["errorText"].is_string()).await;
    let text = waiting["errorText"].as_str().unwrap();
    assert_eq!(waiting["state"], "QUEUE");
    assert!(
        text.contains("spam_risk_too_many_pending_share") && text.contains("inbox"),
        "{text}"
    );
    let since = t.now();
    t.sim
        .change_account(&open_id, |account: &mut Account| account.pending_shares = 0);
    lies_in_inbox(&t, &post).await;
    assert!(
        t.now().since(since) >= Duration::from_secs(3600),
        "asked again after an hour"
    );
}

/// A person sends a post again that is in the inbox.
pub(super) async fn send_again(t: &TestApp, post: &str) {
    // Its tries are listed in the order of their times.
    t.clock.advance(Duration::from_secs(1));
    t.api.publish_as_read(post).await;
}

pub(super) async fn outcomes_of(t: &TestApp, post: &str) -> Vec<String> {
    let tries = t.attempts_of(post).await;
    let outcomes = tries
        .iter()
        .map(|tried| tried["outcome"].as_str().unwrap().to_owned());
    outcomes.collect()
}

/// A post with two drafts in the inbox, of which the creator has published the first one, without a notification.
async fn first_of_two_is_published(db: Db) -> (TestApp, String) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    send_again(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.sim.inbox_deliveries().len(), 2);
    assert!(
        t.sim
            .finish_draft(&first, Some("In my own words"), "PUBLIC_TO_EVERYONE")
    );
    (t, post)
}

/// A person plans a post that is in the inbox to go out directly, in ten minutes.
pub(super) async fn plan_directly(t: &TestApp, post: &str) {
    t.clock.advance(Duration::from_secs(1));
    let at = t.now().plus(Duration::from_secs(600));
    t.api.schedule_post(post, at).await;
    let settings = json!({ "post_mode": "DIRECT_POST", "privacy_level": "PUBLIC_TO_EVERYONE" });
    t.api
        .patch(
            &format!("/public/v1/posts/{post}"),
            &json!({ "settings": settings }),
        )
        .await
        .ok();
}

/// A post that is in the inbox is being sent directly, which the provider has not answered.
async fn sending_directly(t: &TestApp, post: &str, point: HoldPoint) {
    t.sim.hold(Endpoint::VideoInit, point);
    plan_directly(t, post).await;
    t.clock.advance(Duration::from_secs(600));
    t.sim.held(Endpoint::VideoInit, 1).await;
}

#[tokio::test]
async fn an_inbox_that_stays_full_for_a_day_ends_in_error() {
    let t = TestApp::start(Db::Sqlite).await;
    let open_id = t.open_id("kitestudio");
    t.sim
        .change_account(&open_id, |account: &mut Account| account.pending_shares = 5);
    let clip = t.api.upload_clip().await;
    let created = t.now();
    let post = send_to_inbox(&t, &clip).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("24 hours") && text.contains("spam_risk_too_many_pending_share"),
        "{text}"
    );
    let waited = t.now().since(created);
    assert!(
        waited > Duration::from_secs(22 * 3600) && waited <= Duration::from_secs(24 * 3600),
        "{waited:?}"
    );
    assert!(t.handovers_of("kitestudio") <= 25, "an hour between two tries");
    assert_eq!(t.sim.inbox_deliveries().len(), 0);
}
