//! A post that a person sends again although it may be out: the process dies while it queries the provider, and the post
//! still goes out once.

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};

use super::scene::{Scene, post_body};
use crate::harness::Db;

/// Where it dies.
pub(super) const POINTS: [&str; 2] = ["publish.before_doubt", "publish.after_doubt"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_in_doubt_that_is_sent_again_survives_death_while_the_provider_is_asked() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    scene.sim.turn(|knobs| knobs.webhooks = false);
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let photo = scene.api.upload_photo(540, 960).await;
    let body = post_body(&platform, "Is it out?", &[photo]);
    let post = scene.api.create_post(&body).await;
    api.kill();
    // The answer to the hand-over is lost, and the account cannot be searched for two minutes.
    scene.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    scene
        .sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    scene
        .sim
        .inject(Fault::new(Endpoint::VideoList, FaultAction::internal_error()).times(5));
    let mut process = scene.serve().await;
    scene.sim.held(Endpoint::ContentInit, 1).await;
    scene.sim.idle().await;
    scene.sim.release(Endpoint::ContentInit);
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}\n{}", scene.log());
    process.kill();
    let mut api = scene.serve_api(&[]).await;
    scene.api.publish_as_read(&post).await;
    api.kill();
    for point in POINTS {
        scene.die_at(point).await;
    }
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert_eq!((scene.sim.publication_count(), scene.sim.task_count()), (1, 1));
}
