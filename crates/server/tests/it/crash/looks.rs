//! `playoutd check` reads, and changes nothing; what a start logs when there is nothing to report.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use playout_store::{RestoreTarget, Store};

use super::scene::Scene;
use crate::harness::{Database, Db, Playoutd, eventually};

/// A key that no database of these tests was made with.
const OTHER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// Each file and directory with its size, its mode, and when it was last changed. Without the memory that SQLite's
/// processes share: a reader of a database with a log writes there what it has read.
fn everything(dir: &Path) -> BTreeMap<String, (u64, u32, i64, i64)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_dir() {
            found.extend(everything(&entry.path()));
        }
        if entry.path().extension().is_some_and(|end| end == "db-shm") {
            continue;
        }
        let looks = (
            metadata.len(),
            metadata.mode(),
            metadata.mtime(),
            metadata.mtime_nsec(),
        );
        found.insert(entry.path().display().to_string(), looks);
    }
    found
}

/// The output of `playoutd check`, which must change nothing, and whether all is well.
fn checked(dir: &Path, mut command: Command) -> (bool, String) {
    let before = everything(dir);
    let output = command.arg("check").stderr(Stdio::piped()).output().unwrap();
    assert_eq!(everything(dir), before);
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn check_makes_nothing_where_there_is_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
    command.env_clear().current_dir(dir.path());
    let (is_well, said) = checked(dir.path(), command);
    assert!(is_well, "{said}");
    for what in ["database", "secret key", "storage"] {
        assert!(said.contains(&format!("\n{what}: none yet")), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_makes_no_table_in_an_empty_database() {
    let dir = tempfile::tempdir().unwrap();
    let database = Database::empty(Db::Postgres, dir.path()).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
    command
        .env_clear()
        .env("PLAYOUT_DATABASE_URL", &database.url)
        .env("PLAYOUT_SECRET_KEY", OTHER_KEY)
        .current_dir(dir.path());
    let (is_well, said) = checked(dir.path(), command);
    assert!(is_well && said.contains(" migrations to apply"), "{said}");
    assert_eq!(
        Store::find_target(&database.url).await.unwrap(),
        RestoreTarget::Empty
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_finds_a_role_that_may_make_no_tables() {
    let dir = tempfile::tempdir().unwrap();
    let database = Database::empty(Db::Postgres, dir.path()).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
    command
        .env_clear()
        .env("PLAYOUT_DATABASE_URL", database.for_any_role().await)
        .env("PLAYOUT_SECRET_KEY", OTHER_KEY)
        .current_dir(dir.path());
    let (is_well, said) = checked(dir.path(), command);
    assert!(!is_well && said.contains("createdb --owner="), "{said}");
}

async fn check_says_what_does_not_belong_together_and_changes_nothing(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut process = scene.serve().await;
    let marker = scene.dir().join("media/playout-storage.json");
    eventually("the storage is marked", async || marker.exists()).await;
    let check = |more: &[(&'static str, &str)]| checked(scene.dir(), scene.starting(more, Playoutd::command));
    process.kill();
    let (is_well, said) = check(&[]);
    assert!(is_well, "{said}");
    for what in [
        "database: ok, 0 migrations",
        "secret key: ok",
        "storage: ok",
        "hold: none",
    ] {
        assert!(said.contains(what), "{said}");
    }
    std::fs::write(scene.dir().join("pulse"), "1000000\n").unwrap();
    let (is_well, said) = check(&[]);
    assert!(
        is_well
            && said.contains("the next start holds publications until their posts were searched for")
            && said.contains("connected first, under `playoutd serve --role api`"),
        "{said}"
    );
    std::fs::remove_file(scene.dir().join("pulse")).unwrap();

    let (media, away) = (scene.dir().join("media"), scene.dir().join("away"));
    std::fs::rename(&media, &away).unwrap();
    let (is_well, said) = check(&[]);
    assert!(
        !is_well && said.contains("storage: the storage at file://") && said.contains("is missing"),
        "{said}"
    );
    std::fs::create_dir(&media).unwrap();
    let (is_well, said) = check(&[]);
    assert!(
        !is_well && said.contains("playout-storage.json is missing or another's"),
        "{said}"
    );
    let others = r#"{"id":"0199a000-0000-7000-8000-000000000000","pulse":7}"#;
    std::fs::write(media.join("playout-storage.json"), others).unwrap();
    let (is_well, said) = check(&[]);
    assert!(
        !is_well && said.contains("playout-storage.json is missing or another's"),
        "{said}"
    );
    std::fs::remove_dir_all(&media).unwrap();
    std::fs::rename(&away, &media).unwrap();

    let (is_well, said) = check(&[("PLAYOUT_SECRET_KEY", OTHER_KEY)]);
    assert!(
        !is_well && said.contains("secret key: the secret key is not the one"),
        "{said}"
    );
    assert!(
        said.contains("database: ok") && said.contains("storage: ok"),
        "{said}"
    );
    assert!(check(&[]).0);

    // A start would deny other users access to it.
    let key = scene.dir().join("secret.key");
    drop(std::fs::set_permissions(&key, Permissions::from_mode(0o644)));
    assert!(check(&[]).0);
    // The command that closes the database last removes its log.
    scene.admin(&["engine", "status"]).await;
    assert!(!scene.dir().join("playout.db-wal").exists());
    assert!(check(&[]).0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_says_what_does_not_belong_together_and_changes_nothing_on_sqlite() {
    check_says_what_does_not_belong_together_and_changes_nothing(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_says_what_does_not_belong_together_and_changes_nothing_on_postgres() {
    check_says_what_does_not_belong_together_and_changes_nothing(Db::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_makes_no_folder_in_place_of_a_storage_that_is_missing() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let clip = scene.api.upload_clip().await;
    process.kill();
    let (media, away) = (scene.dir().join("media"), scene.dir().join("away"));
    std::fs::rename(&media, &away).unwrap();
    let mut process = scene.spawn(&[]);
    eventually("it says what is missing", async || {
        let log = scene.log();
        log.contains("the storage at file://") && log.contains("is missing, and the database has files there")
    })
    .await;
    let lost = "empty folder with the file playout-storage.json of any backup's `media`";
    assert!(scene.log().contains(lost), "{}", scene.log());
    assert!(
        !media.exists() && !scene.log().contains("another's"),
        "{}",
        scene.log()
    );
    std::fs::rename(&away, &media).unwrap();
    process.ready(scene.api.http()).await;
    let kept = scene.api.get(&format!("/public/v1/media/{clip}")).await;
    assert_eq!(kept.status, 200, "{}", scene.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_on_postgres_logs_no_notice_of_tables_that_are_there_already() {
    let scene = Scene::set(Db::Postgres, &[]).await;
    for _ in 0..2 {
        let mut process = scene.spawn(&[("PLAYOUT_LOG", "info")]);
        process.ready(scene.api.http()).await;
        process.kill();
    }
    let log = scene.log();
    assert!(
        log.contains("listening on") && !log.contains("already exists"),
        "{log}"
    );
}

#[test]
fn commands_about_a_database_make_none() {
    for args in [
        &["admin", "engine", "hold"][..],
        &["admin", "engine", "status"],
        &["backup", "kept"],
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
        let output = command.env_clear().current_dir(dir.path()).args(args).output();
        let output = output.unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && error.contains("there is no database at"),
            "{args:?}: {error}"
        );
        assert_eq!(everything(dir.path()), BTreeMap::new(), "{args:?}");
    }
}
