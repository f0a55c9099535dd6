//! A person is asked whether a post that may be out is sent again: what is requested before anyone can have read the question is no answer.

use std::time::Duration;

use playout_tiktok::sim::FailRule;
use reqwest::Method;
use serde_json::json;

use super::at_most_once::is_unconfirmed;
use super::hold::{DAY, publish, searched, send_early};
use super::inbox::video_in_inbox;
use super::listed_texts::lose_the_answer;
use super::restored::is_a_persons;
use crate::harness::{Answer, Db, TestApp, on_both, post_body};

on_both!(
    a_repeated_request_does_not_say_which_of_several_posts_the_listed_one_is,
    a_repeated_request_does_not_answer_the_question_that_it_led_to_after_a_restore,
    a_repeated_request_sends_no_second_draft_to_the_inbox,
);

/// What a client sends again that has no response, and does not know what its first request led to.
async fn repeat(t: &TestApp, post: &str) -> Answer {
    let path = format!("/public/v1/posts/{post}/publish");
    t.api.send(t.api.request(Method::POST, &path)).await
}

/// Every way of sending the post again is refused, with what its error text asks.
async fn is_refused_unread(t: &TestApp, post: &str) {
    let asked = t.root(post).await;
    let path = format!("/public/v1/posts/{post}");
    let any = t
        .api
        .request(Method::POST, &format!("{path}/publish"))
        .header("if-match", "*");
    let time = json!({ "scheduledFor": t.now().plus(DAY) });
    for answer in [
        repeat(t, post).await,
        t.api.send(any).await,
        t.api.patch(&format!("{path}/schedule"), &time).await,
    ] {
        let error = answer.refused(409, "post_undecided");
        let (message, text) = (
            error["message"].as_str().unwrap(),
            asked["errorText"].as_str().unwrap(),
        );
        assert!(message.contains(text), "{message}");
    }
    assert_eq!(t.root(post).await, asked);
}

async fn a_repeated_request_does_not_say_which_of_several_posts_the_listed_one_is(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let body = post_body(&platform, &[t.api.upload_photo(720, 960).await]);
    t.sim.fail(FailRule::next("spam_risk"));
    let missing = lose_the_answer(&t, &body).await;
    let there = lose_the_answer(&t, &body).await;
    for post in [&missing, &there] {
        is_unconfirmed(&t.settled(post).await);
    }
    t.advance(DAY).await;
    repeat(&t, &there).await.ok();
    let text = t.settled(&there).await["errorText"].take();
    assert!(
        text.as_str().unwrap().contains("this post, or another one"),
        "{text}"
    );
    is_refused_unread(&t, &there).await;
    t.clock.advance(Duration::from_secs(59));
    is_refused_unread(&t, &there).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
    // Later it is the word of a person who has looked.
    t.clock.advance(Duration::from_secs(2));
    repeat(&t, &there).await.ok();
    assert_eq!(t.settled(&there).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_repeated_request_does_not_answer_the_question_that_it_led_to_after_a_restore(db: Db) {
    let mut t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    (body["mode"], body["settings"]["privacy_level"]) = ("draft".into(), "SELF_ONLY".into());
    let post = t.api.create_post(&body).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    t.advance(DAY).await;
    repeat(&t, &post).await.ok();
    is_a_persons(&t.settled(&post).await);
    is_refused_unread(&t, &post).await;
    assert_eq!(t.sim.publication_count(), 1);
    // One who names the version that asks has read it.
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_repeated_request_sends_no_second_draft_to_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    let (post, _) = video_in_inbox(&t).await;
    is_refused_unread(&t, &post).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
}
