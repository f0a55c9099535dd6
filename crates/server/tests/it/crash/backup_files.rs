//! What a backup and a restore do with the files of the storage, and what is left where one of them fails.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::scene::Scene;
use crate::harness::{Database, Db, Playoutd, stored_files};

/// A backup and the place that it is restored to.
pub(super) struct Places {
    pub(super) scene: Scene,
    pub(super) elsewhere: tempfile::TempDir,
    database: Database,
}

/// How a command ended, and what it printed.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) printed: String,
    pub(super) said: String,
}

impl Places {
    /// An installation with one video, which is stopped.
    async fn with_video(db: Db) -> Self {
        Self::with_video_in(db, &[]).await
    }

    /// The same with these settings.
    pub(super) async fn with_video_in(db: Db, settings: &[(&'static str, &str)]) -> Self {
        let scene = Scene::set(db, settings).await;
        let mut process = scene.serve().await;
        scene.api.upload_clip().await;
        process.kill();
        let elsewhere = tempfile::tempdir().unwrap();
        let database = Database::empty(db, &elsewhere.path().join("data")).await;
        Self {
            scene,
            elsewhere,
            database,
        }
    }

    pub(super) fn backup(&self) -> PathBuf {
        self.elsewhere.path().join("backup")
    }

    pub(super) fn data(&self) -> PathBuf {
        self.elsewhere.path().join("data")
    }

    pub(super) fn back_up(&self, more: &[(&'static str, &str)]) -> Ended {
        let mut command = self.scene.starting(more, Playoutd::command);
        ended(command.arg("backup").arg(self.backup()))
    }

    fn restore_to(&self, url: &str, more: &[&str]) -> Ended {
        self.restore_by(&[("PLAYOUT_DATABASE_URL", url)], more)
    }

    /// A restore with these settings.
    pub(super) fn restore_by(&self, settings: &[(&'static str, &str)], more: &[&str]) -> Ended {
        let data = self.data();
        let place = [
            ("PLAYOUT_DATA_DIR", data.to_str().unwrap()),
            ("PLAYOUT_DATABASE_URL", self.database.url.as_str()),
        ];
        let settings = [&place, settings].concat();
        let mut command = self.scene.starting(&settings, Playoutd::command);
        ended(command.arg("restore").arg(self.backup()).args(more))
    }

    pub(super) fn restore(&self, more: &[&str]) -> Ended {
        self.restore_to(&self.database.url, more)
    }
}

fn ended(command: &mut Command) -> Ended {
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    Ended {
        code: output.status.code(),
        printed: String::from_utf8(output.stdout).unwrap(),
        said: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The one video in a storage.
pub(super) fn video_in(media: &Path) -> PathBuf {
    let mut stored = stored_files(media).unwrap().map(|entry| entry.unwrap().path());
    stored.find(|path| path.extension().is_none()).unwrap()
}

pub(super) fn name_of(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

async fn a_truncated_file_is_named_by_the_backup_and_the_restore(db: Db) {
    let places = Places::with_video(db).await;
    let video = video_in(&places.scene.dir().join("media"));
    let size = video.metadata().unwrap().len();
    let opened = std::fs::OpenOptions::new().write(true).open(&video).unwrap();
    opened.set_len(20).unwrap();
    let expected = format!("{} (20 bytes instead of {size})", name_of(&video));
    let made = places.back_up(&[]);
    assert_eq!(made.code, Some(3), "{}", made.said);
    assert!(made.said.contains(&expected), "{}", made.said);
    let manifest = std::fs::read(places.backup().join("backup.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(
        (&manifest["missingFiles"], &manifest["damagedFiles"]),
        (&0.into(), &1.into())
    );
    let restored = places.restore(&[]);
    assert_eq!(restored.code, Some(3), "{}", restored.said);
    assert!(restored.said.contains(&expected), "{}", restored.said);
    assert!(
        restored.printed.contains("restored the backup"),
        "{}",
        restored.printed
    );
}

async fn a_restore_names_the_files_that_were_removed_from_the_backup(db: Db) {
    let places = Places::with_video(db).await;
    let made = places.back_up(&[]);
    assert_eq!(made.code, Some(0), "{}", made.said);
    let video = video_in(&places.backup().join("media"));
    std::fs::remove_file(&video).unwrap();
    let restored = places.restore(&[]);
    assert_eq!(restored.code, Some(3), "{}", restored.said);
    assert!(
        restored.said.contains(name_of(&video)) && restored.said.contains("that it had when it was made"),
        "{}",
        restored.said
    );
    assert!(
        restored.printed.contains("restored the backup"),
        "{}",
        restored.printed
    );
}

/// What the service does with its files, and who owns them, does not change those of the backup.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_copies_the_files_unless_links_are_wanted() {
    for (more, is_linked) in [(&[][..], false), (&["--link"][..], true)] {
        let places = Places::with_video(Db::Sqlite).await;
        places.back_up(&[]);
        let restored = places.restore(more);
        assert_eq!(restored.code, Some(0), "{}", restored.said);
        let inode = |media: &Path| video_in(media).metadata().unwrap().ino();
        let (kept, put) = (places.backup().join("media"), places.data().join("media"));
        assert_eq!(inode(&kept) == inode(&put), is_linked);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_fails_is_removed_again() {
    let places = Places::with_video(Db::Postgres).await;
    let without_programs = ("PATH", "/nonexistent");
    let made = places.back_up(&[without_programs]);
    let named = format!("no backup was made at {}", places.backup().display());
    assert_eq!(made.code, Some(1), "{}", made.said);
    assert!(
        made.said.contains(&named) && made.said.contains("pg_dump is not installed"),
        "{}",
        made.said
    );
    assert!(!places.backup().exists(), "{}", made.said);
    // One that was there, and empty, stays.
    std::fs::create_dir(places.backup()).unwrap();
    places.back_up(&[without_programs]);
    assert_eq!(std::fs::read_dir(places.backup()).unwrap().count(), 0);
    // As a backup that was killed leaves it.
    std::fs::create_dir(places.backup().join("media")).unwrap();
    let made = places.back_up(&[]);
    assert!(
        made.said.contains("is not empty") && made.said.contains("not completed"),
        "{}",
        made.said
    );
}

/// A file that may not grow is like a full disk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_does_not_fit_names_the_copy_and_not_the_database() {
    let places = Places::with_video(Db::Sqlite).await;
    let plain = places.scene.starting(&[], Playoutd::command);
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" backup \"$1\""])
        .arg(plain.get_program())
        .arg(places.backup())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(places.scene.dir());
    let made = ended(&mut command);
    let copy = places.backup().join("playout.db");
    assert_eq!(made.code, Some(1), "{}", made.said);
    assert!(
        made.said.contains(copy.to_str().unwrap()) && !made.said.contains("the database is not available"),
        "{}",
        made.said
    );
    assert!(!places.backup().exists(), "{}", made.said);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_without_its_database_or_its_files_is_not_restored() {
    let places = Places::with_video(Db::Sqlite).await;
    places.back_up(&[]);
    for part in ["playout.db", "media"] {
        let (part, away) = (places.backup().join(part), places.elsewhere.path().join("away"));
        std::fs::rename(&part, &away).unwrap();
        let restored = places.restore(&[]);
        let named = format!("{} is missing in the backup", part.display());
        assert_eq!(restored.code, Some(1));
        assert!(
            restored.said.contains(&named) && restored.said.contains("nothing was restored"),
            "{}",
            restored.said
        );
        assert!(!places.data().exists(), "not even a key");
        std::fs::rename(&away, &part).unwrap();
    }
    assert_eq!(places.restore(&[]).code, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_says_what_to_do_about_a_missing_database_and_a_damaged_dump() {
    let places = Places::with_video(Db::Postgres).await;
    places.back_up(&[]);
    let url = format!("{}_absent", places.database.url);
    let restored = places.restore_to(&url, &[]);
    assert!(
        restored.said.contains("createdb --owner=") && !restored.said.contains("removed or emptied"),
        "{}",
        restored.said
    );
    let dump = places.backup().join("database.dump");
    let whole = std::fs::read(&dump).unwrap();
    std::fs::write(&dump, &whole[..20]).unwrap();
    let restored = places.restore(&[]);
    assert_eq!(restored.code, Some(1));
    assert!(
        restored
            .said
            .contains("no database was restored; restore another backup"),
        "{}",
        restored.said
    );
    std::fs::write(&dump, whole).unwrap();
    let restored = places.restore(&[]);
    assert_eq!(restored.code, Some(0), "{}", restored.said);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_that_the_database_does_not_let_in_names_the_setting() {
    let places = Places::with_video(Db::Postgres).await;
    places.back_up(&[]);
    let mut url: url::Url = places.database.url.parse().unwrap();
    url.set_username("stranger").unwrap();
    let wrong = [("PLAYOUT_DATABASE_URL", url.as_str())];
    let migrated = ended(places.scene.starting(&wrong, Playoutd::command).arg("migrate"));
    let refused = [
        places.back_up(&wrong),
        places.restore_to(url.as_str(), &[]),
        migrated,
    ];
    for Ended { said, .. } in refused {
        assert!(
            said.contains("PLAYOUT_DATABASE_URL") && !said.contains("at line"),
            "{said}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_start_on_postgres_logs_no_index_that_it_skips() {
    let scene = Scene::set(Db::Postgres, &[]).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let database = Database::empty(Db::Postgres, elsewhere.path()).await;
    let settings = [
        ("PLAYOUT_DATABASE_URL", database.url.as_str()),
        ("PLAYOUT_LOG", "info"),
    ];
    let migrated = ended(scene.starting(&settings, Playoutd::command).arg("migrate"));
    assert_eq!(migrated.code, Some(0), "{}", migrated.said);
    assert!(
        migrated.said.contains("making the index") && !migrated.said.contains("skipping"),
        "{}",
        migrated.said
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_truncated_file_is_named_by_the_backup_and_the_restore_on_sqlite() {
    a_truncated_file_is_named_by_the_backup_and_the_restore(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_truncated_file_is_named_by_the_backup_and_the_restore_on_postgres() {
    a_truncated_file_is_named_by_the_backup_and_the_restore(Db::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_names_the_files_that_were_removed_from_the_backup_on_sqlite() {
    a_restore_names_the_files_that_were_removed_from_the_backup(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_names_the_files_that_were_removed_from_the_backup_on_postgres() {
    a_restore_names_the_files_that_were_removed_from_the_backup(Db::Postgres).await;
}
