//! Comments: their call has no handle, so a comment whose answer was lost is searched for, and settled by a person if it
//! is not found.

use serde_json::{Value, json};

use super::scene::{Scene, post_body};
use crate::harness::Db;

/// Where the process dies, how many comments there are in the end, and the state of the comment.
pub(super) const POINTS: [(&str, usize, &str); 3] = [
    ("comment.before_open", 1, "PUBLISHED"),
    ("comment.after_open", 0, "ACTION_REQUIRED"),
    ("comment.after_call", 1, "PUBLISHED"),
];

async fn survive(db: Db) {
    for (point, count, state) in POINTS {
        let scene = Scene::set(db, &[]).await;
        let mut api = scene.serve_api(&[]).await;
        let platform = scene.connect_business("kitestudio").await;
        let mut body = post_body(&platform, point, &[scene.api.upload_clip().await]);
        body["settings"]["allow_comment"] = json!(true);
        body["comments"] = json!([{ "content": "Filmed at the harbour" }]);
        let post = scene.api.create_post(&body).await;
        api.kill();
        scene.die_at(point).await;
        let _process = scene.serve().await;
        let settled = |group: &Value| group["children"][0]["state"] != "QUEUE";
        let group = scene.wait_for(&post, settled).await;
        assert_eq!(
            group["children"][0]["state"],
            state,
            "{point}: {group:#}\n{}",
            scene.log()
        );
        assert_eq!(group["root"]["state"], "PUBLISHED", "{point}: {group:#}");
        let out = scene.sim.publications();
        assert_eq!(out.len(), 1, "{point}");
        assert_eq!(out[0].comments.len(), count, "{point}: {:#?}", out[0].comments);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_comment_is_never_written_twice_on_sqlite() {
    survive(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_comment_is_never_written_twice_on_postgres() {
    survive(Db::Postgres).await;
}
