//! When posts go out: never early, in time, not after they were deleted, and shared fairly.

use std::time::Duration;

use futures_util::poll;
use playout_domain::time::{Clock, Time};
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Answer, Db, Options, TestApp, on_both, post_body};

on_both!(
    a_post_goes_out_at_its_time_and_not_a_microsecond_before,
    a_post_may_be_moved_forward_and_back,
    a_post_that_is_deleted_before_its_time_never_goes_out,
    a_draft_goes_out_only_when_it_is_given_a_time,
    a_post_in_error_goes_again_when_it_is_given_a_time,
    an_unknown_post_goes_again_when_a_person_says_so,
    a_post_that_is_being_handed_over_is_neither_moved_nor_deleted,
    a_post_that_the_provider_processes_is_neither_moved_nor_deleted,
    a_post_that_is_judged_while_it_is_deleted_does_not_go_out,
    a_post_that_is_judged_while_it_is_moved_goes_out_at_its_new_time,
    stopping_ends_what_was_begun_and_starting_again_goes_on,
    an_account_with_two_hundred_due_posts_does_not_keep_another_waiting,
);

const MICROSECOND: Duration = Duration::from_micros(1);
const MINUTE: Duration = Duration::from_secs(60);

async fn schedule(t: &TestApp, platform: &str, clip: &str, at: Time) -> String {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
    t.api.create_post(&body).await
}

async fn reschedule(t: &TestApp, post: &str, at: Time) -> Answer {
    t.api
        .patch(
            &format!("/public/v1/posts/{post}/schedule"),
            &json!({ "scheduledFor": at }),
        )
        .await
}

async fn delete(t: &TestApp, post: &str) -> Answer {
    t.api.delete(&format!("/public/v1/posts/{post}")).await
}

/// Jumps to a time and lets everything due happen.
async fn jump(t: &TestApp, to: Time) {
    t.clock.set(to);
    t.idle().await;
}

/// When posts were handed over, in order.
fn handovers(t: &TestApp) -> Vec<Time> {
    t.calls(Endpoint::VideoInit).iter().map(|call| call.at).collect()
}

async fn connected(db: Db) -> (TestApp, String, String) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    (t, platform, clip)
}

async fn a_post_goes_out_at_its_time_and_not_a_microsecond_before(db: Db) {
    let (t, platform, clip) = connected(db).await;
    let due = t.now().plus(MINUTE * 90);
    let post = schedule(&t, &platform, &clip, due).await;
    jump(&t, due.minus(MICROSECOND)).await;
    assert_eq!(handovers(&t), []);
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    jump(&t, due).await;
    assert_eq!(handovers(&t), [due]);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_may_be_moved_forward_and_back(db: Db) {
    let (t, platform, clip) = connected(db).await;
    let noon = t.now();
    let earlier = schedule(&t, &platform, &clip, noon.plus(MINUTE * 60)).await;
    let later = schedule(&t, &platform, &clip, noon.plus(MINUTE * 30)).await;
    let group = reschedule(&t, &earlier, noon.plus(MINUTE * 10)).await.ok();
    assert_eq!(group["root"]["scheduledFor"], "2026-11-20T12:10:00.000Z");
    reschedule(&t, &later, noon.plus(MINUTE * 50)).await.ok();
    jump(&t, noon.plus(MINUTE * 10)).await;
    jump(&t, noon.plus(MINUTE * 30)).await;
    assert_eq!(handovers(&t), [noon.plus(MINUTE * 10)]);
    jump(&t, noon.plus(MINUTE * 50)).await;
    jump(&t, noon.plus(MINUTE * 60)).await;
    assert_eq!(handovers(&t), [noon.plus(MINUTE * 10), noon.plus(MINUTE * 50)]);
    for post in [earlier, later] {
        assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    }
}

async fn a_post_that_is_deleted_before_its_time_never_goes_out(db: Db) {
    let (t, platform, clip) = connected(db).await;
    let due = t.now().plus(MINUTE * 10);
    let post = schedule(&t, &platform, &clip, due).await;
    jump(&t, due.minus(MICROSECOND)).await;
    assert_eq!(delete(&t, &post).await.status, 204);
    t.advance(MINUTE * 60).await;
    assert_eq!((handovers(&t).len(), t.sim.publication_count()), (0, 0));
    t.api
        .get(&format!("/public/v1/posts/{post}"))
        .await
        .refused(404, "post_not_found");
}

async fn a_draft_goes_out_only_when_it_is_given_a_time(db: Db) {
    let (t, platform, clip) = connected(db).await;
    let mut body = post_body(&platform, &[clip]);
    (body["mode"], body["scheduledFor"]) = (json!("draft"), json!(t.now().plus(MINUTE)));
    let post = t.api.create_post(&body).await;
    t.advance(MINUTE * 60).await;
    assert_eq!(
        (t.root(&post).await["state"].as_str(), handovers(&t).len()),
        (Some("DRAFT"), 0)
    );
    let due = t.now().plus(MINUTE);
    reschedule(&t, &post, due).await.ok();
    jump(&t, due).await;
    assert_eq!(handovers(&t), [due]);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

async fn a_post_in_error_goes_again_when_it_is_given_a_time(db: Db) {
    let (t, platform, clip) = connected(db).await;
    t.sim.inject(Fault::new(
        Endpoint::VideoInit,
        FaultAction::error(400, "invalid_params"),
    ));
    let post = t.api.publish_now(&platform, &[clip]).await;
    assert_eq!(t.settled(&post).await["state"], "ERROR");
    t.advance(MINUTE * 60 * 48).await;
    assert_eq!(handovers(&t).len(), 1, "not by itself");
    let due = t.now().plus(MINUTE);
    let group = reschedule(&t, &post, due).await.ok();
    assert_eq!(
        (group["root"]["state"].as_str(), &group["root"]["errorText"]),
        (Some("QUEUE"), &Value::Null)
    );
    jump(&t, due).await;
    assert_eq!(handovers(&t)[1..], [due]);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn an_unknown_post_goes_again_when_a_person_says_so(db: Db) {
    let (t, platform, clip) = connected(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let post = t.api.publish_now(&platform, &[clip]).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    t.sim.reset();
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.connect("kitestudio").await;
    t.advance(60 * MINUTE).await;
    reschedule(&t, &post, t.now().plus(MINUTE)).await.ok();
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_that_is_being_handed_over_is_neither_moved_nor_deleted(db: Db) {
    let (t, platform, clip) = connected(db).await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::Before);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::VideoInit, 1).await;
    let later = t.now().plus(MINUTE);
    reschedule(&t, &post, later)
        .await
        .refused(409, "post_not_reschedulable");
    delete(&t, &post).await.refused(409, "post_publishing");
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    t.sim.release(Endpoint::VideoInit);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    reschedule(&t, &post, t.now().plus(MINUTE))
        .await
        .refused(409, "post_not_reschedulable");
    assert_eq!(delete(&t, &post).await.status, 204, "our record of it may go");
    t.advance(MINUTE * 60).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_that_the_provider_processes_is_neither_moved_nor_deleted(db: Db) {
    let (t, platform, clip) = connected(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 60_000);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.idle().await;
    reschedule(&t, &post, t.now().plus(MINUTE))
        .await
        .refused(409, "post_not_reschedulable");
    delete(&t, &post).await.refused(409, "post_publishing");
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((handovers(&t).len(), t.sim.publication_count()), (1, 1));
}

async fn a_post_that_is_judged_while_it_is_deleted_does_not_go_out(db: Db) {
    let (t, platform, clip) = connected(db).await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    assert_eq!(delete(&t, &post).await.status, 204, "nothing was handed over yet");
    t.sim.release(Endpoint::CreatorInfo);
    t.advance(MINUTE * 60).await;
    assert_eq!((handovers(&t).len(), t.sim.publication_count()), (0, 0));
}

async fn a_post_that_is_judged_while_it_is_moved_goes_out_at_its_new_time(db: Db) {
    let (t, platform, clip) = connected(db).await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    let due = t.now().plus(MINUTE * 30);
    reschedule(&t, &post, due).await.ok();
    t.sim.release(Endpoint::CreatorInfo);
    jump(&t, due.minus(MICROSECOND)).await;
    assert_eq!(handovers(&t), []);
    jump(&t, due).await;
    assert_eq!(handovers(&t), [due]);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn stopping_ends_what_was_begun_and_starting_again_goes_on(db: Db) {
    let (mut t, platform, clip) = connected(db).await;
    t.sim.turn(|knobs| knobs.processing_ms = 60_000);
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[clip]).await;
    let sim = t.sim.clone();
    sim.held(Endpoint::VideoInit, 1).await;
    let mut stopping = Box::pin(t.stop());
    for _ in 0..100 {
        assert!(poll!(stopping.as_mut()).is_pending(), "a handover is under way");
        tokio::task::yield_now().await;
    }
    sim.release(Endpoint::VideoInit);
    stopping.await;
    assert_eq!(
        t.calls(Endpoint::UploadLast).len(),
        1,
        "the bytes were sent before the end"
    );
    t.clock.advance(MINUTE * 5);
    assert_eq!(t.calls(Endpoint::Status).len(), 0, "nothing runs any more");
    t.restart().await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((handovers(&t).len(), t.sim.publication_count()), (1, 1));
}

async fn an_account_with_two_hundred_due_posts_does_not_keep_another_waiting(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("worker_concurrency", "4")).await;
    let (busy, quiet) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    let clip = t.api.upload_clip().await;
    let due = t.now().plus(MINUTE);
    for _ in 0..200 {
        schedule(&t, &busy, &clip, due).await;
    }
    let single = schedule(&t, &quiet, &clip, due.plus(Duration::from_millis(1))).await;
    t.clock.set(due.plus(Duration::from_secs(1)));
    t.idle().await;
    let first = t
        .calls(Endpoint::VideoInit)
        .iter()
        .position(|call| call.account == Some(t.open_id("harborbakes")));
    assert!(
        first.is_some_and(|position| position < 4),
        "handed over at position {first:?}"
    );
    assert_eq!(t.settled(&single).await["state"], "PUBLISHED");
    assert!(t.now().since(due) < Duration::from_secs(5));
}

#[tokio::test]
async fn two_nodes_share_sixty_posts_and_publish_each_once() {
    // Neither has room for all of them.
    let t = TestApp::start_with(Db::Postgres, Options::default().set("worker_concurrency", "20")).await;
    let (other, service) = t.second_node().await;
    let clip = t.api.upload_clip().await;
    let due = t.now().plus(MINUTE);
    let mut posts = Vec::new();
    for account in 0..10 {
        let platform = t.join(&format!("creator{account}")).await;
        for _ in 0..6 {
            posts.push(schedule(&t, &platform, &clip, due).await);
        }
    }
    t.clock.set(due);
    let (mut most_here, mut most_there) = (0, 0);
    let (mut here, mut there) = (t.app.heart.pulse(), other.heart.pulse());
    while t.sim.publication_count() < posts.len() {
        t.sim.idle().await;
        (most_here, most_there) = (
            most_here.max(t.app.heart.running()),
            most_there.max(other.heart.running()),
        );
        let next = t.app.store.next_run_at().await.unwrap().unwrap();
        if t.app.heart.is_quiet() && other.heart.is_quiet() && next > t.clock.now() {
            t.clock.set(next);
        }
        tokio::select! {
            changed = here.changed() => changed.unwrap(),
            changed = there.changed() => changed.unwrap(),
        }
    }
    service.stop().await;
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    t.advance(MINUTE * 60).await;
    assert_eq!(t.sim.publication_count(), 60, "exactly");
    assert!(
        most_here > 0 && most_there > 0,
        "both worked: {most_here} and {most_there} at a time"
    );
}
