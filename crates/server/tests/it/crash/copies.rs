//! Each sign by which a database that went back in time is known, alone: its place, the pulse in the data directory, and the pulse in
//! the storage. Another timeline of PostgreSQL is in `recovery.rs`.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::json;

use super::scene::{Scene, post_body};
use crate::harness::{Db, Playoutd, eventually};

const OLDER: &str = "the database is older than its data directory and its storage";
pub(super) const ELSEWHERE: &str = "the database is not where it was last written to";

/// The pulse in the data directory and the marker in the storage.
const PULSES: [&str; 2] = ["pulse", "media/playout-storage.json"];
const DATABASE: &str = "playout.db";

/// Files as they were, to be put back.
pub(super) struct Copy {
    from: PathBuf,
    to: tempfile::TempDir,
}

impl Copy {
    /// A copy of those of these files that are there.
    pub(super) fn of(from: &Path, names: &[&str]) -> Self {
        let to = tempfile::tempdir().unwrap();
        for name in names.iter().filter(|name| from.join(name).exists()) {
            let place = to.path().join(name);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::copy(from.join(name), place).unwrap();
        }
        Self {
            from: from.to_owned(),
            to,
        }
    }

    /// Puts a file back. It stays the same file, with another content.
    pub(super) fn put_back(&self, name: &str) {
        std::fs::copy(self.to.path().join(name), self.from.join(name)).unwrap();
    }

    /// Puts the pulses back.
    pub(super) fn put_pulses_back(&self) {
        PULSES.iter().for_each(|name| self.put_back(name));
    }

    /// A copy of the pulses alone.
    pub(super) fn of_pulses(from: &Path) -> Self {
        Self::of(from, &PULSES)
    }
}

/// A post that went out after the copy is found at the provider, whichever sign reveals the copy.
async fn is_noticed(put_back: impl Fn(&Copy), because: &str) {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let mut body = post_body(&platform, "sent after the copy", &[clip]);
    body["mode"] = "draft".into();
    let post = scene.api.create_post(&body).await;
    process.kill();
    let log = format!("{DATABASE}-wal");
    let copy = Copy::of(scene.dir(), &[&[DATABASE, &log], &PULSES[..]].concat());

    let mut process = scene.serve().await;
    let publish = format!("/public/v1/posts/{post}/publish");
    scene.api.post(&publish, &json!({})).await.ok();
    assert_eq!(scene.settled(&post).await["state"], "PUBLISHED");
    process.kill();
    std::fs::remove_file(scene.dir().join(format!("{DATABASE}-shm"))).unwrap();
    copy.put_back(&log);
    put_back(&copy);

    let status = scene.admin(&["engine", "status"]).await;
    assert_eq!(
        (&status["held"], &status["nextStartHolds"]),
        (&json!(false), &json!(because)),
        "{status:#}"
    );
    let _process = scene.serve().await;
    let nobody = scene.api.with_key(None);
    eventually("the hold is over", async || {
        nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert!(scene.log().contains(because), "{}", scene.log());
    assert_eq!(scene.sim.publication_count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_at_another_place_is_noticed_by_its_place_alone() {
    let put_back = |copy: &Copy| {
        copy.put_pulses_back();
        let place = copy.from.join(DATABASE);
        // Still there under another name, so that the copy cannot get its place.
        std::fs::rename(&place, copy.from.join("before.db")).unwrap();
        copy.put_back(DATABASE);
    };
    is_noticed(put_back, ELSEWHERE).await;
}

/// The database gets another inode, as when it is moved to another disk, and the service is stopped while a post is due.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_installation_that_is_said_to_be_moved_starts_without_a_hold_and_no_copy_does() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    process.kill();
    let process = scene.serve_api(&[]).await;
    let post = scene
        .api
        .create_post(&post_body(&platform, "due while it is moved", &[clip]))
        .await;
    drop(process);
    let files = [DATABASE, &format!("{DATABASE}-wal")];
    let moved = Copy::of(scene.dir(), &files);
    for name in [&files[..], &[&format!("{DATABASE}-shm")]].concat() {
        std::fs::rename(scene.dir().join(name), scene.dir().join(format!("before-{name}"))).unwrap();
    }
    files.iter().for_each(|name| moved.put_back(name));
    let status = scene.admin(&["engine", "moved"]).await;
    assert_eq!(status["held"], false, "{status:#}");
    assert!(status["moved"].is_string(), "{status:#}");
    let _process = scene.serve().await;
    assert_eq!(
        scene.settled(&post).await["state"],
        "PUBLISHED",
        "{}",
        scene.log()
    );
    assert!(!scene.log().contains(ELSEWHERE), "{}", scene.log());
    assert_eq!(scene.admin(&["engine", "status"]).await["lastHold"], json!(null));
}

/// `playoutd admin engine moved` fails because of this, and changes nothing.
fn is_not_moved(scene: &Scene, because: &str) {
    let mut command = scene.starting(&[], Playoutd::command);
    command.args(["admin", "engine", "moved"]).stderr(Stdio::piped());
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && printed.contains(because) && printed.contains("nothing was changed"),
        "{because}: {printed}"
    );
}

/// Each reason alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_installation_that_may_be_a_copy_is_not_accepted_as_moved() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    is_not_moved(&scene, "no service has run on this database yet");
    let mut process = scene.serve().await;
    process.kill();
    let log = format!("{DATABASE}-wal");
    let copy = Copy::of(scene.dir(), &[&[DATABASE, &log], &PULSES[..]].concat());
    let mut process = scene.serve().await;
    process.kill();
    let latest = Copy::of_pulses(scene.dir());
    std::fs::remove_file(scene.dir().join(format!("{DATABASE}-shm"))).unwrap();
    [DATABASE, &log].iter().for_each(|name| copy.put_back(name));
    for ahead in PULSES {
        copy.put_pulses_back();
        latest.put_back(ahead);
        is_not_moved(&scene, OLDER);
    }
    copy.put_pulses_back();

    let (media, away) = (scene.dir().join("media"), scene.dir().join("away"));
    std::fs::rename(&media, &away).unwrap();
    std::fs::create_dir(&media).unwrap();
    is_not_moved(&scene, "the storage is not the one that belongs to this database");
    std::fs::remove_dir_all(&media).unwrap();
    std::fs::rename(&away, &media).unwrap();

    let elsewhere = tempfile::tempdir().unwrap();
    let backup = elsewhere.path().join("backup");
    let mut command = scene.starting(&[], Playoutd::command);
    assert!(command.arg("backup").arg(&backup).status().unwrap().success());
    let place = scene.dir().join(DATABASE);
    let before = std::fs::read(&place).unwrap();
    std::fs::copy(backup.join(DATABASE), &place).unwrap();
    is_not_moved(&scene, "this is the database of a backup");
    std::fs::write(&place, before).unwrap();

    scene.admin(&["engine", "moved"]).await;
    scene.admin(&["engine", "hold"]).await;
    is_not_moved(&scene, "publications are held already");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_at_the_same_place_is_noticed_by_the_data_directory_alone() {
    let put_back = |copy: &Copy| [DATABASE, PULSES[1]].iter().for_each(|name| copy.put_back(name));
    is_noticed(put_back, OLDER).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_at_the_same_place_is_noticed_by_the_storage_alone() {
    let put_back = |copy: &Copy| [DATABASE, PULSES[0]].iter().for_each(|name| copy.put_back(name));
    is_noticed(put_back, OLDER).await;
}

/// What the start says of the database that it must refuse.
pub(super) fn refused(scene: &Scene, args: &[&str]) -> String {
    let mut command = scene.starting(&[], Playoutd::command);
    let output = command.args(args).stderr(Stdio::piped()).output().unwrap();
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A backup is copied over the database, whose log is left beside it: what is read would be a mixture of both.
async fn is_refused(copied: impl AsyncFn(&Scene, &mut Playoutd, &Path)) {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backup = elsewhere.path().join("backup");
    let mut command = scene.starting(&[], Playoutd::command);
    let made = command.arg("backup").arg(&backup).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let clip = scene.api.upload_clip().await;
    let post = scene
        .api
        .create_post(&post_body(&platform, "sent after the backup", &[clip]))
        .await;
    assert_eq!(scene.settled(&post).await["state"], "PUBLISHED");
    let (file, log) = (
        scene.dir().join(DATABASE),
        scene.dir().join(format!("{DATABASE}-wal")),
    );
    let own = std::fs::read(&file).unwrap();
    copied(&scene, &mut process, &backup.join(DATABASE)).await;
    let before = std::fs::read(&log).unwrap();
    for args in [&["serve", "--listen", "127.0.0.1:0"][..], &["check"]] {
        let said = refused(&scene, args);
        assert!(
            said.contains("a backup was copied over it") && said.contains("`playoutd restore DIRECTORY`"),
            "{args:?}: {said}"
        );
    }
    assert_eq!(std::fs::read(&log).unwrap(), before, "the log is as it was");
    std::fs::write(&file, own).unwrap();
    let _process = scene.serve().await;
    assert_eq!(scene.settled(&post).await["state"], "PUBLISHED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_copied_beside_the_log_of_a_killed_service_is_refused() {
    is_refused(async |scene, process, backup| {
        process.kill();
        std::fs::copy(backup, scene.dir().join(DATABASE)).unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_copied_over_the_database_of_a_running_service_is_refused() {
    is_refused(async |scene, process, backup| {
        std::fs::copy(backup, scene.dir().join(DATABASE)).unwrap();
        eventually("it is noticed", async || {
            scene.api.get("/public/v1/posts").await.status == 503
        })
        .await;
        let log = scene.log();
        assert!(log.contains("was overwritten under the running service"), "{log}");
        process.signal("TERM");
        process.ended().await;
    })
    .await;
}
