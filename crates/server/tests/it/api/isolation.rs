//! A key never sees another workspace's data: what is foreign looks exactly like what never was (contract §1).

use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestApp, on_both};

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// Status, body and headers without the request's ID and the date.
fn seen(answer: &Answer) -> (u16, String, Vec<(String, String)>) {
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id" && *name != "date");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (
        answer.status,
        String::from_utf8(answer.body.clone()).unwrap(),
        headers.collect(),
    )
}

/// Asserts that `foreign` is answered as an ID that never was.
async fn looks_missing(stranger: &Client, path: &str, foreign: &str, code: &str) {
    let of = |id: &str| path.replace("{id}", id);
    let (theirs, never) = (stranger.get(&of(foreign)).await, stranger.get(&of(NOWHERE)).await);
    theirs.refused(404, code);
    assert_eq!(seen(&theirs), seen(&never), "GET {path}");
}

on_both! {
    async fn another_workspaces_post_looks_missing(db) {
        let t = TestApp::start(db).await;
        let stranger = t.stranger().await;
        let platform = t.connect("kitestudio").await;
        let draft = json!({ "platformIds": [platform], "content": "Ours", "mode": "draft" });
        let post = t.api.create_post(&draft).await;
        looks_missing(&stranger, "/public/v1/posts/{id}", &post, "post_not_found").await;
        let delete = |id: &str| { let path = format!("/public/v1/posts/{id}"); let stranger = &stranger;
            async move { stranger.delete(&path).await } };
        let (theirs, never) = (delete(&post).await, delete(NOWHERE).await);
        theirs.refused(404, "post_not_found");
        assert_eq!(seen(&theirs), seen(&never));
        let body = json!({ "scheduledFor": "2026-11-21T12:00:00Z" });
        let theirs = stranger.patch(&format!("/public/v1/posts/{post}/schedule"), &body).await;
        let never = stranger.patch(&format!("/public/v1/posts/{NOWHERE}/schedule"), &body).await;
        theirs.refused(404, "post_not_found");
        assert_eq!(seen(&theirs), seen(&never));
        assert_eq!(t.root(&post).await["content"], "Ours");
    }

    async fn another_workspaces_account_looks_missing(db) {
        let t = TestApp::start(db).await;
        let stranger = t.stranger().await;
        let platform = t.connect("kitestudio").await;
        looks_missing(&stranger, "/public/v1/platforms/{id}/schema", &platform, "platform_not_found").await;
        let create = |id: &str| json!({ "platformIds": [id], "content": "Hi", "mode": "draft" });
        let theirs = stranger.post("/public/v1/posts", &create(&platform)).await;
        let never = stranger.post("/public/v1/posts", &create(NOWHERE)).await;
        assert_eq!((theirs.status, never.status), (200, 200));
        let error = |answer: &Answer| answer.json()["results"][0]["error"].clone();
        assert_eq!(error(&theirs)["code"], "platform_not_found");
        assert_eq!(error(&theirs), error(&never));
        assert_eq!(stranger.get("/public/v1/platforms").await.ok()["platforms"], json!([]));
    }

    async fn another_workspaces_media_look_missing(db) {
        let t = TestApp::start(db).await;
        let stranger = t.stranger().await;
        let photo = t.api.upload_photo(300, 200).await;
        let create = |id: &str| json!({ "platformIds": [NOWHERE], "content": "Hi", "mode": "draft", "mediaIds": [id] });
        let theirs = stranger.post("/public/v1/posts", &create(&photo)).await;
        let never = stranger.post("/public/v1/posts", &create(NOWHERE)).await;
        theirs.invalid_at(&[json!(["mediaIds", 0])]);
        assert_eq!(seen(&theirs), seen(&never));
        assert_eq!(stranger.get("/public/v1/media").await.ok()["media"], json!([]));
    }

    async fn another_workspaces_folder_looks_missing(db) {
        let t = TestApp::start(db).await;
        let stranger = t.stranger().await;
        t.app.store.create_folder(t.workspace.id, "Ours", t.now()).await.unwrap();
        let folders = t.api.get("/public/v1/media/folders").await.ok();
        let folder = folders["folders"][0]["id"].as_str().unwrap();
        assert_eq!(stranger.get("/public/v1/media/folders").await.ok(), json!({ "folders": [] }));
        let photo = crate::harness::jpeg(40, 30);
        let upload = |id: String| { let (stranger, photo) = (&stranger, &photo);
            async move { stranger.upload_form(("a.jpg", "image/jpeg", photo), &[("folderId", &id)]).await } };
        let (theirs, never) = (upload(folder.to_owned()).await, upload(NOWHERE.to_owned()).await);
        theirs.refused(404, "folder_not_found");
        assert_eq!(seen(&theirs), seen(&never));
        let listed = stranger.get(&format!("/public/v1/media?folderId={folder}")).await.ok();
        assert_eq!(listed["media"], json!([]));
    }

    async fn lists_show_only_the_workspaces_own(db) {
        let t = TestApp::start(db).await;
        let stranger = t.stranger().await;
        let platform = t.connect("kitestudio").await;
        t.api.create_post(&json!({ "platformIds": [platform], "content": "Ours", "mode": "draft" })).await;
        let empty = |list: Value, name: &str| assert_eq!(list[name], json!([]), "{name}");
        empty(stranger.get("/public/v1/posts").await.ok(), "posts");
        empty(stranger.get(&format!("/public/v1/posts?platformId={platform}")).await.ok(), "posts");
        assert_eq!(t.api.get("/public/v1/posts").await.ok()["posts"].as_array().unwrap().len(), 1);
    }
}
