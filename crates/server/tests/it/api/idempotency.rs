//! `Idempotency-Key` (`docs/contract.md#idempotency`): a repeated request is answered again, and carried out once.

mod answers;
mod operations;

use std::time::Duration;

use playout_server::api::idempotency::fingerprint;
use playout_wire::canonical::Canonical;
use playout_wire::posts::CreatePost;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Answer, Client, Db, TestApp, jpeg, on_both};

on_both!(
    the_same_request_is_answered_byte_for_byte_and_done_once,
    a_request_says_the_same_however_it_is_written,
    another_request_with_the_same_key_is_refused,
    without_a_key_or_with_another_the_work_is_done_again,
    of_many_at_once_one_is_done,
    another_node_and_a_later_process_answer_the_same,
    a_key_is_good_for_a_day,
    a_key_belongs_to_its_workspace,
    a_request_that_runs_is_waited_for_and_a_dead_one_taken_over,
    a_schedule_that_is_past_by_now_is_still_answered,
    a_key_has_one_to_255_visible_characters,
    who_hangs_up_and_asks_again_is_told_what_came_of_it,
);

const POSTS: &str = "/public/v1/posts";
const MEDIA: &str = "/public/v1/media";
const DAY: Duration = Duration::from_secs(24 * 3600);

async fn post_with(api: &Client, key: &str, body: &Value) -> Answer {
    let request = api.request(Method::POST, POSTS).header("idempotency-key", key);
    api.send(request.json(body)).await
}

/// Uploads a form of these parts; a part that is called `file` is the file.
async fn upload_with(api: &Client, key: &str, parts: &[(&str, &[u8])]) -> Answer {
    let part = |(name, bytes): &(&str, &[u8])| {
        let file = if *name == "file" {
            "; filename=\"a.jpg\""
        } else {
            ""
        };
        let head = format!("--form\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        [head.as_bytes(), bytes, b"\r\n"].concat()
    };
    let body = [parts.iter().flat_map(part).collect(), b"--form--\r\n".to_vec()].concat();
    let request = api.request(Method::POST, MEDIA).header("idempotency-key", key);
    api.send(
        request
            .header(CONTENT_TYPE, "multipart/form-data; boundary=form")
            .body(body),
    )
    .await
}

fn draft(platform: &str, content: &str) -> Value {
    json!({ "platformIds": [platform], "content": content, "mode": "draft" })
}

/// Asserts that `again` repeats `first`.
#[track_caller]
fn replays(first: &Answer, again: &Answer) {
    assert_eq!(
        (
            first.header("idempotency-replayed"),
            again.header("idempotency-replayed")
        ),
        ("", "true")
    );
    assert_eq!(
        (first.status, &first.body),
        (again.status, &again.body),
        "{}",
        String::from_utf8_lossy(&again.body)
    );
    assert_eq!(first.header("content-type"), again.header("content-type"));
    assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
}

async fn posts(t: &TestApp) -> usize {
    t.api.get(POSTS).await.ok()["posts"].as_array().unwrap().len()
}

async fn media(t: &TestApp) -> usize {
    t.api.get(MEDIA).await.ok()["media"].as_array().unwrap().len()
}

async fn the_same_request_is_answered_byte_for_byte_and_done_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let body = draft(&platform, "Once");
    let first = post_with(&t.api, "order-1", &body).await;
    assert_eq!(first.status, 201);
    let id = first.json()["results"][0]["post"]["root"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    t.advance(Duration::from_secs(7)).await;
    replays(&first, &post_with(&t.api, "order-1", &body).await);
    t.api.delete(&format!("{POSTS}/{id}")).await;
    replays(&first, &post_with(&t.api, "order-1", &body).await);
    assert_eq!(posts(&t).await, 0, "a replay brings nothing back");
}

async fn a_request_says_the_same_however_it_is_written(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let plain = json!({ "platformIds": [platform], "content": "x", "mode": "draft", "settings": { "a": 1, "b": [2], "c": 9_007_199_254_740_992_u64 } });
    let other = json!({ "new": true, "settings": { "b": [2.0], "a": 1.0, "c": 9_007_199_254_740_992.0 }, "mode": "draft", "mediaIds": null, "content": "x",
        "comments": [], "platformIds": [platform.to_uppercase()] });
    let first = post_with(&t.api, "k", &plain).await;
    replays(&first, &post_with(&t.api, "k", &other).await);
    assert_eq!(posts(&t).await, 1);
}

async fn another_request_with_the_same_key_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    assert_eq!(post_with(&t.api, "k", &draft(&platform, "One")).await.status, 201);
    let other = post_with(&t.api, "k", &draft(&platform, "Two")).await;
    other.refused(422, "idempotency_key_reused");
    assert_eq!(other.header("idempotency-replayed"), "");
    upload_with(&t.api, "k", &[("file", &jpeg(40, 30))])
        .await
        .refused(422, "idempotency_key_reused");
    assert_eq!((posts(&t).await, media(&t).await, t.file_count()), (1, 0, 0));
}

async fn without_a_key_or_with_another_the_work_is_done_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let body = draft(&platform, "Again");
    for _ in 0..2 {
        assert_eq!(t.api.post(POSTS, &body).await.header("idempotency-replayed"), "");
    }
    for key in ["a", "A"] {
        assert_eq!(post_with(&t.api, key, &body).await.status, 201);
    }
    assert_eq!(posts(&t).await, 4);
}

async fn of_many_at_once_one_is_done(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (_app, other, service) = t.second_api().await;
    let calls = (0..20).map(|index| {
        let (api, body) = (
            if index % 2 == 0 {
                t.api.clone()
            } else {
                other.clone()
            },
            draft(&platform, "Rush"),
        );
        tokio::spawn(async move { post_with(&api, "rush", &body).await })
    });
    let calls: Vec<_> = calls.collect();
    let mut done = Vec::new();
    for call in calls {
        let answer = call.await.unwrap();
        if answer.status == 201 {
            done.push(answer);
        } else {
            answer.refused(409, "idempotency_in_progress");
        }
    }
    assert_eq!(
        done.iter()
            .filter(|answer| answer.header("idempotency-replayed").is_empty())
            .count(),
        1
    );
    assert!(done.iter().all(|answer| answer.body == done[0].body));
    assert_eq!(posts(&t).await, 1);
    service.stop().await;
}

async fn another_node_and_a_later_process_answer_the_same(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (body, photo) = (draft(&platform, "Here"), jpeg(40, 30));
    let first = post_with(&t.api, "k", &body).await;
    let upload = upload_with(&t.api, "u", &[("file", &photo)]).await;
    t.stop().await;
    let (_app, other, service) = t.second_api().await;
    replays(&first, &post_with(&other, "k", &body).await);
    replays(&upload, &upload_with(&other, "u", &[("file", &photo)]).await);
    post_with(&other, "k", &draft(&platform, "There"))
        .await
        .refused(422, "idempotency_key_reused");
    service.stop().await;
}

async fn a_key_is_good_for_a_day(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let first = post_with(&t.api, "k", &draft(&platform, "One")).await;
    t.clock.advance(DAY - Duration::from_micros(1));
    replays(&first, &post_with(&t.api, "k", &draft(&platform, "One")).await);
    t.clock.advance(Duration::from_micros(1));
    let second = post_with(&t.api, "k", &draft(&platform, "Two")).await;
    assert_eq!((second.status, second.header("idempotency-replayed")), (201, ""));
    replays(&second, &post_with(&t.api, "k", &draft(&platform, "Two")).await);
}

async fn a_key_belongs_to_its_workspace(db: Db) {
    let t = TestApp::start(db).await;
    let stranger = t.stranger().await;
    let body = draft("0196f3a0-0000-7000-8000-000000000000", "Hi");
    let ours = post_with(&t.api, "k", &body).await;
    let theirs = post_with(
        &stranger,
        "k",
        &draft("0196f3a0-0000-7000-8000-000000000001", "Hi"),
    )
    .await;
    assert_eq!((theirs.status, theirs.header("idempotency-replayed")), (200, ""));
    let made = t
        .app
        .create_key(t.workspace.id, "second", None, None)
        .await
        .unwrap();
    replays(
        &ours,
        &post_with(&t.api.with_key(Some(made.key)), "k", &body).await,
    );
}

async fn a_request_that_runs_is_waited_for_and_a_dead_one_taken_over(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let body = draft(&platform, "Slow");
    let canonical = CreatePost::read(&body, t.now()).unwrap().canonical();
    let print = fingerprint("POST /posts", canonical);
    t.app
        .store
        .begin_idempotent(t.workspace.id, "k", print, t.app.config.worker_lease, t.now())
        .await
        .unwrap();
    let early = post_with(&t.api, "k", &body).await;
    early.refused(409, "idempotency_in_progress");
    assert_eq!(early.header("retry-after"), "1");
    post_with(&t.api, "k", &draft(&platform, "Other"))
        .await
        .refused(422, "idempotency_key_reused");
    t.clock
        .advance(t.app.config.worker_lease - Duration::from_micros(1));
    post_with(&t.api, "k", &body)
        .await
        .refused(409, "idempotency_in_progress");
    t.clock.advance(Duration::from_micros(1));
    let done = post_with(&t.api, "k", &body).await;
    assert_eq!(done.status, 201);
    replays(&done, &post_with(&t.api, "k", &body).await);
    assert_eq!(posts(&t).await, 1);
}

async fn a_schedule_that_is_past_by_now_is_still_answered(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let body = |content: &str| {
        json!({ "platformIds": [platform], "content": content, "mode": "schedule", "mediaIds": [photo],
        "scheduledFor": "2026-11-20T12:01:00Z", "settings": { "privacy_level": "SELF_ONLY" } })
    };
    let first = post_with(&t.api, "k", &body("Soon")).await;
    assert_eq!(first.status, 201);
    t.advance(Duration::from_secs(3600)).await;
    replays(&first, &post_with(&t.api, "k", &body("Soon")).await);
    post_with(&t.api, "k", &body("Other"))
        .await
        .refused(422, "idempotency_key_reused");
    post_with(&t.api, "new", &body("Soon"))
        .await
        .invalid_at(&[json!(["scheduledFor"])]);
    t.advance(DAY).await;
    post_with(&t.api, "k", &body("Soon"))
        .await
        .invalid_at(&[json!(["scheduledFor"])]);
}

async fn a_key_has_one_to_255_visible_characters(db: Db) {
    let t = TestApp::start(db).await;
    let body = draft("0196f3a0-0000-7000-8000-000000000000", "Hi");
    let longest = "k".repeat(255);
    for key in ["!", "~", "9b2f:a/b?c=\"d\"", &longest] {
        assert_eq!(post_with(&t.api, key, &body).await.status, 200, "{key}");
    }
    let too_long = "k".repeat(256);
    for key in ["", " ", "a b", "a\tb", &too_long] {
        post_with(&t.api, key, &body)
            .await
            .invalid_at(&[json!(["Idempotency-Key"])]);
    }
    let odd = HeaderValue::from_bytes(b"caf\xc3\xa9").unwrap();
    let request = t
        .api
        .request(Method::POST, POSTS)
        .header("idempotency-key", odd)
        .json(&json!({ "mode": "draft" }));
    t.api.send(request).await.invalid_at(&[
        json!(["Idempotency-Key"]),
        json!(["platformIds"]),
        json!(["content"]),
    ]);
    let twice = t
        .api
        .request(Method::POST, POSTS)
        .header("idempotency-key", "a")
        .header("idempotency-key", "a");
    t.api
        .send(twice.json(&body))
        .await
        .invalid_at(&[json!(["Idempotency-Key"])]);
    upload_with(&t.api, "a b", &[("file", &jpeg(40, 30))])
        .await
        .invalid_at(&[json!(["Idempotency-Key"])]);
    let text = t
        .api
        .request(Method::POST, POSTS)
        .header("idempotency-key", "")
        .body("x");
    t.api.send(text).await.refused(415, "unsupported_media_type");
}

async fn who_hangs_up_and_asks_again_is_told_what_came_of_it(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let key = t
        .app
        .create_key(t.workspace.id, "raw", None, None)
        .await
        .unwrap()
        .key;
    let address = t.app.config.base_url.strip_prefix("http://").unwrap();
    let body = draft(&platform, "Impatient");
    for number in 0..5 {
        let text = body.to_string();
        let request = format!(
            "POST {POSTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nIdempotency-Key: k{number}\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{text}",
            key.expose(),
            text.len()
        );
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all(request.as_bytes()).await.unwrap();
        for _ in 0..number {
            tokio::task::yield_now().await;
        }
        drop(socket);
        let mut answer = post_with(&t.api, &format!("k{number}"), &body).await;
        // The first may still be running.
        for _ in 0..100_000 {
            if answer.status != 409 {
                break;
            }
            answer = post_with(&t.api, &format!("k{number}"), &body).await;
        }
        assert_eq!(answer.status, 201);
        assert_eq!(posts(&t).await, number + 1, "{number} turns before hanging up");
    }
}
