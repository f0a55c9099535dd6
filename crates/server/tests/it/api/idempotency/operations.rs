//! Operations besides creating posts that take an `Idempotency-Key`: uploads, folders, publishing, webhooks.

use std::collections::BTreeSet;

use playout_server::api::openapi::document;
use reqwest::Method;
use serde_json::{Value, json};

use super::{POSTS, draft, media, replays, upload_with};
use crate::api::coverage::assert_tests_exist;
use crate::harness::{Answer, Db, Options, TestApp, jpeg, on_both};

on_both!(
    an_upload_sent_again_leaves_nothing_behind_and_counts_once,
    of_equal_uploads_at_once_one_is_taken,
    a_folder_is_made_once,
    publishing_is_asked_for_once,
    unscheduling_is_asked_for_once,
    what_is_done_to_a_webhook_is_done_once,
);

/// Every operation that takes a key, with the test in which it is asked for twice.
const TESTS: [(&str, &str); 14] = [
    (
        "createPost",
        "api::idempotency::the_same_request_is_answered_byte_for_byte_and_done_once",
    ),
    (
        "createPosts",
        "api::post_batches::a_batch_is_created_once_for_one_key",
    ),
    (
        "publishPost",
        "api::idempotency::operations::publishing_is_asked_for_once",
    ),
    (
        "unschedulePost",
        "api::idempotency::operations::unscheduling_is_asked_for_once",
    ),
    (
        "markPostPublished",
        "api::post_marks::a_post_that_was_finished_from_the_inbox_by_hand_is_marked_without_an_address",
    ),
    (
        "uploadMedia",
        "api::idempotency::operations::an_upload_sent_again_leaves_nothing_behind_and_counts_once",
    ),
    (
        "createFolder",
        "api::idempotency::operations::a_folder_is_made_once",
    ),
    (
        "importMedia",
        "api::media_imports::a_repeated_request_imports_once",
    ),
    (
        "compositeSlides",
        "api::slides::the_same_request_again_makes_nothing_anew",
    ),
    (
        "proposeCaptions",
        "api::slide_captions::the_same_request_again_is_answered_alike_and_paid_once",
    ),
    (
        "createWebhook",
        "api::idempotency::operations::what_is_done_to_a_webhook_is_done_once",
    ),
    (
        "rotateWebhookSecret",
        "api::idempotency::operations::what_is_done_to_a_webhook_is_done_once",
    ),
    (
        "testWebhook",
        "api::idempotency::operations::what_is_done_to_a_webhook_is_done_once",
    ),
    (
        "redeliver",
        "api::idempotency::operations::what_is_done_to_a_webhook_is_done_once",
    ),
];

#[test]
fn every_operation_that_takes_a_key_is_tried() {
    let takes_a_key = |operation: &&Value| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let mut names = parameters.map(|parameter| parameter.to_string());
        names.any(|name| name.contains("Idempotency"))
    };
    let paths = document()["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|methods| methods.as_object().unwrap().values());
    let described: BTreeSet<&str> = operations
        .filter(takes_a_key)
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    assert_eq!(described, TESTS.iter().map(|(operation, _)| *operation).collect());
    assert_tests_exist(TESTS.iter().map(|(_, test)| *test));
}

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
    assert_eq!(
        (media(&t).await, t.file_count()),
        (1, 2),
        "the photo and its preview"
    );
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
    assert_eq!((media(&t).await, t.file_count()), (1, 2));
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

async fn what_is_done_to_a_webhook_is_done_once(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await;
    let hooks = "/public/v1/webhooks";
    let ask = |path: String, key: &'static str, body: Value| {
        let request = t.api.request(Method::POST, &path).header("idempotency-key", key);
        t.api.send(request.json(&body))
    };
    // Nothing listens there.
    let hook = |port: u16| json!({ "url": format!("http://127.0.0.1:{port}/"), "events": ["media.ready"] });
    let made = ask(hooks.to_owned(), "k", hook(1)).await;
    replays(&made, &ask(hooks.to_owned(), "k", hook(1)).await);
    let other = ask(hooks.to_owned(), "l", hook(2)).await.ok();
    let (at, other) = (
        format!("{hooks}/{}", made.json()["id"].as_str().unwrap()),
        format!("{hooks}/{}", other["id"].as_str().unwrap()),
    );
    let deliveries = async || {
        let list = t.api.get(&format!("{at}/deliveries")).await.ok();
        list["deliveries"].as_array().unwrap().clone()
    };
    let twice = async |path: &str, elsewhere: &str, key: &'static str| -> Answer {
        let first = ask(path.to_owned(), key, Value::Null).await;
        assert!(first.status < 300, "{path}: {}", first.status);
        replays(&first, &ask(path.to_owned(), key, Value::Null).await);
        ask(elsewhere.to_owned(), key, Value::Null)
            .await
            .refused(422, "idempotency_key_reused");
        first
    };
    twice(
        &format!("{at}/rotate-secret"),
        &format!("{other}/rotate-secret"),
        "rotate",
    )
    .await;
    let sent = twice(&format!("{at}/test"), &format!("{other}/test"), "test").await;
    t.idle().await;
    assert_eq!(deliveries().await.len(), 1);
    let before = deliveries().await[0]["attempts"].as_u64().unwrap();
    let again = |id: &str| format!("{hooks}/deliveries/{id}/redeliver");
    let elsewhere = ask(format!("{other}/test"), "test-2", Value::Null).await.ok();
    t.idle().await;
    let (sent, elsewhere) = (sent.json()["id"].clone(), elsewhere["id"].clone());
    twice(
        &again(sent.as_str().unwrap()),
        &again(elsewhere.as_str().unwrap()),
        "again",
    )
    .await;
    t.idle().await;
    assert_eq!(deliveries().await[0]["attempts"], before + 1, "sent by hand once");
}
