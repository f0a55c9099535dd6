//! Notifications that arrive while a run is in progress: whichever of the two settles second changes nothing.

use std::time::Duration;

use futures_util::future::join_all;
use playout_tiktok::sim::{Endpoint, FailRule, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Db, Notice, Options, TestApp, on_both};

on_both!(
    news_settle_a_post_while_its_run_waits_for_an_answer_that_is_stale_by_then,
    news_settle_a_post_while_its_run_hears_the_same,
    news_settle_a_post_while_its_run_waits_for_the_answer_to_the_last_byte,
    a_failure_that_is_told_and_heard_at_the_same_time_is_one_failure,
    a_storm_of_news_settles_every_post_once,
);

/// The post went out once, and its events and attempts record it once.
async fn settled_once(t: &TestApp, post: &str) {
    let root = t.root(post).await;
    assert_eq!(
        (root["state"].as_str(), t.sim.publication_count()),
        (Some("PUBLISHED"), 1),
        "{root:#}"
    );
    assert_eq!(t.events_of(post).await, ["post.queued", "post.published"]);
    let tries = t.attempts_of(post).await;
    assert_eq!(
        (tries.len(), tries[0]["outcome"].as_str()),
        (1, Some("published")),
        "{tries:#?}"
    );
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(
        (t.handovers_of("kitestudio"), t.events_of(post).await.len()),
        (1, 2)
    );
}

/// A post whose run is held at `endpoint` while the provider reports its outcome.
async fn told_while_held(t: &TestApp, endpoint: Endpoint, point: HoldPoint) -> String {
    let platform = t.connect("kitestudio").await;
    t.sim.hold(endpoint, point);
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    if endpoint == Endpoint::Status {
        t.idle().await;
        t.clock.advance(Duration::from_secs(1));
    }
    t.sim.held(endpoint, 1).await;
    post
}

async fn news_settle_a_post_while_its_run_waits_for_an_answer_that_is_stale_by_then(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 2_000);
    let post = told_while_held(&t, Endpoint::Status, HoldPoint::After).await;
    t.clock.advance(Duration::from_secs(1));
    t.sim.idle().await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED", "the run still waits");
    t.sim.release(Endpoint::Status);
    t.idle().await;
    settled_once(&t, &post).await;
}

async fn news_settle_a_post_while_its_run_hears_the_same(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_500);
    let post = told_while_held(&t, Endpoint::Status, HoldPoint::Before).await;
    t.clock.advance(Duration::from_secs(1));
    t.sim.idle().await;
    t.sim.release(Endpoint::Status);
    t.idle().await;
    settled_once(&t, &post).await;
}

async fn news_settle_a_post_while_its_run_waits_for_the_answer_to_the_last_byte(db: Db) {
    let t = TestApp::start(db).await;
    let post = told_while_held(&t, Endpoint::UploadLast, HoldPoint::After).await;
    t.sim.idle().await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED", "the run still waits");
    t.sim.release(Endpoint::UploadLast);
    t.idle().await;
    settled_once(&t, &post).await;
}

async fn a_failure_that_is_told_and_heard_at_the_same_time_is_one_failure(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.processing_ms, knobs.webhook_copies) = (1_500, 5));
    t.sim.fail(FailRule::next("internal"));
    let post = told_while_held(&t, Endpoint::Status, HoldPoint::Before).await;
    t.clock.advance(Duration::from_secs(1));
    t.sim.idle().await;
    t.sim.release(Endpoint::Status);
    t.settled(&post).await;
    let tries = t.attempts_of(&post).await;
    let outcomes: Vec<_> = tries
        .iter()
        .map(|tried| tried["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["abandoned", "published"]);
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (2, 1));
}

async fn a_storm_of_news_settles_every_post_once(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("tiktok_rate_limits", "off")).await;
    t.sim
        .turn(|knobs| (knobs.rate_limits, knobs.webhooks, knobs.moderation_ms) = (false, false, 3_600_000));
    t.sim
        .change_account(&t.open_id("kitestudio"), |account| account.post_cap = None);
    t.sim.fail(FailRule {
        times: Some(5),
        ..FailRule::all("spam_risk_text")
    });
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let mut posts = Vec::new();
    for _ in 0..20 {
        posts.push(t.api.publish_now(&platform, std::slice::from_ref(&clip)).await);
    }
    t.idle().await;
    let storm = storm(&t, &posts).await;
    assert_eq!(storm.len(), 200);
    let asked = t.sim.journal().len();
    let answers = join_all(storm.iter().map(|notice| t.send(notice))).await;
    assert!(answers.iter().all(|status| *status == 200), "{answers:?}");
    assert_eq!(t.sim.journal().len(), asked, "nothing had to be asked");
    for post in &posts {
        let ends = [
            t.root(post).await["state"].clone(),
            json!(t.events_of(post).await),
        ];
        let refused = [json!("ERROR"), json!(["post.queued", "post.failed"])];
        let out = [json!("PUBLISHED"), json!(["post.queued", "post.published"])];
        let tries = t.attempts_of(post).await;
        assert!(
            tries.len() == 1 && (ends == refused || ends == out),
            "{ends:?} {tries:#?}"
        );
    }
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(
        (t.handovers_of("kitestudio"), t.sim.publication_count()),
        (20, 15)
    );
}

/// Ten notifications for each post, two of each kind that there can be for it, those of all posts mixed.
async fn storm(t: &TestApp, posts: &[String]) -> Vec<Notice> {
    let out: Vec<String> = t
        .sim
        .publications()
        .into_iter()
        .map(|out| out.publish_id)
        .collect();
    let mut storm = Vec::new();
    for (number, post) in posts.iter().enumerate() {
        let handle = t.handle_of(post).await;
        let about = |more: Value| {
            let mut content = json!({ "publish_id": handle, "publish_type": "DIRECT_PUBLISH" });
            content
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            content
        };
        let told = match out.contains(&handle) {
            true => [
                ("post.publish.complete", about(json!({}))),
                (
                    "post.publish.publicly_available",
                    about(json!({ "post_id": format!("70000000000000000{number:02}") })),
                ),
            ],
            false => [
                (
                    "post.publish.failed",
                    about(json!({ "reason": "spam_risk_text" })),
                ),
                (
                    "post.publish.failed",
                    about(json!({ "fail_reason": "spam_risk_text" })),
                ),
            ],
        };
        for copy in 0..10 {
            let (event, content) = &told[(copy + number) % 2];
            storm.push((copy * 7 + number * 3, t.notice("kitestudio", event, content)));
        }
    }
    storm.sort_by_key(|(turn, _)| turn % 31);
    storm.into_iter().map(|(_, notice)| notice).collect()
}
