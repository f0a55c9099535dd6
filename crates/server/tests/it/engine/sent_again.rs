//! Posts with an unknown outcome that a person sends again: what the provider still processes, or does not tell of at that moment, goes out once.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction};
use serde_json::json;

use super::at_most_once::{BLIND, Pulled, is_unconfirmed};
use super::hold::{DAY, HOUR, plan, planned, publish, searched, send_early};
use super::internal::damage;
use super::listed_texts::lose_the_answer as lose_the_answer_to_photos;
use super::restored::{MINUTE, is_a_persons, must_reconnect};
use super::same_text::in_doubt;
use super::tokens::disable;
use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    photos_that_the_provider_still_processes_are_waited_for,
    photos_of_which_nothing_comes_are_a_persons_again_and_go_out_when_they_say_so,
    a_post_in_doubt_that_was_a_draft_meanwhile_is_a_persons_before_it_goes_out,
    a_private_post_of_before_a_restore_that_was_a_draft_meanwhile_is_a_persons_before_it_goes_out,
    a_person_who_was_asked_too_early_is_asked_again_where_nothing_shows_what_came_out,
    photos_that_were_fetched_late_are_waited_for_as_long_as_an_upload,
    a_post_in_doubt_whose_account_is_disabled_while_it_waits_is_a_persons,
    a_post_in_doubt_whose_account_is_reconnected_while_it_waits_is_a_persons_again,
    photos_are_looked_for_again_where_the_account_refuses_to_list_its_posts_once,
    rejections_that_are_far_apart_do_not_show_that_nothing_came_out,
    a_question_that_is_rejected_in_turns_is_a_persons_after_a_day,
    rejections_of_a_moment_do_not_show_that_nothing_came_out_however_often_a_post_is_published_again,
    photos_of_an_account_that_refuses_to_list_its_posts_are_sent_again,
    a_video_is_asked_about_again_where_the_provider_does_not_know_its_handle_once,
    a_due_post_that_is_sent_again_right_after_a_hold_waits_for_what_the_provider_may_be_at,
    a_private_post_that_is_sent_again_right_after_a_hold_is_a_persons_once_more,
    a_post_that_shares_its_text_and_is_sent_again_right_after_a_hold_waits_too,
    a_post_that_shares_its_text_goes_out_once_a_person_has_said_that_the_other_is_out,
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

/// The longest that a pull may take, and the difference of clocks.
const PULLED_WITHIN: Duration = Duration::from_secs(95 * 60);

async fn photos_that_the_provider_still_processes_are_waited_for(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let post = in_doubt(&t, &[], 30 * MINUTE).await;
    is_unconfirmed(&t.settled(&post).await);
    publish(&t, &post).await;
    let waiting = t.root(&post).await;
    assert_eq!(waiting["state"], "QUEUE", "{waiting:#}");
    let text = waiting["errorText"].as_str().expect("a text");
    assert!(text.contains("may still be at work"), "{text}");
    is_found(&t, &post).await;
}

async fn photos_of_which_nothing_comes_are_a_persons_again_and_go_out_when_they_say_so(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let began = t.now();
    let post = in_doubt(&t, &[], 10 * DAY).await;
    is_unconfirmed(&t.settled(&post).await);
    publish(&t, &post).await;
    is_unconfirmed(&t.settled(&post).await);
    assert!(t.now() >= began.plus(PULLED_WITHIN));
    t.sim.turn(|knobs| knobs.processing_ms = 1000);
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert!(t.now() < began.plus(PULLED_WITHIN + HOUR));
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

/// Private photos whose answer was lost, and that a person was asked to look for while the provider processes them, for half an hour.
async fn asked_at_once(t: &TestApp) -> (String, String) {
    asked_while_processed(t, 1_800_000).await
}

async fn asked_while_processed(t: &TestApp, processing_ms: u64) -> (String, String) {
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.processing_ms) = (false, processing_ms));
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(720, 960).await]);
    body["settings"]["privacy_level"] = "SELF_ONLY".into();
    let post = lose_the_answer_to_photos(t, &body).await;
    is_unconfirmed(&t.settled(&post).await);
    (post, platform)
}

/// Who schedules the draft need not be who was asked.
async fn a_post_in_doubt_that_was_a_draft_meanwhile_is_a_persons_before_it_goes_out(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let (post, _) = asked_at_once(&t).await;
    publish(&t, &post).await;
    let path = format!("/public/v1/posts/{post}");
    t.api.post(&format!("{path}/unschedule"), &json!({})).await.ok();
    let draft = t.root(&post).await;
    let text = draft["errorText"].as_str().expect("a text");
    assert!(
        draft["state"] == "DRAFT" && text.contains("may be published"),
        "{draft:#}"
    );
    t.clock.advance(6 * HOUR);
    t.api.schedule_post(&post, t.now().plus(HOUR)).await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED", "they have looked");
}

/// A private post that is due in an hour, of which no notification arrives.
async fn planned_for_me_alone(t: &TestApp) -> String {
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let mut body = planned(t, &platform, ("for me alone", &clip), HOUR);
    body["settings"]["privacy_level"] = "SELF_ONLY".into();
    t.api.create_post(&body).await
}

async fn a_private_post_of_before_a_restore_that_was_a_draft_meanwhile_is_a_persons_before_it_goes_out(
    db: Db,
) {
    let mut t = TestApp::start(db).await;
    let due = planned_for_me_alone(&t).await;
    let copy = t.copy_database().await;
    t.advance(HOUR).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&due).await);
    t.api.schedule_post(&due, t.now().plus(2 * HOUR)).await;
    let path = format!("/public/v1/posts/{due}/unschedule");
    t.api.post(&path, &json!({})).await.ok();
    t.clock.advance(3 * HOUR);
    t.api.schedule_post(&due, t.now().plus(HOUR)).await;
    t.advance(HOUR).await;
    is_a_persons(&t.settled(&due).await);
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_person_who_was_asked_too_early_is_asked_again_where_nothing_shows_what_came_out(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let (post, _) = asked_at_once(&t).await;
    publish(&t, &post).await;
    let waiting = t.root(&post).await;
    assert_eq!(waiting["state"], "QUEUE", "{waiting:#}");
    let text = waiting["errorText"].as_str().expect("a text");
    assert!(text.contains("may still be at work"), "{text}");
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
    publish(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED", "they have looked");
    assert_eq!(t.sim.publication_count(), 2);
}

/// The provider has come for them an hour after it was asked to.
async fn photos_that_were_fetched_late_are_waited_for_as_long_as_an_upload(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let (post, _) = asked_while_processed(&t, 2_700_000).await;
    let hour = HOUR.as_micros();
    let earlier = format!("UPDATE submissions SET started_at = started_at - {hour}");
    damage(&t, db, earlier).await;
    t.advance(36 * MINUTE).await;
    publish(&t, &post).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_post_in_doubt_whose_account_is_disabled_while_it_waits_is_a_persons(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let (post, platform) = asked_at_once(&t).await;
    publish(&t, &post).await;
    disable(&t, &platform, true).await;
    t.advance(HOUR).await;
    is_unconfirmed(&t.settled(&post).await);
    disable(&t, &platform, false).await;
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_post_in_doubt_whose_account_is_reconnected_while_it_waits_is_a_persons_again(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let (post, _) = asked_at_once(&t).await;
    publish(&t, &post).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.advance(2 * HOUR).await;
    let waiting = t.root(&post).await;
    let text = waiting["errorText"].as_str().expect("a text");
    assert!(text.contains("Reconnect the account"), "{text}");
    let failure = Fault::new(Endpoint::VideoList, FaultAction::internal_error());
    t.sim.inject(failure.times(1));
    t.connect("kitestudio").await;
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

/// Photos that are out, and were not listed before a person was asked.
async fn out_and_in_doubt(t: &TestApp) -> String {
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.moderation_ms) = (false, 3 * 3_600_000));
    let post = in_doubt(t, &[], 10 * MINUTE).await;
    is_unconfirmed(&t.settled(&post).await);
    t.advance(4 * HOUR).await;
    assert_eq!(t.sim.publication_count(), 1);
    post
}

async fn photos_are_looked_for_again_where_the_account_refuses_to_list_its_posts_once(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let post = out_and_in_doubt(&t).await;
    refuse(&t, Endpoint::VideoList, "invalid_params", 1);
    publish(&t, &post).await;
    is_found(&t, &post).await;
}

async fn rejections_that_are_far_apart_do_not_show_that_nothing_came_out(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    publish(&t, &post).await;
    for _ in 0..6 {
        refuse(&t, Endpoint::Status, "invalid_publish_id", 1);
        t.advance(10 * MINUTE).await;
    }
    t.sim.turn(|knobs| knobs.stuck = false);
    t.only_publication(&t.settled(&post).await);
    assert_eq!(t.sim.task_count(), 1);
}

async fn a_question_that_is_rejected_in_turns_is_a_persons_after_a_day(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    publish(&t, &post).await;
    let codes = [
        "invalid_publish_id",
        "token_not_authorized_for_specified_publish_id",
    ];
    for code in codes.iter().cycle().take(6) {
        refuse(&t, Endpoint::Status, code, 1);
        t.advance(MINUTE).await;
        assert_eq!(t.root(&post).await["state"], "QUEUE");
    }
    let over = format!("UPDATE jobs SET deadline_at = {}", t.now().as_micros());
    damage(&t, db, over).await;
    refuse(&t, Endpoint::Status, codes[0], 1);
    is_unconfirmed(&t.settled(&post).await);
    assert_eq!(t.sim.task_count(), 1);
}

async fn rejections_of_a_moment_do_not_show_that_nothing_came_out_however_often_a_post_is_published_again(
    db: Db,
) {
    let t = Pulled::Photo.start(db).await;
    let post = out_and_in_doubt(&t).await;
    refuse(&t, Endpoint::VideoList, "invalid_params", 6);
    for _ in 0..6 {
        publish(&t, &post).await;
        t.advance(Duration::from_secs(2)).await;
        assert_eq!(t.root(&post).await["state"], "QUEUE");
    }
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

async fn a_private_post_that_is_sent_again_right_after_a_hold_is_a_persons_once_more(db: Db) {
    let mut t = TestApp::start(db).await;
    let due = planned_for_me_alone(&t).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    t.advance(HOUR).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&due).await);
    let later = t.now().plus(2 * HOUR);
    t.api.schedule_post(&due, later).await;
    t.advance(2 * HOUR).await;
    is_a_persons(&t.settled(&due).await);
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
    publish(&t, &due).await;
    assert_eq!(t.settled(&due).await["state"], "PUBLISHED", "they have looked");
}

async fn a_post_that_shares_its_text_and_is_sent_again_right_after_a_hold_waits_too(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let [first, second] = [
        plan(&t, &platform, ("twins", &clip), HOUR).await,
        plan(&t, &platform, ("twins", &clip), HOUR + 10 * MINUTE).await,
    ];
    let copy = t.copy_database().await;
    t.advance(HOUR).await;
    assert_eq!(t.settled(&first).await["state"], "PUBLISHED");
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    t.advance(10 * MINUTE).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
    t.go_on_with(copy).await;
    searched(&t).await;
    let mark = format!("/public/v1/posts/{first}/mark-published");
    t.api.post(&mark, &json!({})).await.ok();
    publish(&t, &second).await;
    if t.root(&second).await["state"] == "ACTION_REQUIRED" {
        publish(&t, &second).await;
    }
    assert_eq!(t.root(&second).await["state"], "QUEUE");
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 2));
}

async fn a_post_that_shares_its_text_goes_out_once_a_person_has_said_that_the_other_is_out(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let body = post_body(&platform, &[t.api.upload_photo(720, 960).await]);
    t.sim.fail(FailRule::next("spam_risk"));
    let missing = lose_the_answer_to_photos(&t, &body).await;
    let there = lose_the_answer_to_photos(&t, &body).await;
    for post in [&missing, &there] {
        is_unconfirmed(&t.settled(post).await);
    }
    let mark = format!("/public/v1/posts/{there}/mark-published");
    t.api.post(&mark, &json!({})).await.ok();
    publish(&t, &missing).await;
    let asked = t.settled(&missing).await;
    let text = asked["errorText"].as_str().unwrap();
    assert!(text.contains("publish this one again"), "{text}");
    publish(&t, &missing).await;
    assert_eq!(t.settled(&missing).await["state"], "PUBLISHED");
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (3, 2));
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
    t.advance(HOUR).await;
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
    t.advance(HOUR).await;
    publish(&t, &twin).await;
    assert_eq!(t.settled(&twin).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}
