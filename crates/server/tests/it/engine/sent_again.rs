//! Posts with an unknown outcome that a person sends again: what the provider still processes, or does not tell of at that moment, goes out once.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction};
use serde_json::json;

use super::at_most_once::{BLIND, Pulled, is_unconfirmed};
use super::hold::{DAY, HOUR, plan, publish, searched, send_early};
use super::restored::{MINUTE, is_a_persons, must_reconnect};
use super::same_text::in_doubt;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    photos_that_the_provider_still_processes_are_waited_for,
    photos_of_which_nothing_comes_are_sent_again_once_the_provider_has_ended,
    photos_are_looked_for_again_where_the_account_refuses_to_list_its_posts_once,
    photos_of_an_account_that_refuses_to_list_its_posts_are_sent_again,
    a_video_is_asked_about_again_where_the_provider_does_not_know_its_handle_once,
    a_due_post_that_is_sent_again_right_after_a_hold_waits_for_what_the_provider_may_be_at,
    a_post_that_is_sent_again_is_not_taken_for_one_of_its_text_of_just_before,
    a_post_is_not_taken_for_a_deleted_one_that_a_person_marked_without_an_address,
);

/// The provider refuses so many requests as ones that it does not understand.
fn refuse(t: &TestApp, endpoint: Endpoint, code: &str, times: u32) {
    t.sim
        .inject(Fault::new(endpoint, FaultAction::error(400, code)).times(times));
}

/// The post goes out by its first try, in two hours at most.
async fn is_found(t: &TestApp, post: &str) {
    t.advance(2 * HOUR).await;
    t.only_publication(&t.settled(post).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn photos_that_the_provider_still_processes_are_waited_for(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], 30 * MINUTE).await;
    is_unconfirmed(&t.settled(&post).await);
    publish(&t, &post).await;
    let waiting = t.root(&post).await;
    assert_eq!(waiting["state"], "QUEUE", "{waiting:#}");
    let text = waiting["errorText"].as_str().unwrap();
    assert!(text.contains("may still be at work"), "{text}");
    is_found(&t, &post).await;
}

async fn photos_of_which_nothing_comes_are_sent_again_once_the_provider_has_ended(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], 10 * DAY).await;
    is_unconfirmed(&t.settled(&post).await);
    let began = t.now();
    t.sim.turn(|knobs| knobs.processing_ms = 1000);
    publish(&t, &post).await;
    t.advance(HOUR).await;
    assert_eq!(t.sim.task_count(), 1, "a pull may take ninety minutes");
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert!(t.now().since(began) < 2 * HOUR);
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

/// Photos that are out, and were not listed before a person was asked.
async fn out_and_in_doubt(t: &TestApp, scopes: &[&str]) -> String {
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(t, scopes, 10 * MINUTE).await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(2 * HOUR).await;
    assert_eq!(t.sim.publication_count(), 1);
    post
}

async fn photos_are_looked_for_again_where_the_account_refuses_to_list_its_posts_once(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let post = out_and_in_doubt(&t, &[]).await;
    refuse(&t, Endpoint::VideoList, "invalid_params", 1);
    publish(&t, &post).await;
    is_found(&t, &post).await;
}

async fn photos_of_an_account_that_refuses_to_list_its_posts_are_sent_again(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], 10 * DAY).await;
    is_unconfirmed(&t.settled(&post).await);
    t.sim.turn(|knobs| knobs.processing_ms = 1000);
    t.advance(2 * HOUR).await;
    refuse(&t, Endpoint::VideoList, "invalid_params", 1000);
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

async fn a_video_is_asked_about_again_where_the_provider_does_not_know_its_handle_once(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.processing_ms) = (false, 5_400_000));
    let platform = t.connect_granting("kitestudio", &BLIND).await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(2 * HOUR).await;
    assert_eq!(t.sim.publication_count(), 1);
    refuse(&t, Endpoint::Status, "invalid_publish_id", 1);
    publish(&t, &post).await;
    t.advance(Duration::from_secs(30)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_due_post_that_is_sent_again_right_after_a_hold_waits_for_what_the_provider_may_be_at(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    t.advance(HOUR).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 0));
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&due).await);
    publish(&t, &due).await;
    is_found(&t, &due).await;
}

async fn a_post_that_is_sent_again_is_not_taken_for_one_of_its_text_of_just_before(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let before = plan(&t, &platform, ("good morning", &clip), MINUTE).await;
    t.advance(HOUR).await;
    assert!(t.root(&before).await["releaseUrl"].is_string());
    let later = plan(&t, &platform, ("good morning", &clip), 3 * MINUTE).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    let forgotten = plan(&t, &platform, ("good morning", &clip), MINUTE).await;
    t.advance(MINUTE).await;
    assert_eq!(t.root(&forgotten).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    t.connect("kitestudio").await;
    t.advance(2 * MINUTE).await;
    is_a_persons(&t.settled(&later).await);
    publish(&t, &later).await;
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 3);
}

async fn a_post_is_not_taken_for_a_deleted_one_that_a_person_marked_without_an_address(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let [out, twin] = [
        plan(&t, &platform, ("twins", &clip), 4 * DAY).await,
        plan(&t, &platform, ("twins", &clip), 5 * DAY).await,
    ];
    let copy = t.copy_database().await;
    send_early(&t, &out).await;
    assert_eq!(t.settled(&out).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    let mark = format!("/public/v1/posts/{out}/mark-published");
    t.api.post(&mark, &json!({})).await.ok();
    t.api.delete_post(&out).await;
    publish(&t, &twin).await;
    let asked = t.settled(&twin).await;
    assert_eq!(asked["state"], "ACTION_REQUIRED", "{asked:#}");
    publish(&t, &twin).await;
    assert_eq!(t.settled(&twin).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}
