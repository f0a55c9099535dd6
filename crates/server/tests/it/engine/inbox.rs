//! Posts that the creator finishes in the provider's app.

use std::time::Duration;

use playout_tiktok::sim::{Account, Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::hold::searched;
use super::internal::damage;
use super::last_chunks::held_in_time;
use crate::harness::{Db, Options, TestApp, eventually, on_both, post_body};

on_both!(
    a_video_finished_by_the_creator_is_published_when_the_provider_says_so,
    a_video_finished_by_the_creator_is_found_by_asking_when_nothing_is_told,
    a_draft_that_the_creator_has_published_is_not_sent_again,
    photos_go_to_the_inbox_with_their_texts,
    a_draft_finished_for_the_creator_alone_is_published_without_an_address,
    a_full_inbox_keeps_the_post_waiting_until_there_is_room,
    a_draft_that_is_sent_again_and_refused_still_waits_in_the_inbox,
    a_draft_that_is_published_while_it_is_sent_again_ends_the_other_try,
    a_draft_that_is_published_while_another_arrives_leaves_the_post_published,
    every_draft_of_a_post_is_asked_about,
    a_draft_that_was_published_is_found_before_a_third_one_is_sent,
    a_draft_that_was_published_is_found_before_its_post_goes_out_directly,
    a_draft_that_was_published_is_found_although_a_try_in_doubt_followed,
    nothing_is_sent_directly_any_more_once_the_provider_tells_that_the_draft_is_published,
    nothing_is_sent_directly_any_more_once_the_draft_is_published,
    nothing_is_sent_directly_while_the_draft_cannot_be_asked_about,
    an_upload_that_goes_on_late_asks_about_the_draft_first,
    a_draft_that_is_published_while_the_account_is_asked_is_the_one_post,
    a_draft_that_is_published_while_the_account_is_asked_stops_a_pull,
    nothing_is_pulled_while_the_draft_cannot_be_asked_about,
    a_pull_that_waits_for_an_answer_about_the_draft_says_so_for_a_day_at_most,
    an_upload_that_waits_for_an_answer_about_the_draft_says_so_for_a_day_at_most,
    a_slow_answer_about_the_draft_is_asked_for_again_before_the_last_chunk,
    a_draft_that_the_provider_does_not_know_once_is_asked_about_again_before_the_last_chunk,
    a_draft_in_the_inbox_hides_no_rejection_about_another,
    a_draft_in_the_inbox_hides_no_rejection_about_one_that_is_asked_about_after_it,
    a_draft_that_the_provider_knows_no_longer_keeps_no_post_waiting,
    a_draft_whose_account_is_removed_while_its_post_is_sent_again_is_still_in_the_inbox,
    an_earlier_draft_that_was_published_is_found_after_a_restore,
);

const BANNED: &str = "spam_risk_user_banned_from_posting";

async fn send_to_inbox(t: &TestApp, media: &str) -> String {
    let platform = t.connect("kitestudio").await;
    t.api.create_post(&inbox_body(&platform, media)).await
}

fn inbox_body(platform: &str, media: &str) -> Value {
    let mut body = post_body(platform, &[media.to_owned()]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    body
}

/// The post is in the inbox: its error text states it, and nothing is public.
async fn lies_in_inbox(t: &TestApp, post: &str) -> String {
    let root = t.settled(post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("inbox") && text.contains("publish it there"),
        "{text}"
    );
    assert_eq!(t.sim.publication_count(), 0);
    let delivered = t.sim.inbox_deliveries();
    assert_eq!(delivered.len(), 1);
    delivered[0].publish_id.clone()
}

/// The post is out, under the creator's own caption, and has its address.
fn is_out(t: &TestApp, root: &Value) {
    let published = t.only_publication(root);
    assert_eq!(root["errorText"], Value::Null);
    assert_eq!(root["releaseUrl"], format!("{}{}", t.sim.url(), published.path()));
}

/// Lets time pass until the post has its address, as [`is_out`].
pub(super) async fn comes_out(t: &TestApp, post: &str) {
    let root = t.run_until(post, |root| root["releaseUrl"].is_string()).await;
    is_out(t, &root);
}

/// A video that was sent to the inbox: its post, and the provider's identifier of its draft.
pub(super) async fn video_in_inbox(t: &TestApp) -> (String, String) {
    let clip = t.api.upload_clip().await;
    let post = send_to_inbox(t, &clip).await;
    let publish_id = lies_in_inbox(t, &post).await;
    (post, publish_id)
}

async fn a_video_finished_by_the_creator_is_published_when_the_provider_says_so(db: Db) {
    let t = TestApp::start(db).await;
    let (post, publish_id) = video_in_inbox(&t).await;
    assert!(
        t.sim
            .finish_draft(&publish_id, Some("In my own words"), "PUBLIC_TO_EVERYONE")
    );
    t.idle().await;
    comes_out(&t, &post).await;
}

async fn a_video_finished_by_the_creator_is_found_by_asking_when_nothing_is_told(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, publish_id) = video_in_inbox(&t).await;
    t.advance(Duration::from_secs(5 * 3600)).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    comes_out(&t, &post).await;
}

async fn a_draft_that_the_creator_has_published_is_not_sent_again(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, publish_id) = video_in_inbox(&t).await;
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    t.api.publish_as_read(&post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
}

async fn photos_go_to_the_inbox_with_their_texts(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(720, 960).await;
    let post = send_to_inbox(&t, &photo).await;
    let publish_id = lies_in_inbox(&t, &post).await;
    let delivered = &t.sim.inbox_deliveries()[0];
    assert_eq!(
        (delivered.description.as_str(), delivered.media.len()),
        ("First flight #kites", 1)
    );
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    t.idle().await;
    let root = t.run_until(&post, |root| root["releaseUrl"].is_string()).await;
    is_out(&t, &root);
    assert!(
        root["releaseUrl"].as_str().unwrap().contains("/photo/"),
        "{root:#}"
    );
}

async fn a_draft_finished_for_the_creator_alone_is_published_without_an_address(db: Db) {
    let t = TestApp::start(db).await;
    let (post, publish_id) = video_in_inbox(&t).await;
    assert!(t.sim.finish_draft(&publish_id, None, "SELF_ONLY"));
    t.idle().await;
    let root = t.root(&post).await;
    assert_eq!(
        (root["state"].as_str(), &root["releaseUrl"]),
        (Some("PUBLISHED"), &Value::Null),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_full_inbox_keeps_the_post_waiting_until_there_is_room(db: Db) {
    let t = TestApp::start(db).await;
    let open_id = t.open_id("kitestudio");
    t.sim
        .change_account(&open_id, |account: &mut Account| account.pending_shares = 5);
    let clip = t.api.upload_clip().await;
    let post = send_to_inbox(&t, &clip).await;
    let waiting = t.run_until(&post, |root| root["errorText"].is_string()).await;
    let text = waiting["errorText"].as_str().unwrap();
    assert_eq!(waiting["state"], "QUEUE");
    assert!(
        text.contains("spam_risk_too_many_pending_share") && text.contains("inbox"),
        "{text}"
    );
    let since = t.now();
    t.sim
        .change_account(&open_id, |account: &mut Account| account.pending_shares = 0);
    lies_in_inbox(&t, &post).await;
    assert!(
        t.now().since(since) >= Duration::from_secs(3600),
        "asked again after an hour"
    );
}

/// A person sends a post again that is in the inbox.
pub(super) async fn send_again(t: &TestApp, post: &str) {
    // Its tries are listed in the order of their times.
    t.clock.advance(Duration::from_secs(1));
    t.api.publish_as_read(post).await;
}

pub(super) async fn outcomes_of(t: &TestApp, post: &str) -> Vec<String> {
    let tries = t.attempts_of(post).await;
    let outcomes = tries
        .iter()
        .map(|tried| tried["outcome"].as_str().unwrap().to_owned());
    outcomes.collect()
}

async fn a_draft_that_is_sent_again_and_refused_still_waits_in_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    t.sim
        .inject(Fault::new(Endpoint::InboxInit, FaultAction::error(403, BANNED)));
    send_again(&t, &post).await;
    lies_in_inbox(&t, &post).await;
    let root = t.root(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains(BANNED) && text.contains("earlier draft"), "{text}");
    assert_eq!(outcomes_of(&t, &post).await, ["in_inbox", "rejected"]);
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    comes_out(&t, &post).await;
}

async fn a_draft_that_is_published_while_it_is_sent_again_ends_the_other_try(db: Db) {
    let t = TestApp::start(db).await;
    let (post, first) = video_in_inbox(&t).await;
    t.sim.hold(Endpoint::InboxInit, HoldPoint::After);
    send_again(&t, &post).await;
    t.sim.held(Endpoint::InboxInit, 1).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED", "the run still waits");
    t.sim.release(Endpoint::InboxInit);
    comes_out(&t, &post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
    assert_eq!(outcomes_of(&t, &post).await, ["published", "abandoned"]);
}

async fn a_draft_that_is_published_while_another_arrives_leaves_the_post_published(db: Db) {
    let t = TestApp::start(db).await;
    let (post, first) = video_in_inbox(&t).await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    send_again(&t, &post).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    assert_eq!(t.root(&post).await["state"], "QUEUE", "the other one may arrive");
    t.sim.release(Endpoint::UploadLast);
    is_out(
        &t,
        &t.run_until(&post, |root| {
            root["state"] != "QUEUE" && root["releaseUrl"].is_string()
        })
        .await,
    );
    assert_eq!(t.sim.inbox_deliveries().len(), 2);
    assert_eq!(outcomes_of(&t, &post).await, ["published", "in_inbox"]);
    let message = t.attempts_of(&post).await[1]["message"].take();
    assert!(message.as_str().unwrap().contains("creator's inbox"), "{message}");
    assert_eq!(
        t.events_of(&post)
            .await
            .iter()
            .filter(|event| *event == "post.published")
            .count(),
        1
    );
}

/// A post with two drafts in the inbox, of which the creator has published the first one, without a notification.
async fn first_of_two_is_published(db: Db) -> (TestApp, String) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    send_again(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.sim.inbox_deliveries().len(), 2);
    assert!(
        t.sim
            .finish_draft(&first, Some("In my own words"), "PUBLIC_TO_EVERYONE")
    );
    (t, post)
}

async fn every_draft_of_a_post_is_asked_about(db: Db) {
    let (t, post) = first_of_two_is_published(db).await;
    comes_out(&t, &post).await;
    assert_eq!(outcomes_of(&t, &post).await, ["published", "in_inbox"]);
}

async fn a_draft_that_was_published_is_found_before_a_third_one_is_sent(db: Db) {
    let (t, post) = first_of_two_is_published(db).await;
    send_again(&t, &post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 2);
}

/// A person plans a post that is in the inbox to go out directly, in ten minutes.
pub(super) async fn plan_directly(t: &TestApp, post: &str) {
    t.clock.advance(Duration::from_secs(1));
    let at = t.now().plus(Duration::from_secs(600));
    t.api.schedule_post(post, at).await;
    let settings = json!({ "post_mode": "DIRECT_POST", "privacy_level": "PUBLIC_TO_EVERYONE" });
    t.api
        .patch(
            &format!("/public/v1/posts/{post}"),
            &json!({ "settings": settings }),
        )
        .await
        .ok();
}

async fn a_draft_that_was_published_is_found_before_its_post_goes_out_directly(db: Db) {
    let (t, post) = first_of_two_is_published(db).await;
    plan_directly(&t, &post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 0);
}

async fn nothing_is_sent_directly_any_more_once_the_provider_tells_that_the_draft_is_published(db: Db) {
    its_draft_is_published_while_it_is_sent_directly(db, true, 0).await;
}

async fn nothing_is_sent_directly_any_more_once_the_draft_is_published(db: Db) {
    its_draft_is_published_while_it_is_sent_directly(db, false, 0).await;
}

async fn nothing_is_sent_directly_while_the_draft_cannot_be_asked_about(db: Db) {
    its_draft_is_published_while_it_is_sent_directly(db, false, 2).await;
}

/// The provider notifies of it, or is asked, which fails so many times.
async fn its_draft_is_published_while_it_is_sent_directly(db: Db, is_told: bool, failures: u32) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = is_told);
    let (post, first) = video_in_inbox(&t).await;
    let broken = Fault::new(Endpoint::UploadLast, FaultAction::Drop);
    t.sim.inject(broken.times(1));
    plan_directly(&t, &post).await;
    t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    for _ in 0..failures {
        t.sim
            .inject(Fault::new(Endpoint::Status, FaultAction::internal_error()));
    }
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// The answer with the address to upload to takes a while.
async fn an_upload_that_goes_on_late_asks_about_the_draft_first(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    sending_directly(&t, &post, HoldPoint::After).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.clock.advance(Duration::from_secs(75));
    t.sim.release(Endpoint::VideoInit);
    comes_out(&t, &post).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_draft_that_is_published_while_the_account_is_asked_is_the_one_post(db: Db) {
    its_draft_is_published_while_the_account_is_asked(db, "upload", 0).await;
}

async fn a_draft_that_is_published_while_the_account_is_asked_stops_a_pull(db: Db) {
    its_draft_is_published_while_the_account_is_asked(db, "pull", 0).await;
}

async fn nothing_is_pulled_while_the_draft_cannot_be_asked_about(db: Db) {
    its_draft_is_published_while_the_account_is_asked(db, "pull", 2).await;
}

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

/// The provider takes twenty seconds to answer what the account allows, after it was asked about the draft. Asking about that again then fails
/// so many times.
async fn its_draft_is_published_while_the_account_is_asked(db: Db, transfer: &'static str, failures: u32) {
    let options = Options::default().set("tiktok_transfer", transfer);
    let t = TestApp::start_with(db, options).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, draft) = video_in_inbox(&t).await;
    plan_directly(&t, &post).await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
    t.clock.advance(Duration::from_secs(600));
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.clock.advance(Duration::from_secs(20));
    if failures > 0 {
        let broken = Fault::new(Endpoint::Status, FaultAction::internal_error());
        t.sim.inject(broken.times(failures));
    }
    t.sim.release(Endpoint::CreatorInfo);
    comes_out(&t, &post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// A post that is in the inbox is being sent directly, which the provider has not answered.
async fn sending_directly(t: &TestApp, post: &str, point: HoldPoint) {
    t.sim.hold(Endpoint::VideoInit, point);
    plan_directly(t, post).await;
    t.clock.advance(Duration::from_secs(600));
    t.sim.held(Endpoint::VideoInit, 1).await;
}

async fn a_draft_whose_account_is_removed_while_its_post_is_sent_again_is_still_in_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    let (post, _) = video_in_inbox(&t).await;
    sending_directly(&t, &post, HoldPoint::Before).await;
    let platform = t.root(&post).await["integrationId"].as_str().unwrap().to_owned();
    t.remove_account(&platform).await;
    // As after the death of the process that sends it.
    let lost =
        "UPDATE jobs SET attempt = attempt + 1, leased_until = NULL, lease_owner = NULL, due_at = run_at";
    damage(&t, db, lost.to_owned()).await;
    eventually("it is a person's", async || {
        t.clock.advance(Duration::from_secs(1));
        t.root(&post).await["state"] == "ACTION_REQUIRED"
    })
    .await;
    let root = t.root(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains("in the creator's inbox"), "{root:#}");
    t.sim.release(Endpoint::VideoInit);
}

async fn a_draft_that_was_published_is_found_although_a_try_in_doubt_followed(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    t.sim.turn(|knobs| knobs.stuck = true);
    t.sim.fail(FailRule::next("internal"));
    plan_directly(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(outcomes_of(&t, &post).await, ["in_inbox", "unknown"]);
    t.sim.turn(|knobs| knobs.stuck = false);
    t.sim.idle().await;
    assert_eq!(t.sim.publication_count(), 0, "nothing came of the second try");
    assert!(
        t.sim
            .finish_draft(&first, Some("In my own words"), "PUBLIC_TO_EVERYONE")
    );
    send_again(&t, &post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 1);
}

async fn an_earlier_draft_that_was_published_is_found_after_a_restore(db: Db) {
    let (mut t, post) = first_of_two_is_published(db).await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    comes_out(&t, &post).await;
}

#[tokio::test]
async fn an_inbox_that_stays_full_for_a_day_ends_in_error() {
    let t = TestApp::start(Db::Sqlite).await;
    let open_id = t.open_id("kitestudio");
    t.sim
        .change_account(&open_id, |account: &mut Account| account.pending_shares = 5);
    let clip = t.api.upload_clip().await;
    let created = t.now();
    let post = send_to_inbox(&t, &clip).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("24 hours") && text.contains("spam_risk_too_many_pending_share"),
        "{text}"
    );
    let waited = t.now().since(created);
    assert!(
        waited > Duration::from_secs(22 * 3600) && waited <= Duration::from_secs(24 * 3600),
        "{waited:?}"
    );
    assert!(t.handovers_of("kitestudio") <= 25, "an hour between two tries");
    assert_eq!(t.sim.inbox_deliveries().len(), 0);
}

#[tokio::test]
async fn a_post_in_the_inbox_goes_there_again_only_when_a_person_says_so() {
    let t = TestApp::start(Db::Sqlite).await;
    let (post, _) = video_in_inbox(&t).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1, "never sent again by itself");
    let at = t.now().plus(Duration::from_secs(600));
    t.api.schedule_post(&post, at).await;
    t.settled(&post).await;
    assert_eq!(
        t.sim.inbox_deliveries().len(),
        2,
        "sent again because a person said so"
    );
}
