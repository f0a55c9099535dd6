//! Requests with an idempotency key: the process dies while it carries them out, and they are still carried out once.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::scene::Scene;
use crate::harness::{Answer, Client, Db, PATIENCE, jpeg};

/// Where it dies, and whether the work was done by then.
pub(super) const POINTS: [(&str, bool); 2] = [("once.after_claim", false), ("once.after_effect", true)];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_done_once_although_the_process_dies_on_sqlite() {
    all_are_done_once(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_done_once_although_the_process_dies_on_postgres() {
    all_are_done_once(Db::Postgres).await;
}

async fn all_are_done_once(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    api.kill();
    let (mut posts, mut media) = (0, 0);
    for (point, is_done) in POINTS {
        let post = |api: &Client| create(api, point, &platform);
        is_done_once(&scene, point, is_done, post).await;
        posts += 1;
        is_done_once(&scene, point, is_done, |api| upload(api, point)).await;
        media += 1;
        assert_eq!(count(&scene, "posts").await, posts, "{point}");
        assert_eq!(count(&scene, "media").await, media, "{point}");
    }
}

fn create(api: &Client, point: &str, platform: &str) -> RequestBuilder {
    let body = json!({ "platformIds": [platform], "content": point, "mode": "draft" });
    api.request(Method::POST, "/public/v1/posts")
        .header("idempotency-key", format!("post-{point}"))
        .json(&body)
}

fn upload(api: &Client, point: &str) -> RequestBuilder {
    let head = b"--form\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\n";
    let body = [&head[..], &jpeg(40, 30), b"\r\n--form--\r\n"].concat();
    api.request(Method::POST, "/public/v1/media")
        .header("idempotency-key", format!("media-{point}"))
        .header(CONTENT_TYPE, "multipart/form-data; boundary=form")
        .body(body)
}

/// Lets the process die while it answers, and repeats the request to the next one until it answers.
async fn is_done_once(
    scene: &Scene,
    point: &'static str,
    is_done: bool,
    request: impl Fn(&Client) -> RequestBuilder,
) {
    let process = scene.serve_api(&[("PLAYOUT_FAILPOINT", point)]).await;
    let unanswered = request(&scene.api).send().await;
    assert!(unanswered.is_err(), "{point}: {unanswered:?}");
    scene.dies(process, point).await;
    let _process = scene.serve_api(&[]).await;
    let first = scene.api.send(request(&scene.api)).await;
    assert_eq!(
        first.status,
        if is_done { 201 } else { 409 },
        "{point}: {}",
        scene.log()
    );
    let done = answered(scene, &request).await;
    let replayed = if is_done { "true" } else { "" };
    assert_eq!(
        (done.status, done.header("idempotency-replayed")),
        (201, replayed),
        "{point}"
    );
    let again = scene.api.send(request(&scene.api)).await;
    assert_eq!(
        (&again.body, again.header("idempotency-replayed")),
        (&done.body, "true"),
        "{point}"
    );
}

/// The answer after the dead process's lease has ended: two seconds.
async fn answered(scene: &Scene, request: &impl Fn(&Client) -> RequestBuilder) -> Answer {
    let waiting = async {
        loop {
            let answer = scene.api.send(request(&scene.api)).await;
            if answer.status != 409 {
                return answer;
            }
            answer.refused(409, "idempotency_in_progress");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    waited.unwrap_or_else(|_| panic!("the key is not free after {PATIENCE:?}: {}", scene.log()))
}

async fn count(scene: &Scene, noun: &str) -> usize {
    let _process = scene.serve_api(&[]).await;
    let list = scene.api.get(&format!("/public/v1/{noun}")).await.ok();
    list[noun].as_array().unwrap().len()
}
