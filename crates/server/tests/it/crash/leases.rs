//! A node that starts again goes on with the jobs it held when it died, long before its leases would end.

use std::time::Duration;

use super::scene::{LEASE, Scene, now, post_body};
use crate::harness::Db;

/// Much longer than the test has patience.
const A_LONG_LEASE: &str = "3600";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_starts_again_takes_over_its_own_leases_on_sqlite() {
    goes_on_at_once(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_starts_again_takes_over_its_own_leases_on_postgres() {
    goes_on_at_once(Db::Postgres).await;
}

async fn goes_on_at_once(db: Db) {
    let scene = Scene::set(db, &[(LEASE, A_LONG_LEASE)]).await;
    scene.sim.turn(|knobs| knobs.webhooks = false);
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let photo = scene.api.upload_photo(540, 960).await;
    let body = post_body(&platform, "Again and again", &[photo]);
    let post = scene.api.create_post(&body).await;
    api.kill();
    scene.die_at("publish.after_save_handle").await;
    let begun = now();
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "not by the end of a lease"
    );
    assert_eq!(scene.sim.publication_count(), 1);
}
