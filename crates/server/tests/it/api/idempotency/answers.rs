//! Which answers are stored under an `Idempotency-Key`, and how many: those of success alone, up to 256 MiB a workspace.

use std::time::Duration;

use playout_server::api::idempotency::in_json;
use playout_server::app::once::{Answered, Asked};
use playout_server::app::{App, AppError};
use playout_store::{BeginIdempotent, StoreError, Stored};
use reqwest::StatusCode;
use serde_json::json;

use super::{POSTS, draft, media, post_with, replays, upload_with};
use crate::harness::{Db, Options, TestApp, jpeg, on_both};

on_both!(
    a_failure_on_every_platform_is_an_answer_too,
    a_refusal_is_not_kept_and_frees_the_key,
    a_quota_refusal_is_not_kept,
    a_request_that_came_too_often_is_not_kept,
    work_that_failed_inside_or_panicked_can_be_tried_again,
    a_workspace_that_stored_256_mib_of_answers_is_refused_with_a_key_and_served_without,
);

async fn a_failure_on_every_platform_is_an_answer_too(db: Db) {
    let t = TestApp::start(db).await;
    let body = draft("0196f3a0-0000-7000-8000-000000000000", "Nobody");
    let first = post_with(&t.api, "k", &body).await;
    assert_eq!(
        (first.status, first.json()["results"][0]["status"].as_str()),
        (200, Some("failed"))
    );
    replays(&first, &post_with(&t.api, "k", &body).await);
}

async fn a_refusal_is_not_kept_and_frees_the_key(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    post_with(&t.api, "k", &json!({ "content": "x" }))
        .await
        .refused(400, "invalid_request");
    let mut body = draft(&platform, "With a photo");
    body["mediaIds"] = json!(["0196f3a0-0000-7000-8000-000000000000"]);
    for _ in 0..2 {
        let missing = post_with(&t.api, "k", &body).await;
        missing.invalid_at(&[json!(["mediaIds", 0])]);
        assert_eq!(missing.header("idempotency-replayed"), "");
    }
    body["mediaIds"] = json!([t.api.upload_photo(300, 200).await]);
    let made = post_with(&t.api, "k", &body).await;
    assert_eq!(made.status, 201);
    replays(&made, &post_with(&t.api, "k", &body).await);
    upload_with(&t.api, "u", &[("file", b"no picture")])
        .await
        .refused(400, "invalid_media_file");
    assert_eq!(
        upload_with(&t.api, "u", &[("file", &jpeg(40, 30))]).await.status,
        201
    );
}

async fn a_quota_refusal_is_not_kept(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        &plans,
        "[plans.unlimited]\n[plans.tiny]\nposts_per_month = 1\nstorage_bytes = 2000\n",
    )
    .unwrap();
    let options = Options::default()
        .plan("tiny")
        .set("plans_file", plans.path().to_str().unwrap());
    let t = TestApp::start_with(db, options).await;
    let platform = t.connect("kitestudio").await;
    let queued = |content: &str| {
        json!({ "platformIds": [platform], "content": content, "mode": "schedule",
        "scheduledFor": "2026-11-22T12:00:00Z", "mediaIds": [], "settings": { "privacy_level": "SELF_ONLY" } })
    };
    let small = jpeg(8, 8);
    let photo = upload_with(&t.api, "u", &[("file", &small)]).await.ok()["id"].take();
    let queued = |content: &str| {
        let mut body = queued(content);
        body["mediaIds"] = json!([photo]);
        body
    };
    let first = t.api.create_post(&queued("First")).await;
    post_with(&t.api, "k", &queued("Second"))
        .await
        .refused(409, "post_limit_reached");
    t.api.delete(&format!("{POSTS}/{first}")).await;
    let second = post_with(&t.api, "k", &queued("Second")).await;
    assert_eq!((second.status, second.header("idempotency-replayed")), (201, ""));
    let large = upload_with(&t.api, "l", &[("file", &jpeg(400, 400))]).await;
    large.refused(409, "storage_limit_reached");
    upload_with(&t.api, "l", &[("file", &jpeg(400, 401))])
        .await
        .refused(409, "storage_limit_reached");
    assert_eq!(
        t.app.store.storage_used(t.workspace.id).await.unwrap(),
        small.len() as u64
    );
    assert_eq!(media(&t).await, 1);
}

async fn a_request_that_came_too_often_is_not_kept(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("rate_limit", "1/60s;burst=1")).await;
    let body = draft("0196f3a0-0000-7000-8000-000000000000", "Soon");
    t.api.get(POSTS).await.ok();
    post_with(&t.api, "k", &body).await.refused(429, "rate_limited");
    t.advance(Duration::from_secs(60)).await;
    let first = post_with(&t.api, "k", &body).await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (200, ""));
    t.advance(Duration::from_secs(60)).await;
    replays(&first, &post_with(&t.api, "k", &body).await);
}

async fn work_that_failed_inside_or_panicked_can_be_tried_again(db: Db) {
    let t = TestApp::start(db).await;
    let asked = || {
        Some(Asked {
            workspace: t.workspace.id,
            key: "k".to_owned(),
            fingerprint: [1; 32],
            at: t.now(),
        })
    };
    let answer = |_: &App, text: &String| in_json(StatusCode::OK, text);
    let failing = |_| async { Err(AppError::Store(StoreError::Address("lost".to_owned()))) };
    assert!(t.app.once(asked(), answer, failing).await.is_err());
    let (app, again) = (t.app.clone(), asked());
    let panicking = |_| async { panic!("no luck") };
    let panicked = tokio::spawn(async move { app.once(again, answer, panicking).await }).await;
    assert!(panicked.unwrap_err().is_panic());
    let done = t
        .app
        .once(asked(), answer, |_| async { Ok("done".to_owned()) })
        .await
        .unwrap();
    let Answered::Done(stored) = done else {
        panic!("{done:?}")
    };
    assert_eq!(stored.body, b"\"done\"");
    let replayed = t
        .app
        .once(asked(), answer, |_| async { Ok("twice".to_owned()) })
        .await
        .unwrap();
    assert_eq!(replayed, Answered::Replayed(stored));
}

async fn a_workspace_that_stored_256_mib_of_answers_is_refused_with_a_key_and_served_without(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let body = draft(&platform, "once");
    let first = post_with(&t.api, "first", &body).await;
    let large = Stored {
        status: 200,
        headers: Vec::new(),
        // Small enough that a busy database writes each within its limit for a statement.
        body: vec![b'x'; 8 << 20],
    };
    for key in 0..32 {
        let key = &format!("key {key}");
        let begun = t
            .app
            .store
            .begin_idempotent(t.workspace.id, key, [0; 32], Duration::from_secs(60), t.now())
            .await
            .unwrap();
        let BeginIdempotent::Started(claim) = begun else {
            panic!("{begun:?}")
        };
        t.app.store.complete_idempotent(&claim, &large).await.unwrap();
    }
    let refused = post_with(&t.api, "second", &body).await;
    refused.refused(429, "rate_limited");
    let wait = refused.header("retry-after").parse().unwrap();
    replays(&first, &post_with(&t.api, "first", &body).await);
    t.api.create_post(&body).await;
    assert_eq!(t.api.get(POSTS).await.ok()["posts"].as_array().unwrap().len(), 2);
    t.clock.advance(Duration::from_secs(wait));
    post_with(&t.api, "second", &body).await.ok();
}
