//! JSON bodies: content type, size, syntax and fields, in that order (`docs/contract.md#order-of-checks`).

use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Db, TestApp, on_both};

on_both!(
    a_body_that_is_not_json_is_refused,
    without_a_key_or_a_session_a_body_is_small,
    nesting_without_end_is_refused_and_harms_nobody,
    rejects_a_body_of_more_values_than_any_request_has,
    lists_the_first_hundred_problems_of_a_body_and_counts_the_others,
    quotes_the_beginning_of_a_name_that_is_there_twice,
    names_that_could_not_be_read_again_are_refused_wherever_they_are,
    a_body_over_one_mebibyte_is_refused,
    only_json_content_types_are_read,
    the_content_type_is_judged_before_the_size_and_the_size_before_the_syntax,
    a_body_is_read_before_the_id_in_the_path_is_judged,
    a_body_that_is_no_object_is_invalid_as_a_whole,
    unknown_fields_are_ignored_and_null_is_absent,
    ids_in_paths_must_be_uuids,
    text_may_hold_any_character_that_is_shown,
    nul_in_settings_is_refused_where_it_stands,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// POSTs raw bytes as this content type.
async fn post_raw(t: &TestApp, content_type: Option<&str>, body: impl Into<reqwest::Body>) -> Answer {
    let request = t.api.request(Method::POST, POSTS).body(body);
    t.api
        .send(
            content_type
                .into_iter()
                .fold(request, |request, value| request.header("content-type", value)),
        )
        .await
}

async fn a_body_that_is_not_json_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let bodies: [&[u8]; 10] = [
        b"",
        b"{",
        b"{\"content\": }",
        b"nonsense",
        b"{'a': 1}",
        b"{} {}",
        b"\xff\xfe",
        b"{\"content\":\"\xc3\x28\"}",
        b"{\"content\":\"\\ud800\"}",
        b"{\"number\": 1e999}",
    ];
    for body in bodies {
        post_raw(&t, Some("application/json"), body)
            .await
            .refused(400, "invalid_json");
    }
}

async fn without_a_key_or_a_session_a_body_is_small(db: Db) {
    let t = TestApp::start(db).await;
    for path in ["/app/v1/auth/sign-in", "/auth/device/start"] {
        let body = json!({ "email": "a".repeat(17_000) }).to_string();
        let request = t
            .api
            .request(Method::POST, path)
            .header("content-type", "application/json");
        t.api
            .send(request.body(body))
            .await
            .refused(413, "payload_too_large");
    }
}

async fn nesting_without_end_is_refused_and_harms_nobody(db: Db) {
    let t = TestApp::start(db).await;
    for nest in ["[", "{\"a\":"] {
        post_raw(&t, Some("application/json"), nest.repeat(100_000))
            .await
            .refused(400, "invalid_json");
    }
    let closed = format!("{{\"settings\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    post_raw(&t, Some("application/json"), closed)
        .await
        .refused(400, "invalid_json");
    t.api.get(POSTS).await.ok();
}

async fn rejects_a_body_of_more_values_than_any_request_has(db: Db) {
    let t = TestApp::start(db).await;
    let of_values = |count: usize| format!("{{\"mediaIds\": [{}]}}", vec!["0"; count - 2].join(","));
    post_raw(&t, Some("application/json"), of_values(50_000))
        .await
        .refused(400, "invalid_request");
    let refused = post_raw(&t, Some("application/json"), of_values(50_001)).await;
    let message = refused.refused(400, "invalid_json")["message"].to_string();
    assert!(message.contains("more than 50000 values"), "{message}");
}

async fn lists_the_first_hundred_problems_of_a_body_and_counts_the_others(db: Db) {
    let t = TestApp::start(db).await;
    let body = format!("{{\"platformIds\": [{}]}}", vec!["0"; 200].join(","));
    let answer = post_raw(&t, Some("application/json"), body).await;
    let refused = answer.refused(400, "invalid_request");
    assert_eq!(refused["details"].as_array().unwrap().len(), 100);
    let message = refused["message"].to_string();
    assert!(message.contains(" more problems)"), "{message}");
}

async fn quotes_the_beginning_of_a_name_that_is_there_twice(db: Db) {
    let t = TestApp::start(db).await;
    let name = "\\u0001".repeat(80_000);
    let answer = post_raw(
        &t,
        Some("application/json"),
        format!("{{\"{name}\": 1, \"{name}\": 2}}"),
    )
    .await;
    let message = answer.refused(400, "invalid_json")["message"].to_string();
    assert!(message.len() < 1000, "{} bytes", message.len());
}

/// `serde_json` reads a value of its own from an object that begins with such a name.
async fn names_that_could_not_be_read_again_are_refused_wherever_they_are(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for name in ["$serde_json::private::RawValue", "$serde_json::private::Number"] {
        for value in ["1", "{\"a\":"] {
            let reserved = json!({ "platformIds": [platform], "content": "x", "mode": "draft", "settings": { "a": [{ name: value }] } });
            let answer = post_raw(&t, Some("application/json"), reserved.to_string()).await;
            let message = answer.refused(400, "invalid_json")["message"].to_string();
            assert!(message.contains("$serde_json::private::"), "{message}");
            let batch = json!({ "posts": [reserved] });
            t.api
                .post("/public/v1/posts/batch", &batch)
                .await
                .refused(400, "invalid_json");
        }
    }
    assert_eq!(t.api.get(POSTS).await.ok()["posts"], json!([]));
}

async fn a_body_over_one_mebibyte_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let of_size = |size: usize| format!("\"{}\"", "a".repeat(size - 2));
    post_raw(&t, Some("application/json"), of_size(1024 * 1024))
        .await
        .invalid_at(&[json!([])]);
    let answer = post_raw(&t, Some("application/json"), of_size(1024 * 1024 + 1)).await;
    answer.refused(413, "payload_too_large");
    assert_eq!(answer.header("content-type"), "application/json");
}

async fn only_json_content_types_are_read(db: Db) {
    let t = TestApp::start(db).await;
    for wrong in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data"),
        Some(""),
    ] {
        post_raw(&t, wrong, "{}")
            .await
            .refused(415, "unsupported_media_type");
    }
    for right in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json;charset=UTF-8",
    ] {
        post_raw(&t, Some(right), "{}")
            .await
            .refused(400, "invalid_request");
    }
}

async fn the_content_type_is_judged_before_the_size_and_the_size_before_the_syntax(db: Db) {
    let t = TestApp::start(db).await;
    let large = "{".repeat(1024 * 1024 + 1);
    post_raw(&t, Some("text/plain"), large.clone())
        .await
        .refused(415, "unsupported_media_type");
    post_raw(&t, Some("application/json"), large)
        .await
        .refused(413, "payload_too_large");
}

async fn a_body_is_read_before_the_id_in_the_path_is_judged(db: Db) {
    let t = TestApp::start(db).await;
    let path = format!("{POSTS}/not-a-uuid/schedule");
    let send = |content_type: &str, body: &str| {
        t.api.send(
            t.api
                .request(Method::PATCH, &path)
                .header("content-type", content_type)
                .body(body.to_owned()),
        )
    };
    send("text/plain", "{}")
        .await
        .refused(415, "unsupported_media_type");
    send("application/json", "{").await.refused(400, "invalid_json");
    send("application/json", "{}")
        .await
        .invalid_at(&[json!(["id"]), json!(["scheduledFor"])]);
    send("application/json", r#"{"scheduledFor": "2026-11-21T12:00:00Z"}"#)
        .await
        .invalid_at(&[json!(["id"])]);
}

async fn a_body_that_is_no_object_is_invalid_as_a_whole(db: Db) {
    let t = TestApp::start(db).await;
    for body in ["[]", "null", "1", "\"text\"", "true"] {
        post_raw(&t, Some("application/json"), body)
            .await
            .invalid_at(&[json!([])]);
    }
}

async fn unknown_fields_are_ignored_and_null_is_absent(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let body = json!({
        "platformIds": [platform], "content": "Hello", "mode": "draft", "futureField": { "deep": [1] },
        "scheduledFor": null, "mediaIds": null, "settings": null, "comments": null,
    });
    let created = t.api.post(POSTS, &body).await;
    assert_eq!(created.status, 201);
    let root = &created.ok()["results"][0]["post"]["root"];
    assert_eq!(
        (&root["settings"], &root["mediaIds"], &root["scheduledFor"]),
        (&json!({}), &json!([]), &json!(null))
    );
    let required = json!({ "platformIds": null, "content": null, "mode": null });
    t.api.post(POSTS, &required).await.invalid_at(&[
        json!(["platformIds"]),
        json!(["content"]),
        json!(["mode"]),
    ]);
}

async fn ids_in_paths_must_be_uuids(db: Db) {
    let t = TestApp::start(db).await;
    let wrong = [
        "x",
        "123",
        "0196f3a000007000800000000000000",
        "{0196f3a0-0000-7000-8000-000000000000}",
        "0196f3a000007000800000000000000000",
        "0196f3a0-0000-7000-8000-00000000000g",
    ];
    for id in wrong {
        t.api
            .get(&format!("/public/v1/platforms/{id}/schema"))
            .await
            .invalid_at(&[json!(["id"])]);
        t.api
            .get(&format!("{POSTS}/{id}"))
            .await
            .invalid_at(&[json!(["id"])]);
        t.api
            .delete(&format!("{POSTS}/{id}"))
            .await
            .invalid_at(&[json!(["id"])]);
    }
    let upper = NOWHERE.to_uppercase();
    t.api
        .get(&format!("{POSTS}/{upper}"))
        .await
        .refused(404, "post_not_found");
}

async fn text_may_hold_any_character_that_is_shown(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let odd = "“quotes” \u{202e}rtl\u{202c} 👩‍👩‍👧 \u{85}\u{ad} \\ ' \" % _ \t\r\n\u{ffff}";
    let id = t
        .api
        .create_post(
            &json!({ "platformIds": [platform], "content": odd, "mode": "draft",
        "settings": { "title": odd, odd: odd } }),
        )
        .await;
    let root = t.root(&id).await;
    assert_eq!(
        (root["content"].as_str(), root["settings"]["title"].as_str()),
        (Some(odd), Some(odd))
    );
    assert_eq!(root["settings"][odd].as_str(), Some(odd));
    for control in ["\0", "\u{1}", "\u{b}", "\u{1b}", "\u{7f}"] {
        let body = json!({ "platformIds": [platform], "content": format!("a{control}b"), "mode": "draft" });
        t.api.post(POSTS, &body).await.invalid_at(&[json!(["content"])]);
    }
}

async fn nul_in_settings_is_refused_where_it_stands(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for settings in [
        json!({ "title": "a\0b" }),
        json!({ "x": [{ "y": "\0" }] }),
        json!({ "a\0b": 1 }),
    ] {
        let body =
            json!({ "platformIds": [platform], "content": "x", "mode": "draft", "settings": settings });
        t.api.post(POSTS, &body).await.invalid_at(&[json!(["settings"])]);
    }
    let comments = json!([{ "content": "x", "settings": { "a": "\0" } }]);
    let body = json!({ "platformIds": [platform], "content": "x", "mode": "draft", "comments": comments });
    t.api
        .post(POSTS, &body)
        .await
        .invalid_at(&[json!(["comments", 0, "settings"])]);
}
