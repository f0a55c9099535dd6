//! The provider's notifications settle a post by themselves: at once, once, in any order, and only the post they are
//! about.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::{Value, json};

use super::at_most_once::Pulled;
use super::same_text::in_doubt;
use crate::harness::{Db, Options, TestApp, on_both, post_body};

on_both!(
    an_uploaded_video_is_settled_by_news_alone,
    a_pulled_video_is_settled_by_news_alone,
    photos_are_settled_by_news_alone,
    a_video_for_the_inbox_is_settled_by_news_alone,
    photos_for_the_inbox_are_settled_by_news_alone,
    a_failure_is_told_with_its_reason,
    copies_and_late_news_in_any_order_change_nothing_that_is_settled,
    an_inbox_that_is_told_of_after_the_post_is_out_leaves_it_out,
    news_of_another_programs_posts_are_not_taken_for_those_of_a_listed_post,
    a_failure_of_an_earlier_try_does_not_end_the_present_one,
    a_post_that_is_to_be_tried_again_is_not_once_its_earlier_try_is_told_to_be_out,
    a_post_that_is_no_longer_public_stays_published_and_the_log_says_so_once,
);

const COMPLETE: &str = "post.publish.complete";
const PUBLIC: &str = "post.publish.publicly_available";
const FAILED: &str = "post.publish.failed";
const INBOX: &str = "post.publish.inbox_delivered";

/// A world whose provider fails every query of a post's status.
async fn deaf(db: Db, options: Options) -> TestApp {
    let t = TestApp::start_with(db, options).await;
    t.sim
        .inject(Fault::new(Endpoint::Status, FaultAction::internal_error()).times(u32::MAX));
    t
}

fn nothing_was_answered(t: &TestApp) {
    let asked = t.calls(Endpoint::Status);
    assert!(asked.iter().all(|call| call.status == 500), "{asked:#?}");
}

fn inbox(platform: &str, media: &str) -> Value {
    let mut body = post_body(platform, &[media.to_owned()]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    body
}

/// The post is out, once, with its ID and its page, and the workspace's events record it once.
async fn is_out(t: &TestApp, post: &str) {
    let root = t.root(post).await;
    let out = t.only_publication(&root);
    assert_eq!(root["releaseUrl"], format!("{}{}", t.sim.url(), out.path()));
    assert_eq!(root["errorText"], Value::Null);
    let events = t.events_of(post).await;
    assert_eq!(
        events.iter().filter(|event| *event == "post.published").count(),
        1,
        "{events:?}"
    );
}

/// A direct post of `media`, settled by notifications alone: every query of its status fails.
async fn is_told(db: Db, transfer: &str, media: impl AsyncFnOnce(&TestApp) -> String) {
    let t = deaf(db, Options::default().set("tiktok_transfer", transfer)).await;
    t.sim
        .turn(|knobs| (knobs.processing_ms, knobs.moderation_ms) = (20_000, 40_000));
    let platform = t.connect("kitestudio").await;
    let medium = media(&t).await;
    let post = t.api.publish_now(&platform, &[medium]).await;
    t.idle().await;
    t.advance(Duration::from_secs(19)).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    t.advance(Duration::from_secs(1)).await;
    let root = t.root(&post).await;
    assert_eq!(
        (root["state"].as_str(), &root["releaseId"]),
        (Some("PUBLISHED"), &Value::Null),
        "{root:#}"
    );
    t.advance(Duration::from_secs(40)).await;
    is_out(&t, &post).await;
    nothing_was_answered(&t);
}

async fn is_told_from_the_inbox(db: Db, media: impl AsyncFnOnce(&TestApp) -> String) {
    let t = deaf(db, Options::default()).await;
    let platform = t.connect("kitestudio").await;
    let medium = media(&t).await;
    let post = t.api.create_post(&inbox(&platform, &medium)).await;
    t.idle().await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(root["errorText"].as_str().unwrap().contains("inbox"), "{root:#}");
    let draft = t.sim.inbox_deliveries()[0].publish_id.clone();
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.idle().await;
    is_out(&t, &post).await;
    nothing_was_answered(&t);
}

async fn an_uploaded_video_is_settled_by_news_alone(db: Db) {
    is_told(db, "upload", async |t| t.api.upload_clip().await).await;
}

async fn a_pulled_video_is_settled_by_news_alone(db: Db) {
    is_told(db, "pull", async |t| t.api.upload_clip().await).await;
}

async fn photos_are_settled_by_news_alone(db: Db) {
    is_told(db, "auto", async |t| t.api.upload_photo(720, 960).await).await;
}

async fn a_video_for_the_inbox_is_settled_by_news_alone(db: Db) {
    is_told_from_the_inbox(db, async |t| t.api.upload_clip().await).await;
}

async fn photos_for_the_inbox_are_settled_by_news_alone(db: Db) {
    is_told_from_the_inbox(db, async |t| t.api.upload_photo(720, 960).await).await;
}

async fn a_failure_is_told_with_its_reason(db: Db) {
    let t = deaf(db, Options::default()).await;
    t.sim.fail(FailRule::next("spam_risk_text"));
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let refused = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    t.idle().await;
    let root = t.root(&refused).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("spam_risk_text"),
        "{root:#}"
    );
    let tries = t.attempts_of(&refused).await;
    assert_eq!(
        (tries.len(), &tries[0]["code"], &tries[0]["outcome"]),
        (1, &json!("spam_risk_text"), &json!("rejected"))
    );
    // A fault of the provider's is no fault of the post: it goes out with the next try.
    t.sim.fail(FailRule::next("internal"));
    let lost = t.api.publish_now(&platform, &[clip]).await;
    t.run_until(&lost, |root| root["state"] == "PUBLISHED").await;
    is_out(&t, &lost).await;
    assert_eq!(t.attempts_of(&lost).await.len(), 2);
    nothing_was_answered(&t);
}

async fn copies_and_late_news_in_any_order_change_nothing_that_is_settled(db: Db) {
    let t = deaf(db, Options::default()).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    is_out(&t, &post).await;
    let (root, events) = (t.root(&post).await, t.events_of(&post).await);
    let handle = t.handle_of(&post).await;
    let told = |event: &str, more: Value| {
        let mut content = json!({ "publish_id": handle, "publish_type": "DIRECT_PUBLISH" });
        content
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        t.notice("kitestudio", event, &content)
    };
    for notice in [
        told(INBOX, json!({})),
        told(FAILED, json!({ "reason": "internal" })),
        told(FAILED, json!({ "reason": "auth_removed" })),
        told(COMPLETE, json!({})),
        told(PUBLIC, json!({ "post_id": root["releaseId"] })),
        told(PUBLIC, json!({ "post_id": "7000000000000000001" })),
    ] {
        for _ in 0..2 {
            assert_eq!(t.send(&notice).await, 200);
        }
    }
    t.advance(Duration::from_secs(7200)).await;
    assert_eq!((t.root(&post).await, t.events_of(&post).await), (root, events));
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 1));
    assert!(t.is_ready(&platform).await);
}

async fn an_inbox_that_is_told_of_after_the_post_is_out_leaves_it_out(db: Db) {
    let t = deaf(db, Options::default()).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let post = t
        .api
        .create_post(&inbox(&platform, &t.api.upload_clip().await))
        .await;
    t.idle().await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    let handle = t.handle_of(&post).await;
    let about =
        json!({ "publish_id": handle, "publish_type": "INBOX_SHARE", "post_id": "7000000000000000001" });
    for event in [PUBLIC, COMPLETE, INBOX] {
        assert_eq!(t.send(&t.notice("kitestudio", event, &about)).await, 200);
        let root = t.root(&post).await;
        assert_eq!(
            (root["state"].as_str(), root["releaseId"].as_str()),
            (Some("PUBLISHED"), Some("7000000000000000001"))
        );
    }
    assert_eq!(t.events_of(&post).await, ["post.queued", "post.published"]);
}

async fn news_of_another_programs_posts_are_not_taken_for_those_of_a_listed_post(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], Duration::from_secs(1)).await;
    t.idle().await;
    t.clock.advance(Duration::from_secs(1));
    t.sim.idle().await;
    assert_eq!(t.sim.publication_count(), 1, "and it is listed");
    for (event, kind) in [(INBOX, "INBOX_SHARE"), (COMPLETE, "DIRECT_PUBLISH")] {
        let about = json!({ "publish_id": format!("p_pub_url~v2.{event}"), "publish_type": kind });
        assert_eq!(t.send(&t.notice("kitestudio", event, &about)).await, 200);
        let root = t.root(&post).await;
        assert_eq!(root["state"], "QUEUE", "{root:#}");
    }
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    is_out(&t, &post).await;
}

async fn a_failure_of_an_earlier_try_does_not_end_the_present_one(db: Db) {
    let t = deaf(db, Options::default()).await;
    t.sim.fail(FailRule::next("internal"));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    let first = t.handle_of(&post).await;
    t.sim.turn(|knobs| knobs.stuck = true);
    t.pass_until(|t| t.handovers_of("kitestudio") == 2).await;
    assert_ne!(t.handle_of(&post).await, first);
    let old = json!({ "publish_id": first, "publish_type": "DIRECT_PUBLISH", "reason": "spam_risk" });
    assert_eq!(t.send(&t.notice("kitestudio", FAILED, &old)).await, 200);
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    t.sim.turn(|knobs| knobs.stuck = false);
    t.idle().await;
    is_out(&t, &post).await;
}

async fn a_post_that_is_to_be_tried_again_is_not_once_its_earlier_try_is_told_to_be_out(db: Db) {
    let t = deaf(db, Options::default()).await;
    t.sim.turn(|knobs| knobs.stuck = true);
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    assert!(
        root["errorText"].as_str().unwrap().contains("unknown"),
        "{root:#}"
    );
    let at = t.now().plus(Duration::from_secs(3600));
    t.api.schedule_post(&post, at).await;
    t.sim.turn(|knobs| knobs.stuck = false);
    t.idle().await;
    is_out(&t, &post).await;
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 1));
}

async fn a_post_that_is_no_longer_public_stays_published_and_the_log_says_so_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    let about = json!({
        "publish_id": t.handle_of(&post).await, "publish_type": "DIRECT_PUBLISH", "post_id": root["releaseId"]
    });
    let gone = |event: &str| t.notice("kitestudio", event, &about);
    let official = gone("post.publish.no_longer_publicaly_available");
    for _ in 0..3 {
        assert_eq!(t.send(&official).await, 200);
    }
    let hidden = || async {
        t.events_of(&post)
            .await
            .iter()
            .filter(|kind| *kind == "post.no_longer_public")
            .count()
    };
    assert_eq!(hidden().await, 1);
    t.advance(Duration::from_secs(60)).await;
    assert_eq!(
        t.send(&gone("post.publish.no_longer_publicly_available")).await,
        200
    );
    assert_eq!(hidden().await, 2, "it had been public again in between");
    assert_eq!(t.root(&post).await, root, "its ID and page stay");
}
