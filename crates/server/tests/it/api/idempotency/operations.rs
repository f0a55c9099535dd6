//! Operations besides creating posts that take an `Idempotency-Key`: uploads, folders, publishing.

use reqwest::Method;
use serde_json::json;

use super::{POSTS, draft, media, replays, stored, upload_with};
use crate::harness::{Db, TestApp, jpeg, on_both};

on_both!(
    an_upload_sent_again_leaves_nothing_behind_and_counts_once,
    of_equal_uploads_at_once_one_is_taken,
    a_folder_is_made_once,
    publishing_is_asked_for_once,
    unscheduling_is_asked_for_once,
);

const FOLDERS: &str = "/public/v1/media/folders";

async fn an_upload_sent_again_leaves_nothing_behind_and_counts_once(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(400, 300);
    let first = upload_with(&t.api, "u", &[("file", &photo), ("fileName", b"kite.jpg")]).await;
    assert_eq!(first.status, 201);
    let used = t.app.store.storage_used(t.workspace.id).await.unwrap();
    for parts in [
        [("file", &photo[..]), ("fileName", b"kite.jpg")],
        [("fileName", b"kite.jpg"), ("file", &photo)],
    ] {
        replays(&first, &upload_with(&t.api, "u", &parts).await);
    }
    let other = jpeg(400, 301);
    let others: [&[(&str, &[u8])]; 4] = [
        &[("file", &other), ("fileName", b"kite.jpg")],
        &[("file", &photo), ("fileName", b"kites.jpg")],
        &[("file", &photo)],
        &[
            ("file", &photo),
            ("fileName", b"kite.jpg"),
            ("mimeType", b"image/jpeg"),
        ],
    ];
    for parts in others {
        upload_with(&t.api, "u", parts)
            .await
            .refused(422, "idempotency_key_reused");
    }
    assert_eq!((media(&t).await, stored(&t)), (1, 2), "the photo and its preview");
    assert_eq!(t.app.store.storage_used(t.workspace.id).await.unwrap(), used);
    assert_eq!(used, photo.len() as u64);
}

async fn of_equal_uploads_at_once_one_is_taken(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(400, 300);
    let parts = [("file", &photo[..])];
    let upload = || upload_with(&t.api, "u", &parts);
    let answers = tokio::join!(upload(), upload(), upload(), upload());
    for answer in [&answers.0, &answers.1, &answers.2, &answers.3] {
        assert!(
            answer.status == 201 || answer.json()["code"] == "idempotency_in_progress",
            "{}",
            answer.status
        );
    }
    assert_eq!((media(&t).await, stored(&t)), (1, 2));
}

async fn a_folder_is_made_once(db: Db) {
    let t = TestApp::start(db).await;
    let make = |key: &'static str, name: &'static str| {
        let api = &t.api;
        async move {
            let request = api.request(Method::POST, FOLDERS).header("idempotency-key", key);
            api.send(request.json(&json!({ "name": name }))).await
        }
    };
    let first = make("k", "Kites").await;
    assert_eq!(first.status, 201);
    replays(&first, &make("k", " Kites ").await);
    make("k", "Planes").await.refused(422, "idempotency_key_reused");
    make("l", "kites").await.invalid_at(&[json!(["name"])]);
    assert_eq!(make("l", "Planes").await.status, 201, "a refusal frees the key");
    make("a b", "")
        .await
        .invalid_at(&[json!(["Idempotency-Key"]), json!(["name"])]);
    assert_eq!(
        t.api.get(FOLDERS).await.ok()["folders"].as_array().unwrap().len(),
        2
    );
}

async fn publishing_is_asked_for_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let mut body = draft(&platform, "Up");
    body["mediaIds"] = json!([photo]);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    let (post, other) = (t.api.create_post(&body).await, t.api.create_post(&body).await);
    let publish = |id: String, key: &'static str| {
        let api = &t.api;
        async move {
            let request = api.request(Method::POST, &format!("{POSTS}/{id}/publish"));
            api.send(request.header("idempotency-key", key)).await
        }
    };
    let first = publish(post.clone(), "k").await;
    assert_eq!(
        (first.status, first.json()["root"]["state"].as_str()),
        (200, Some("QUEUE"))
    );
    t.settled(&post).await;
    replays(&first, &publish(post.clone(), "k").await);
    publish(other.clone(), "k")
        .await
        .refused(422, "idempotency_key_reused");
    publish(post.clone(), "l")
        .await
        .refused(409, "post_not_publishable");
    assert_eq!(publish(other, "l").await.status, 200, "a refusal frees the key");
    publish("x".to_owned(), "")
        .await
        .invalid_at(&[json!(["Idempotency-Key"]), json!(["id"])]);
    assert_eq!(t.sim.publications().len(), 1);
}

async fn unscheduling_is_asked_for_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut body = draft(&platform, "Up");
    body["mediaIds"] = json!([t.api.upload_photo(300, 400).await]);
    body["mode"] = json!("schedule");
    body["scheduledFor"] = json!("2026-11-21T12:00:00Z");
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    let post = t.api.create_post(&body).await;
    let unschedule = |key: &'static str| {
        let request = t.api.request(Method::POST, &format!("{POSTS}/{post}/unschedule"));
        t.api.send(request.header("idempotency-key", key))
    };
    let first = unschedule("k").await;
    assert_eq!(
        (first.status, first.json()["root"]["state"].as_str()),
        (200, Some("DRAFT"))
    );
    replays(&first, &unschedule("k").await);
    unschedule("l").await.refused(409, "post_not_unschedulable");
}
