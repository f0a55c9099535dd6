//! The resources of the public API, in a session: the same handlers, the same answers.

use playout_domain::workspace::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{CLIP, Db, TestApp, on_both, post_body};

on_both!(
    a_session_does_the_whole_job_and_a_key_sees_the_same,
    uploads_go_on_in_a_session,
    a_request_that_is_sent_again_is_done_once,
    other_sites_cannot_read_answers_and_no_rate_of_a_key_is_told,
    the_document_of_the_dashboards_api_is_served_to_everybody,
);

async fn a_session_does_the_whole_job_and_a_key_sees_the_same(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let workspace = ada.workspace.parse().unwrap();
    let platform = t.connect_in(workspace, "kitestudio").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let part = reqwest::multipart::Part::bytes(CLIP)
        .file_name("clip.mp4")
        .mime_str("video/mp4")
        .unwrap();
    let form = reqwest::multipart::Form::new().part("file", part);
    let media = bob
        .api
        .send(bob.api.request(Method::POST, "/app/v1/media").multipart(form))
        .await
        .ok();
    let body = post_body(&platform, &[media["id"].as_str().unwrap().to_owned()]);
    let created = bob.api.post("/app/v1/posts", &body).await.ok();
    let post = created["results"][0]["post"]["root"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    t.idle().await;
    let end = t.now().plus(std::time::Duration::from_secs(3600));
    while let Some(next) = t
        .app
        .store
        .next_run_at()
        .await
        .unwrap()
        .filter(|next| *next <= end)
    {
        t.clock.set(next);
        t.idle().await;
    }
    let read = bob.api.get(&format!("/app/v1/posts/{post}")).await.ok();
    assert_eq!(read["root"]["state"], "PUBLISHED", "{read:#}");
    let key = t.app.create_key(workspace, "CI", None, None).await.unwrap().key;
    let program = t.nobody().with_key(Some(key));
    for path in [
        "posts".to_owned(),
        "platforms".to_owned(),
        "media".to_owned(),
        "usage".to_owned(),
        format!("posts/{post}/attempts"),
        format!("platforms/{platform}/schema"),
    ] {
        let seen = bob.api.get(&format!("/app/v1/{path}")).await.ok();
        assert_eq!(
            seen,
            program.get(&format!("/public/v1/{path}")).await.ok(),
            "{path}"
        );
    }
}

async fn uploads_go_on_in_a_session(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let tus = |method: Method, path: &str| ada.api.request(method, path).header("Tus-Resumable", "1.0.0");
    let begun = ada
        .api
        .send(tus(Method::POST, "/app/v1/media/uploads").header("Upload-Length", CLIP.len()))
        .await;
    assert_eq!((begun.status, begun.header("tus-resumable")), (201, "1.0.0"));
    let path = begun
        .header("location")
        .strip_prefix(&t.app.config.base_url)
        .unwrap()
        .to_owned();
    assert!(path.starts_with("/app/v1/media/uploads/"), "{path}");
    let append = tus(Method::PATCH, &path)
        .header("Upload-Offset", 0)
        .header("content-type", "application/offset+octet-stream");
    assert_eq!(ada.api.send(append.body(CLIP)).await.status, 204);
    let media = path.rsplit('/').next().unwrap();
    assert_eq!(
        ada.api.get(&format!("/app/v1/media/{media}")).await.ok()["status"],
        "READY"
    );
    let override_ = ada
        .api
        .request(Method::POST, &path)
        .header("Tus-Resumable", "1.0.0")
        .header("X-HTTP-Method-Override", "DELETE");
    t.nobody()
        .send(t.nobody().request(Method::POST, &path))
        .await
        .refused(401, "invalid_session");
    assert!(matches!(ada.api.send(override_).await.status, 204 | 404));
}

async fn a_request_that_is_sent_again_is_done_once(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let send = async || {
        let request = ada
            .api
            .request(Method::POST, "/app/v1/media/folders")
            .header("Idempotency-Key", "once");
        ada.api.send(request.json(&json!({ "name": "Kites" }))).await
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(
        (first.status, second.header("idempotency-replayed")),
        (201, "true")
    );
    assert_eq!(first.body, second.body);
}

async fn other_sites_cannot_read_answers_and_no_rate_of_a_key_is_told(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let request = ada
        .api
        .request(Method::GET, "/app/v1/posts")
        .header("origin", "https://evil.example");
    let answer = ada.api.send(request).await;
    assert_eq!(
        (
            answer.status,
            answer.header("access-control-allow-origin"),
            answer.header("ratelimit")
        ),
        (200, "", "")
    );
    assert!(!answer.header("x-request-id").is_empty());
}

async fn the_document_of_the_dashboards_api_is_served_to_everybody(db: Db) {
    let t = TestApp::start(db).await;
    let document: Value = t.nobody().get("/app/v1/openapi.json").await.ok();
    assert_eq!(&document, playout_server::api::openapi::dashboard::document());
}
