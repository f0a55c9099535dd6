//! Runs that fail inside: each is counted and tried again, and every post gets an outcome.

use std::fs::OpenOptions;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use playout_server::serve::Role;
use playout_tiktok::sim::{Endpoint, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{
    Db, Options, TestApp, eventually, execute_in, on_both, post_body, stored_files, texts_in,
};

on_both!(
    a_post_whose_storage_is_away_says_so_and_goes_out_once_when_it_is_back,
    a_run_that_fails_inside_is_logged_with_its_post_and_account_what_it_did_and_the_file,
    a_run_that_the_storage_fails_is_logged_with_the_cause,
    a_video_on_a_storage_that_never_answers_fails_inside_and_goes_out_when_it_does,
    a_photo_on_a_storage_that_never_answers_fails_inside_and_goes_out_when_it_does,
    a_post_whose_storage_is_away_can_be_deleted,
    a_post_whose_storage_stays_away_ends_in_error_after_a_day,
    a_post_whose_file_stays_away_for_a_day_is_created_again_with_another_file,
    a_video_that_vanishes_half_way_lets_its_post_be_deleted,
    a_run_that_panics_is_tried_again_and_ends_in_error_after_a_day,
    a_panic_while_a_failure_is_noted_frees_the_slot_and_the_post_goes_out_after_the_lease,
    a_row_that_cannot_be_read_ends_in_error_and_keeps_nobody_else_waiting,
    a_try_that_cannot_be_read_leaves_its_post_with_a_person_who_can_delete_it,
    a_post_that_was_in_doubt_and_fails_inside_for_a_day_is_in_doubt_again,
);

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Where the files are, and where they are taken away to.
fn storage(t: &TestApp) -> (PathBuf, PathBuf) {
    let data = &t.app.config.data_dir;
    (data.join("media"), data.join("away"))
}

/// The files go, and the marker stays that names the storage: without it the node would serve nothing.
pub(super) fn take_files_away(t: &TestApp) {
    let (here, away) = storage(t);
    std::fs::rename(&here, &away).unwrap();
    std::fs::create_dir(&here).unwrap();
    let marker = "playout-storage.json";
    std::fs::copy(away.join(marker), here.join(marker)).unwrap();
}

/// A post whose video is away when it is due.
async fn without_its_video(t: &TestApp) -> String {
    t.errors.expect("failed inside");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    take_files_away(t);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.run_until(&post, |root| root["errorText"].is_string()).await;
    post
}

fn give_back(t: &TestApp) {
    let (here, away) = storage(t);
    std::fs::remove_dir_all(&here).unwrap();
    std::fs::rename(away, here).unwrap();
}

/// From now on opening a file of the storage blocks, as on a network file system whose server is gone: each is a pipe
/// that nothing is written to. Only the marker is as it was.
fn hang(t: &TestApp) {
    take_files_away(t);
    let (here, away) = storage(t);
    for file in stored_files(&away).unwrap() {
        let pipe = here.join(file.unwrap().file_name());
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
}

/// Gives the storage back, and lets go of what waits for it.
fn go_on(t: &TestApp) {
    let (here, _) = storage(t);
    for pipe in stored_files(&here).unwrap() {
        drop(
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(pipe.unwrap().path())
                .unwrap(),
        );
    }
    give_back(t);
}

/// How long the storage may take for one step here: longer than a storage that works takes on a busy machine.
const STEP_LIMIT: Duration = Duration::from_secs(3);

async fn a_hanging_storage_fails_the_run(db: Db, upload: impl AsyncFnOnce(&TestApp) -> String) {
    let options = Options {
        step_limit: Some(STEP_LIMIT),
        ..Options::default()
    };
    let t = TestApp::start_with(db, options).await;
    t.errors.expect("the storage did not answer");
    let platform = t.connect("kitestudio").await;
    let media = upload(&t).await;
    hang(&t);
    let post = t.api.publish_now(&platform, &[media]).await;
    let root = t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert!(
        root["state"] == "QUEUE" && root["errorText"].as_str().unwrap().contains("internal_failure"),
        "{root:#}"
    );
    assert_eq!((t.app.slots.count(), t.sim.task_count()), (0, 0));
    go_on(&t);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (1, 1));
}

async fn attempts(t: &TestApp, post: &str) -> Vec<Value> {
    let mut answer = t.api.get(&format!("/public/v1/posts/{post}/attempts")).await.ok();
    serde_json::from_value(answer["attempts"].take()).unwrap()
}

/// Writes into the database what no version of the program does.
pub(super) async fn damage(t: &TestApp, db: Db, sql: String) {
    execute_in(t.app.config.database_url.expose(), db, sql).await;
}

async fn a_post_whose_storage_is_away_says_so_and_goes_out_once_when_it_is_back(db: Db) {
    let t = TestApp::start(db).await;
    let post = without_its_video(&t).await;
    let root = t.root(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(
        root["state"] == "QUEUE"
            && text.contains("A file of this post is missing in the storage (")
            && text.contains("Put it back, or replace it in the post.")
            && text.contains("internal_failure"),
        "{root:#}"
    );
    let tried = attempts(&t, &post).await;
    assert_eq!(
        (
            tried[0]["code"].as_str(),
            tried[0]["explanation"]["whoActs"].as_str()
        ),
        (Some("internal_failure"), Some("operator"))
    );
    give_back(&t);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(
        (t.sim.publication_count(), t.sim.task_count()),
        (1, 1),
        "nothing was handed over before"
    );
}

async fn a_run_that_fails_inside_is_logged_with_its_post_and_account_what_it_did_and_the_file(db: Db) {
    let t = TestApp::start(db).await;
    let post = without_its_video(&t).await;
    let account = t.root(&post).await["integrationId"].as_str().unwrap().to_owned();
    let line = t.errors.errors("failed inside").remove(0);
    let what = format!("handing over post {post} failed inside: the storage has no file \"");
    let fields = [
        format!("post={post}"),
        format!("account={account}"),
        format!("workspace={}", t.workspace.id),
    ];
    assert!(line.contains(&what), "{line}");
    for field in fields {
        assert!(line.contains(&field), "{field}: {line}");
    }
    give_back(&t);
    t.settled(&post).await;
}

async fn a_run_that_the_storage_fails_is_logged_with_the_cause(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("failed inside");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    take_files_away(&t);
    let (here, away) = storage(&t);
    for file in stored_files(&away).unwrap() {
        let name = file.unwrap().file_name();
        symlink(&name, here.join(&name)).unwrap();
    }
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.run_until(&post, |root| root["errorText"].is_string()).await;
    let line = t.errors.errors("failed inside").remove(0);
    assert!(
        line.contains("storage failed at") && line.contains("Too many levels of symbolic links"),
        "{line}"
    );
    give_back(&t);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

async fn a_video_on_a_storage_that_never_answers_fails_inside_and_goes_out_when_it_does(db: Db) {
    a_hanging_storage_fails_the_run(db, async |t| t.api.upload_clip().await).await;
}

async fn a_photo_on_a_storage_that_never_answers_fails_inside_and_goes_out_when_it_does(db: Db) {
    a_hanging_storage_fails_the_run(db, async |t| t.api.upload_photo(720, 960).await).await;
}

async fn a_post_whose_storage_is_away_can_be_deleted(db: Db) {
    let t = TestApp::start(db).await;
    let post = without_its_video(&t).await;
    t.api.delete_post(&post).await;
    give_back(&t);
    t.advance(DAY).await;
    assert_eq!(t.sim.task_count(), 0);
}

async fn a_post_whose_storage_stays_away_ends_in_error_after_a_day(db: Db) {
    let t = TestApp::start(db).await;
    let begun = t.now();
    let post = without_its_video(&t).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("24 hours"),
        "{root:#}"
    );
    assert!(
        t.now().since(begun) <= DAY,
        "it ended after {:?}",
        t.now().since(begun)
    );
    let tries = attempts(&t, &post).await.len();
    assert!((10..100).contains(&tries), "tried {tries} times in a day");
}

/// What the text asks for is accepted.
async fn a_post_whose_file_stays_away_for_a_day_is_created_again_with_another_file(db: Db) {
    let t = TestApp::start(db).await;
    let post = without_its_video(&t).await;
    let root = t.settled(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains("is missing in the storage ("), "{text}");
    for promise in ["by itself", "tried again", "Put it back"] {
        assert!(!text.contains(promise), "{promise}: {text}");
    }
    assert!(
        text.contains("to change it, create it again with other contents, and delete this one"),
        "{text}"
    );
    let platform = root["integrationId"].as_str().unwrap();
    let photo = t.api.upload_photo(720, 960).await;
    let again = t.api.publish_now(platform, &[photo]).await;
    t.api.delete_post(&post).await;
    assert_eq!(t.settled(&again).await["state"], "PUBLISHED");
}

async fn a_video_that_vanishes_half_way_lets_its_post_be_deleted(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("failed inside");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::VideoInit, 1).await;
    take_files_away(&t);
    t.sim.release(Endpoint::VideoInit);
    let root = t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    t.api.delete_post(&post).await;
    t.advance(DAY).await;
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (0, 1));
}

async fn a_run_that_panics_is_tried_again_and_ends_in_error_after_a_day(db: Db) {
    let t = panicking_at(db, "publish.before_options").await;
    t.errors.expect("panicked");
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert!(
        root["state"] == "QUEUE" && root["errorText"].as_str().unwrap().contains("internal_failure"),
        "{root:#}"
    );
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    let tries = attempts(&t, &post).await.len();
    assert!((10..100).contains(&tries), "tried {tries} times in a day");
    assert_eq!(t.sim.task_count(), 0);
}

async fn a_panic_while_a_failure_is_noted_frees_the_slot_and_the_post_goes_out_after_the_lease(db: Db) {
    let mut t = panicking_at(db, "internal.before_settle").await;
    t.errors.expect("failed inside");
    t.errors.expect("could not be noted");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    take_files_away(&t);
    let post = t.api.publish_now(&platform, &[clip]).await;
    let url = t.app.config.database_url.expose();
    let claims = "SELECT CAST(attempt AS TEXT) FROM jobs WHERE post_id IS NOT NULL";
    eventually("it was claimed", async || {
        texts_in(url, db, claims).await == ["1"]
    })
    .await;
    eventually("its slot is free", async || t.app.slots.count() == 0).await;
    give_back(&t);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (1, 1));
    t.stop().await;
}

async fn a_row_that_cannot_be_read_ends_in_error_and_keeps_nobody_else_waiting(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = post_body(&platform, std::slice::from_ref(&clip));
    body["mode"] = "schedule".into();
    body["scheduledFor"] = t.now().plus(Duration::from_secs(600)).to_string().into();
    let bad = t.api.create_post(&body).await;
    damage(
        &t,
        db,
        format!("UPDATE posts SET settings = '[]' WHERE id = {}", quoted(db, &bad)),
    )
    .await;
    t.advance(Duration::from_secs(600)).await;
    let other = t.connect("harborbakes").await;
    let good = t.api.publish_now(&other, &[clip]).await;
    assert_eq!(t.settled(&good).await["state"], "PUBLISHED");
    for _ in 0..60 {
        t.advance(Duration::from_secs(1800)).await;
    }
    damage(
        &t,
        db,
        format!(
            "UPDATE posts SET settings = '{{}}' WHERE id = {}",
            quoted(db, &bad)
        ),
    )
    .await;
    let root = t.root(&bad).await;
    assert_eq!(root["state"], "ERROR", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("internal_failure"),
        "{root:#}"
    );
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_try_that_cannot_be_read_leaves_its_post_with_a_person_who_can_delete_it(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let post = stuck(&t).await;
    damage(
        &t,
        db,
        format!(
            "UPDATE submissions SET sent_bytes = -1 WHERE post_id = {}",
            quoted(db, &post)
        ),
    )
    .await;
    is_unconfirmed(&t.settled(&post).await);
    damage(
        &t,
        db,
        format!(
            "UPDATE submissions SET sent_bytes = 0 WHERE post_id = {}",
            quoted(db, &post)
        ),
    )
    .await;
    let tried = attempts(&t, &post).await;
    assert_eq!(
        (tried.len(), &tried[0]["code"], &tried[0]["outcome"]),
        (1, &json!("internal_failure"), &json!("unknown")),
        "{tried:#?}"
    );
    t.api.delete_post(&post).await;
    assert_eq!(t.sim.task_count(), 1);
}

async fn a_post_that_was_in_doubt_and_fails_inside_for_a_day_is_in_doubt_again(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let post = stuck(&t).await;
    is_unconfirmed(&t.settled(&post).await);
    let at = t.now().plus(Duration::from_secs(600));
    t.api.schedule_post(&post, at).await;
    damage(
        &t,
        db,
        format!(
            "UPDATE posts SET settings = '[]' WHERE id = {}",
            quoted(db, &post)
        ),
    )
    .await;
    for _ in 0..60 {
        t.advance(Duration::from_secs(1800)).await;
    }
    damage(
        &t,
        db,
        format!(
            "UPDATE posts SET settings = '{{}}' WHERE id = {}",
            quoted(db, &post)
        ),
    )
    .await;
    is_unconfirmed(&t.root(&post).await);
    assert_eq!(t.sim.task_count(), 1);
}

/// A service of which every run, or every handling of a failure, panics at this point.
async fn panicking_at(db: Db, point: &str) -> TestApp {
    TestApp::start_with(db, Options::default().set("failpoint", format!("{point}=panic"))).await
}

/// A post that the provider has taken and never ends.
async fn stuck(t: &TestApp) -> String {
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    post
}

fn is_unconfirmed(root: &Value) {
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("unknown"),
        "{root:#}"
    );
}

/// An identifier as this database writes it.
pub(super) fn quoted(db: Db, id: &str) -> String {
    match db {
        Db::Sqlite => format!("x'{}'", id.replace('-', "")),
        Db::Postgres => format!("'{id}'"),
    }
}

/// Another node has the app.
#[tokio::test]
async fn a_node_without_the_app_of_an_account_gives_its_posts_to_no_person() {
    let options = Options {
        role: Some(Role::Api),
        ..Options::default()
    };
    let t = TestApp::start_with(Db::Postgres, options).await;
    t.errors.expect("has no app of tiktok");
    let platform = t.connect("kitestudio").await;
    let (app, node) = t.node_without_app().await;
    app.identity.fits().await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    eventually("it failed inside", async || {
        t.root(&post).await["errorText"].is_string()
    })
    .await;
    let root = t.root(&post).await;
    assert!(
        root["state"] == "QUEUE" && root["errorText"].as_str().unwrap().contains("internal_failure"),
        "{root:#}"
    );
    node.stop().await;
    let (other, _node) = t.second_node().await;
    other.identity.fits().await;
    // Slowly, so that no lease ends before its run.
    eventually("it is out", async || {
        t.clock.advance(Duration::from_millis(200));
        t.root(&post).await["state"] == "PUBLISHED"
    })
    .await;
    assert_eq!(t.sim.publication_count(), 1);
}
