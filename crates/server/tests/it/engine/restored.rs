//! After a hold: whichever path a post or a comment takes then, what went out since the copy was made does not go out
//! again, and what did not goes out once.

use std::time::Duration;

use playout_domain::id::PlatformId;
use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::comments::with_comments;
use super::hold::{DAY, HOUR, plan, planned, publish, searched, searched_in_time, send_early};
use super::internal::{damage, quoted};
use crate::harness::{Db, TestApp, eventually, execute_in, on_both, texts_in};

on_both!(
    a_comment_whose_root_a_person_marks_as_published_is_not_written_again,
    a_comment_of_a_post_that_goes_out_after_the_hold_is_written_once,
    a_private_post_of_an_account_that_must_be_reconnected_is_a_persons,
    an_account_whose_refresh_token_was_spent_since_the_copy_is_named_and_searched_once_reconnected,
    a_draft_is_not_laid_into_the_inbox_again,
    a_post_that_is_due_soon_waits_until_the_provider_has_ended_what_it_may_be_at,
    a_row_that_cannot_be_read_holds_no_other_account,
    a_token_that_cannot_be_opened_ends_no_hold_of_others,
    a_post_of_the_same_account_in_another_workspace_is_not_taken_for_ones_own,
    what_is_told_after_a_hold_is_not_given_to_another_post,
);

pub(super) const MINUTE: Duration = Duration::from_secs(60);

pub(super) async fn must_reconnect(t: &TestApp, platform: &str) {
    let (platform, store) = (PlatformId(platform.parse().unwrap()), &t.app.store);
    let version = store.tokens(platform).await.unwrap().unwrap().version;
    let marked = store.mark_refresh_needed(platform, version, "access_token_invalid", t.now());
    marked.await.unwrap();
}

pub(super) fn is_a_persons(root: &Value) {
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("Publications were held"),
        "{root:#}"
    );
}

pub(super) fn comments(t: &TestApp) -> usize {
    t.sim.account("kitestudio").unwrap().comments().len()
}

/// A post with a comment, planned so long from now.
pub(super) fn commented(t: &TestApp, platform: &str, (text, clip): (&str, &str), ahead: Duration) -> Value {
    let mut body = with_comments(platform, clip, &[("a comment", None)]);
    body["content"] = text.into();
    body["mode"] = "schedule".into();
    body["scheduledFor"] = t.now().plus(ahead).to_string().into();
    body
}

pub(super) async fn child_of(t: &TestApp, post: &str) -> Value {
    t.group(post).await["children"][0].clone()
}

async fn a_comment_whose_root_a_person_marks_as_published_is_not_written_again(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let twins = [
        t.api
            .create_post(&commented(&t, &platform, ("twins", &clip), 4 * DAY))
            .await,
        t.api
            .create_post(&commented(&t, &platform, ("twins", &clip), 5 * DAY))
            .await,
    ];
    let copy = t.copy_database().await;
    send_early(&t, &twins[0]).await;
    t.group_until(&twins[0], |group| group["children"][0]["state"] == "PUBLISHED")
        .await;
    assert_eq!(comments(&t), 1);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&twins[0]).await);
    let mark = format!("/public/v1/posts/{}/mark-published", twins[0]);
    t.api.post(&mark, &json!({})).await.ok();
    is_a_persons(&child_of(&t, &twins[0]).await);
    t.advance(DAY).await;
    assert_eq!((t.sim.publication_count(), comments(&t)), (1, 1));
}

async fn a_comment_of_a_post_that_goes_out_after_the_hold_is_written_once(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&commented(&t, &platform, ("later", &clip), 5 * DAY))
        .await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    t.clock.advance(5 * DAY);
    t.group_until(&post, |group| group["children"][0]["state"] == "PUBLISHED")
        .await;
    assert_eq!((t.sim.publication_count(), comments(&t)), (1, 1));
}

async fn a_private_post_of_an_account_that_must_be_reconnected_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = planned(&t, &platform, ("for me alone", &clip), 5 * DAY);
    body["settings"]["privacy_level"] = "SELF_ONLY".into();
    let private = t.api.create_post(&body).await;
    let public = plan(&t, &platform, ("for all", &clip), 5 * DAY).await;
    must_reconnect(&t, &platform).await;
    let copy = t.copy_database().await;
    t.connect("kitestudio").await;
    send_early(&t, &private).await;
    send_early(&t, &public).await;
    assert_eq!(t.sim.publication_count(), 2);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&private).await);
    assert_eq!(
        t.root(&public).await["state"],
        "QUEUE",
        "it is looked for once more"
    );
    t.connect("kitestudio").await;
    t.clock.advance(5 * DAY);
    assert_eq!(t.settled(&public).await["state"], "PUBLISHED");
    t.idle().await;
    assert_eq!(t.sim.publication_count(), 2);
}

async fn an_account_whose_refresh_token_was_spent_since_the_copy_is_named_and_searched_once_reconnected(
    db: Db,
) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    t.advance(HOUR).await;
    assert_eq!(t.settled(&due).await["state"], "PUBLISHED");
    t.advance(DAY).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    let said = t.errors.warned("could not be looked for").await;
    let workspace = t.app.store.list_workspaces().await.unwrap()[0].id.to_string();
    assert!(
        said.len() == 1
            && said[0].contains("2 posts of 1 account could not")
            && said[0].contains("left to a person: 1 post.")
            && said[0].contains("connect again @kitestudio (workspace ")
            && said[0].contains(&workspace),
        "{said:?}"
    );
    let last = t.app.store.find_last_hold().await.unwrap();
    assert_eq!(last.unwrap().not_looked_for, 2);
    let root = t.root(&due).await;
    is_a_persons(&root);
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("Enable the account or connect it again first, then publish it"),
        "{root:#}"
    );
    assert_eq!(t.root(&later).await["state"], "QUEUE");
    t.connect("kitestudio").await;
    publish(&t, &due).await;
    assert_eq!(t.settled(&due).await["state"], "PUBLISHED");
    t.advance(4 * DAY).await;
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_draft_is_not_laid_into_the_inbox_again(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = planned(&t, &platform, ("for the inbox", &clip), 5 * DAY);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let post = t.api.create_post(&body).await;
    let copy = t.copy_database().await;
    send_early(&t, &post).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
    t.go_on_with(copy).await;
    searched(&t).await;
    is_a_persons(&t.root(&post).await);
    t.advance(6 * DAY).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
}

async fn a_post_that_is_due_soon_waits_until_the_provider_has_ended_what_it_may_be_at(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let sent = plan(&t, &platform, ("sent before", &clip), 20 * MINUTE).await;
    let unsent = plan(&t, &platform, ("not sent before", &clip), 20 * MINUTE).await;
    let copy = t.copy_database().await;
    t.sim.turn(|knobs| knobs.processing_ms = 1_800_000);
    send_early(&t, &sent).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    let until = t.now().plus(47 * MINUTE).to_string();
    t.advance(20 * MINUTE).await;
    for post in [&sent, &unsent] {
        let root = t.root(post).await;
        let text = root["errorText"].as_str().unwrap_or_default();
        assert!(
            root["state"] == "QUEUE" && text.contains(&format!("waits until {until}")),
            "{root:#}"
        );
    }
    assert_eq!(t.sim.task_count(), 1, "nothing was begun");
    t.advance(HOUR).await;
    for post in [&sent, &unsent] {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_row_that_cannot_be_read_holds_no_other_account(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let clip = t.api.upload_clip().await;
    let bad = plan(&t, &platform, ("bad", &clip), HOUR).await;
    let beside = plan(&t, &platform, ("beside it", &clip), 5 * DAY).await;
    let good = plan(&t, &other, ("good", &clip), HOUR).await;
    damage(
        &t,
        db,
        format!("UPDATE posts SET settings = '[]' WHERE id = {}", quoted(db, &bad)),
    )
    .await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&good).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&good).await["state"], "PUBLISHED");
    assert_eq!(t.root(&beside).await["state"], "QUEUE");
    let url = t.app.config.database_url.expose().to_owned();
    damage(
        &t,
        db,
        format!(
            "UPDATE posts SET settings = '{{}}' WHERE id = {}",
            quoted(db, &bad)
        ),
    )
    .await;
    is_a_persons(&t.root(&bad).await);
    let jobs = texts_in(
        &url,
        db,
        format!("SELECT kind FROM jobs WHERE post_id = {}", quoted(db, &bad)),
    )
    .await;
    assert_eq!(jobs, Vec::<String>::new());
}

async fn a_token_that_cannot_be_opened_ends_no_hold_of_others(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("could not be asked");
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("of the bad account", &clip), HOUR).await;
    let good = plan(&t, &other, ("good", &clip), HOUR).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    t.settled(&good).await;
    let sealed = format!(
        "UPDATE platforms SET access_token = refresh_token WHERE id = {}",
        quoted(db, &platform)
    );
    execute_in(&copy.url, db, sealed).await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    assert_eq!(t.root(&good).await["state"], "PUBLISHED");
    is_a_persons(&t.root(&due).await);
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_post_of_the_same_account_in_another_workspace_is_not_taken_for_ones_own(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    let (clip, their_clip) = (t.api.upload_clip().await, stranger.upload_clip().await);
    let own = plan(&t, &platform, ("the same words", &clip), 5 * DAY).await;
    let copy_of_words = planned(&t, &theirs, ("the same words", &their_clip), MINUTE);
    let other = stranger.create_post(&copy_of_words).await;
    t.advance(HOUR).await;
    assert_eq!(
        stranger.get(&format!("/public/v1/posts/{other}")).await.ok()["root"]["state"],
        "PUBLISHED"
    );
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&own).await["state"], "QUEUE");
    t.clock.advance(5 * DAY);
    assert_eq!(t.settled(&own).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn what_is_told_after_a_hold_is_not_given_to_another_post(db: Db) {
    let options = crate::harness::Options::default().set("tiktok_transfer", "pull");
    let mut t = TestApp::start_with(db, options).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::DropAfter));
    t.sim
        .fail(FailRule::all("internal").when_caption_contains("First flight"));
    let lost = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    eventually("it was fetched", async || !t.sim.fetches().is_empty()).await;
    let copy = t.copy_database().await;
    send_early(&t, &later).await;
    t.settled(&later).await;
    let out = t
        .sim
        .publications()
        .into_iter()
        .find(|post| post.caption == "due in five days")
        .unwrap();
    t.sim.hold(Endpoint::VideoList, HoldPoint::Before);
    t.go_on_with(copy).await;
    t.sim.held(Endpoint::VideoList, 1).await;
    let content = json!({ "publish_id": out.publish_id, "publish_type": "DIRECT_POST" });
    t.sim.turn(|knobs| knobs.webhooks = true);
    t.sim.send_event(&out.open_id, "post.publish.complete", &content);
    eventually("it was delivered", async || {
        t.sim.webhooks().iter().any(|sent| sent.delivered)
    })
    .await;
    t.sim.release(Endpoint::VideoList);
    searched_in_time(&t).await;
    t.advance(6 * DAY).await;
    assert_eq!(t.root(&later).await["releaseId"], out.post_id.as_str());
    let root = t.root(&lost).await;
    assert!(
        root["state"] == "ACTION_REQUIRED" && root["releaseId"].is_null(),
        "{root:#}"
    );
    let ours = t
        .sim
        .publications()
        .iter()
        .filter(|post| post.caption == "due in five days")
        .count();
    assert_eq!(ours, 1);
}

/// A replica that misses the last transactions takes over while the node runs: its timeline is another one.
#[tokio::test]
async fn a_failover_under_a_running_node_publishes_nothing_twice() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let url = t.app.config.database_url.expose().to_owned();
    let jobs = texts_in(
        &url,
        Db::Postgres,
        "SELECT row_to_json(j)::text FROM jobs j WHERE kind = 'publish_post'",
    )
    .await;
    t.clock.advance(HOUR);
    t.settled(&post).await;
    assert_eq!(t.sim.publication_count(), 1);
    let job = jobs[0].replace('\'', "''");
    let lose_the_tail = format!(
        "UPDATE posts SET state = 'QUEUE', release_id = NULL, release_url = NULL, publishing = FALSE;
         DELETE FROM submissions; INSERT INTO jobs SELECT * FROM json_populate_record(NULL::jobs, '{job}');
         UPDATE instance SET home = 'before the failover'"
    );
    t.app.store.set_home("before the failover", 0);
    damage(&t, Db::Postgres, lose_the_tail).await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    // Who used a connection in that moment reads why it ends, or that it has ended.
    t.errors.expect("terminating connection");
    t.errors.expect("error communicating with database");
    damage(&t, Db::Postgres, cut.to_owned()).await;
    let path = format!("/public/v1/posts/{post}");
    let is_out = async || {
        t.clock.advance(Duration::from_secs(5));
        let answer = t.api.get(&path).await;
        answer.status == 200 && answer.json()["root"]["state"] == "PUBLISHED"
    };
    eventually("it was found", is_out).await;
    t.clock.advance(DAY);
    // What failed with its connection is tried again later.
    eventually("nothing is under way", async || {
        t.clock.advance(Duration::from_secs(5));
        t.api.with_key(None).get("/readyz").await.status == 200
    })
    .await;
    assert_eq!(t.sim.publication_count(), 1);
}
