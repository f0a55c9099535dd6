//! `docs/backup.md`, as it is written: a backup of a running service, what goes out after it, a restore, and nothing goes out twice.

use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::copies::refused;
use super::scene::{Scene, post_body};
use crate::harness::{Database, Db, Playoutd, eventually, execute_in, stored_files};

/// Where the search of a hold dies.
pub(super) const POINTS: [&str; 2] = ["hold.before_settle", "hold.after_settle"];

/// What the page has under a heading to be typed, block by block.
pub(super) fn blocks_under(heading: &str) -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/backup.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once(&format!("## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let fenced = section.split("```").skip(1).step_by(2);
    fenced
        .map(|block| block.split_once('\n').unwrap().1.to_owned())
        .collect()
}

fn commands_under(heading: &str) -> Vec<String> {
    let blocks = blocks_under(heading);
    blocks
        .iter()
        .flat_map(|block| block.lines())
        .map(str::to_owned)
        .collect()
}

/// Types them, with backups in this directory.
async fn type_in(scene: &Scene, heading: &str, backups: &Path, settings: &[(&'static str, &str)]) {
    let commands = commands_under(heading);
    assert!(!commands.is_empty(), "{heading}");
    for line in commands {
        let line = line.replace("/var/backups/playout", backups.to_str().unwrap());
        let plain = scene.starting(settings, Playoutd::command);
        let program = Path::new(plain.get_program()).parent().unwrap().to_owned();
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("PATH={}:$PATH; {line}", program.display())])
            .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let output = tokio::task::spawn_blocking(move || command.output());
        let output = output.await.unwrap().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {said}");
    }
}

async fn a_restored_backup_publishes_nothing_twice(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut first = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let before = post_body(&platform, "before the backup", std::slice::from_ref(&clip));
    let before = scene.api.create_post(&before).await;
    assert_eq!(scene.settled(&before).await["state"], "PUBLISHED");
    let mut after = post_body(&platform, "after the backup", std::slice::from_ref(&clip));
    after["mode"] = "draft".into();
    let after = scene.api.create_post(&after).await;

    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, "Making a backup", &backups, &[]).await;
    let publish = format!("/public/v1/posts/{after}/publish");
    scene.api.post(&publish, &json!({})).await.ok();
    assert_eq!(scene.settled(&after).await["state"], "PUBLISHED");
    first.kill();

    let data = elsewhere.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let database = Database::empty(db, &data).await;
    let settings = [
        ("PLAYOUT_DATA_DIR", data.to_str().unwrap()),
        ("PLAYOUT_DATABASE_URL", database.url.as_str()),
    ];
    type_in(&scene, "Restoring", &backups, &settings).await;
    for point in POINTS {
        let dying = [&settings[..], &[("PLAYOUT_FAILPOINT", point)]].concat();
        scene.dies(scene.spawn(&dying), point).await;
    }
    let mut restored = scene.spawn(&settings);
    restored.ready(scene.api.http()).await;
    let nobody = scene.api.with_key(None);
    eventually("the hold is over", async || {
        nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    for post in [&before, &after] {
        let root = scene.settled(post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    }
    assert_eq!(scene.sim.publication_count(), 2);
    // The files are there: one more post goes out with the video of before.
    let again = scene
        .api
        .create_post(&post_body(&platform, "afterwards", &[clip]))
        .await;
    assert_eq!(scene.settled(&again).await["state"], "PUBLISHED");
    assert_eq!(scene.sim.publication_count(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_publishes_nothing_twice_on_sqlite() {
    a_restored_backup_publishes_nothing_twice(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_publishes_nothing_twice_on_postgres() {
    a_restored_backup_publishes_nothing_twice(Db::Postgres).await;
}

/// Runs a command as the page has it; returns its output.
async fn printed(scene: &Scene, line: &str) -> (bool, String) {
    let page = include_str!("../../../../../docs/backup.md");
    assert!(page.contains(line), "the page does not say {line:?}");
    let plain = scene.starting(&[], Playoutd::command);
    let program = Path::new(plain.get_program()).parent().unwrap().to_owned();
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("PATH={}:$PATH; {line}", program.display())])
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.unwrap().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

/// Rows of an earlier time were loaded into the database: the hold looks from then on.
async fn the_hold_goes_further_back(scene: &Scene, held_at: &Value) -> Value {
    let earlier = "2026-11-01T12:00:00Z";
    let held = scene.admin(&["engine", "hold", "--since", earlier]).await;
    assert_eq!(
        (&held["since"], &held["heldAt"]),
        (&json!("2026-11-01T11:55:00.000Z"), held_at),
        "{held:#}"
    );
    let left = &held["accountsLeft"][0];
    assert_eq!(
        (&left["account"], &left["posts"]),
        (&json!("@kitestudio"), &json!(1)),
        "{held:#}"
    );
    for (since, problem) in [("2999-01-01T00:00:00Z", "in the future"), ("noon", "RFC 3339")] {
        let said = refused(scene, &["admin", "engine", "hold", "--since", since]);
        assert!(said.contains(problem), "{said}");
    }
    held
}

async fn a_hold_is_begun_shown_and_ended_by_hand(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let mut draft = post_body(&platform, "a draft", &[clip]);
    draft["mode"] = "draft".into();
    scene.api.create_post(&draft).await;
    // Without an engine: the search would end the hold.
    process.kill();
    execute_in(
        scene.database_url(),
        db,
        "UPDATE posts SET state = 'ACTION_REQUIRED', waiting = 'unconfirmed'",
    )
    .await;
    let [status, hold, release] =
        ["status", "hold", "release"].map(|task| format!("playoutd admin engine {task}"));
    let shown = async |line: &str| {
        let (succeeded, said) = printed(&scene, line).await;
        assert!(succeeded, "{line}: {said}");
        serde_json::from_str::<Value>(&said).unwrap()
    };
    let never = shown(&status).await;
    assert_eq!(
        (&never["held"], &never["lastHold"], &never["nextStartHolds"]),
        (&json!(false), &json!(null), &json!(null))
    );
    let held = shown(&hold).await;
    assert_eq!(
        (&held["held"], &held["postsToLookFor"]),
        (&json!(true), &json!(1)),
        "{held:#}"
    );
    let now = shown(&status).await;
    assert_eq!(
        (&now["held"], &now["because"]),
        (&json!(true), &json!("it was held by hand")),
        "{now:#}"
    );
    let held = the_hold_goes_further_back(&scene, &now["heldAt"]).await;
    let released = shown(&release).await;
    assert_eq!(
        (&released["held"], &released["postsNotLookedFor"]),
        (&json!(false), &json!(1)),
        "{released:#}"
    );
    let after = shown(&status).await;
    let last = &after["lastHold"];
    assert_eq!(
        (
            &after["held"],
            &last["heldAt"],
            &last["because"],
            &last["postsNotLookedFor"]
        ),
        (&json!(false), &now["heldAt"], &now["because"], &json!(1)),
        "{after:#}"
    );
    assert!(last["endedAt"].as_str() > last["heldAt"].as_str(), "{last:#}");
    assert_eq!(
        (&last["released"], &released["postsLookedForBeforeTheyAreSent"]),
        (&json!(true), &json!(0))
    );
    for status in [&never, &held, &now, &released, &after] {
        assert_eq!(status["postsWithAPerson"], 1, "{status:#}");
    }
    let (succeeded, said) = printed(&scene, &release).await;
    assert!(!succeeded && said.contains("publications are not held"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_is_begun_shown_and_ended_by_hand_on_sqlite() {
    a_hold_is_begun_shown_and_ended_by_hand(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_is_begun_shown_and_ended_by_hand_on_postgres() {
    a_hold_is_begun_shown_and_ended_by_hand(Db::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_beside_the_log_of_a_killed_service_is_refused() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    scene.connect("kitestudio", &[]).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, "Making a backup", &backups, &[]).await;
    process.kill();
    std::fs::remove_file(scene.dir().join("playout.db")).unwrap();
    let restore = || {
        let mut command = scene.starting(&[], Playoutd::command);
        command.arg("restore").arg(backups.join("monday"));
        let output = command.stderr(Stdio::piped()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    for end in ["-wal", "-shm"] {
        let left = scene.dir().join(format!("playout.db{end}"));
        let (restored, said) = restore();
        assert!(
            !restored && said.contains(left.to_str().unwrap()) && said.contains("move it away"),
            "{said}"
        );
        assert!(left.exists() && !scene.dir().join("playout.db").exists());
        std::fs::remove_file(left).unwrap();
    }
    let (restored, said) = restore();
    assert!(restored, "{said}");
}

async fn a_restore_into_the_storage_of_another_database_is_refused(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut process = scene.serve().await;
    scene.connect("kitestudio", &[]).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, "Making a backup", &backups, &[]).await;
    process.kill();

    let (data, media) = (elsewhere.path().join("data"), elsewhere.path().join("media"));
    std::fs::create_dir(&media).unwrap();
    let marker = media.join("playout-storage.json");
    let of_another = r#"{"id":"0197a000-0000-7000-8000-000000000001","pulse":7}"#;
    std::fs::write(&marker, of_another).unwrap();
    let database = Database::empty(db, elsewhere.path()).await;
    let storage_url = format!("file://{}", media.display());
    let settings = [
        ("PLAYOUT_DATA_DIR", data.to_str().unwrap()),
        ("PLAYOUT_DATABASE_URL", database.url.as_str()),
        ("PLAYOUT_STORAGE_URL", storage_url.as_str()),
    ];
    let restore = || {
        let mut command = scene.starting(&settings, Playoutd::command);
        command.arg("restore").arg(backups.join("monday"));
        let output = command.stderr(Stdio::piped()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (restored, said) = restore();
    let expected = format!(
        "{} belongs to another database; nothing was restored",
        media.display()
    );
    assert!(!restored && said.contains(&expected), "{said}");
    assert_eq!(std::fs::read_to_string(&marker).unwrap(), of_another);
    assert_eq!(std::fs::read_dir(&media).unwrap().count(), 1, "no file was added");
    assert!(!data.exists(), "not even a key");
    std::fs::remove_file(&marker).unwrap();
    let (restored, said) = restore();
    assert!(restored, "the database was still empty: {said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_into_the_storage_of_another_database_is_refused_on_sqlite() {
    a_restore_into_the_storage_of_another_database_is_refused(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_into_the_storage_of_another_database_is_refused_on_postgres() {
    a_restore_into_the_storage_of_another_database_is_refused(Db::Postgres).await;
}

/// The database stays where it was, emptied: nothing but the restore itself can record that it went back in time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_that_fails_after_the_database_was_filled_leaves_it_held() {
    let scene = Scene::set(Db::Postgres, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let mut body = post_body(&platform, "sent after the backup", &[clip]);
    body["mode"] = "draft".into();
    let post = scene.api.create_post(&body).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, "Making a backup", &backups, &[]).await;
    let publish = format!("/public/v1/posts/{post}/publish");
    scene.api.post(&publish, &json!({})).await.ok();
    assert_eq!(scene.settled(&post).await["state"], "PUBLISHED");
    process.kill();

    let empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";
    let emptied = Command::new("psql")
        .args(["--quiet", "--command", empty, scene.database_url()])
        .output()
        .unwrap();
    assert!(emptied.status.success(), "{emptied:?}");
    let data = elsewhere.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let directory = ("PLAYOUT_DATA_DIR", data.to_str().unwrap());
    let restore = |key: &str| {
        let mut command = scene.starting(&[directory, ("PLAYOUT_SECRET_KEY", key)], Playoutd::command);
        command.arg("restore").arg(backups.join("monday"));
        let output = command.stderr(Stdio::piped()).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let told = restore("");
    assert!(
        told.contains("set PLAYOUT_SECRET_KEY") && told.contains("nothing was restored"),
        "{told}"
    );
    let told = restore("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    assert!(
        told.contains("secret key") && told.contains("do not restore again"),
        "{told}"
    );

    let mut process = scene.spawn(&[directory]);
    process.ready(scene.api.http()).await;
    let nobody = scene.api.with_key(None);
    eventually("the hold is over", async || {
        nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    assert_eq!(
        scene.settled(&post).await["state"],
        "PUBLISHED",
        "{}",
        scene.log()
    );
    assert_eq!(scene.sim.publication_count(), 1);
}

async fn a_backup_names_the_files_that_the_storage_does_not_have(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let _process = scene.serve().await;
    scene.api.upload_clip().await;
    let stored = stored_files(scene.dir().join("media")).unwrap();
    let mut stored = stored.map(|entry| entry.unwrap().path());
    let lost = stored.find(|path| path.extension().is_none()).unwrap();
    std::fs::remove_file(&lost).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let backup = elsewhere.path().join("backup");
    let mut command = scene.starting(&[], Playoutd::command);
    command.arg("backup").arg(&backup).stderr(Stdio::piped());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let name = lost.file_name().unwrap().to_str().unwrap();
    assert!(said.contains("1 file") && said.contains(name), "{said}");
    for text in [output.stdout, std::fs::read(backup.join("backup.json")).unwrap()] {
        let text = String::from_utf8(text).unwrap();
        let object = text.split_inclusive('}').next().unwrap();
        let manifest: Value = serde_json::from_str(object).unwrap();
        assert_eq!(manifest["missingFiles"], 1, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_names_the_files_that_the_storage_does_not_have_on_sqlite() {
    a_backup_names_the_files_that_the_storage_does_not_have(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_names_the_files_that_the_storage_does_not_have_on_postgres() {
    a_backup_names_the_files_that_the_storage_does_not_have(Db::Postgres).await;
}

/// Everything in a directory, and the directory.
fn tree(directory: &Path) -> Vec<PathBuf> {
    let mut found = vec![directory.to_owned()];
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(tree(&path)),
            false => found.push(path),
        }
    }
    found
}

/// Only root can give files away: as another user there is nothing to test.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_as_root_leaves_the_files_to_the_owner_of_the_data_directory() {
    const USER: u32 = 4242;
    let scene = Scene::set(Db::Sqlite, &[]).await;
    if std::fs::metadata(scene.dir()).unwrap().uid() != 0 {
        return;
    }
    let mut process = scene.serve().await;
    scene.api.upload_clip().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, "Making a backup", &backups, &[]).await;
    process.kill();
    // Links of the same files: root first.
    for user in [0, USER] {
        let above = elsewhere.path().join(format!("of-{user}"));
        std::fs::create_dir(&above).unwrap();
        chown(&above, Some(user), Some(user)).unwrap();
        let data = above.join("new/data");
        let url = format!("sqlite://{}/playout.db", data.display());
        let settings = [
            ("PLAYOUT_DATA_DIR", data.to_str().unwrap()),
            ("PLAYOUT_DATABASE_URL", url.as_str()),
        ];
        let mut command = scene.starting(&settings, Playoutd::command);
        command.arg("restore").arg(backups.join("monday"));
        let output = command.stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert_eq!(said.contains("chown --recursive"), user == 0, "{said}");
        for path in tree(&above) {
            let owner = std::fs::symlink_metadata(&path).unwrap().uid();
            assert_eq!(owner, user, "{}", path.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_backup_is_not_said_to_be_restored() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    process.signal("TERM");
    process.ended().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, "Making a backup", &backups, &[]).await;
    let copy = backups.join("monday/playout.db");
    let mut bytes = std::fs::read(&copy).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0xa5);
    std::fs::write(&copy, bytes).unwrap();
    for end in ["", "-wal", "-shm"] {
        let _missing = std::fs::remove_file(scene.dir().join(format!("playout.db{end}")));
    }
    let mut command = scene.starting(&[], Playoutd::command);
    command.arg("restore").arg(backups.join("monday"));
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("restore another backup"),
        "{said}"
    );
    assert!(!said.contains("do not restore again"), "{said}");
}
