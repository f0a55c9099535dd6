//! What is found after a crash must be about the post of the process that died, never about another one.

use playout_tiktok::sim::{Endpoint, HoldPoint, Publication};
use serde_json::{Value, json};

use super::scene::{Scene, post_body};
use crate::harness::{Db, Playoutd, eventually};

async fn photo_post(scene: &Scene, platform: &str, caption: &str) -> String {
    let photo = scene.api.upload_photo(540, 960).await;
    scene
        .api
        .create_post(&post_body(platform, caption, &[photo]))
        .await
}

fn published(scene: &Scene, caption: &str) -> Option<Publication> {
    scene
        .sim
        .publications()
        .into_iter()
        .find(|out| out.caption == caption)
}

/// Dies after it has received the answer to a photo hand-over, when `done` holds of the provider.
async fn dies_unanswered(scene: &Scene, done: impl Fn() -> bool) {
    scene.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    let process = scene.spawn(&[("PLAYOUT_FAILPOINT", "publish.after_begin")]);
    eventually("the hand-over is done", async || done()).await;
    scene.sim.release(Endpoint::ContentInit);
    scene.dies(process, "publish.after_begin").await;
}

fn assert_is(scene: &Scene, root: &Value, caption: &str) {
    let out = published(scene, caption).unwrap_or_else(|| panic!("{caption} is not out: {root:#}"));
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert_eq!(root["releaseId"], out.post_id.as_str(), "{root:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_news_of_a_post_that_was_found_is_not_taken_for_news_of_the_next() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    scene.sim.turn(|knobs| knobs.webhooks = false);
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let first = photo_post(&scene, &platform, "Morning flight").await;
    api.kill();
    dies_unanswered(&scene, || published(&scene, "Morning flight").is_some()).await;
    let mut process: Playoutd = scene.serve().await;
    assert_is(&scene, &scene.settled(&first).await, "Morning flight");

    scene.sim.hold(Endpoint::ContentInit, HoldPoint::Before);
    let second = photo_post(&scene, &platform, "Evening flight").await;
    scene.sim.held(Endpoint::ContentInit, 1).await;
    scene.sim.turn(|knobs| knobs.webhooks = true);
    let out = published(&scene, "Morning flight").unwrap();
    let news = json!({ "publish_id": out.publish_id, "publish_type": "DIRECT_POST" });
    scene.sim.send_event(&out.open_id, "post.publish.complete", &news);
    eventually("the news is delivered", async || {
        scene.sim.webhooks().iter().any(|hook| hook.delivered)
    })
    .await;
    process.kill();
    scene.sim.release(Endpoint::ContentInit);
    let _process = scene.serve().await;
    // The notification that it is out comes before the one with its ID.
    let is_named = |group: &Value| !group["root"]["releaseId"].is_null();
    let group = scene.wait_for(&second, is_named).await;
    assert_is(&scene, &group["root"], "Evening flight");
    assert_eq!(scene.sim.publication_count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_whose_text_begins_like_another_is_not_taken_for_it() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    scene.sim.turn(|knobs| {
        knobs.webhooks = false;
        knobs.moderation_ms = 15_000;
    });
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let long = photo_post(&scene, &platform, "Flight 12").await;
    api.kill();
    dies_unanswered(&scene, || published(&scene, "Flight 12").is_some()).await;
    scene.sim.turn(|knobs| knobs.moderation_ms = 0);
    scene.sim.hold(Endpoint::VideoList, HoldPoint::Before);
    let _process = scene.serve().await;
    let short = photo_post(&scene, &platform, "Flight 1").await;
    eventually("the other is out", async || {
        published(&scene, "Flight 1").is_some()
    })
    .await;
    scene.sim.release(Endpoint::VideoList);
    assert_is(&scene, &scene.settled(&short).await, "Flight 1");
    assert_is(&scene, &scene.settled(&long).await, "Flight 12");
    assert_eq!(scene.sim.publication_count(), 2);
}
