//! A pull that the provider has not fetched: the process dies while it revokes it, and the video still goes out once, by
//! an upload.

use std::time::Duration;

use playout_tiktok::sim::Endpoint;

use super::scene::{Scene, post_body};
use crate::harness::Db;

pub(super) const POINTS: [&str; 3] = [
    "publish.before_take_back",
    "publish.after_take_back",
    "publish.after_cancel",
];

async fn survives(db: Db, point: &'static str) {
    let env = [
        ("PLAYOUT_TIKTOK_TRANSFER", "pull"),
        ("PLAYOUT_PULL_PATIENCE_SECONDS", "1"),
    ];
    let scene = Scene::set(db, &env).await;
    // The provider would fetch it in the end, while or after the video is uploaded.
    scene
        .sim
        .turn(|knobs| (knobs.pull_delay_ms, knobs.webhooks) = (120_000, false));
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let media = [scene.api.upload_clip().await];
    let post = scene.api.create_post(&post_body(&platform, point, &media)).await;
    api.kill();
    scene.die_at(point).await;
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    scene.sim.advance(Duration::from_secs(150));
    scene.sim.idle().await;
    assert_eq!(root["state"], "PUBLISHED", "{point}: {root:#}\n{}", scene.log());
    assert_eq!(scene.sim.publication_count(), 1, "{point}\n{}", scene.log());
    let journal = scene.sim.journal();
    let inits = journal
        .iter()
        .filter(|call| call.endpoint == Some(Endpoint::VideoInit));
    assert_eq!(inits.count(), 2, "{point}: a pull, and the upload instead");
}

async fn all_survive(db: Db) {
    let cases = POINTS.map(|point| tokio::spawn(survives(db, point)));
    for case in cases {
        case.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_video_survives_death_while_it_is_taken_back_on_sqlite() {
    all_survive(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_video_survives_death_while_it_is_taken_back_on_postgres() {
    all_survive(Db::Postgres).await;
}
