//! A database file that is removed or replaced under the running service, or before a start.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use playout_tiktok::sim::Endpoint;
use serde_json::{Value, json};

use crate::harness::{Db, Playoutd, Start, TestApp, eventually, execute_in, post_body};

const POSTS: &str = "/public/v1/posts";
const MINUTE: Duration = Duration::from_secs(60);

/// A service with a post that is due in a minute, and its database file.
async fn with_planned_post() -> (TestApp, PathBuf, String, Value) {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(t.now().plus(MINUTE)));
    let post = t.api.create_post(&body).await;
    t.idle().await;
    let url = t.app.config.database_url.expose();
    let file = PathBuf::from(url.strip_prefix("sqlite://").unwrap());
    (t, file, post, body)
}

/// Lets the post become due; the engine has tried to claim it and could not.
async fn due_in_vain(t: &TestApp) {
    let mut pulse = t.app.heart.pulse();
    t.clock.advance(MINUTE * 2);
    while t.app.heart.is_beating(t.now()) {
        pulse.changed().await.unwrap();
    }
}

async fn takes_no_work(t: &TestApp, body: &Value) {
    // By a statement that reads: what a commit finds is logged by its own thread, outside the test's subscriber.
    eventually("it is noticed", async || {
        t.nobody().get("/readyz").await.status == 503
    })
    .await;
    let refused = t.api.post(POSTS, body).await;
    refused.refused(503, "unavailable");
    assert_ne!(refused.header("retry-after"), "");
    t.api
        .get(&format!("{POSTS}?limit=1"))
        .await
        .refused(503, "unavailable");
    let ready = t.nobody().get("/readyz").await;
    assert_eq!(
        (ready.status, &ready.json()["database"]),
        (503, &json!("failing"))
    );
    assert_eq!(t.nobody().get("/healthz").await.status, 200);
    due_in_vain(t).await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 0);
    let told = t.errors.unexpected();
    let told = told.iter().filter(|line| line.contains("restart the service"));
    // Not at all where a commit has found it first, on its own thread.
    assert!(told.count() <= 1, "it is told once, with what to do");
    t.errors.expect("removed or replaced");
}

/// Back where it was, the service goes on by itself, and the post goes out once.
async fn goes_on(t: &TestApp, post: &str, body: &Value) {
    t.api.post(POSTS, body).await.ok();
    assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    assert_eq!(t.nobody().get("/readyz").await.status, 200);
}

#[tokio::test]
async fn a_service_whose_database_file_is_removed_takes_no_work_until_it_is_back() {
    let (t, file, post, mut body) = with_planned_post().await;
    let aside = file.with_extension("aside");
    std::fs::rename(&file, &aside).unwrap();
    takes_no_work(&t, &body).await;
    assert!(!file.exists(), "nothing made a new one");
    std::fs::rename(&aside, &file).unwrap();
    body["scheduledFor"] = json!(t.now().plus(MINUTE * 60));
    goes_on(&t, &post, &body).await;
}

#[tokio::test]
async fn a_service_whose_database_file_is_replaced_takes_no_work_until_it_is_back() {
    let (t, file, post, mut body) = with_planned_post().await;
    let aside = file.with_extension("aside");
    std::fs::rename(&file, &aside).unwrap();
    std::fs::copy(&aside, &file).unwrap();
    takes_no_work(&t, &body).await;
    std::fs::rename(&aside, &file).unwrap();
    body["scheduledFor"] = json!(t.now().plus(MINUTE * 60));
    goes_on(&t, &post, &body).await;
}

/// What a command prints in a data directory; it ends by itself.
fn run(dir: &Path, args: &[&str]) -> Output {
    let start = Start {
        dir,
        address: Playoutd::free_address(),
        simulator: "http://127.0.0.1:9",
        env: Vec::new(),
    };
    Playoutd::command(&start)
        .args(args)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap()
}

fn error_of(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The first command of an installation, which makes a database.
const ADMIN: [&str; 4] = ["admin", "workspace", "create", "--name=Kites"];

#[test]
fn an_empty_database_beside_the_key_of_an_earlier_start_is_refused_until_it_is_migrated_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    let check = run(dir.path(), &["check"]);
    assert!(check.status.success(), "{check:?}");
    assert!(!dir.path().join("secret.key").exists(), "to check is no start");
    let _started = run(dir.path(), &ADMIN);
    assert!(dir.path().join("secret.key").exists());
    for end in ["", "-wal", "-shm"] {
        let _missing = std::fs::remove_file(dir.path().join(format!("playout.db{end}")));
    }
    let data_dir = dir.path().to_str().unwrap();
    for args in [
        &["serve"][..],
        &ADMIN,
        &["demo", "--once", "--data-dir", data_dir],
    ] {
        let told = error_of(&run(dir.path(), args));
        assert!(
            told.contains("the database is empty") && told.contains("secret.key"),
            "{args:?}: {told}"
        );
        assert!(
            told.contains("playoutd migrate") && told.contains("PLAYOUT_DATABASE_URL"),
            "{args:?}: {told}"
        );
    }
    assert!(run(dir.path(), &["migrate"]).status.success());
    let told = run(dir.path(), &ADMIN);
    assert!(
        !String::from_utf8_lossy(&told.stderr).contains("the database is empty"),
        "{told:?}"
    );
}

#[test]
fn a_start_that_is_refused_for_a_missing_database_makes_none_and_a_backup_can_be_restored() {
    let (dir, backups) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let backup = backups.path().join("monday");
    let _started = run(dir.path(), &ADMIN);
    let made = run(dir.path(), &["backup", backup.to_str().unwrap()]);
    assert!(made.status.success(), "{made:?}");
    let restore = ["restore", backup.to_str().unwrap()];
    let told = error_of(&run(dir.path(), &restore));
    assert!(
        told.contains("there is a database at") && told.contains("stop the service"),
        "{told}"
    );
    let files = ["", "-wal", "-shm"].map(|end| dir.path().join(format!("playout.db{end}")));
    for file in &files {
        let _missing = std::fs::remove_file(file);
    }
    for args in [&["serve"][..], &ADMIN] {
        let told = error_of(&run(dir.path(), args));
        assert!(
            told.contains("the database is empty") && told.contains("`playoutd restore DIRECTORY`"),
            "{told}"
        );
        assert!(!files.iter().any(|file| file.exists()), "{args:?} made a file");
    }
    let restored = run(dir.path(), &restore);
    assert!(restored.status.success(), "{restored:?}");
}

#[tokio::test]
async fn a_database_that_is_emptied_under_a_running_service_is_named() {
    let t = TestApp::start(Db::Postgres).await;
    t.errors.expect("");
    t.idle().await;
    let empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";
    execute_in(t.app.config.database_url.expose(), Db::Postgres, empty).await;
    eventually("it was compared", async || {
        t.clock.advance(Duration::from_secs(2));
        !t.errors
            .errors("the database is empty, in place of the one")
            .is_empty()
    })
    .await;
    let told = t
        .errors
        .errors("the database is empty, in place of the one")
        .remove(0);
    assert!(
        told.contains("`playoutd restore DIRECTORY`") && told.contains("PLAYOUT_DATABASE_URL"),
        "{told}"
    );
    assert_eq!(t.nobody().get("/readyz").await.status, 503);
    let list = t.api.get(&format!("{POSTS}?limit=1")).await;
    list.refused(503, "unavailable");
}

#[test]
fn an_empty_database_beside_the_media_of_another_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let media = dir.path().join("media");
    std::fs::create_dir_all(&media).unwrap();
    std::fs::write(media.join("readme.txt"), "not ours").unwrap();
    let _started = run(dir.path(), &ADMIN);
    assert!(
        dir.path().join("secret.key").exists(),
        "files of others are nobody's media"
    );

    let dir = tempfile::tempdir().unwrap();
    let media = dir.path().join("media");
    std::fs::create_dir_all(&media).unwrap();
    std::fs::write(media.join("0123456789abcdef0123456789abcdef"), "a clip").unwrap();
    let told = error_of(&run(dir.path(), &["serve"]));
    assert!(
        told.contains("the database is empty") && told.contains("the media of another"),
        "{told}"
    );
    assert!(
        !dir.path().join("secret.key").exists(),
        "a start that is refused makes no key"
    );
}
