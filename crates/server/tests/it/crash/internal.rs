//! The process dies while it handles a run that failed inside: the post still goes out once.

use super::scene::{Scene, post_body};
use crate::harness::Db;

/// Where it dies.
pub(super) const POINTS: [&str; 1] = ["internal.before_settle"];

async fn survives(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let media = [scene.api.upload_clip().await];
    let post = scene
        .api
        .create_post(&post_body(&platform, "Storage away", &media))
        .await;
    api.kill();
    let (here, away) = (scene.dir().join("media"), scene.dir().join("away"));
    std::fs::rename(&here, &away).unwrap();
    std::fs::create_dir(&here).unwrap();
    let marker = "playout-storage.json";
    std::fs::copy(away.join(marker), here.join(marker)).unwrap();
    for point in POINTS {
        scene.die_at(point).await;
    }
    std::fs::remove_dir_all(&here).unwrap();
    std::fs::rename(away, here).unwrap();
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert_eq!((scene.sim.publication_count(), scene.sim.task_count()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_survives_death_while_an_internal_failure_is_handled_on_sqlite() {
    survives(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_survives_death_while_an_internal_failure_is_handled_on_postgres() {
    survives(Db::Postgres).await;
}
