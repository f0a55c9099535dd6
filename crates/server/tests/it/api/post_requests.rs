//! What a request to create a post must look like: every problem at once, each at its place
//! (`docs/contract.md#creating-posts`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both};

on_both!(
    all_problems_come_at_once_in_document_order,
    what_is_required_is_missed,
    platform_ids_are_one_or_more_and_none_twice,
    content_has_at_least_one_character_also_in_drafts,
    the_mode_is_one_of_three_words,
    a_scheduled_time_carries_an_offset,
    a_scheduled_time_is_at_most_five_minutes_past_and_two_years_ahead,
    now_ignores_when_and_a_draft_reads_it_but_both_want_a_time,
    at_most_ten_comments_are_taken,
    every_comment_is_checked_at_its_place,
    media_must_exist_and_each_that_does_not_is_named,
    missing_media_come_in_document_order,
    media_ids_are_uuids_and_none_is_listed_twice,
    what_every_list_would_pay_for_is_bounded,
    settings_are_an_object,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const ELSEWHERE: &str = "0196f3a0-0000-7000-8000-000000000001";

/// A request that is right in itself, with these fields over it.
fn request(over: Value) -> Value {
    let mut body = json!({ "platformIds": [NOWHERE], "content": "Hello", "mode": "draft" });
    let fields = over.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// Sends it and asserts that exactly these places are wrong.
#[track_caller]
fn assert_paths(answer: &crate::harness::Answer, paths: &[Value]) {
    answer.invalid_at(paths);
}

/// A point in time that many seconds from the test's present, as text.
fn at(t: &TestApp, seconds: i64) -> String {
    let by = Duration::from_secs(seconds.unsigned_abs());
    let time = if seconds < 0 {
        t.now().minus(by)
    } else {
        t.now().plus(by)
    };
    time.to_string()
}

async fn all_problems_come_at_once_in_document_order(db: Db) {
    let t = TestApp::start(db).await;
    let body = json!({
        "comments": [{ "content": "fine" }, { "delayInMinutes": -1, "content": "", "mediaIds": ["x"], "settings": [] }, 7],
        "settings": "none",
        "mediaIds": [NOWHERE, 5, NOWHERE],
        "mode": "later",
        "content": 12,
        "platformIds": ["x"],
    });
    let answer = t.api.post(POSTS, &body).await;
    answer.invalid_at(&[
        json!(["comments", 1, "delayInMinutes"]),
        json!(["comments", 1, "content"]),
        json!(["comments", 1, "mediaIds", 0]),
        json!(["comments", 1, "settings"]),
        json!(["comments", 2]),
        json!(["settings"]),
        json!(["mediaIds", 1]),
        json!(["mediaIds", 2]),
        json!(["mode"]),
        json!(["content"]),
        json!(["platformIds", 0]),
    ]);
    let details = answer.json()["details"].clone();
    let mut codes = Vec::new();
    for issue in details.as_array().unwrap() {
        assert_eq!(
            issue.as_object().unwrap().len(),
            3,
            "path, code and message: {issue}"
        );
        assert!(issue["message"].as_str().is_some_and(|text| !text.is_empty()));
        codes.push(issue["code"].as_str().unwrap());
    }
    assert_eq!(
        codes,
        [
            "range",
            "too_short",
            "format",
            "type",
            "type",
            "type",
            "format",
            "duplicate",
            "unknown_value",
            "type",
            "format"
        ]
    );
}

async fn what_is_required_is_missed(db: Db) {
    let t = TestApp::start(db).await;
    let answer = t.api.post(POSTS, &json!({})).await;
    answer.invalid_at(&[json!(["platformIds"]), json!(["content"]), json!(["mode"])]);
    let codes = |issue: &Value| issue["code"] == "required";
    assert!(answer.json()["details"].as_array().unwrap().iter().all(codes));
    let scheduled = request(json!({ "mode": "schedule" }));
    t.api
        .post(POSTS, &scheduled)
        .await
        .invalid_at(&[json!(["scheduledFor"])]);
}

async fn platform_ids_are_one_or_more_and_none_twice(db: Db) {
    let t = TestApp::start(db).await;
    for (ids, paths) in [
        (json!([]), vec![json!(["platformIds"])]),
        (json!(NOWHERE), vec![json!(["platformIds"])]),
        (json!([NOWHERE, NOWHERE]), vec![json!(["platformIds", 1])]),
        (
            json!([NOWHERE, NOWHERE.to_uppercase()]),
            vec![json!(["platformIds", 1])],
        ),
        (
            json!([null, 3, "", NOWHERE]),
            vec![
                json!(["platformIds", 0]),
                json!(["platformIds", 1]),
                json!(["platformIds", 2]),
            ],
        ),
    ] {
        assert_paths(
            &t.api.post(POSTS, &request(json!({ "platformIds": ids }))).await,
            &paths,
        );
    }
}

async fn content_has_at_least_one_character_also_in_drafts(db: Db) {
    let t = TestApp::start(db).await;
    for content in [json!(""), json!(1), json!(["x"]), json!({}), json!(true)] {
        assert_paths(
            &t.api.post(POSTS, &request(json!({ "content": content }))).await,
            &[json!(["content"])],
        );
    }
    for mode in ["draft", "now"] {
        assert_paths(
            &t.api
                .post(POSTS, &request(json!({ "content": "", "mode": mode })))
                .await,
            &[json!(["content"])],
        );
    }
}

async fn the_mode_is_one_of_three_words(db: Db) {
    let t = TestApp::start(db).await;
    for mode in [
        json!("DRAFT"),
        json!("Now"),
        json!(""),
        json!("publish"),
        json!(1),
        json!(["now"]),
    ] {
        assert_paths(
            &t.api.post(POSTS, &request(json!({ "mode": mode }))).await,
            &[json!(["mode"])],
        );
    }
}

async fn a_scheduled_time_carries_an_offset(db: Db) {
    let t = TestApp::start(db).await;
    let wrong = [
        "2026-11-21T12:00:00",
        "2026-11-21",
        "tomorrow",
        "",
        "2026-13-01T00:00:00Z",
        "1795262400",
        "2026-11-21T25:00:00Z",
        "2026-02-30T00:00:00Z",
    ];
    for text in wrong {
        let body = request(json!({ "mode": "schedule", "scheduledFor": text }));
        assert_paths(&t.api.post(POSTS, &body).await, &[json!(["scheduledFor"])]);
    }
    for value in [json!(1_795_262_400), json!({}), json!(["2026-11-21T12:00:00Z"])] {
        let body = request(json!({ "mode": "schedule", "scheduledFor": value }));
        assert_paths(&t.api.post(POSTS, &body).await, &[json!(["scheduledFor"])]);
    }
}

async fn a_scheduled_time_is_at_most_five_minutes_past_and_two_years_ahead(db: Db) {
    let t = TestApp::start(db).await;
    let send = |when: String| {
        let body = request(json!({ "mode": "schedule", "scheduledFor": when }));
        let api = &t.api;
        async move { api.post(POSTS, &body).await }
    };
    let year = 365 * 86_400;
    for fine in [-300, -1, 0, 1, 2 * year] {
        assert_eq!(
            send(at(&t, fine)).await.status,
            200,
            "{fine} s from now is a time like any other"
        );
    }
    for wrong in [-301, -86_400, 2 * year + 3 * 86_400, 50 * year] {
        assert_paths(&send(at(&t, wrong)).await, &[json!(["scheduledFor"])]);
    }
}

async fn now_ignores_when_and_a_draft_reads_it_but_both_want_a_time(db: Db) {
    let t = TestApp::start(db).await;
    for ignored in ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let body = request(json!({ "mode": "now", "scheduledFor": ignored }));
        assert_eq!(t.api.post(POSTS, &body).await.status, 200, "{ignored}");
    }
    for mode in ["now", "draft"] {
        let body = request(json!({ "mode": mode, "scheduledFor": "nonsense" }));
        assert_paths(&t.api.post(POSTS, &body).await, &[json!(["scheduledFor"])]);
    }
}

async fn at_most_ten_comments_are_taken(db: Db) {
    let t = TestApp::start(db).await;
    let comments = |count: usize| request(json!({ "comments": vec![json!({ "content": "x" }); count] }));
    assert_eq!(t.api.post(POSTS, &comments(10)).await.status, 200);
    assert_paths(&t.api.post(POSTS, &comments(11)).await, &[json!(["comments"])]);
}

async fn every_comment_is_checked_at_its_place(db: Db) {
    let t = TestApp::start(db).await;
    for (comment, place) in [
        (json!({}), "content"),
        (json!({ "content": "" }), "content"),
        (json!({ "content": null }), "content"),
        (json!({ "content": "x", "delayInMinutes": -1 }), "delayInMinutes"),
        (json!({ "content": "x", "delayInMinutes": 1.5 }), "delayInMinutes"),
        (json!({ "content": "x", "delayInMinutes": "5" }), "delayInMinutes"),
        (
            json!({ "content": "x", "delayInMinutes": 1e12 }),
            "delayInMinutes",
        ),
        (json!({ "content": "x", "settings": [] }), "settings"),
        (json!({ "content": "x", "mediaIds": {} }), "mediaIds"),
    ] {
        let body = request(json!({ "comments": [{ "content": "fine", "delayInMinutes": null }, comment] }));
        assert_paths(&t.api.post(POSTS, &body).await, &[json!(["comments", 1, place])]);
    }
    for comments in [json!({}), json!("x"), json!(1)] {
        assert_paths(
            &t.api.post(POSTS, &request(json!({ "comments": comments }))).await,
            &[json!(["comments"])],
        );
    }
}

async fn media_must_exist_and_each_that_does_not_is_named(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(60, 40).await;
    for mode in ["draft", "now"] {
        let comments = json!([{ "content": "x" }, { "content": "y", "mediaIds": [photo, ELSEWHERE] }]);
        let body =
            request(json!({ "mode": mode, "mediaIds": [NOWHERE, photo, ELSEWHERE], "comments": comments }));
        let paths = [
            json!(["mediaIds", 0]),
            json!(["mediaIds", 2]),
            json!(["comments", 1, "mediaIds", 1]),
        ];
        assert_paths(&t.api.post(POSTS, &body).await, &paths);
    }
    assert_eq!(
        t.api.get(POSTS).await.ok()["posts"],
        json!([]),
        "nothing was created"
    );
}

async fn missing_media_come_in_document_order(db: Db) {
    let t = TestApp::start(db).await;
    let body = json!({
        "comments": [{ "content": "x", "mediaIds": [NOWHERE] }], "mediaIds": [NOWHERE],
        "platformIds": [NOWHERE], "content": "Hello", "mode": "draft",
    });
    assert_paths(
        &t.api.post(POSTS, &body).await,
        &[json!(["comments", 0, "mediaIds", 0]), json!(["mediaIds", 0])],
    );
}

async fn media_ids_are_uuids_and_none_is_listed_twice(db: Db) {
    let t = TestApp::start(db).await;
    let body = request(json!({ "mediaIds": [NOWHERE, "x", NOWHERE, null] }));
    let paths = [
        json!(["mediaIds", 1]),
        json!(["mediaIds", 2]),
        json!(["mediaIds", 3]),
    ];
    assert_paths(&t.api.post(POSTS, &body).await, &paths);
    for media in [json!("x"), json!({}), json!(0)] {
        assert_paths(
            &t.api.post(POSTS, &request(json!({ "mediaIds": media }))).await,
            &[json!(["mediaIds"])],
        );
    }
}

async fn what_every_list_would_pay_for_is_bounded(db: Db) {
    let t = TestApp::start(db).await;
    let create = async |over: Value| t.api.post(POSTS, &request(over)).await;
    let long = "x".repeat(10_001);
    assert_paths(&create(json!({ "content": long })).await, &[json!(["content"])]);
    assert_paths(
        &create(json!({ "settings": { "a": vec![0; 200] } })).await,
        &[json!(["settings"])],
    );
    assert_paths(
        &create(json!({ "settings": { "a": "x".repeat(8192) } })).await,
        &[json!(["settings"])],
    );
    let ids: Vec<String> = (0..201)
        .map(|number| format!("0196f3a0-0000-7000-8000-{number:012}"))
        .collect();
    assert_paths(&create(json!({ "mediaIds": ids })).await, &[json!(["mediaIds"])]);
    let platform = t.connect("kitestudio").await;
    let kept = json!({ "a": vec![0; 190], "b": "x".repeat(7000) });
    let body = json!({ "platformIds": [platform], "content": "x".repeat(10_000), "mode": "draft", "settings": kept });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.root(&post).await["settings"], kept);
}

async fn settings_are_an_object(db: Db) {
    let t = TestApp::start(db).await;
    for settings in [json!([]), json!("x"), json!(1), json!(false)] {
        assert_paths(
            &t.api.post(POSTS, &request(json!({ "settings": settings }))).await,
            &[json!(["settings"])],
        );
    }
}
