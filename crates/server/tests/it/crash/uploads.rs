//! Resumable uploads: the process dies at every point of one, is started again, and the client goes on.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::scene::{PATIENCE, Scene, now, padded_clip};
use crate::harness::{CLIP, Db, Playoutd};

const UPLOADS: &str = "/public/v1/media/uploads";
const BYTES: &str = "application/offset+octet-stream";
/// More than is received before any of it is noted.
const LARGE: usize = 40_000_000;

/// Where a process dies, and whether the upload stands at its end then.
pub(super) const POINTS: [(&str, usize, bool); 8] = [
    ("upload.before_note", LARGE, false),
    ("upload.after_note", LARGE, false),
    ("upload.before_note", CLIP.len(), false),
    ("upload.after_note", CLIP.len(), true),
    ("upload.before_place", CLIP.len(), true),
    ("upload.after_place", CLIP.len(), true),
    ("upload.before_ready", CLIP.len(), true),
    ("upload.after_ready", CLIP.len(), true),
];

fn tus(scene: &Scene, method: Method, path: &str) -> RequestBuilder {
    scene.api.request(method, path).header("tus-resumable", "1.0.0")
}

async fn begin(scene: &Scene, length: usize) -> String {
    let request = tus(scene, Method::POST, UPLOADS).header("upload-length", length);
    let id = scene.api.send(request).await.ok()["id"].take();
    format!("{UPLOADS}/{}", id.as_str().unwrap())
}

fn appending(scene: &Scene, path: &str, offset: usize, bytes: &[u8]) -> RequestBuilder {
    let request = tus(scene, Method::PATCH, path).header("upload-offset", offset);
    request.header("content-type", BYTES).body(bytes.to_vec())
}

async fn offset(scene: &Scene, path: &str) -> usize {
    let answer = scene.api.send(tus(scene, Method::HEAD, path)).await;
    assert_eq!(answer.status, 200, "{answer:?}: {}", scene.log());
    answer.header("upload-offset").parse().unwrap()
}

/// The one media object, once it is READY.
async fn ready(scene: &Scene) -> Value {
    let begun = now();
    loop {
        let media = scene.api.get("/public/v1/media").await.ok()["media"][0].take();
        if media["status"] == "READY" {
            return media;
        }
        assert!(begun.elapsed() < PATIENCE, "still {media:#}\n{}", scene.log());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Goes on from the upload's offset, and asserts that all of it is there, once.
async fn goes_on(scene: &Scene, path: &str, video: &[u8]) {
    let from = offset(scene, path).await;
    if from < video.len() {
        let answer = scene.api.send(appending(scene, path, from, &video[from..])).await;
        assert_eq!(answer.status, 204, "{}", scene.log());
    }
    is_whole(scene, video).await;
}

async fn is_whole(scene: &Scene, video: &[u8]) {
    let media = ready(scene).await;
    let file = scene.api.follow(media["publicUrl"].as_str().unwrap()).await;
    assert!(
        file.body == video,
        "{} bytes came back: {}",
        file.body.len(),
        scene.log()
    );
    let files = crate::harness::stored_files(scene.dir().join("media"))
        .unwrap()
        .count();
    assert_eq!(files, 2, "the file and its preview");
    let usage = scene.api.get("/public/v1/usage").await.ok();
    assert_eq!(usage["storage"]["usedBytes"], video.len(), "{usage:#}");
}

async fn dies_and_goes_on(db: Db, point: &'static str, length: usize, is_complete: bool) {
    let scene = Scene::set(db, &[]).await;
    let video = match length {
        LARGE => padded_clip(LARGE),
        _ => CLIP.to_vec(),
    };
    let process = scene.serve().await;
    let path = begin(&scene, length).await;
    drop(process);
    let mut process = scene.spawn(&[("PLAYOUT_FAILPOINT", point)]);
    process.ready(scene.api.http()).await;
    let answer = appending(&scene, &path, 0, &video).send().await;
    assert!(answer.is_err(), "{point}: it answered {answer:?}");
    scene.dies(process, point).await;
    let _process = scene.serve().await;
    if is_complete {
        // No request comes: the sweep finds it.
        is_whole(&scene, &video).await;
        assert_eq!(offset(&scene, &path).await, length);
    } else {
        let kept = offset(&scene, &path).await;
        let noted = point == "upload.after_note";
        assert_eq!(kept > 0, noted, "{point}: {kept}");
        goes_on(&scene, &path, &video).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_point_an_upload_goes_on_or_is_finished_on_sqlite() {
    for (point, length, is_complete) in POINTS {
        dies_and_goes_on(Db::Sqlite, point, length, is_complete).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_point_an_upload_goes_on_or_is_finished_on_postgres() {
    for (point, length, is_complete) in POINTS {
        dies_and_goes_on(Db::Postgres, point, length, is_complete).await;
    }
}

/// A PATCH of all that is missing, of which only a part is sent.
async fn promise(
    process: &Playoutd,
    scene: &Scene,
    path: &str,
    (from, to): (usize, usize),
    video: &[u8],
) -> TcpStream {
    let address = process.base_url.trim_start_matches("http://");
    let request = appending(scene, path, from, b"").build().unwrap();
    let key = request.headers()["authorization"].to_str().unwrap();
    let head = format!(
        "PATCH {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {key}\r\nTus-Resumable: 1.0.0\r\n\
         Content-Type: {BYTES}\r\nUpload-Offset: {from}\r\nContent-Length: {}\r\n\r\n",
        video.len() - from
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&video[from..to]).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_the_middle_of_a_request_a_process_loses_only_the_last_megabytes() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let video = padded_clip(LARGE);
    let mut process = scene.serve().await;
    let path = begin(&scene, LARGE).await;
    let mut from = 0;
    for to in [20_000_000, 38_000_000] {
        let open = promise(&process, &scene, &path, (from, to), &video).await;
        let begun = now();
        while offset(&scene, &path).await <= from {
            assert!(begun.elapsed() < PATIENCE, "nothing was noted: {}", scene.log());
        }
        process.kill();
        drop(open);
        process = scene.serve().await;
        let kept = offset(&scene, &path).await;
        assert!(kept > from && kept <= to, "{kept} of {from}..{to}");
        from = kept;
    }
    goes_on(&scene, &path, &video).await;
}
