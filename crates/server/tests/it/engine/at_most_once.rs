//! Lost answers: whichever is lost, a post goes out once; where the outcome cannot be determined, a person decides.

use std::time::Duration;

use futures_util::StreamExt;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::Value;

use crate::harness::{Db, Options, TestApp, on_both, padded};

on_both!(
    an_upload_whose_handover_had_no_answer_is_begun_again_and_goes_out_once,
    photos_whose_answer_was_lost_before_a_fetch_are_submitted_again,
    a_pulled_video_whose_answer_was_lost_before_a_fetch_is_submitted_again,
    fetched_photos_whose_answer_was_lost_are_known_by_the_providers_news,
    a_fetched_video_whose_answer_was_lost_is_known_by_the_providers_news,
    fetched_photos_whose_answer_was_lost_are_found_among_the_recent_posts,
    a_fetched_video_whose_answer_was_lost_is_found_among_the_recent_posts,
    a_fetched_post_that_nothing_tells_of_waits_for_a_person,
    an_earlier_trys_failure_is_not_taken_for_the_present_ones,
    news_of_another_workspaces_post_on_the_same_account_settles_nothing,
    news_that_comes_late_twice_and_out_of_order_settles_a_post_once,
    a_token_that_ends_while_the_provider_processes_resumes_asking,
    a_grant_that_ends_while_the_provider_processes_resumes_asking_after_reconnecting,
    what_the_provider_has_is_not_deleted_before_it_was_asked_what_became_of_it,
    a_post_that_is_processed_for_ever_is_unknown_and_known_when_the_news_comes_at_last,
);

/// Scopes to publish posts, but not to list them.
pub(super) const BLIND: [&str; 4] = [
    "user.info.basic",
    "user.info.profile",
    "video.publish",
    "video.upload",
];

/// How a post is handed over for the provider to fetch.
#[derive(Clone, Copy)]
pub(super) enum Pulled {
    Photo,
    Video,
}

impl Pulled {
    fn init(self) -> Endpoint {
        match self {
            Self::Photo => Endpoint::ContentInit,
            Self::Video => Endpoint::VideoInit,
        }
    }

    pub(super) async fn start(self, db: Db) -> TestApp {
        TestApp::start_with(db, Options::default().set("tiktok_transfer", "pull")).await
    }

    async fn post(self, t: &TestApp, platform: &str) -> String {
        let medium = match self {
            Self::Photo => t.api.upload_photo(720, 960).await,
            Self::Video => t.api.upload_clip().await,
        };
        t.api.publish_now(platform, &[medium]).await
    }
}

/// The single-purpose addresses of every handover so far.
fn addresses(t: &TestApp, init: Endpoint) -> Vec<String> {
    let address = |body: String| {
        let body: Value = serde_json::from_str(&body).unwrap();
        let source = &body["source_info"];
        let first = source["photo_images"].get(0).unwrap_or(&source["video_url"]);
        first.as_str().unwrap().to_owned()
    };
    t.calls(init).into_iter().map(|call| address(call.body)).collect()
}

/// Hands a post over, lets `meanwhile` happen before the answer, and loses the answer.
pub(super) async fn lose_the_answer(
    t: &TestApp,
    pulled: Pulled,
    meanwhile: impl AsyncFnOnce(&TestApp),
) -> String {
    lose_the_answer_of(t, pulled, "kitestudio", &[], meanwhile).await
}

pub(super) async fn lose_the_answer_of(
    t: &TestApp,
    pulled: Pulled,
    username: &str,
    scopes: &[&str],
    meanwhile: impl AsyncFnOnce(&TestApp),
) -> String {
    let platform = t.connect_granting(username, scopes).await;
    t.sim.hold(pulled.init(), HoldPoint::After);
    t.sim.inject(Fault::new(pulled.init(), FaultAction::DropAfter));
    let post = pulled.post(t, &platform).await;
    t.sim.held(pulled.init(), 1).await;
    meanwhile(t).await;
    t.sim.release(pulled.init());
    post
}

async fn unfetched_is_submitted_again(db: Db, pulled: Pulled) {
    let t = pulled.start(db).await;
    t.sim.turn(|knobs| knobs.pull_delay_ms = 60_000);
    let post = lose_the_answer(&t, pulled, async |_| {}).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    t.advance(Duration::from_secs(7200)).await;
    let addresses = addresses(&t, pulled.init());
    assert_eq!(addresses.len(), 2, "submitted again");
    assert_ne!(
        addresses[0], addresses[1],
        "each submission has addresses of its own"
    );
    let fetches = t.sim.fetches();
    assert_eq!(
        (fetches[&addresses[0]], fetches[&addresses[1]]),
        (1, 1),
        "the provider came for both"
    );
    assert_eq!(t.sim.publication_count(), 1, "and got 404 at the revoked one");
}

async fn fetched_is_adopted(db: Db, pulled: Pulled) {
    let t = pulled.start(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 10_000);
    let post = lose_the_answer(&t, pulled, async |t| t.sim.idle().await).await;
    let root = t.settled(&post).await;
    went_out_once(&t, &root, pulled.init());
}

async fn fetched_is_found(db: Db, pulled: Pulled) {
    let t = pulled.start(db).await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.moderation_ms) = (false, 40_000));
    let post = lose_the_answer(&t, pulled, async |t| t.sim.idle().await).await;
    let root = t.settled(&post).await;
    went_out_once(&t, &root, pulled.init());
    assert!(root["releaseUrl"].is_string(), "{root:#}");
}

pub(super) fn went_out_once(t: &TestApp, root: &Value, init: Endpoint) {
    t.only_publication(root);
    assert_eq!(t.calls(init).len(), 1, "handed over once");
}

/// The post waits for a person; its error text names what to look for.
pub(super) fn is_unconfirmed(root: &Value) {
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("unknown") && text.contains("Look at the account"),
        "{text}"
    );
}

async fn an_upload_whose_handover_had_no_answer_is_begun_again_and_goes_out_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::DropAfter));
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    t.advance(Duration::from_secs(7200)).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

async fn photos_whose_answer_was_lost_before_a_fetch_are_submitted_again(db: Db) {
    unfetched_is_submitted_again(db, Pulled::Photo).await;
}

async fn a_pulled_video_whose_answer_was_lost_before_a_fetch_is_submitted_again(db: Db) {
    unfetched_is_submitted_again(db, Pulled::Video).await;
}

async fn fetched_photos_whose_answer_was_lost_are_known_by_the_providers_news(db: Db) {
    fetched_is_adopted(db, Pulled::Photo).await;
}

async fn a_fetched_video_whose_answer_was_lost_is_known_by_the_providers_news(db: Db) {
    fetched_is_adopted(db, Pulled::Video).await;
}

async fn fetched_photos_whose_answer_was_lost_are_found_among_the_recent_posts(db: Db) {
    fetched_is_found(db, Pulled::Photo).await;
}

async fn a_fetched_video_whose_answer_was_lost_is_found_among_the_recent_posts(db: Db) {
    fetched_is_found(db, Pulled::Video).await;
}

async fn a_fetched_post_that_nothing_tells_of_waits_for_a_person(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = lose_the_answer_of(&t, Pulled::Photo, "kitestudio", &BLIND, async |t| {
        t.sim.idle().await
    })
    .await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert_eq!(
        t.calls(Endpoint::ContentInit).len(),
        1,
        "never handed over a second time"
    );
    assert_eq!(t.sim.publication_count(), 1);
}

async fn an_earlier_trys_failure_is_not_taken_for_the_present_ones(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.pull_delay_ms = 40_000);
    let post = lose_the_answer_of(&t, Pulled::Photo, "kitestudio", &BLIND, async |_| {}).await;
    t.idle().await;
    t.sim
        .turn(|knobs| (knobs.pull_delay_ms, knobs.webhooks) = (0, false));
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    t.clock.set(t.app.store.next_run_at().await.unwrap().unwrap());
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    t.idle().await;
    assert_eq!(t.sim.publication_count(), 1, "the second try is out, unheard");
    t.sim.turn(|knobs| knobs.webhooks = true);
    is_unconfirmed(&t.settled(&post).await);
    let told: Vec<_> = t.sim.webhooks().into_iter().map(|news| news.event).collect();
    assert_eq!(
        told,
        ["post.publish.failed"],
        "the first try's failure was told meanwhile"
    );
    assert_eq!(
        (t.calls(Endpoint::ContentInit).len(), t.sim.publication_count()),
        (2, 1)
    );
}

async fn news_of_another_workspaces_post_on_the_same_account_settles_nothing(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = lose_the_answer_of(&t, Pulled::Photo, "kitestudio", &BLIND, async |t| {
        t.sim.idle().await
    })
    .await;
    t.idle().await;
    t.sim.turn(|knobs| knobs.webhooks = true);
    let (stranger, platform) = t.stranger_with("kitestudio").await;
    let theirs = stranger
        .publish_now(&platform, &[stranger.upload_clip().await])
        .await;
    t.idle().await;
    is_unconfirmed(&t.settled(&post).await);
    let group = stranger.get(&format!("/public/v1/posts/{theirs}")).await.ok();
    assert_eq!(group["root"]["state"], "PUBLISHED", "{group:#}");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn news_that_comes_late_twice_and_out_of_order_settles_a_post_once(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| {
        (
            knobs.webhook_copies,
            knobs.webhook_reorder,
            knobs.webhook_delay_ms,
        ) = (3, true, 2_000);
        knobs.moderation_ms = 1_000;
    });
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.run_until(&post, |root| root["releaseUrl"].is_string()).await;
    t.advance(Duration::from_secs(3600)).await;
    assert!(
        t.sim
            .webhooks()
            .iter()
            .all(|news| news.delivered && news.attempts == 1)
    );
    went_out_once(&t, &t.root(&post).await, Endpoint::VideoInit);
}

async fn a_token_that_ends_while_the_provider_processes_resumes_asking(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 60_000);
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.advance(Duration::from_secs(1)).await;
    t.sim.expire_access_token(&t.open_id("kitestudio"));
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
    assert_eq!(t.calls(Endpoint::TokenRefresh).len(), 1);
}

async fn a_grant_that_ends_while_the_provider_processes_resumes_asking_after_reconnecting(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.processing_ms, knobs.webhooks) = (60_000, false));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.advance(Duration::from_secs(1)).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    t.advance(Duration::from_secs(3600)).await;
    assert_eq!(t.connect("kitestudio").await, platform);
    went_out_once(&t, &t.settled(&post).await, Endpoint::VideoInit);
}

async fn what_the_provider_has_is_not_deleted_before_it_was_asked_what_became_of_it(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.processing_ms, knobs.webhooks) = (60_000, false));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.advance(Duration::from_secs(1)).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    let path = format!("/public/v1/posts/{post}");
    let refused = t.api.delete(&path).await.refused(409, "post_publishing");
    let message = refused["message"].to_string();
    assert!(message.contains("Reconnect the account"), "{message}");
    t.connect("kitestudio").await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.api.delete(&path).await.status, 204);
}

async fn a_post_that_is_processed_for_ever_is_unknown_and_known_when_the_news_comes_at_last(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.stuck = true);
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let began = t.now();
    is_unconfirmed(&t.settled(&post).await);
    assert!(
        t.now().since(began) >= Duration::from_secs(30 * 60),
        "asked for long enough"
    );
    t.advance(Duration::from_secs(86_400)).await;
    is_unconfirmed(&t.root(&post).await);
    t.sim.turn(|knobs| knobs.stuck = false);
    t.idle().await;
    let root = t.root(&post).await;
    went_out_once(&t, &root, Endpoint::VideoInit);
    assert_eq!(root["errorText"], Value::Null);
    assert!(root["releaseUrl"].is_string(), "{root:#}");
}

#[tokio::test]
async fn a_pulled_post_that_is_processed_for_ever_is_never_handed_over_again() {
    let t = Pulled::Video.start(Db::Sqlite).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let post = Pulled::Video.post(&t, &platform).await;
    let began = t.now();
    is_unconfirmed(&t.settled(&post).await);
    assert!(
        t.now().since(began) >= Duration::from_secs(75 * 60),
        "a fetch alone may take an hour"
    );
    t.sim.turn(|knobs| knobs.stuck = false);
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert_eq!(
        (t.calls(Endpoint::VideoInit).len(), t.sim.publication_count()),
        (1, 1)
    );
}

#[tokio::test]
async fn looking_at_a_single_purpose_address_does_not_spend_it() {
    let t = Pulled::Photo.start(Db::Sqlite).await;
    t.sim.turn(|knobs| knobs.pull_delay_ms = 60_000);
    let post = lose_the_answer(&t, Pulled::Photo, async |t| {
        let address = &addresses(t, Endpoint::ContentInit)[0];
        let head = t.api.head(address).await;
        assert_eq!(
            (head.status, head.header("content-type"), head.body.len()),
            (200, "image/jpeg", 0)
        );
    })
    .await;
    t.idle().await;
    let revoked = &addresses(&t, Endpoint::ContentInit)[0];
    assert_eq!(
        (
            t.api.head(revoked).await.status,
            t.api.follow(revoked).await.status
        ),
        (404, 404)
    );
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(
        t.calls(Endpoint::ContentInit).len(),
        2,
        "nobody had fetched it, so it was submitted again"
    );
}

/// As where the database went back under a running node: nothing may come of a pull from before that. A hold may be over before another
/// node looks for it.
#[tokio::test]
async fn media_that_are_being_fetched_break_off_when_publications_are_held() {
    assert_breaks_off(|t| t.app.identity.set_held(true)).await;
    assert_breaks_off(|t| t.app.identity.set_last_hold(Some(t.now()))).await;
}

async fn assert_breaks_off(held: impl FnOnce(&TestApp)) {
    let t = Pulled::Video.start(Db::Sqlite).await;
    t.sim.turn(|knobs| knobs.pull_delay_ms = 60_000);
    let platform = t.connect("kitestudio").await;
    let long = t
        .api
        .upload_form("long.mp4", "video/mp4", &padded(40_000_000), &[])
        .await
        .ok();
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    t.api
        .publish_now(&platform, &[long["id"].as_str().unwrap().to_owned()])
        .await;
    t.sim.held(Endpoint::VideoInit, 1).await;
    let fetching = t.api.http().get(&addresses(&t, Endpoint::VideoInit)[0]).send();
    let mut fetched = fetching.await.unwrap().bytes_stream();
    assert!(fetched.next().await.unwrap().is_ok());
    held(&t);
    let broken_off = fetched.any(async |bytes| bytes.is_err()).await;
    assert!(broken_off, "all of it was served");
    t.app.identity.set_held(false);
    t.sim.release(Endpoint::VideoInit);
}

#[tokio::test]
async fn fetching_a_single_purpose_address_spends_it() {
    let t = Pulled::Photo.start(Db::Sqlite).await;
    t.sim.turn(|knobs| knobs.pull_delay_ms = 60_000);
    let post = lose_the_answer(&t, Pulled::Photo, async |t| {
        let got = t.api.follow(&addresses(t, Endpoint::ContentInit)[0]).await;
        assert_eq!(
            (got.status, got.header("cache-control")),
            (200, "private, no-store")
        );
        assert_eq!(got.header("x-accel-buffering"), "no");
        assert!(got.body.starts_with(&[0xff, 0xd8]), "a JPEG");
    })
    .await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!(
        t.calls(Endpoint::ContentInit).len(),
        1,
        "somebody had fetched it, so it was not submitted again"
    );
}

#[tokio::test]
async fn a_single_purpose_address_is_gone_once_the_post_is_out() {
    let t = Pulled::Photo.start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let post = Pulled::Photo.post(&t, &platform).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let address = &addresses(&t, Endpoint::ContentInit)[0];
    assert_eq!(
        (
            t.api.head(address).await.status,
            t.api.follow(address).await.status
        ),
        (404, 404)
    );
}
