//! Posts that a person decides about after a hold: before one is sent again it is looked for, whatever the outcome of the
//! last attempt in the database.

use playout_tiktok::sim::{Endpoint, FailRule, HoldPoint};
use serde_json::{Value, json};

use super::at_most_once::is_unconfirmed;
use super::held::last_attempt;
use super::hold::{DAY, HOUR, plan, planned, publish, searched, searched_in_time, send_early};
use super::internal::damage;
use super::listed_texts::hold_by_hand;
use super::restored::{MINUTE, is_a_persons, must_reconnect};
use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_post_in_doubt_that_was_sent_again_since_the_copy_is_found_by_its_text,
    a_post_in_doubt_that_was_not_sent_again_since_the_copy_goes_out_once_when_it_is,
    a_post_whose_try_of_before_the_copy_fails_is_looked_for_because_it_may_have_been_sent_again,
    a_post_in_doubt_that_was_changed_before_the_copy_is_found_by_its_present_text,
    a_post_that_was_due_and_is_listed_late_is_found_when_a_person_gives_it_another_time,
    a_post_that_was_due_while_its_account_could_not_be_asked_is_found_when_a_person_sends_it_again,
    a_post_of_an_account_that_could_not_be_searched_is_waited_for_once_it_is_connected_again,
    a_post_of_an_account_that_could_not_be_searched_and_is_not_found_is_looked_for_by_a_person,
    a_second_hold_that_does_not_find_a_post_either_asks_a_person_to_look_for_it,
    a_second_hold_that_cannot_search_the_account_either_keeps_what_the_text_of_a_post_promises,
    a_planned_post_is_not_taken_for_a_deleted_one_of_long_ago_that_is_out,
);

/// A video that the provider processes for so long that a person has to decide, and that fails in the end.
pub(super) async fn in_doubt(t: &TestApp, platform: &str) -> String {
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    t.sim.fail(FailRule::next("internal"));
    let post = t.api.publish_now(platform, &[t.api.upload_clip().await]).await;
    is_unconfirmed(&t.settled(&post).await);
    post
}

/// Lets the provider end what it is processing, without publishing it.
pub(super) async fn nothing_comes_of_it(t: &TestApp) {
    t.sim.turn(|knobs| knobs.stuck = false);
    t.sim.idle().await;
    assert_eq!(t.sim.publication_count(), 0);
}

async fn sent_again(t: &TestApp, post: &str) -> Value {
    publish(t, post).await;
    t.settled(post).await
}

/// The post is out as the only one of the account.
fn is_the_one_that_is_out(t: &TestApp, root: &Value) {
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.sim.publication_count(), 1, "{root:#}");
}

async fn a_post_in_doubt_that_was_sent_again_since_the_copy_is_found_by_its_text(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = in_doubt(&t, &platform).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    nothing_comes_of_it(&t).await;
    is_the_one_that_is_out(&t, &sent_again(&t, &post).await);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_unconfirmed(&t.root(&post).await);
    t.connect("kitestudio").await;
    is_the_one_that_is_out(&t, &sent_again(&t, &post).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

async fn a_post_in_doubt_that_was_not_sent_again_since_the_copy_goes_out_once_when_it_is(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = in_doubt(&t, &platform).await;
    nothing_comes_of_it(&t).await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    is_the_one_that_is_out(&t, &sent_again(&t, &post).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

async fn a_post_whose_try_of_before_the_copy_fails_is_looked_for_because_it_may_have_been_sent_again(db: Db) {
    let mut t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    t.sim.fail(FailRule::next("spam_risk_text"));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    assert_eq!(
        t.settled(&post).await["state"],
        "ACTION_REQUIRED",
        "it waits for a reconnection"
    );
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    nothing_comes_of_it(&t).await;
    assert_eq!(t.settled(&post).await["state"], "ERROR");
    is_the_one_that_is_out(&t, &sent_again(&t, &post).await);
    t.go_on_with(copy).await;
    searched(&t).await;
    t.connect("kitestudio").await;
    let root = t.settled(&post).await;
    is_the_one_that_is_out(&t, &root);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}
async fn a_post_in_doubt_that_was_changed_before_the_copy_is_found_by_its_present_text(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = in_doubt(&t, &platform).await;
    nothing_comes_of_it(&t).await;
    t.api.schedule_post(&post, t.now().plus(5 * DAY)).await;
    let changed = json!({ "content": "quite another text" });
    t.api
        .patch(&format!("/public/v1/posts/{post}"), &changed)
        .await
        .ok();
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    is_the_one_that_is_out(&t, &t.settled(&post).await);
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    is_the_one_that_is_out(&t, &t.root(&post).await);
    t.advance(6 * DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
}

async fn a_post_that_was_due_and_is_listed_late_is_found_when_a_person_gives_it_another_time(db: Db) {
    let mut t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.moderation_ms, knobs.webhooks) = (1_200_000, false));
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("the ferry", &clip), HOUR).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    is_the_one_that_is_out(&t, &t.settled(&post).await);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
    t.api.schedule_post(&post, t.now().plus(2 * HOUR)).await;
    t.advance(30 * MINUTE).await;
    assert!(t.sim.publications()[0].public_at.is_some(), "it is listed by now");
    t.clock.advance(2 * HOUR);
    is_the_one_that_is_out(&t, &t.settled(&post).await);
    t.advance(DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// A due post that the restored copy could not search for, after its account is connected again and it is published again. Whether it
/// was published between the copy and the restore, so that the account lists it twenty minutes later.
async fn sent_again_unsearched(db: Db, is_out: bool) -> (TestApp, String) {
    let mut t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.moderation_ms, knobs.webhooks) = (1_200_000, false));
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("the ferry", &clip), HOUR).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    if is_out {
        t.connect("kitestudio").await;
        t.clock.advance(HOUR);
        is_the_one_that_is_out(&t, &t.settled(&post).await);
    } else {
        t.stop().await;
        t.clock.advance(HOUR);
    }
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
    let until = t.now().plus(47 * MINUTE).to_string();
    t.connect("kitestudio").await;
    publish(&t, &post).await;
    let root = t.root(&post).await;
    let text = root["errorText"].as_str().unwrap_or_default();
    assert!(
        root["state"] == "QUEUE" && text.contains(&format!("waits until {until}")),
        "{root:#}"
    );
    assert_eq!(t.sim.task_count(), usize::from(is_out), "nothing was begun");
    (t, post)
}

async fn a_post_of_an_account_that_could_not_be_searched_is_waited_for_once_it_is_connected_again(db: Db) {
    let (t, post) = sent_again_unsearched(db, true).await;
    t.advance(HOUR).await;
    is_the_one_that_is_out(&t, &t.settled(&post).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_post_of_an_account_that_could_not_be_searched_and_is_not_found_is_looked_for_by_a_person(db: Db) {
    let (t, post) = sent_again_unsearched(db, false).await;
    t.advance(HOUR).await;
    let root = t.settled(&post).await;
    is_a_persons(&root);
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("Look at the account"),
        "{root:#}"
    );
    is_the_one_that_is_out(&t, &sent_again(&t, &post).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
}

async fn a_post_that_was_due_while_its_account_could_not_be_asked_is_found_when_a_person_sends_it_again(
    db: Db,
) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("the ferry", &clip), HOUR).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    t.clock.advance(HOUR);
    is_the_one_that_is_out(&t, &t.settled(&post).await);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
    t.connect("kitestudio").await;
    is_the_one_that_is_out(&t, &sent_again(&t, &post).await);
    t.advance(DAY).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// Posts that a restored copy left with a person because it could not search their account.
struct Unsearched {
    t: TestApp,
    /// It is out since the copy was made, and not listed.
    private: String,
    /// It is not out.
    public: String,
}

async fn left_unsearched(db: Db) -> Unsearched {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = planned(&t, &platform, ("for me alone", &clip), HOUR);
    body["settings"]["privacy_level"] = "SELF_ONLY".into();
    let private = t.api.create_post(&body).await;
    let public = plan(&t, &platform, ("for all", &clip), 2 * HOUR).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    t.clock.advance(HOUR);
    is_the_one_that_is_out(&t, &t.settled(&private).await);
    t.stop().await;
    t.clock.advance(HOUR);
    t.go_on_with(copy).await;
    searched(&t).await;
    for post in [&private, &public] {
        asks(
            &t,
            post,
            "restored_unsearched",
            "Enable the account or connect it again first",
        )
        .await;
    }
    Unsearched { t, private, public }
}

/// The post is with a person, with this text and an attempt of this code.
async fn asks(t: &TestApp, post: &str, code: &str, text: &str) {
    let root = t.root(post).await;
    is_a_persons(&root);
    assert!(root["errorText"].as_str().unwrap().contains(text), "{root:#}");
    let attempt = last_attempt(t, post).await;
    assert_eq!(attempt["code"], code, "{attempt:#}");
}

/// What `errorText` asks for once a person has looked at the account and found the private post there, and not the public one.
async fn decided_by_a_person(unsearched: &Unsearched) {
    let Unsearched { t, private, public } = unsearched;
    asks(
        t,
        private,
        "restored",
        "if the post is there, mark it as published",
    )
    .await;
    asks(t, public, "restored", "if it is not, publish it, or schedule it").await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (1, 1));
    let mark = format!("/public/v1/posts/{private}/mark-published");
    t.api.post(&mark, &json!({})).await.ok();
    assert_eq!(sent_again(t, public).await["state"], "PUBLISHED");
    t.advance(DAY).await;
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 2));
}

async fn a_second_hold_that_does_not_find_a_post_either_asks_a_person_to_look_for_it(db: Db) {
    let unsearched = left_unsearched(db).await;
    unsearched.t.connect("kitestudio").await;
    hold_by_hand(&unsearched.t).await;
    decided_by_a_person(&unsearched).await;
}

async fn a_second_hold_that_cannot_search_the_account_either_keeps_what_the_text_of_a_post_promises(db: Db) {
    let unsearched = left_unsearched(db).await;
    let Unsearched { t, private, public } = &unsearched;
    t.advance(MINUTE).await;
    hold_by_hand(t).await;
    for post in [private, public] {
        asks(
            t,
            post,
            "restored_unsearched",
            "Enable the account or connect it again first",
        )
        .await;
    }
    t.connect("kitestudio").await;
    for post in [private, public] {
        publish(t, post).await;
    }
    t.advance(HOUR).await;
    t.settled(public).await;
    decided_by_a_person(&unsearched).await;
}

/// A person deletes a post that they know is out. It was planned long ago, and not changed since.
async fn a_planned_post_is_not_taken_for_a_deleted_one_of_long_ago_that_is_out(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let out = plan(&t, &platform, ("twins", &clip), 4 * DAY).await;
    let later = plan(&t, &platform, ("twins", &clip), 5 * DAY).await;
    let long_ago = t.now().minus(91 * DAY).as_micros();
    let sql = format!("UPDATE posts SET created_at = {long_ago}, updated_at = {long_ago}");
    damage(&t, db, sql).await;
    let copy = t.copy_database().await;
    send_early(&t, &out).await;
    assert_eq!(t.settled(&out).await["state"], "PUBLISHED");
    t.sim.hold(Endpoint::VideoList, HoldPoint::Before);
    t.go_on_with(copy).await;
    t.sim.held(Endpoint::VideoList, 1).await;
    t.api.delete_post(&out).await;
    t.sim.release(Endpoint::VideoList);
    searched_in_time(&t).await;
    let root = t.root(&later).await;
    assert_ne!(root["state"], "PUBLISHED", "{root:#}");
}
