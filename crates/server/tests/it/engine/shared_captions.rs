//! Posts that share their caption with another one of the account, made here or by the creator: what is listed is taken for the post that it
//! is, and for no other.

use playout_domain::audit::Actor;
use playout_domain::workspace::Role;
use playout_store::By;
use playout_tiktok::sim::FailRule;
use serde_json::{Value, json};

use super::at_most_once::is_unconfirmed;
use super::hold::{DAY, HOUR, plan, planned, publish, searched, send_early};
use super::internal::{damage, quoted};
use super::listed_texts::{
    creator_posts, hold_by_hand, is_the_one_that_is_out, lose_the_answer, lose_the_answer_to,
};
use super::restored::{MINUTE, is_a_persons, must_reconnect};
use crate::harness::{Client, Db, TestApp, on_both, post_body};

on_both!(
    a_post_planned_for_later_that_shares_its_caption_with_another_is_a_persons,
    a_post_that_shares_its_caption_with_another_is_a_persons_when_it_is_looked_for_at_its_time,
    a_post_planned_for_later_that_shares_its_caption_with_no_other_is_published,
    a_post_that_was_due_since_the_copy_and_shares_its_caption_is_a_persons,
    a_due_post_that_shares_its_caption_with_a_forgotten_one_goes_out_when_it_is_sent,
    what_came_out_before_a_post_was_made_is_not_taken_for_it,
    of_two_posts_of_one_text_in_doubt_none_is_taken_for_the_other_when_it_is_sent_again,
    what_comes_out_long_after_a_hold_is_not_taken_for_a_planned_post_with_its_text,
    what_comes_out_soon_after_a_hold_is_taken_for_a_planned_post_with_its_text,
    what_came_out_before_a_post_was_submitted_is_not_taken_for_it_when_its_answer_is_lost,
    a_post_of_the_same_account_by_its_other_connection_is_not_taken_for_ones_own,
    what_another_installation_publishes_is_not_taken_for_a_post_whose_answer_was_lost,
    a_private_post_whose_answer_was_lost_is_a_persons_and_takes_no_handle_of_others,
    a_post_planned_for_later_that_begins_like_another_is_a_persons,
    a_post_that_begins_with_the_whole_text_of_a_forgotten_one_is_a_persons,
    a_post_whose_listed_twin_is_neither_of_two_goes_out_when_it_is_sent_again,
    a_deleted_post_by_the_accounts_other_connection_is_not_taken_for_ones_own,
    a_deleted_post_in_doubt_by_the_accounts_other_connection_is_not_taken_for_ones_own,
    a_post_by_another_connection_is_not_taken_for_ones_own_after_the_account_was_renamed,
    a_post_in_doubt_of_a_deleted_workspace_is_not_taken_for_that_of_the_accounts_other_connection,
    a_post_in_doubt_from_before_the_account_was_renamed_is_not_taken_for_that_of_its_other_connection,
);

async fn a_post_planned_for_later_that_shares_its_caption_with_another_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut now = post_body(&platform, std::slice::from_ref(&clip));
    now["content"] = "good morning".into();
    let before = t.api.create_post(&now).await;
    t.run_until(&before, |root| root["releaseId"].is_string()).await;
    let later = plan(&t, &platform, ("good morning", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    let forgotten = t.api.create_post(&now).await;
    t.settled(&forgotten).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&later).await);
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.publication_count(), 2);
    publish(&t, &later).await;
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 3);
}

async fn a_post_that_shares_its_caption_with_another_is_a_persons_when_it_is_looked_for_at_its_time(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut now = post_body(&platform, std::slice::from_ref(&clip));
    now["content"] = "good morning".into();
    let before = t.api.create_post(&now).await;
    t.run_until(&before, |root| root["releaseUrl"].is_string()).await;
    let later = plan(&t, &platform, ("good morning", &clip), 5 * DAY).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    let forgotten = t.api.create_post(&now).await;
    t.settled(&forgotten).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&later).await["state"], "QUEUE", "nobody could look");
    t.connect("kitestudio").await;
    t.clock.advance(5 * DAY);
    let root = t.settled(&later).await;
    assert_eq!(
        (&root["state"], &root["releaseId"]),
        (&json!("ACTION_REQUIRED"), &Value::Null),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_post_planned_for_later_that_shares_its_caption_with_no_other_is_published(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let later = plan(&t, &platform, ("good morning", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    send_early(&t, &later).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_the_one_that_is_out(&t, &t.root(&later).await);
}

async fn a_post_that_was_due_since_the_copy_and_shares_its_caption_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let before = plan(&t, &platform, ("good morning", &clip), MINUTE).await;
    let due = plan(&t, &platform, ("good morning", &clip), HOUR).await;
    t.clock.advance(MINUTE);
    t.run_until(&before, |root| root["releaseUrl"].is_string()).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&due).await);
    t.advance(DAY).await;
    is_a_persons(&t.root(&due).await);
    assert_eq!(t.sim.publication_count(), 2);
}

/// The service was down when it was due; what is listed was made after the copy.
async fn a_due_post_that_shares_its_caption_with_a_forgotten_one_goes_out_when_it_is_sent(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut now = post_body(&platform, std::slice::from_ref(&clip));
    now["content"] = "good morning".into();
    let before = t.api.create_post(&now).await;
    t.run_until(&before, |root| root["releaseUrl"].is_string()).await;
    let due = plan(&t, &platform, ("good morning", &clip), HOUR).await;
    let copy = t.copy_database().await;
    let forgotten = t.api.create_post(&now).await;
    t.settled(&forgotten).await;
    t.stop().await;
    t.clock.advance(2 * HOUR);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&due).await);
    t.advance(HOUR).await;
    publish(&t, &due).await;
    assert_eq!(t.settled(&due).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 3);
}

async fn what_came_out_before_a_post_was_made_is_not_taken_for_it(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut older = post_body(&platform, std::slice::from_ref(&clip));
    older["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let older = t.api.create_post(&older).await;
    assert_eq!(
        t.settled(&older).await["state"],
        "ACTION_REQUIRED",
        "it is in the inbox"
    );
    creator_posts(&t, "good evening").await;
    t.advance(7 * MINUTE).await;
    let post = plan(&t, &platform, ("good evening", &clip), DAY).await;
    hold_by_hand(&t).await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    t.clock.advance(DAY);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn of_two_posts_of_one_text_in_doubt_none_is_taken_for_the_other_when_it_is_sent_again(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let body = post_body(&platform, &[photo]);
    t.sim.fail(FailRule::next("spam_risk"));
    let missing = lose_the_answer(&t, &body).await;
    let there = lose_the_answer(&t, &body).await;
    for post in [&missing, &there] {
        is_unconfirmed(&t.settled(post).await);
    }
    assert_eq!(t.sim.publication_count(), 1);
    for post in [&missing, &there] {
        publish(&t, post).await;
        let root = t.settled(post).await;
        assert_eq!(
            (&root["state"], &root["releaseId"]),
            (&json!("ACTION_REQUIRED"), &Value::Null),
            "{root:#}"
        );
    }
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (2, 1));
    let page = t.sim.publications()[0].post_id.clone();
    let mark = format!("/public/v1/posts/{there}/mark-published");
    t.api.post(&mark, &json!({ "releaseId": page })).await.ok();
    publish(&t, &missing).await;
    assert_eq!(t.settled(&missing).await["state"], "PUBLISHED");
    assert_eq!((t.sim.task_count(), t.sim.publication_count()), (3, 2));
}

async fn what_comes_out_long_after_a_hold_is_not_taken_for_a_planned_post_with_its_text(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("#fyp #monday", &clip), 5 * DAY).await;
    hold_by_hand(&t).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE");
    t.advance(96 * MINUTE).await;
    creator_posts(&t, "#fyp #monday").await;
    let page = t.sim.publications()[0].post_id.clone();
    t.clock.advance(5 * DAY);
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(t.sim.publication_count(), 2);
    let root = t.run_until(&post, |root| root["releaseId"].is_string()).await;
    assert_ne!(root["releaseId"], page);
}

/// For as long as the provider may be at work on what was sent before the hold.
async fn what_comes_out_soon_after_a_hold_is_taken_for_a_planned_post_with_its_text(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("#fyp #monday", &clip), 5 * DAY).await;
    hold_by_hand(&t).await;
    t.advance(90 * MINUTE).await;
    creator_posts(&t, "#fyp #monday").await;
    t.clock.advance(5 * DAY);
    is_the_one_that_is_out(&t, &t.settled(&post).await);
}

/// The creator has posted the same text; then the answer to ours is lost, and nothing comes of it.
async fn what_came_out_before_a_post_was_submitted_is_not_taken_for_it_when_its_answer_is_lost(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    creator_posts(&t, "First flight #kites").await;
    t.advance(2 * MINUTE).await;
    t.sim.fail(FailRule::next("spam_risk"));
    let post = lose_the_answer(&t, &post_body(&platform, &[photo])).await;
    let root = t.settled(&post).await;
    is_unconfirmed(&root);
    assert_eq!(root["releaseId"], Value::Null, "{root:#}");
}

async fn a_post_of_the_same_account_by_its_other_connection_is_not_taken_for_ones_own(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    let (clip, their_clip) = (t.api.upload_clip().await, stranger.upload_clip().await);
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    let other = planned(&t, &theirs, ("the same words", &their_clip), MINUTE);
    let other = stranger.create_post(&other).await;
    t.advance(HOUR).await;
    let other = stranger.get(&format!("/public/v1/posts/{other}")).await.ok();
    assert!(other["root"]["releaseId"].is_string(), "{other:#}");
    hold_by_hand(&t).await;
    let root = t.root(&own).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    t.clock.advance(5 * DAY);
    assert_eq!(t.settled(&own).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn what_another_installation_publishes_is_not_taken_for_a_post_whose_answer_was_lost(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    t.sim.fail(FailRule::next("spam_risk"));
    let post = lose_the_answer(&t, &post_body(&platform, &[photo])).await;
    assert_eq!(t.root(&post).await["state"], "QUEUE", "it is searched for");
    creator_posts(&t, "of the same app, and not ours").await;
    t.idle().await;
    let root = t.settled(&post).await;
    is_unconfirmed(&root);
    assert_eq!((&root["releaseId"], t.sim.publication_count()), (&Value::Null, 1));
}

async fn a_private_post_whose_answer_was_lost_is_a_persons_and_takes_no_handle_of_others(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(720, 960).await;
    let mut body = post_body(&platform, &[photo]);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    t.sim.fail(FailRule::next("spam_risk"));
    let post = lose_the_answer(&t, &body).await;
    creator_posts(&t, "of the same app, and not ours").await;
    let root = t.settled(&post).await;
    is_unconfirmed(&root);
    assert_eq!(root["releaseId"], Value::Null);
}

async fn a_post_planned_for_later_that_begins_like_another_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let day = |day: &str| format!("{} {day}", "one idea a day for a small bakery ".repeat(8));
    let mut now = post_body(&platform, std::slice::from_ref(&clip));
    now["content"] = day("Monday").into();
    let before = t.api.create_post(&now).await;
    t.run_until(&before, |root| root["releaseId"].is_string()).await;
    let later = plan(&t, &platform, (&day("Tuesday"), &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    now["content"] = day("Wednesday").into();
    let forgotten = t.api.create_post(&now).await;
    t.settled(&forgotten).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&later).await);
}

async fn a_post_that_begins_with_the_whole_text_of_a_forgotten_one_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let series = "one idea a day for a small bakery ".repeat(3) + "today with rye";
    let planned = format!("{series}, and with a friend on Saturday");
    let later = plan(&t, &platform, (&planned, &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    let mut now = post_body(&platform, std::slice::from_ref(&clip));
    now["content"] = series.into();
    let forgotten = t.api.create_post(&now).await;
    t.settled(&forgotten).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&later).await);
    t.advance(HOUR).await;
    publish(&t, &later).await;
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

/// Two planned posts of one text, and a third that is not in the copy, which is out.
async fn a_post_whose_listed_twin_is_neither_of_two_goes_out_when_it_is_sent_again(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let body = planned(&t, &platform, ("weekly tip", &clip), 5 * DAY);
    let (first, second) = (t.api.create_post(&body).await, t.api.create_post(&body).await);
    let copy = t.copy_database().await;
    let mut now = post_body(&platform, &[clip]);
    now["content"] = "weekly tip".into();
    let forgotten = t.api.create_post(&now).await;
    t.settled(&forgotten).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    for post in [&first, &second] {
        is_a_persons(&t.root(post).await);
    }
    t.advance(HOUR).await;
    publish(&t, &first).await;
    let root = t.settled(&first).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "it may be the second: {root:#}");
    for post in [&first, &second] {
        publish(&t, post).await;
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    assert_eq!(t.sim.publication_count(), 3);
}

/// A post that the account's other connection has published, in another workspace; it is listed.
async fn published_by_another(t: &TestApp, text: &str) -> (Client, String) {
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    let clip = stranger.upload_clip().await;
    let body = planned(t, &theirs, (text, &clip), MINUTE);
    let post = stranger.create_post(&body).await;
    t.advance(HOUR).await;
    let path = format!("/public/v1/posts/{post}");
    let found = stranger.get(&path).await.ok();
    assert!(found["root"]["releaseId"].is_string(), "{found:#}");
    (stranger, path)
}

async fn a_deleted_post_by_the_accounts_other_connection_is_not_taken_for_ones_own(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    let (stranger, path) = published_by_another(&t, "the same words").await;
    assert_eq!(stranger.delete(&path).await.status, 204);
    hold_by_hand(&t).await;
    let root = t.root(&own).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
}

/// A post in doubt of the account's creator connection, in another workspace, which is listed an hour later.
async fn in_doubt_by_another(t: &TestApp) -> (Client, String) {
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.moderation_ms) = (false, 1_200_000));
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    let mut body = post_body(&theirs, &[stranger.upload_photo(720, 960).await]);
    body["content"] = "the same words".into();
    let in_doubt = lose_the_answer_to(t, &stranger, &body).await;
    for _ in 0..15 {
        t.advance(MINUTE).await;
    }
    let path = format!("/public/v1/posts/{in_doubt}");
    let found = stranger.get(&path).await.ok();
    is_unconfirmed(&found["root"]);
    (stranger, path)
}

async fn a_deleted_post_in_doubt_by_the_accounts_other_connection_is_not_taken_for_ones_own(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let (stranger, path) = in_doubt_by_another(&t).await;
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    assert_eq!(stranger.delete(&path).await.status, 204);
    t.advance(HOUR).await;
    assert_eq!(t.sim.publication_count(), 1);
    hold_by_hand(&t).await;
    let root = t.root(&own).await;
    assert_ne!(root["state"], "PUBLISHED", "{root:#}");
}

async fn a_post_by_another_connection_is_not_taken_for_ones_own_after_the_account_was_renamed(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    published_by_another(&t, "the same words").await;
    let renamed = format!(
        "UPDATE platforms SET display_handle = 'kites' WHERE id = {}",
        quoted(db, &platform)
    );
    damage(&t, db, renamed).await;
    hold_by_hand(&t).await;
    let root = t.root(&own).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
}

async fn a_post_in_doubt_of_a_deleted_workspace_is_not_taken_for_that_of_the_accounts_other_connection(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    in_doubt_by_another(&t).await;
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    let account = t.open_id("kitestudio");
    let theirs = t.app.store.find_by_provider_account("tiktok", &account);
    let (workspace, _) = theirs.await.unwrap().remove(0);
    let by = By {
        role: Role::Owner,
        actor: &Actor::operator(),
    };
    let deleted = t.app.store.delete_workspace(workspace, by, t.now());
    deleted.await.unwrap().unwrap();
    t.advance(HOUR).await;
    assert_eq!(t.sim.publication_count(), 1);
    hold_by_hand(&t).await;
    let root = t.root(&own).await;
    assert_ne!(root["state"], "PUBLISHED", "{root:#}");
}

async fn a_post_in_doubt_from_before_the_account_was_renamed_is_not_taken_for_that_of_its_other_connection(
    db: Db,
) {
    let t = TestApp::start(db).await;
    in_doubt_by_another(&t).await;
    let account = t.open_id("kitestudio");
    t.sim
        .change_account(&account, |account| account.username = "kites".to_owned());
    let platform = t.connect_business("kites").await;
    let clip = t.api.upload_clip().await;
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    t.advance(HOUR).await;
    assert_eq!(t.sim.publication_count(), 1);
    hold_by_hand(&t).await;
    let root = t.root(&own).await;
    assert_ne!(root["state"], "PUBLISHED", "{root:#}");
}
