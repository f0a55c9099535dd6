//! A grant that its user takes back: the account stops at once, its posts wait, and reconnecting resumes each of them
//! exactly once (TikTok for Developers, "Webhook Events": `authorization.removed`).

use std::time::Duration;

use futures_util::future::join_all;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    every_reason_stops_the_account_at_once_and_reconnecting_resumes_its_posts,
    each_removal_is_logged_once_and_a_copy_of_an_old_one_stops_nothing,
    a_removal_is_found_out_although_the_account_may_not_be_asked_just_then,
    an_upload_that_dies_with_the_grant_is_begun_again_after_reconnecting,
    an_upload_that_dies_unheard_is_begun_again_after_reconnecting,
    a_failure_that_is_heard_of_only_after_reconnecting_does_not_stop_the_account_again,
    a_post_that_comes_out_although_the_grant_is_gone_is_published_and_not_posted_again,
    a_post_that_the_provider_may_have_is_a_persons_once_its_account_is_removed,
);

const HOUR: Duration = Duration::from_secs(3600);
const NEEDED: &str = "platform.refresh_needed";

async fn due_in_an_hour(t: &TestApp, platform: &str, clip: &str) -> String {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(t.now().plus(HOUR)));
    t.api.create_post(&body).await
}

fn waits_for_reconnection(root: &Value) {
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap().to_lowercase();
    assert!(text.contains("reconnect"), "{text}");
}

/// A post that the provider was given and that is not out, whose account then removes us.
async fn removed_at(t: &TestApp, endpoint: Endpoint, point: HoldPoint) -> (String, String) {
    let platform = t.connect("kitestudio").await;
    t.sim.hold(endpoint, point);
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.sim.held(endpoint, 1).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.sim.idle().await;
    t.sim.release(endpoint);
    t.idle().await;
    (platform, post)
}

async fn goes_out_once_after_reconnecting(t: &TestApp, (platform, post): (&str, &str)) {
    waits_for_reconnection(&t.settled(post).await);
    t.advance(HOUR).await;
    assert_eq!(
        (t.sim.publication_count(), t.events_about(platform, NEEDED).await),
        (0, 1)
    );
    assert_eq!(t.connect("kitestudio").await, platform);
    assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    t.advance(HOUR * 24).await;
    assert!(t.is_ready(platform).await);
    assert_eq!(
        (t.sim.publication_count(), t.events_about(platform, NEEDED).await),
        (1, 1)
    );
}

async fn every_reason_stops_the_account_at_once_and_reconnecting_resumes_its_posts(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhook_copies = 3);
    let clip = t.api.upload_clip().await;
    for reason in 0..=5 {
        let name = format!("removed{reason}");
        let platform = t.join(&name).await;
        let posts = [
            due_in_an_hour(&t, &platform, &clip).await,
            due_in_an_hour(&t, &platform, &clip).await,
        ];
        t.sim.disconnect(&t.open_id(&name), reason);
        t.idle().await;
        assert!(!t.is_ready(&platform).await, "reason {reason}");
        assert_eq!(t.root(&posts[0]).await["state"], "QUEUE", "it is not due yet");
        t.advance(HOUR).await;
        for post in &posts {
            waits_for_reconnection(&t.root(post).await);
        }
        assert_eq!(t.events_about(&platform, NEEDED).await, 1, "reason {reason}");
        assert_eq!(t.connect(&name).await, platform);
        for post in &posts {
            assert_eq!(t.settled(post).await["state"], "PUBLISHED");
        }
        assert_eq!(
            (t.publications_of(&name).len(), t.handovers_of(&name)),
            (2, 2),
            "reason {reason}"
        );
    }
}

async fn each_removal_is_logged_once_and_a_copy_of_an_old_one_stops_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for times in 1..=3 {
        t.sim.disconnect(&t.open_id("kitestudio"), 1);
        t.idle().await;
        let old = t.notice("kitestudio", "authorization.removed", &json!({ "reason": 1 }));
        let answers = join_all((0..10).map(|_| t.send(&old))).await;
        assert!(answers.iter().all(|status| *status == 200));
        assert_eq!(t.events_about(&platform, NEEDED).await, times);
        t.connect("kitestudio").await;
        assert_eq!(t.send(&old).await, 200);
        assert!(t.is_ready(&platform).await, "it was reconnected since");
        // A second removal on the same day would not be reported again.
        t.advance(Duration::from_secs(86_400)).await;
    }
}

async fn a_removal_is_found_out_although_the_account_may_not_be_asked_just_then(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::CreatorInfo, FaultAction::rate_limited()));
    t.sim.disconnect(&t.open_id("kitestudio"), 4);
    t.idle().await;
    assert!(!t.is_ready(&platform).await);
    assert_eq!(t.events_about(&platform, NEEDED).await, 1);
}

async fn an_upload_that_dies_with_the_grant_is_begun_again_after_reconnecting(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, post) = removed_at(&t, Endpoint::UploadLast, HoldPoint::Before).await;
    let tries = t.attempts_of(&post).await;
    assert_eq!(
        (tries[0]["outcome"].as_str(), tries.len()),
        (Some("reauthorize"), 1),
        "{tries:#?}"
    );
    assert_eq!(tries[0]["code"], "auth_removed");
    goes_out_once_after_reconnecting(&t, (&platform, &post)).await;
}

async fn an_upload_that_dies_unheard_is_begun_again_after_reconnecting(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (platform, post) = removed_at(&t, Endpoint::UploadLast, HoldPoint::Before).await;
    goes_out_once_after_reconnecting(&t, (&platform, &post)).await;
}

async fn a_failure_that_is_heard_of_only_after_reconnecting_does_not_stop_the_account_again(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.pull_delay_ms) = (false, 1_800_000));
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = t.api.publish_now(&platform, &[photo]).await;
    t.idle().await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.sim.turn(|knobs| knobs.pull_delay_ms = 0);
    goes_out_once_after_reconnecting(&t, (&platform, &post)).await;
    let tries = t.attempts_of(&post).await;
    assert!(
        tries
            .iter()
            .any(|tried| tried["code"] == "permission_given_again"),
        "{tries:#?}"
    );
}

async fn a_post_that_comes_out_although_the_grant_is_gone_is_published_and_not_posted_again(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 600_000);
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    waits_for_reconnection(&t.settled(&post).await);
    t.advance(Duration::from_secs(600)).await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    assert_eq!(t.connect("kitestudio").await, platform);
    t.advance(HOUR * 24).await;
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 1));
    assert_eq!(
        t.events_of(&post).await,
        ["post.queued", "post.action_required", "post.published"]
    );
}

/// Nothing asks about it any more, and a reconnection that it could wait for is not to come.
async fn a_post_that_the_provider_may_have_is_a_persons_once_its_account_is_removed(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let (platform, post) = removed_at(&t, Endpoint::UploadLast, HoldPoint::After).await;
    waits_for_reconnection(&t.settled(&post).await);
    t.remove_account(&platform).await;
    let root = t
        .run_until(&post, |root| {
            root["errorText"]
                .as_str()
                .is_some_and(|text| text.contains("unknown whether"))
        })
        .await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let path = format!("/public/v1/posts/{post}");
    assert_eq!(t.api.delete(&path).await.status, 204);
    assert_eq!(t.sim.publication_count(), 0);
}
