//! Rows that hold what no version of the program writes, or are missing, and searches that panic: what else there is goes on.

use playout_tiktok::sim::Endpoint;
use serde_json::Value;

use super::comments::with_comments;
use super::hold::{DAY, HOUR, plan, searched, searched_in_time, send_early};
use super::internal::{damage, quoted};
use super::restored::{MINUTE, child_of, is_a_persons};
use crate::harness::{Db, Options, TestApp, execute_in, on_both, texts_in};

on_both!(
    a_post_that_is_out_and_cannot_be_read_keeps_no_hold_from_ending,
    a_comment_that_cannot_be_read_keeps_no_hold_from_beginning,
    a_search_that_panics_leaves_the_posts_of_its_account_to_a_person,
    a_search_at_which_the_database_fails_leaves_the_posts_of_its_account_to_a_person,
    a_job_that_cannot_be_read_keeps_none_that_is_due_with_it_waiting,
    a_job_that_renews_access_and_cannot_be_read_is_run_again,
    comments_after_one_that_failed_beside_an_unreadable_one_go_out,
    a_job_whose_post_is_not_there_is_run_again_until_it_is,
);

/// The statement that makes a post unreadable, or readable again.
fn settings(db: Db, post: &str, settings: &str) -> String {
    format!(
        "UPDATE posts SET settings = '{settings}' WHERE id = {}",
        quoted(db, post)
    )
}

async fn a_post_that_is_out_and_cannot_be_read_keeps_no_hold_from_ending(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let clip = t.api.upload_clip().await;
    let old = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    assert_eq!(t.settled(&old).await["state"], "PUBLISHED");
    let early = plan(&t, &platform, ("sent early", &clip), 5 * DAY).await;
    let later = plan(&t, &platform, ("due in six days", &clip), 6 * DAY).await;
    let due = plan(&t, &other, ("due in an hour", &clip), HOUR).await;
    let copy = t.copy_database().await;
    send_early(&t, &early).await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    assert_eq!(t.sim.publication_count(), 3);
    execute_in(&copy.url, db, settings(db, &old, "[]")).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    let line = t.errors.errors("cannot be read").remove(0);
    assert!(line.contains(&old), "{line}");
    is_a_persons(&t.root(&early).await);
    assert_eq!(t.root(&due).await["state"], "PUBLISHED");
    t.clock.advance(6 * DAY);
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 4);
    damage(&t, db, settings(db, &old, "{}")).await;
}

async fn a_comment_that_cannot_be_read_keeps_no_hold_from_beginning(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let body = with_comments(&platform, &clip, &[("an hour later", Some(60))]);
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let comment = child_of(&t, &post).await["id"].as_str().unwrap().to_owned();
    let copy = t.copy_database().await;
    execute_in(&copy.url, db, settings(db, &comment, "[]")).await;
    t.go_on_with(copy).await;
    searched(&t).await;
    damage(&t, db, settings(db, &comment, "{}")).await;
    is_a_persons(&child_of(&t, &post).await);
    t.advance(DAY).await;
    assert_eq!(t.sim.account("kitestudio").unwrap().comments().len(), 0);
}

async fn a_search_that_panics_leaves_the_posts_of_its_account_to_a_person(db: Db) {
    let options = Options::default().set("failpoint", "hold.before_settle=panic");
    let mut t = TestApp::start_with(db, options).await;
    t.errors.expect("could not be looked for");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let later = plan(&t, &platform, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    send_early(&t, &later).await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    is_a_persons(&t.root(&due).await);
    let last = t.app.store.find_last_hold().await.unwrap();
    assert_eq!(last.unwrap().not_looked_for, 2);
    assert_eq!(t.root(&later).await["state"], "QUEUE");
    t.clock.advance(5 * DAY);
    assert_eq!(
        t.settled(&later).await["state"],
        "PUBLISHED",
        "it is found before it is submitted"
    );
    assert_eq!(t.sim.publication_count(), 2);
}

/// Only the account that lists a post with a text that is searched for is compared with others.
async fn a_search_at_which_the_database_fails_leaves_the_posts_of_its_account_to_a_person(db: Db) {
    let mut t = TestApp::start(db).await;
    t.errors.expect("could not be looked for");
    t.errors.expect("account_handles");
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let later = plan(&t, &other, ("due in five days", &clip), 5 * DAY).await;
    let copy = t.copy_database().await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    let away = "ALTER TABLE account_handles RENAME TO away";
    execute_in(&copy.url, db, away.to_owned()).await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    is_a_persons(&t.root(&due).await);
    assert_eq!(t.root(&later).await["state"], "QUEUE");
    let last = t.app.store.find_last_hold().await.unwrap();
    assert_eq!(last.unwrap().not_looked_for, 1);
    let back = "ALTER TABLE away RENAME TO account_handles";
    damage(&t, db, back.to_owned()).await;
    t.clock.advance(5 * DAY);
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_job_that_cannot_be_read_keeps_none_that_is_due_with_it_waiting(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("jobs.checks");
    let platform = t.connect("kitestudio").await;
    let other = t.connect("harborbakes").await;
    let clip = t.api.upload_clip().await;
    let bad = plan(&t, &platform, ("due soon", &clip), 10 * MINUTE).await;
    let good = plan(&t, &other, ("due soon", &clip), 10 * MINUTE).await;
    let damaged = format!("UPDATE jobs SET checks = -1 WHERE post_id = {}", quoted(db, &bad));
    damage(&t, db, damaged).await;
    t.advance(10 * MINUTE).await;
    assert_eq!(t.root(&good).await["state"], "PUBLISHED");
    let root = t.root(&bad).await;
    assert!(
        root["state"] == "QUEUE" && root["errorText"].as_str().unwrap().contains("internal_failure"),
        "{root:#}"
    );
    let line = t.errors.errors("jobs.checks").remove(0);
    assert!(line.contains(&bad), "{line}");
    // What could not be read begins anew with the next try.
    assert_eq!(t.settled(&bad).await["state"], "PUBLISHED");
    let attempts = t.api.get(&format!("/public/v1/posts/{bad}/attempts")).await.ok();
    assert_eq!(attempts["attempts"].as_array().unwrap().len(), 2, "{attempts:#}");
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (2, 2));
}

async fn a_job_that_renews_access_and_cannot_be_read_is_run_again(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("jobs.failures");
    t.connect("kitestudio").await;
    damage(
        &t,
        db,
        "UPDATE jobs SET failures = -1 WHERE kind = 'refresh_platform'".to_owned(),
    )
    .await;
    t.advance(20 * HOUR).await;
    assert!(!t.errors.errors("jobs.failures").is_empty());
    assert_eq!(t.calls(Endpoint::TokenRefresh).len(), 0);
    t.advance(MINUTE).await;
    assert_eq!(t.calls(Endpoint::TokenRefresh).len(), 1);
}

async fn comments_after_one_that_failed_beside_an_unreadable_one_go_out(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let comments = [("first", Some(60)), ("second", None), ("third", None)];
    let body = with_comments(&platform, &clip, &comments);
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let second = t.group(&post).await["children"][1]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    damage(&t, db, settings(db, &second, "[]")).await;
    // The first one fails for a day, because its group cannot be read.
    for _ in 0..60 {
        t.advance(30 * MINUTE).await;
    }
    damage(&t, db, settings(db, &second, "{}")).await;
    let states = |group: &Value| -> Vec<String> {
        let children = group["children"].as_array().unwrap().iter();
        children
            .map(|child| child["state"].as_str().unwrap().to_owned())
            .collect()
    };
    let group = t
        .group_until(&post, |group| !states(group).contains(&"QUEUE".to_owned()))
        .await;
    assert_eq!(states(&group), ["ERROR", "PUBLISHED", "PUBLISHED"], "{group:#}");
    let written = t.sim.account("kitestudio").unwrap().comments();
    let texts: Vec<_> = written.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(texts, ["second", "third"]);
}

/// Statements that leave the rows alone which refer to what they change.
fn without_references(db: Db, statements: &str) -> String {
    match db {
        Db::Sqlite => format!("PRAGMA foreign_keys = OFF; {statements}"),
        Db::Postgres => format!("SET session_replication_role = replica; {statements}"),
    }
}

/// As while a dump is loaded that has filled the table of the jobs first.
async fn a_job_whose_post_is_not_there_is_run_again_until_it_is(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("there is no row");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("due soon", &clip), 10 * MINUTE).await;
    let take_away = "CREATE TABLE kept AS SELECT * FROM posts; DELETE FROM posts";
    damage(&t, db, without_references(db, take_away)).await;
    t.advance(10 * MINUTE).await;
    let line = t.errors.errors("there is no row").remove(0);
    assert!(line.contains(&post), "{line}");
    let failures = "SELECT CAST(failures AS TEXT) FROM jobs WHERE kind = 'publish_post'";
    let url = t.app.config.database_url.expose();
    assert_eq!(texts_in(url, db, failures).await, ["1"]);
    let put_back = "INSERT INTO posts SELECT * FROM kept";
    damage(&t, db, without_references(db, put_back)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (1, 1));
}
