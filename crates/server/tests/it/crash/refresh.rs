//! Tokens: the process dies while it refreshes an account's pair. A new pair that was not stored is lost; if the provider
//! then rejects the old one, the user reconnects, and the post goes on.

use playout_tiktok::sim::RefreshRotation;

use super::scene::{Scene, post_body};
use crate::harness::Db;

/// Where the process dies, what the provider does to the old token, and how the post is left.
pub(super) const POINTS: [(&str, RefreshRotation, &str); 4] = [
    ("refresh.before_call", RefreshRotation::Rotate, "PUBLISHED"),
    ("refresh.after_call", RefreshRotation::Rotate, "ACTION_REQUIRED"),
    ("refresh.after_call", RefreshRotation::Same, "PUBLISHED"),
    ("refresh.after_save", RefreshRotation::Rotate, "PUBLISHED"),
];

async fn survives(db: Db, point: &str, rotation: RefreshRotation, state: &str) {
    let scene = Scene::set(db, &[]).await;
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let media = [scene.api.upload_clip().await];
    let post = scene.api.create_post(&post_body(&platform, point, &media)).await;
    api.kill();
    scene.sim.turn(|knobs| knobs.refresh_rotation = rotation);
    let open_id = scene.sim.account("kitestudio").unwrap().account.open_id;
    scene.sim.expire_access_token(&open_id);
    scene.die_at(point).await;
    let _process = scene.serve().await;
    let root = scene.settled(&post).await;
    assert_eq!(
        root["state"],
        state,
        "{point}, {rotation:?}: {root:#}\n{}",
        scene.log()
    );
    if state == "ACTION_REQUIRED" {
        assert_eq!(scene.sim.publication_count(), 0, "{point}, {rotation:?}");
        assert_eq!(
            scene.connect("kitestudio", &[]).await,
            platform,
            "the account keeps its ID"
        );
        let root = scene.settled(&post).await;
        assert_eq!(
            root["state"],
            "PUBLISHED",
            "{point}, {rotation:?}: {root:#}\n{}",
            scene.log()
        );
    }
    assert_eq!(scene.sim.publication_count(), 1, "{point}, {rotation:?}");
}

async fn all_survive(db: Db) {
    let cases = POINTS.map(|(point, rotation, state)| tokio::spawn(survives(db, point, rotation, state)));
    for case in cases {
        case.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_survives_death_while_tokens_are_refreshed_on_sqlite() {
    all_survive(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_survives_death_while_tokens_are_refreshed_on_postgres() {
    all_survive(Db::Postgres).await;
}
