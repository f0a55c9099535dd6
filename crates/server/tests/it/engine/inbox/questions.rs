//! How the provider answers the question about a draft while its post goes out directly: late, with a rejection, or not at all.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};

use super::{comes_out, plan_directly, send_again, sending_directly, video_in_inbox};
use crate::engine::internal::damage;
use crate::engine::last_chunks::held_in_time;
use crate::harness::{Db, Options, TestApp, on_both};

on_both!(
    a_pull_that_waits_for_an_answer_about_the_draft_says_so_for_a_day_at_most,
    an_upload_that_waits_for_an_answer_about_the_draft_says_so_for_a_day_at_most,
    a_slow_answer_about_the_draft_is_asked_for_again_before_the_last_chunk,
    a_draft_that_the_provider_does_not_know_once_is_asked_about_again_before_the_last_chunk,
    a_draft_in_the_inbox_hides_no_rejection_about_another,
    a_draft_in_the_inbox_hides_no_rejection_about_one_that_is_asked_about_after_it,
    a_draft_that_the_provider_knows_no_longer_keeps_no_post_waiting,
);

/// Each run gets the answer of the account late, and none about the draft after that.
async fn a_pull_that_waits_for_an_answer_about_the_draft_says_so_for_a_day_at_most(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("tiktok_transfer", "pull")).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, _) = video_in_inbox(&t).await;
    plan_directly(&t, &post).await;
    let run = async || {
        t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
        t.clock.advance(Duration::from_secs(600));
        t.sim.held(Endpoint::CreatorInfo, 1).await;
        t.clock.advance(Duration::from_secs(20));
        t.sim
            .inject(Fault::new(Endpoint::Status, FaultAction::internal_error()));
        t.sim.release(Endpoint::CreatorInfo);
    };
    run().await;
    waits_for_a_day_at_most(&t, db, &post).await;
    run().await;
    let asked = t.settled(&post).await;
    let text = asked["errorText"].as_str().unwrap();
    assert!(
        asked["state"] == "ACTION_REQUIRED" && text.contains("unknown whether"),
        "{asked:#}"
    );
    assert_eq!(t.sim.publication_count(), 0);
}

/// The post says what it waits for; from then on its day is over.
async fn waits_for_a_day_at_most(t: &TestApp, db: Db, post: &str) {
    let waiting = t.run_until(post, |root| root["errorText"].is_string()).await;
    let text = waiting["errorText"].as_str().unwrap();
    assert!(
        waiting["state"] == "QUEUE" && text.contains("does not say in time"),
        "{waiting:#}"
    );
    let over = format!("UPDATE jobs SET deadline_at = {}", t.now().as_micros());
    damage(t, db, over).await;
}

/// Nothing was sent, so no one is asked whether it is published: the draft can still be.
async fn an_upload_that_waits_for_an_answer_about_the_draft_says_so_for_a_day_at_most(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, _) = video_in_inbox(&t).await;
    let unanswered = || Fault::new(Endpoint::Status, FaultAction::internal_error());
    sending_directly(&t, &post, HoldPoint::After).await;
    t.clock.advance(Duration::from_secs(20));
    t.sim.inject(unanswered());
    t.sim.release(Endpoint::VideoInit);
    waits_for_a_day_at_most(&t, db, &post).await;
    t.sim.inject(unanswered());
    let waits = t.settled(&post).await;
    let text = waits["errorText"].as_str().unwrap();
    assert!(
        waits["state"] == "ACTION_REQUIRED" && text.contains("publish it there"),
        "{waits:#}"
    );
    assert_eq!(t.sim.publication_count(), 0);
}

async fn a_slow_answer_about_the_draft_is_asked_for_again_before_the_last_chunk(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, draft) = video_in_inbox(&t).await;
    sending_directly(&t, &post, HoldPoint::After).await;
    t.clock.advance(Duration::from_secs(20));
    t.sim.hold(Endpoint::Status, HoldPoint::After);
    t.sim.release(Endpoint::VideoInit);
    t.sim.held(Endpoint::Status, 1).await;
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.clock.advance(Duration::from_secs(20));
    t.sim.release(Endpoint::Status);
    comes_out(&t, &post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_draft_in_the_inbox_hides_no_rejection_about_another(db: Db) {
    one_question_about_two_drafts_is_rejected(db, 0).await;
}

async fn a_draft_in_the_inbox_hides_no_rejection_about_one_that_is_asked_about_after_it(db: Db) {
    one_question_about_two_drafts_is_rejected(db, 1).await;
}

/// Of two drafts the first was in doubt and is found in the inbox; about the other, which is published, or about the first the question is
/// rejected once, after so many others.
async fn one_question_about_two_drafts_is_rejected(db: Db, asked_before: u32) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, _first) = video_in_inbox(&t).await;
    send_again(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    let second = t.sim.inbox_deliveries().pop().unwrap().publish_id;
    // As where its account was removed before its outcome was known.
    let in_doubt = "UPDATE submissions SET outcome = 'unknown' WHERE id = (SELECT id FROM submissions ORDER BY id LIMIT 1)";
    damage(&t, db, in_doubt.to_owned()).await;
    let caption = Some("In my own words");
    assert!(t.sim.finish_draft(&second, caption, "PUBLIC_TO_EVERYONE"));
    plan_directly(&t, &post).await;
    let unknown = FaultAction::error(400, "invalid_publish_id");
    t.sim
        .inject(Fault::new(Endpoint::Status, unknown).skip(asked_before));
    t.settled(&post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.publication_count(), 1);
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
}

async fn a_draft_that_the_provider_does_not_know_once_is_asked_about_again_before_the_last_chunk(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, draft) = video_in_inbox(&t).await;
    sending_directly(&t, &post, HoldPoint::After).await;
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.clock.advance(Duration::from_secs(20));
    let unknown = FaultAction::error(400, "invalid_publish_id");
    t.sim.inject(Fault::new(Endpoint::Status, unknown));
    t.sim.release(Endpoint::VideoInit);
    comes_out(&t, &post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_draft_that_the_provider_knows_no_longer_keeps_no_post_waiting(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, _draft) = video_in_inbox(&t).await;
    plan_directly(&t, &post).await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    // Four times before the post is begun, and once before the last chunk.
    let unknown = FaultAction::error(400, "invalid_publish_id");
    t.sim.inject(Fault::new(Endpoint::Status, unknown).times(5));
    held_in_time(&t, Endpoint::VideoInit).await;
    t.clock.advance(Duration::from_secs(20));
    let released = t.now();
    t.sim.release(Endpoint::VideoInit);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let sent = t.calls(Endpoint::UploadLast).last().unwrap().at;
    assert!(
        sent.since(released) < Duration::from_secs(1),
        "{released}, {sent}"
    );
    assert_eq!(t.sim.publication_count(), 1);
}
