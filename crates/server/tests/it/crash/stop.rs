//! Stopping on purpose, and a disk that is full.

use std::path::Path;
use std::process::{Command, Stdio};

use playout_tiktok::sim::{Endpoint, HoldPoint};

use super::scene::{Scene, padded_clip, post_body};
use crate::harness::{CLIP, Db, Playoutd, eventually};

/// A post of the clip, and a process that has just been asked to stop while `endpoint` keeps it waiting.
async fn stopping(endpoint: Endpoint) -> (Scene, String, Playoutd) {
    let scene = Scene::set(Db::Sqlite, &[("PLAYOUT_LOG", "info")]).await;
    // Notifications would settle the post while it is held, its ID perhaps only after the process has ended.
    scene.sim.turn(|knobs| knobs.webhooks = false);
    scene.sim.hold(endpoint, HoldPoint::After);
    let process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let media = [scene.api.upload_clip().await];
    let post = scene
        .api
        .create_post(&post_body(&platform, "Last flight", &media))
        .await;
    scene.sim.held(endpoint, 1).await;
    process.signal("TERM");
    noted(&scene, "stopping: 1 jobs still run").await;
    (scene, post, process)
}

/// Waits until a text is in the log.
async fn noted(scene: &Scene, text: &str) {
    eventually(&format!("the log says {text:?}"), async || {
        scene.log().contains(text)
    })
    .await;
}

async fn finishes_what_it_began(endpoint: Endpoint) {
    let (scene, post, mut process) = stopping(endpoint).await;
    assert!(process.is_alive(), "it did not wait: {}", scene.log());
    assert!(
        scene.api.http().get(&process.base_url).send().await.is_err(),
        "it still takes requests"
    );
    scene.sim.release(endpoint);
    let status = process.ended().await;
    assert_eq!(status.code(), Some(0), "{}", scene.log());
    // Nothing else runs that could send it; the provider may take a moment.
    eventually("the provider publishes it", async || {
        scene.sim.publication_count() == 1
    })
    .await;
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(root["releaseId"], scene.sim.publications()[0].post_id.as_str());
    let asked = |endpoint| {
        scene
            .sim
            .journal()
            .iter()
            .filter(|entry| entry.endpoint == Some(endpoint))
            .count()
    };
    assert_eq!(
        (asked(Endpoint::VideoInit), asked(Endpoint::UploadLast)),
        (1, 1),
        "nothing was done twice"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_asked_to_stop_finishes_the_hand_over_it_began() {
    finishes_what_it_began(Endpoint::VideoInit).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_asked_to_stop_answers_requests_until_a_balancer_sends_them_elsewhere() {
    let settings = [("PLAYOUT_LOG", "info"), ("PLAYOUT_DRAIN_SECONDS", "3600")];
    let scene = Scene::set(Db::Postgres, &settings).await;
    let mut process = scene.serve().await;
    process.signal("TERM");
    noted(&scene, "requests are answered for 3600 s more").await;
    let ready = scene.api.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["status"]), (503, &"stopping".into()));
    let posts = scene.api.get("/public/v1/posts").await;
    assert_eq!(posts.status, 200);
    process.signal("TERM");
    let status = process.ended().await;
    assert_eq!(status.code(), Some(1), "a second signal: {}", scene.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_asked_to_stop_finishes_the_last_chunk() {
    finishes_what_it_began(Endpoint::UploadLast).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_signal_ends_the_process_at_once_and_the_post_still_goes_out_once() {
    let (scene, post, mut process) = stopping(Endpoint::VideoInit).await;
    process.signal("TERM");
    let status = process.ended().await;
    assert_eq!(status.code(), Some(1), "{}", scene.log());
    scene.sim.release(Endpoint::VideoInit);
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(scene.sim.publication_count(), 1);
}

/// The largest file that a process may write: the database fits, the video does not.
const FULL_AT: usize = 8_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_an_upload_fails_cleanly_and_the_service_lives_on() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.starting(&[], |start| {
        Playoutd::run(limited(&Playoutd::command(start)), start.address)
    });
    process.ready(scene.api.http()).await;
    let video = padded_clip(2 * FULL_AT);
    let answer = scene.api.upload_form("long.mp4", "video/mp4", &video, &[]).await;
    let body = answer.refused(500, "internal_error");
    assert!(
        !body["message"].as_str().unwrap().contains("File too large"),
        "{body:#}"
    );
    assert_eq!(files(&scene.dir().join("media")), 0, "something was left behind");
    let listed = scene.api.get("/public/v1/media").await.ok();
    assert_eq!(listed["media"].as_array().unwrap().len(), 0, "{listed:#}");
    assert!(CLIP.len() < FULL_AT);
    scene.api.upload_clip().await;
    assert!(process.is_alive());
}

/// `serve` with the same settings, under the limit. Writing beyond it is to fail, not to kill.
fn limited(like: &Command) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; exec prlimit --fsize={FULL_AT} \"$0\" serve");
    command
        .args(["-c", &script])
        .arg(like.get_program())
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(dir) = like.get_current_dir() {
        command.current_dir(dir);
    }
    command
}

/// How many files there are under a folder.
fn files(folder: &Path) -> usize {
    let entries = crate::harness::stored_files(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| if path.is_dir() { files(&path) } else { 1 })
        .sum()
}
