//! A database that may be a copy: what went out since the copy was made is found, and nothing goes out twice.

use std::time::Duration;

use playout_server::identity::Fit;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::comments::with_comments;
use crate::harness::{Db, TestApp, eventually, execute_in, on_both};

on_both!(
    a_restored_copy_finds_what_went_out_since_it_was_made,
    what_went_out_since_a_copy_of_a_fast_clock_was_made_is_found,
    what_is_due_and_not_found_is_a_persons_and_goes_out_once_when_they_say_so,
    posts_that_cannot_be_told_apart_or_are_not_shown_are_a_persons,
    an_account_that_does_not_show_its_posts_leaves_them_to_a_person,
    an_account_with_more_posts_than_it_lists_does_not_prove_that_one_is_not_out,
    two_posts_of_one_text_of_which_one_comes_out_after_the_search_are_both_a_persons,
    comments_that_may_have_been_written_since_are_a_persons_who_is_told,
    a_hand_over_under_way_in_the_copy_is_asked_after_by_its_handle,
    a_post_that_the_provider_is_at_work_on_during_the_search_is_found_before_it_would_go_out_again,
    a_provider_that_does_not_answer_is_asked_again_and_nothing_goes_out_meanwhile,
    during_a_hold_what_failed_is_not_believed_and_nothing_is_fetched,
    a_database_that_went_back_under_the_same_name_is_held,
    a_node_whose_storage_is_not_the_databases_serves_nothing_until_it_is,
);

pub(super) const HOUR: Duration = Duration::from_secs(3600);
pub(super) const DAY: Duration = Duration::from_secs(86_400);

/// A public post with this text, planned so long from now.
pub(super) fn planned(t: &TestApp, platform: &str, (text, clip): (&str, &str), ahead: Duration) -> Value {
    json!({
        "platformIds": [platform],
        "content": text,
        "mode": "schedule",
        "scheduledFor": t.now().plus(ahead).to_string(),
        "mediaIds": [clip],
        "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" },
    })
}

/// Creates a [`planned`] post; returns its ID.
pub(super) async fn plan(t: &TestApp, platform: &str, (text, clip): (&str, &str), ahead: Duration) -> String {
    let body = planned(t, platform, (text, clip), ahead);
    t.api.create_post(&body).await
}

pub(super) fn draft(platform: &str, text: &str, clip: &str) -> Value {
    json!({
        "platformIds": [platform],
        "content": text,
        "mode": "draft",
        "mediaIds": [clip],
        "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" },
    })
}

/// Waits until the hold is over.
pub(super) async fn searched(t: &TestApp) {
    eventually("the hold is over", async || is_over(t).await).await;
    t.idle().await;
}

/// The same, of a search that queries the provider repeatedly.
pub(super) async fn searched_in_time(t: &TestApp) {
    eventually("the hold is over", async || {
        t.clock.advance(Duration::from_secs(5));
        is_over(t).await
    })
    .await;
    t.idle().await;
}

async fn is_over(t: &TestApp) -> bool {
    t.app.identity.fit() == Fit::Fits && t.app.store.find_hold().await.unwrap().is_none()
}

/// Moves a planned post to the next minute, and lets it go out.
pub(super) async fn send_early(t: &TestApp, post: &str) {
    let soon = t.now().plus(Duration::from_secs(60));
    t.api.schedule_post(post, soon).await;
    t.advance(Duration::from_secs(60)).await;
}

/// Gives a post another text.
pub(super) async fn change(t: &TestApp, post: &str, text: &str) {
    let path = format!("/public/v1/posts/{post}");
    t.api.patch(&path, &json!({ "content": text })).await.ok();
}

pub(super) async fn publish(t: &TestApp, post: &str) {
    t.api.publish_as_read(post).await;
    t.idle().await;
}

async fn a_restored_copy_finds_what_went_out_since_it_was_made(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    let sketch = t.api.create_post(&draft(&platform, "a draft", &clip)).await;
    let untouched = plan(&t, &platform, ("due in six days", &clip), 6 * DAY).await;
    let copy = t.copy_database().await;

    t.clock.advance(HOUR);
    t.settled(&due).await;
    publish(&t, &sketch).await;
    t.settled(&sketch).await;
    send_early(&t, &later).await;
    t.settled(&later).await;
    assert_eq!(t.sim.publication_count(), 3);

    t.go_on_with(copy).await;
    searched(&t).await;
    for post in [&due, &sketch, &later] {
        let root = t.root(post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}");
        assert!(root["releaseUrl"].is_string(), "{root:#}");
    }
    assert_eq!(t.root(&untouched).await["state"], "QUEUE");
    t.clock.advance(6 * DAY);
    assert_eq!(t.settled(&untouched).await["state"], "PUBLISHED");
    assert_eq!(
        t.sim.publication_count(),
        4,
        "nothing went out twice, and the last one once"
    );
}

async fn what_went_out_since_a_copy_of_a_fast_clock_was_made_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let post = plan(&t, &platform, ("kites", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    let fast = t.now().plus(HOUR).as_micros();
    let sql = format!("UPDATE instance SET pulse_at = {fast}");
    execute_in(&copy.url, db, &sql).await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    t.only_publication(&t.root(&post).await);
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn what_is_due_and_not_found_is_a_persons_and_goes_out_once_when_they_say_so(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let copy = t.copy_database().await;
    t.stop().await;
    t.clock.advance(2 * HOUR);
    t.go_on_with(copy).await;
    searched(&t).await;
    let root = t.root(&due).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("Publications were held"),
        "{root:#}"
    );
    t.advance(DAY).await;
    assert_eq!(t.sim.publication_count(), 0);
    publish(&t, &due).await;
    assert_eq!(t.settled(&due).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn posts_that_cannot_be_told_apart_or_are_not_shown_are_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let twins = [
        plan(&t, &platform, ("twins", &clip), HOUR).await,
        plan(&t, &platform, ("twins", &clip), 5 * DAY).await,
    ];
    let mut private = planned(&t, &platform, ("for me alone", &clip), 5 * DAY);
    private["settings"]["privacy_level"] = "SELF_ONLY".into();
    let private = t.api.create_post(&private).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&twins[0]).await;
    send_early(&t, &private).await;
    assert_eq!(t.settled(&private).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    for post in [&twins[0], &twins[1], &private] {
        assert_eq!(t.root(post).await["state"], "ACTION_REQUIRED", "{post}");
    }
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 2);
}

async fn an_account_that_does_not_show_its_posts_leaves_them_to_a_person(db: Db) {
    let mut t = TestApp::start(db).await;
    let blind = [
        "user.info.basic",
        "user.info.profile",
        "video.publish",
        "video.upload",
    ];
    let platform = t.connect_granting("kitestudio", &blind).await;
    let clip = t.api.upload_clip().await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    let sketch = t.api.create_post(&draft(&platform, "a draft", &clip)).await;
    let copy = t.copy_database().await;
    send_early(&t, &later).await;
    t.settled(&later).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&later).await["state"], "ACTION_REQUIRED");
    assert_eq!(
        t.root(&sketch).await["state"],
        "DRAFT",
        "a draft goes out by nobody's word but a person's"
    );
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn an_account_with_more_posts_than_it_lists_does_not_prove_that_one_is_not_out(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &later).await;
    t.settled(&later).await;
    t.advance(HOUR).await;
    let open_id = t.sim.publications()[0].open_id.clone();
    t.sim.creator_has_posted(&open_id, 600);
    t.go_on_with(copy).await;
    searched(&t).await;
    let root = t.root(&later).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    t.advance(6 * DAY).await;
    let ours = t
        .sim
        .publications()
        .iter()
        .filter(|post| post.caption == "due in five days")
        .count();
    assert_eq!(ours, 1);
}

async fn two_posts_of_one_text_of_which_one_comes_out_after_the_search_are_both_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let twins = [
        plan(&t, &platform, ("twins", &clip), 4 * DAY).await,
        plan(&t, &platform, ("twins", &clip), 5 * DAY).await,
    ];
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 3_600_000);
    send_early(&t, &twins[1]).await;
    assert_eq!(t.sim.publication_count(), 0, "the provider is at it");
    t.go_on_with(copy).await;
    searched(&t).await;
    for twin in &twins {
        assert_eq!(t.root(twin).await["state"], "QUEUE");
    }
    t.advance(6 * DAY).await;
    assert_eq!(t.settled(&twins[0]).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.settled(&twins[1]).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn comments_that_may_have_been_written_since_are_a_persons_who_is_told(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let comments = [("after ten minutes", Some(10)), ("after that", Some(5))];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    let copy = t.copy_database().await;
    t.advance(Duration::from_secs(660)).await;
    assert_eq!(t.sim.account("kitestudio").unwrap().comments().len(), 1);
    t.go_on_with(copy).await;
    searched(&t).await;
    let group = t.group_until(&post, |_| true).await;
    for child in group["children"].as_array().unwrap() {
        assert_eq!(child["state"], "ACTION_REQUIRED", "{child:#}");
        let id = child["id"].as_str().unwrap();
        assert!(t.events_of(id).await.contains(&"post.action_required".to_owned()));
    }
    t.advance(DAY).await;
    assert_eq!(
        t.sim.account("kitestudio").unwrap().comments().len(),
        1,
        "none twice"
    );
}

async fn a_hand_over_under_way_in_the_copy_is_asked_after_by_its_handle(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.turn(|knobs| knobs.processing_ms = 60_000);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.idle().await;
    let copy = t.copy_database().await;
    t.settled(&post).await;
    assert_eq!(t.sim.publication_count(), 1);
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    t.advance(2 * DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_that_the_provider_is_at_work_on_during_the_search_is_found_before_it_would_go_out_again(
    db: Db,
) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 3_600_000);
    send_early(&t, &later).await;
    assert_eq!(t.sim.publication_count(), 0, "the provider is at it");
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&later).await["state"], "QUEUE");
    t.clock.advance(5 * DAY);
    let root = t.settled(&later).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_provider_that_does_not_answer_is_asked_again_and_nothing_goes_out_meanwhile(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    let answers = [
        FaultAction::internal_error(),
        FaultAction::error(400, "invalid_params"),
    ];
    for answer in answers {
        t.sim.inject(Fault::new(Endpoint::VideoList, answer));
    }
    t.go_on_with(copy).await;
    eventually("the account was asked", async || {
        !t.calls(Endpoint::VideoList).is_empty()
    })
    .await;
    let ready = t.api.with_key(None).get("/readyz").await.json();
    assert_eq!(ready["hold"], true, "{ready:#}");
    searched_in_time(&t).await;
    assert_eq!(t.root(&due).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn during_a_hold_what_failed_is_not_believed_and_nothing_is_fetched(db: Db) {
    let options = crate::harness::Options::default().set("tiktok_transfer", "pull");
    let mut t = TestApp::start_with(db, options).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim
        .turn(|knobs| (knobs.pull_delay_ms, knobs.webhooks) = (600_000, false));
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.idle().await;
    let init = t.calls(Endpoint::VideoInit);
    let body: Value = serde_json::from_str(&init[0].body).unwrap();
    let address = body["source_info"]["video_url"].as_str().unwrap().to_owned();
    let path = address.strip_prefix(&t.app.config.base_url).unwrap().to_owned();
    let copy = t.copy_database().await;
    // The search waits for the account, so that the hold stays on.
    t.sim.hold(Endpoint::Status, HoldPoint::Before);
    t.go_on_with(copy).await;
    t.sim.held(Endpoint::Status, 1).await;
    assert_eq!(t.api.with_key(None).get(&path).await.status, 404, "held");
    t.sim.release(Endpoint::Status);
    searched_in_time(&t).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    t.advance(2 * DAY).await;
    assert_eq!(t.sim.publication_count(), 0);
}

async fn a_database_that_went_back_under_the_same_name_is_held(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let seen = t.app.store.last_seen().await.unwrap();
    t.clock.advance(HOUR);
    t.settled(&due).await;
    t.stop().await;
    // As a failover that lost its tail: the place is the same, the last transactions are gone.
    let url = t.app.config.database_url.expose().to_owned();
    let back = format!(
        "UPDATE instance SET pulse = {}, pulse_at = {}",
        seen.pulse,
        seen.at.unwrap().as_micros()
    );
    crate::harness::execute_in(&url, db, back).await;
    let lost = "UPDATE posts SET state = 'QUEUE', release_id = NULL, release_url = NULL";
    crate::harness::execute_in(&url, db, lost).await;
    t.replace().await;
    searched(&t).await;
    assert_eq!(t.root(&due).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_node_whose_storage_is_not_the_databases_serves_nothing_until_it_is(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    t.errors.expect("the storage at");
    t.stop().await;
    let media = t.dir.path().join("media");
    std::fs::rename(&media, t.dir.path().join("away")).unwrap();
    std::fs::create_dir(&media).unwrap();
    t.replace().await;
    let nobody = t.api.with_key(None);
    eventually("it was compared", async || {
        nobody.get("/readyz").await.json()["storage"] == "failing"
    })
    .await;
    assert_eq!(nobody.get("/readyz").await.status, 503);
    assert_eq!(nobody.get("/healthz").await.status, 200);
    let refused = t.api.get("/public/v1/posts").await;
    refused.refused(503, "unavailable");
    t.clock.advance(HOUR);
    std::fs::remove_dir_all(&media).unwrap();
    std::fs::rename(t.dir.path().join("away"), &media).unwrap();
    t.clock.advance(Duration::from_secs(5));
    eventually("it is ready", async || nobody.get("/readyz").await.status == 200).await;
    assert_eq!(t.settled(&due).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}
