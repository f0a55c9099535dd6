//! Posts of one account with the same text, of which some were deleted or changed while their outcome was unknown: none
//! is taken for another.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::at_most_once::{BLIND, Pulled, is_unconfirmed, lose_the_answer, lose_the_answer_of};
use super::hold::{HOUR, change, plan, publish, searched, send_early};
use super::listed_texts::lose_the_answer as lose_the_answer_to_photos;
use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    what_comes_out_of_a_deleted_post_is_not_taken_for_the_next_with_its_text,
    a_deleted_post_that_was_out_is_not_taken_for_the_next_with_its_text,
    news_of_a_deleted_post_are_not_given_to_the_next,
    a_post_in_doubt_that_was_given_another_text_is_looked_for_by_the_one_that_was_sent,
    a_post_that_was_changed_after_a_hold_is_looked_for_by_the_text_of_before,
    a_post_in_doubt_that_was_changed_before_a_hold_is_looked_for_by_the_text_that_was_sent,
    what_a_creator_makes_of_a_draft_in_the_inbox_is_not_taken_for_another_post,
    a_post_whose_first_lost_try_is_listed_late_is_not_sent_a_third_time,
    a_post_that_is_refused_after_a_lost_try_is_a_persons,
    a_lost_try_that_is_listed_late_is_found_although_a_draft_followed,
    a_post_of_just_before_is_not_taken_for_the_next_with_its_text_where_the_providers_clock_is_ahead,
);

const MINUTE: Duration = Duration::from_secs(60);

/// Hands a photo over whose answer is lost after it was fetched; the provider takes so long to publish it.
pub(super) async fn in_doubt(t: &TestApp, scopes: &[&str], takes: Duration) -> String {
    let processing_ms = u64::try_from(takes.as_millis()).unwrap();
    t.sim.turn(|knobs| knobs.processing_ms = processing_ms);
    lose_the_answer_of(t, Pulled::Photo, "kitestudio", scopes, async |t| {
        t.sim.idle().await
    })
    .await
}

async fn what_comes_out_of_a_deleted_post_is_not_taken_for_the_next_with_its_text(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let deleted = in_doubt(&t, &[], 10 * MINUTE).await;
    is_unconfirmed(&t.settled(&deleted).await);
    t.api.delete_post(&deleted).await;
    t.advance(7 * MINUTE).await;
    assert_eq!(t.sim.publication_count(), 0);
    let next = in_doubt(&t, &[], 24 * HOUR).await;
    is_unconfirmed(&t.settled(&next).await);
    assert_eq!(t.sim.publication_count(), 1, "the deleted one came out meanwhile");
}

async fn a_deleted_post_that_was_out_is_not_taken_for_the_next_with_its_text(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let deleted = t.api.publish_now(&platform, &[photo]).await;
    t.run_until(&deleted, |root| root["releaseId"].is_string()).await;
    t.api.delete_post(&deleted).await;
    let next = in_doubt(&t, &[], 24 * HOUR).await;
    is_unconfirmed(&t.settled(&next).await);
    assert_eq!(t.sim.publication_count(), 1);
}

async fn news_of_a_deleted_post_are_not_given_to_the_next(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let deleted = in_doubt(&t, &BLIND, 10 * MINUTE).await;
    is_unconfirmed(&t.settled(&deleted).await);
    t.api.delete_post(&deleted).await;
    t.advance(7 * MINUTE).await;
    let next = in_doubt(&t, &BLIND, 24 * HOUR).await;
    is_unconfirmed(&t.settled(&next).await);
    t.sim.idle().await;
    assert!(
        t.sim.webhooks().iter().any(|news| news.delivered),
        "the provider told of the deleted one"
    );
    let root = t.root(&next).await;
    assert_eq!(
        (&root["state"], &root["releaseId"]),
        (&json!("ACTION_REQUIRED"), &Value::Null),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_in_doubt_that_was_given_another_text_is_looked_for_by_the_one_that_was_sent(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], 20 * MINUTE).await;
    is_unconfirmed(&t.settled(&post).await);
    t.api.schedule_post(&post, t.now().plus(HOUR)).await;
    change(&t, &post, "quite another text").await;
    t.advance(HOUR).await;
    t.only_publication(&t.settled(&post).await);
    t.advance(24 * HOUR).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_post_that_was_changed_after_a_hold_is_looked_for_by_the_text_of_before(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("sent before", &clip), 20 * MINUTE).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    send_early(&t, &post).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    change(&t, &post, "changed once").await;
    change(&t, &post, "changed twice").await;
    t.advance(2 * HOUR).await;
    t.only_publication(&t.settled(&post).await);
    t.advance(24 * HOUR).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_post_in_doubt_that_was_changed_before_a_hold_is_looked_for_by_the_text_that_was_sent(db: Db) {
    let mut t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], 20 * MINUTE).await;
    is_unconfirmed(&t.settled(&post).await);
    t.api.schedule_post(&post, t.now().plus(24 * HOUR)).await;
    change(&t, &post, "quite another text").await;
    t.advance(HOUR).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    t.only_publication(&t.root(&post).await);
}

async fn what_a_creator_makes_of_a_draft_in_the_inbox_is_not_taken_for_another_post(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(720, 960).await]);
    let text = body["content"].as_str().unwrap().to_owned();
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let in_inbox = t.api.create_post(&body).await;
    t.settled(&in_inbox).await;
    let publish_id = t.sim.inbox_deliveries()[0].publish_id.clone();
    t.sim.turn(|knobs| knobs.processing_ms = 86_400_000);
    let post = lose_the_answer(&t, Pulled::Photo, async |t| {
        t.sim.idle().await;
        assert!(t.sim.finish_draft(&publish_id, Some(&text), "PUBLIC_TO_EVERYONE"));
    })
    .await;
    let root = t.settled(&post).await;
    is_unconfirmed(&root);
    assert_eq!(root["releaseId"], Value::Null);
}

/// Has the next photo fetched and its answer lost.
async fn lose_next_answer(t: &TestApp, submit: impl Future<Output = ()>) {
    let init = Endpoint::ContentInit;
    t.sim.hold(init, HoldPoint::After);
    t.sim.inject(Fault::new(init, FaultAction::DropAfter));
    let lost = async {
        t.sim.held(init, 1).await;
        t.sim.idle().await;
        t.sim.release(init);
    };
    tokio::join!(submit, lost);
}

/// A photo whose answer was lost, and that the account lists after three hours: later than the provider may be at work on it, which is over.
async fn in_doubt_and_listed_late(t: &TestApp) -> String {
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.moderation_ms) = (false, 3 * 3_600_000));
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(720, 960).await]);
    body["mode"] = json!("draft");
    let post = t.api.create_post(&body).await;
    lose_next_answer(t, publish(t, &post)).await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(2 * HOUR).await;
    post
}

async fn a_post_whose_first_lost_try_is_listed_late_is_not_sent_a_third_time(db: Db) {
    let t = TestApp::start(db).await;
    let post = in_doubt_and_listed_late(&t).await;
    t.sim.fail(FailRule::next("spam_risk_text"));
    lose_next_answer(&t, publish(&t, &post)).await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(2 * HOUR).await;
    publish(&t, &post).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!((t.sim.publication_count(), t.handovers_of("kitestudio")), (1, 2));
}

async fn a_post_that_is_refused_after_a_lost_try_is_a_persons(db: Db) {
    let t = TestApp::start(db).await;
    let post = in_doubt_and_listed_late(&t).await;
    let refusal = FaultAction::error(400, "invalid_params");
    t.sim.inject(Fault::new(Endpoint::ContentInit, refusal));
    publish(&t, &post).await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(2 * HOUR).await;
    publish(&t, &post).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_lost_try_that_is_listed_late_is_found_although_a_draft_followed(db: Db) {
    let t = TestApp::start(db).await;
    let post = in_doubt_and_listed_late(&t).await;
    t.api.schedule_post(&post, t.now().plus(5 * MINUTE)).await;
    let path = format!("/public/v1/posts/{post}");
    let as_a_draft = json!({ "settings": { "post_mode": "MEDIA_UPLOAD" } });
    t.api.patch(&path, &as_a_draft).await.ok();
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), t.sim.inbox_deliveries().len()),
        (Some("ACTION_REQUIRED"), 1),
        "{root:#}"
    );
    t.advance(2 * HOUR).await;
    publish(&t, &post).await;
    t.only_publication(&t.settled(&post).await);
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
}

async fn a_post_of_just_before_is_not_taken_for_the_next_with_its_text_where_the_providers_clock_is_ahead(
    db: Db,
) {
    let t = Pulled::Photo.start(db).await;
    t.sim.advance(Duration::from_secs(40));
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.omit_post_id) = (false, true));
    let platform = t.connect("kitestudio").await;
    let body = post_body(&platform, &[t.api.upload_photo(720, 960).await]);
    let before = t.api.create_post(&body).await;
    assert_eq!(t.settled(&before).await["releaseId"], Value::Null);
    t.advance(Duration::from_secs(312)).await;
    t.sim.fail(FailRule::next("spam_risk"));
    let next = lose_the_answer_to_photos(&t, &body).await;
    is_unconfirmed(&t.settled(&next).await);
    publish(&t, &next).await;
    let root = t.settled(&next).await;
    assert!(
        root["state"] == "ACTION_REQUIRED" || t.sim.publication_count() == 2,
        "{root:#}"
    );
}
