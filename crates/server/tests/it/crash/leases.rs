//! A node that starts again goes on with the jobs it held when it died, long before its leases would end.

use super::scene::{A_LONG_LEASE, LEASE, Scene, post_body};
use crate::harness::Db;

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
    let _process = scene.serve().await;
    // This waits for less than the lease: the post does not go out because the lease has ended.
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert_eq!(scene.sim.publication_count(), 1);
}
