//! The provider fetches from a process that has died: the failed fetch is no sign of a fault at the provider.

use std::time::Duration;

use super::scene::{Scene, post_body};
use crate::harness::Db;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fetch_that_failed_because_nobody_was_there_is_called_an_interruption_and_repeated() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    scene.sim.turn(|knobs| knobs.pull_delay_ms = 300);
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let photo = scene.api.upload_photo(540, 960).await;
    let body = post_body(&platform, "Nobody at home", &[photo]);
    let post = scene.api.create_post(&body).await;
    api.kill();
    scene.die_at("publish.after_save_handle").await;
    // The provider has stopped trying by the time the service is back.
    scene.sim.advance(Duration::from_secs(1));
    scene.sim.idle().await;
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    let attempts = scene
        .api
        .get(&format!("/public/v1/posts/{post}/attempts"))
        .await
        .ok();
    assert_eq!(
        attempts["attempts"][0]["code"], "restarted_while_fetched",
        "{attempts:#}"
    );
    assert_eq!(attempts["attempts"][0]["outcome"], "abandoned", "{attempts:#}");
    assert_eq!(attempts["attempts"][1]["outcome"], "published", "{attempts:#}");
    assert_eq!(scene.sim.publication_count(), 1);
}
