//! Files that end the process that reads them: an upload is abandoned, and no later start reads it again.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::scene::{PATIENCE, Scene, now};
use crate::harness::{CLIP, Db};

const UPLOADS: &str = "/public/v1/media/uploads";

/// Where it dies.
pub(super) const POINTS: [&str; 2] = ["upload.after_count", "media.before_inspect"];

fn tus(scene: &Scene, method: Method, path: &str) -> RequestBuilder {
    scene.api.request(method, path).header("tus-resumable", "1.0.0")
}

/// The one media object, once it has failed.
async fn failed(scene: &Scene) -> Value {
    let begun = now();
    loop {
        let media = scene.api.get("/public/v1/media").await.ok()["media"][0].take();
        if !media["failure"].is_null() {
            return media;
        }
        assert!(begun.elapsed() < PATIENCE, "still {media:#}\n{}", scene.log());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The log names what the media object shows. It is written after the database.
async fn warns_of_giving_up(scene: &Scene) {
    let begun = now();
    let is_warning =
        |line: &str| line.contains("WARN gave the upload") && line.ends_with("processing_failed");
    while !scene
        .log()
        .lines()
        .any(|line| is_warning(line.split(" media=").next().unwrap_or(line)))
    {
        assert!(begun.elapsed() < PATIENCE, "no warning in\n{}", scene.log());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(!scene.log().contains("invalid_media_file"), "{}", scene.log());
}

async fn stored(scene: &Scene) -> usize {
    crate::harness::stored_files(scene.dir().join("media"))
        .unwrap()
        .count()
}

async fn is_given_up(db: Db, point: &'static str) {
    let scene = Scene::set(db, &[]).await;
    let mut process = scene.spawn(&[("PLAYOUT_FAILPOINT", point)]);
    process.ready(scene.api.http()).await;
    let begun = tus(&scene, Method::POST, UPLOADS).header("upload-length", CLIP.len());
    let id = scene.api.send(begun).await.ok()["id"].take();
    let path = format!("{UPLOADS}/{}", id.as_str().unwrap());
    let appending = tus(&scene, Method::PATCH, &path).header("upload-offset", 0);
    let appending = appending.header("content-type", "application/offset+octet-stream");
    assert!(appending.body(CLIP.to_vec()).send().await.is_err());
    scene.dies(process, point).await;
    // The sweep of the next start finds it complete, and that of the start after it.
    scene.die_at(point).await;
    scene.die_at(point).await;
    for _ in 0..2 {
        let mut process = scene.spawn(&[("PLAYOUT_FAILPOINT", point)]);
        process.ready(scene.api.http()).await;
        let media = failed(&scene).await;
        assert_eq!(media["status"], "PENDING", "{media:#}");
        assert_eq!(media["failure"]["code"], "processing_failed", "{media:#}");
        warns_of_giving_up(&scene).await;
        assert!(process.is_alive());
    }
    let _process = scene.serve().await;
    assert_eq!(stored(&scene).await, 0);
    let usage = scene.api.get("/public/v1/usage").await.ok();
    assert_eq!(usage["storage"], json!({ "usedBytes": 0, "limitBytes": null }));
    let shown = format!("/public/v1/media/{}", id.as_str().unwrap());
    assert_eq!(scene.api.delete(&shown).await.status, 204);
    scene.api.get(&shown).await.refused(404, "media_not_found");
}

async fn leaves_nothing(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let point = "media.before_inspect";
    let mut process = scene.spawn(&[("PLAYOUT_FAILPOINT", point)]);
    process.ready(scene.api.http()).await;
    let form = reqwest::multipart::Form::new().part("file", reqwest::multipart::Part::bytes(CLIP.to_vec()));
    let posted = scene
        .api
        .request(Method::POST, "/public/v1/media")
        .multipart(form);
    assert!(posted.send().await.is_err());
    scene.dies(process, point).await;
    for _ in 0..2 {
        let mut process = scene.spawn(&[("PLAYOUT_FAILPOINT", point)]);
        process.ready(scene.api.http()).await;
        assert_eq!(scene.api.get("/public/v1/media").await.ok()["media"], json!([]));
        assert!(process.is_alive());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_ends_the_process_three_times_is_given_up_on_sqlite() {
    for point in POINTS {
        is_given_up(Db::Sqlite, point).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_ends_the_process_three_times_is_given_up_on_postgres() {
    for point in POINTS {
        is_given_up(Db::Postgres, point).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_posted_file_that_ends_the_process_is_not_read_again_on_sqlite() {
    leaves_nothing(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_posted_file_that_ends_the_process_is_not_read_again_on_postgres() {
    leaves_nothing(Db::Postgres).await;
}
