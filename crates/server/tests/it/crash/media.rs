//! Media whose deletion is cut in the middle: their files go when the service is back.

use std::path::Path;

use reqwest::Method;
use serde_json::json;

use super::scene::Scene;
use crate::harness::{Db, eventually, jpeg};

/// Where it dies.
pub(super) const POINTS: [&str; 1] = ["media.after_delete"];

/// How many files there are whose names begin with `key`.
fn files(directory: &Path, key: &str) -> usize {
    let entries = crate::harness::stored_files(directory)
        .unwrap()
        .map(Result::unwrap);
    let of = |entry: std::fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => files(&entry.path(), key),
        false => usize::from(entry.file_name().to_string_lossy().starts_with(key)),
    };
    entries.map(of).sum()
}

async fn survive(db: Db) {
    let scene = Scene::set(db, &[]).await;
    for point in POINTS {
        // The HTTP half alone: no sweep comes between the deletion and the end.
        let process = scene.serve_api(&[("PLAYOUT_FAILPOINT", point)]).await;
        let photo = jpeg(300, 200);
        let media = scene
            .api
            .upload_form("a.jpg", "image/jpeg", &photo, &[])
            .await
            .ok();
        let (key, directory) = (media["storageKey"].as_str().unwrap(), scene.dir().join("media"));
        let path = format!("/public/v1/media/{}", media["id"].as_str().unwrap());
        let unanswered = scene.api.request(Method::DELETE, &path).send().await;
        assert!(unanswered.is_err(), "{unanswered:?}");
        scene.dies(process, point).await;
        assert_eq!(files(&directory, key), 2, "the file and its preview");
        let _process = scene.serve().await;
        scene.api.get(&path).await.refused(404, "media_not_found");
        let used = scene.api.get("/public/v1/usage").await.ok()["storage"].take();
        assert_eq!(used, json!({ "usedBytes": 0, "limitBytes": null }));
        vanish(&directory, key).await;
    }
}

/// Waits until no file is left.
async fn vanish(directory: &Path, key: &str) {
    eventually("the files are gone", async || files(directory, key) == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_deleted_media_go_after_a_crash_on_sqlite() {
    survive(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_deleted_media_go_after_a_crash_on_postgres() {
    survive(Db::Postgres).await;
}
