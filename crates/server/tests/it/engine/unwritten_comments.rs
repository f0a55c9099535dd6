//! Comments that cannot be written under a post that is out: each ends in a state with a reason.

use std::time::Duration;

use serde_json::{Value, json};

use super::comments::{all_settled, states, told, with_comments};
use super::inbox::video_in_inbox;
use super::internal::damage;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    comments_of_a_post_that_was_marked_without_its_address_are_written_once_the_provider_reveals_it,
    comments_of_a_post_that_was_marked_and_cannot_be_asked_about_end_in_error_at_once,
    comments_of_a_post_whose_id_is_never_revealed_end_in_error_within_one_day_together,
    comments_of_a_draft_whose_earlier_try_is_published_late_are_left_to_a_person,
);

const POSTS: &str = "/public/v1/posts";
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A post with two comments that the provider published after its outcome had been left to a person.
async fn published_unnoticed(t: &TestApp) -> String {
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let post = with_two_comments(t).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    t.sim.turn(|knobs| knobs.stuck = false);
    t.advance(Duration::from_secs(600)).await;
    assert_eq!(t.sim.publication_count(), 1);
    post
}

async fn with_two_comments(t: &TestApp) -> String {
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let comments = [("first", None), ("second", None)];
    let body = with_comments(&platform, &clip, &comments);
    t.api.create_post(&body).await
}

async fn mark(t: &TestApp, post: &str) -> Value {
    let path = format!("{POSTS}/{post}/mark-published");
    t.api.post(&path, &json!({})).await.ok()
}

fn texts(group: &Value) -> Vec<&str> {
    let children = group["children"].as_array().unwrap().iter();
    children
        .map(|child| child["errorText"].as_str().unwrap_or_default())
        .collect()
}

fn ended_in_error(group: &Value, reason: &str) {
    assert_eq!(states(group), ["ERROR"; 2], "{group:#}");
    for text in texts(group) {
        assert!(
            text.contains(reason) && text.contains("Write it in the provider's app"),
            "{text}"
        );
    }
}

async fn comments_of_a_post_that_was_marked_without_its_address_are_written_once_the_provider_reveals_it(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let post = published_unnoticed(&t).await;
    let (marked, at) = (mark(&t, &post).await, t.now());
    assert_eq!(
        (&marked["root"]["state"], &marked["root"]["releaseId"]),
        (&json!("PUBLISHED"), &Value::Null)
    );
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"; 2], "{group:#}");
    assert_eq!(
        group["root"]["releaseId"],
        t.sim.publications()[0].post_id.as_str()
    );
    assert!(t.now().since(at) < Duration::from_secs(300));
    assert_eq!((told(&t).len(), t.sim.publication_count()), (2, 1));
}

/// As where the response to the hand-over was lost.
async fn comments_of_a_post_that_was_marked_and_cannot_be_asked_about_end_in_error_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let post = published_unnoticed(&t).await;
    damage(&t, db, "UPDATE submissions SET handle = NULL".to_owned()).await;
    mark(&t, &post).await;
    let at = t.now();
    let group = all_settled(&t, &post).await;
    ended_in_error(&group, "marked as published without its address");
    assert!(t.now().since(at) < Duration::from_secs(60));
    assert_eq!(told(&t).len(), 0);
}

async fn comments_of_a_post_whose_id_is_never_revealed_end_in_error_within_one_day_together(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.omit_post_id = true);
    let post = with_two_comments(&t).await;
    t.settled(&post).await;
    let (group, at) = (t.group(&post).await, t.now());
    let waits = texts(&group)[0];
    assert!(waits.contains("The ID of the post is not known yet"), "{waits}");
    let group = all_settled(&t, &post).await;
    ended_in_error(&group, "did not report the ID of the post within a day");
    let waited = t.now().since(at);
    assert!(
        waited > DAY - Duration::from_secs(120) && waited < DAY + Duration::from_secs(120),
        "{waited:?}"
    );
}

/// The post was sent to the inbox, was made a draft since, and got comments; then its creator published what was in the inbox.
async fn comments_of_a_draft_whose_earlier_try_is_published_late_are_left_to_a_person(db: Db) {
    let t = TestApp::start(db).await;
    let (post, publish_id) = video_in_inbox(&t).await;
    t.clock.advance(Duration::from_secs(120));
    t.api.schedule_post(&post, t.now().plus(3 * DAY)).await;
    let path = format!("{POSTS}/{post}");
    let unscheduled = t.api.post(&format!("{path}/unschedule"), &json!({})).await.ok();
    let text = unscheduled["root"]["errorText"].as_str().unwrap();
    assert!(
        text.contains("looks for it before anything is sent again"),
        "{text}"
    );
    let comments = json!({ "comments": [{ "content": "first" }, { "content": "second" }] });
    let draft = t.api.patch(&path, &comments).await.ok();
    assert_eq!(draft["root"]["state"], "DRAFT", "{draft:#}");
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    t.idle().await;
    let group = t.group(&post).await;
    assert_eq!(group["root"]["state"], "PUBLISHED", "{group:#}");
    assert_eq!(states(&group), ["ACTION_REQUIRED"; 2], "{group:#}");
    for text in texts(&group) {
        assert!(
            text.contains("was not written") && text.contains("mark it as published"),
            "{text}"
        );
    }
    for comment in group["children"].as_array().unwrap() {
        mark(&t, comment["id"].as_str().unwrap()).await;
    }
    assert_eq!(states(&t.group(&post).await), ["PUBLISHED"; 2]);
}
