//! Slides whose creation is interrupted: none of them exists, nothing was charged, and their files are deleted when it is
//! certain that no process makes media of them any more.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use super::scene::Scene;
use crate::harness::{Db, eventually, execute_in};

/// Where it dies, and how many files of two slides there are by then: each has a preview.
pub(super) const POINTS: [(&str, usize); 2] = [("slides.after_note", 0), ("slides.before_rows", 4)];

/// How many files have a name.
fn files(directory: &Path) -> usize {
    let entries = crate::harness::stored_files(directory)
        .unwrap()
        .map(Result::unwrap);
    entries
        .filter(|entry| !entry.file_name().to_string_lossy().contains('#'))
        .count()
}

async fn survive(db: Db) {
    let scene = Scene::set(db, &[("PLAYOUT_COMPOSITE_CREDITS", "1")]).await;
    let directory = scene.dir().join("media");
    for (point, named) in POINTS {
        let process = scene.serve_api(&[("PLAYOUT_FAILPOINT", point)]).await;
        let photo = scene.api.upload_photo(300, 400).await;
        let before = files(&directory);
        let slide = |index| json!({ "index": index, "mediaId": photo, "caption": "Kite" });
        let body = json!({ "slides": [slide(1), slide(2)] });
        let request = scene
            .api
            .request(Method::POST, "/public/v1/slides/composite")
            .json(&body);
        let unanswered = request.send().await;
        assert!(unanswered.is_err(), "{point}: {unanswered:?}");
        scene.dies(process, point).await;
        assert_eq!(files(&directory), before + named, "{point}");
        let mut process = scene.serve().await;
        let media = scene.api.get("/public/v1/media").await.ok()["media"].take();
        assert!(
            media
                .as_array()
                .unwrap()
                .iter()
                .all(|media| media["originalFileName"] == "photo.jpg"),
            "{point}"
        );
        let usage = scene.api.get("/public/v1/usage").await.ok();
        assert_eq!(usage["aiCredits"]["used"], 0, "{point}");
        process.kill();
        assert_eq!(
            files(&directory),
            before + named,
            "{point}: another node may be at it still"
        );
        an_hour_passes(&scene, db).await;
        let _process = scene.serve().await;
        vanish(&directory, before).await;
        let made: Value = scene.api.post("/public/v1/slides/composite", &body).await.ok();
        assert_eq!(made["slides"].as_array().unwrap().len(), 2);
        for slide in made["slides"].as_array().unwrap() {
            let id = slide["mediaId"].as_str().unwrap();
            assert_eq!(
                scene.api.delete(&format!("/public/v1/media/{id}")).await.status,
                204
            );
        }
        clear_usage(&scene, db).await;
    }
}

/// As if the notes were an hour older.
async fn an_hour_passes(scene: &Scene, db: Db) {
    execute(
        scene,
        db,
        "UPDATE removed_files SET removed_at = removed_at - 3600000000",
    )
    .await;
}

async fn clear_usage(scene: &Scene, db: Db) {
    execute(scene, db, "UPDATE usage SET ai_credits = 0").await;
}

async fn execute(scene: &Scene, db: Db, sql: &'static str) {
    execute_in(scene.database_url(), db, sql).await;
}

/// Waits until as many files are left.
async fn vanish(directory: &Path, left: usize) {
    eventually("the files are gone", async || files(directory) == left).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slides_are_made_all_or_none_although_the_process_dies_on_sqlite() {
    survive(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slides_are_made_all_or_none_although_the_process_dies_on_postgres() {
    survive(Db::Postgres).await;
}
