//! Pulls that the provider does not fetch, or that fail: a video is uploaded instead, and only when the pull can no
//! longer publish it.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::Value;

use crate::harness::{Db, Options, TestApp, on_both};

on_both!(
    a_video_that_nobody_fetches_is_taken_back_and_uploaded,
    a_video_that_is_taken_back_unheard_is_uploaded,
    a_cancellation_whose_answer_is_lost_is_asked_after,
    a_video_that_the_provider_will_not_cancel_is_uploaded_once_the_provider_gives_up,
    a_video_that_was_fetched_is_waited_for_and_never_uploaded,
    a_video_that_could_not_be_fetched_is_uploaded,
    photos_are_waited_for_because_there_is_no_other_way,
);

const MINUTE: Duration = Duration::from_secs(60);

/// A world whose videos are fetched `delay` after the handover.
async fn slow(db: Db, delay: Duration) -> TestApp {
    let t = TestApp::start_with(db, Options::default().set("tiktok_transfer", "pull")).await;
    t.sim
        .turn(|knobs| knobs.pull_delay_ms = u64::try_from(delay.as_millis()).unwrap());
    t
}

async fn publish_clip(t: &TestApp) -> String {
    let platform = t.connect("kitestudio").await;
    t.api.publish_now(&platform, &[t.api.upload_clip().await]).await
}

/// The address that the first handover named.
fn address(t: &TestApp) -> String {
    let body: Value = serde_json::from_str(&t.calls(Endpoint::VideoInit)[0].body).unwrap();
    body["source_info"]["video_url"].as_str().unwrap().to_owned()
}

/// It went out once, by an upload after a pull, and the attempts record why.
async fn was_uploaded_instead(t: &TestApp, post: &str, code: &str) {
    let root = t.settled(post).await;
    assert_eq!(
        (root["state"].as_str(), &root["errorText"]),
        (Some("PUBLISHED"), &Value::Null),
        "{root:#}"
    );
    t.advance(MINUTE * 60 * 24).await;
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (2, 1));
    let tries = t.attempts_of(post).await;
    assert_eq!(tries.len(), 2, "{tries:#?}");
    assert_eq!(
        (tries[0]["transfer"].as_str(), tries[0]["outcome"].as_str()),
        (Some("pull"), Some("abandoned"))
    );
    assert_eq!(tries[0]["code"], code);
    assert!(
        tries[0]["transferReason"]
            .as_str()
            .unwrap()
            .contains("PLAYOUT_TIKTOK_TRANSFER=pull"),
        "{tries:#?}"
    );
    assert_eq!(
        (tries[1]["transfer"].as_str(), tries[1]["outcome"].as_str()),
        (Some("upload"), Some("published"))
    );
    assert!(
        tries[1]["transferReason"]
            .as_str()
            .unwrap()
            .contains("uploaded instead"),
        "{tries:#?}"
    );
}

async fn a_video_that_nobody_fetches_is_taken_back_and_uploaded(db: Db) {
    let t = slow(db, MINUTE * 50).await;
    let post = publish_clip(&t).await;
    t.advance(MINUTE * 14).await;
    assert_eq!(
        (
            t.calls(Endpoint::Cancel).len(),
            t.api.head(&address(&t)).await.status
        ),
        (0, 200)
    );
    t.pass_until(|t| !t.calls(Endpoint::Cancel).is_empty()).await;
    assert_eq!(t.api.head(&address(&t)).await.status, 404);
    was_uploaded_instead(&t, &post, "pull_unfetched").await;
    assert_eq!(t.calls(Endpoint::Cancel).len(), 1);
    assert_eq!(t.sim.fetches().len(), 0);
}

async fn a_video_that_is_taken_back_unheard_is_uploaded(db: Db) {
    let t = slow(db, MINUTE * 50).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = publish_clip(&t).await;
    was_uploaded_instead(&t, &post, "pull_unfetched").await;
}

async fn a_cancellation_whose_answer_is_lost_is_asked_after(db: Db) {
    let t = slow(db, MINUTE * 50).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim.inject(Fault::new(Endpoint::Cancel, FaultAction::DropAfter));
    let post = publish_clip(&t).await;
    was_uploaded_instead(&t, &post, "pull_unfetched").await;
}

async fn a_video_that_the_provider_will_not_cancel_is_uploaded_once_the_provider_gives_up(db: Db) {
    let t = slow(db, MINUTE * 50).await;
    let refusal = FaultAction::error(400, "publish_not_cancellable");
    t.sim
        .inject(Fault::new(Endpoint::Cancel, refusal).times(u32::MAX));
    let post = publish_clip(&t).await;
    t.advance(MINUTE * 49).await;
    assert_eq!(
        (t.handovers_of("kitestudio"), t.sim.publication_count()),
        (1, 0),
        "two tries are never alive there"
    );
    was_uploaded_instead(&t, &post, "pull_unfetched").await;
    assert_eq!(t.sim.fetches().len(), 1, "it came for it at last, and got 404");
}

async fn a_video_that_was_fetched_is_waited_for_and_never_uploaded(db: Db) {
    let t = slow(db, MINUTE).await;
    t.sim.turn(|knobs| knobs.processing_ms = 40 * 60_000);
    let post = publish_clip(&t).await;
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), t.handovers_of("kitestudio")),
        (Some("PUBLISHED"), 1),
        "{root:#}"
    );
    assert_eq!(
        (t.calls(Endpoint::Cancel).len(), t.sim.publication_count()),
        (0, 1)
    );
}

async fn a_video_that_could_not_be_fetched_is_uploaded(db: Db) {
    let t = slow(db, Duration::ZERO).await;
    t.sim.fail(FailRule::next("video_pull_failed"));
    let post = publish_clip(&t).await;
    was_uploaded_instead(&t, &post, "video_pull_failed").await;
    assert_eq!(t.calls(Endpoint::Cancel).len(), 0);
}

async fn photos_are_waited_for_because_there_is_no_other_way(db: Db) {
    let t = slow(db, MINUTE * 50).await;
    let platform = t.connect("kitestudio").await;
    let post = t
        .api
        .publish_now(&platform, &[t.api.upload_photo(720, 960).await])
        .await;
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), t.handovers_of("kitestudio")),
        (Some("PUBLISHED"), 1),
        "{root:#}"
    );
    assert_eq!(t.calls(Endpoint::Cancel).len(), 0);
    let tries = t.attempts_of(&post).await;
    assert!(
        tries[0]["transferReason"]
            .as_str()
            .unwrap()
            .contains("only by fetching"),
        "{tries:#?}"
    );
}

#[tokio::test]
async fn a_pull_from_a_domain_that_is_not_verified_says_who_must_act() {
    let t = slow(Db::Sqlite, Duration::ZERO).await;
    t.sim.turn(|knobs| knobs.verify_urls = true);
    let post = publish_clip(&t).await;
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), t.handovers_of("kitestudio")),
        (Some("ERROR"), 1),
        "{root:#}"
    );
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("url_ownership_unverified") && text.contains("operator"),
        "{text}"
    );
}

#[tokio::test]
async fn a_taken_back_pull_of_a_disabled_account_waits_for_a_person() {
    let t = slow(Db::Sqlite, MINUTE * 50).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    let changes = playout_store::PlatformChanges {
        disabled: Some(true),
        settings: None,
    };
    t.change_account(&platform, changes).await;
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), t.handovers_of("kitestudio")),
        (Some("ACTION_REQUIRED"), 1),
        "{root:#}"
    );
    assert!(
        root["errorText"].as_str().unwrap().contains("disabled"),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 0);
}
