//! What a backup and a restore do where the media are in a bucket.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::backup_files::{Places, name_of, video_in};
use crate::harness::{Db, ObjectStorage};

/// An installation with one video in a bucket, which is stopped.
struct WithBucket {
    places: Places,
    root: tempfile::TempDir,
    _storage: ObjectStorage,
}

impl WithBucket {
    async fn new(db: Db) -> Self {
        let root = tempfile::tempdir().unwrap();
        let storage = ObjectStorage::start(root.path());
        let variables = storage.variables();
        let names = [
            "AWS_ENDPOINT_URL",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_REGION",
        ];
        let mut settings = vec![("PLAYOUT_STORAGE_URL", "s3://media")];
        settings.extend(names.map(|name| (name, variables[name].as_str())));
        Self {
            places: Places::with_video_in(db, &settings).await,
            root,
            _storage: storage,
        }
    }

    /// The folder that is the bucket.
    fn objects(&self) -> PathBuf {
        self.root.path().join("media")
    }
}

async fn a_backup_lists_the_objects_and_a_restore_finds_them(db: Db) {
    let bucket = WithBucket::new(db).await;
    let places = &bucket.places;
    let made = places.back_up(&[]);
    assert_eq!(made.code, Some(0), "{}", made.said);
    assert!(
        made.printed.contains("The files are in s3://media"),
        "{}",
        made.printed
    );
    let manifest: Value =
        serde_json::from_slice(&fs::read(places.backup().join("backup.json")).unwrap()).unwrap();
    assert_eq!(
        (&manifest["format"], &manifest["bucket"]),
        (&2.into(), &"s3://media".into())
    );
    let video = video_in(&bucket.objects());
    let list = fs::read_to_string(places.backup().join("media.jsonl")).unwrap();
    let size = video.metadata().unwrap().len();
    assert!(
        list.contains(name_of(&video)) && list.contains(&format!("\"bytes\":{size}")),
        "{list}"
    );
    let copied: Vec<_> = fs::read_dir(places.backup().join("media")).unwrap().collect();
    assert_eq!(copied.len(), 1, "the marker alone");
    let restored = places.restore(&[]);
    assert_eq!(restored.code, Some(0), "{}", restored.said);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_lists_the_objects_and_a_restore_finds_them_on_sqlite() {
    a_backup_lists_the_objects_and_a_restore_finds_them(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_lists_the_objects_and_a_restore_finds_them_on_postgres() {
    a_backup_lists_the_objects_and_a_restore_finds_them(Db::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_object_that_is_missing_is_named_by_the_backup_and_the_restore() {
    let bucket = WithBucket::new(Db::Sqlite).await;
    let video = video_in(&bucket.objects());
    let name = name_of(&video).to_owned();
    fs::remove_file(&video).unwrap();
    let (made, restored) = (bucket.places.back_up(&[]), bucket.places.restore(&[]));
    for ended in [&made, &restored] {
        assert_eq!(ended.code, Some(3), "{}", ended.said);
        assert!(
            ended.said.contains(&name) && ended.said.contains("s3://media"),
            "{}",
            ended.said
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_bucket_is_not_restored_beside_an_empty_folder_or_a_strangers_bucket() {
    let bucket = WithBucket::new(Db::Sqlite).await;
    bucket.places.back_up(&[]);
    let folder = format!(
        "file://{}",
        bucket.places.elsewhere.path().join("media").display()
    );
    let refused = bucket.places.restore_by(&[("PLAYOUT_STORAGE_URL", &folder)], &[]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused
            .said
            .contains("the files of this backup are in s3://media"),
        "{}",
        refused.said
    );
    let marker = bucket.objects().join("playout-storage.json");
    let own = fs::read(&marker).unwrap();
    fs::write(
        &marker,
        br#"{"id":"0196f3a0-0000-7000-8000-000000000000","pulse":1}"#,
    )
    .unwrap();
    let refused = bucket.places.restore(&[]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.said.contains("belongs to another database"),
        "{}",
        refused.said
    );
    assert!(!bucket.places.data().join("playout.db").exists());
    fs::write(&marker, own).unwrap();
    assert_eq!(bucket.places.restore(&[]).code, Some(0));
}

/// A folder's backup is restored into an empty bucket: its files are sent there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_with_files_is_restored_into_a_bucket() {
    let bucket = WithBucket::new(Db::Sqlite).await;
    let of_folder = Places::with_video_in(Db::Sqlite, &[]).await;
    assert_eq!(of_folder.back_up(&[]).code, Some(0));
    let video = video_in(&of_folder.scene.dir().join("media"));
    let other = format!("s3://media/{}", "moved");
    let settings = bucket.places.scene.settings();
    let mut settings: Vec<(&'static str, &str)> = settings
        .iter()
        .filter(|(name, _)| name.starts_with("AWS_"))
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    settings.push(("PLAYOUT_STORAGE_URL", &other));
    let restored = of_folder.restore_by(&settings, &[]);
    assert_eq!(restored.code, Some(0), "{}", restored.said);
    let sent = fs::read(bucket.objects().join("moved").join(name_of(&video))).unwrap();
    assert!(sent == fs::read(&video).unwrap());
}
