//! What holds for every endpoint (`docs/contract.md#conventions`): request IDs, unknown paths and methods, CORS, compression.

use reqwest::Method;
use reqwest::header::{ACCEPT_ENCODING, HeaderValue, ORIGIN};
use serde_json::{Value, json};

use crate::harness::{Db, Options, TestApp, on_both};

on_both!(
    every_answer_carries_a_request_id,
    private_answers_are_stored_by_no_cache_and_no_type_is_guessed,
    a_service_at_an_https_address_asks_to_be_called_by_https_alone,
    a_fit_request_id_is_kept_and_another_replaced,
    unknown_paths_answer_in_json,
    methods_that_a_path_does_not_have_are_refused_with_allow,
    head_answers_as_get_without_the_body,
    a_preflight_needs_no_key_and_is_answered_for_the_public_api_alone,
    answers_of_the_public_api_can_be_read_by_pages_of_other_origins,
    answers_are_compressed_on_request,
    an_answer_without_a_coding_may_not_be_forbidden,
    media_are_never_compressed,
    paths_that_are_no_text_are_answered_in_json,
    a_notification_that_is_too_large_is_refused_in_json,
);

const LIST: &str = "/public/v1/platforms";

async fn every_answer_carries_a_request_id(db: Db) {
    let t = TestApp::start(db).await;
    for path in [
        LIST,
        "/public/v1/nothing",
        "/healthz",
        "/nothing",
        "/media/nothing",
    ] {
        let (first, second) = (t.api.get(path).await, t.api.get(path).await);
        assert_eq!(
            first.header("x-request-id").len(),
            36,
            "{path}: {:?}",
            first.headers
        );
        assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
    }
    assert_eq!(
        t.api.with_key(None).get(LIST).await.header("x-request-id").len(),
        36
    );
}

async fn private_answers_are_stored_by_no_cache_and_no_type_is_guessed(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let private = [
        "/public/v1/posts",
        "/public/v1/usage",
        "/public/v1/nothing",
        "/app/v1/me",
        "/app/v1/keys",
        "/nothing",
    ];
    for path in private {
        for api in [&t.api, &ada.api, &t.api.with_key(None)] {
            let answer = api.get(path).await;
            assert_eq!(
                answer.header("cache-control"),
                "no-store",
                "{path}: {}",
                answer.status
            );
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            assert!(
                !answer.headers.contains_key("strict-transport-security"),
                "{path}"
            );
        }
    }
    let media = t.api.upload_photo(64, 64).await;
    let media = t.api.get(&format!("/public/v1/media/{media}")).await.ok();
    let url = media["publicUrl"].as_str().unwrap().to_owned();
    let path = url.strip_prefix(&t.app.config.base_url).unwrap();
    let public = t.api.get(path).await;
    assert_eq!(
        public.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    let cached = t
        .api
        .request(Method::GET, path)
        .header("if-none-match", public.header("etag"));
    let unchanged = t.api.send(cached).await;
    assert_eq!(unchanged.status, 304);
    assert_eq!(
        unchanged.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
}

async fn a_service_at_an_https_address_asks_to_be_called_by_https_alone(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("base_url", "https://playout.example")).await;
    for path in [
        "/public/v1/posts",
        "/healthz",
        "/sign-in",
        "/openapi.json",
        "/nothing",
    ] {
        let answer = t.api.get(path).await;
        assert_eq!(
            answer.header("strict-transport-security"),
            "max-age=31536000",
            "{path}"
        );
    }
}

async fn a_fit_request_id_is_kept_and_another_replaced(db: Db) {
    let t = TestApp::start(db).await;
    let longest = "a".repeat(128);
    for kept in ["x", "Az09._-", &longest] {
        let answer = t
            .api
            .send(t.api.request(Method::GET, LIST).header("x-request-id", kept))
            .await;
        assert_eq!(answer.header("x-request-id"), kept);
    }
    let too_long = "a".repeat(129);
    for replaced in ["", "has space", "semi;colon", "slash/", &too_long] {
        let answer = t
            .api
            .send(t.api.request(Method::GET, LIST).header("x-request-id", replaced))
            .await;
        assert_eq!(answer.header("x-request-id").len(), 36, "{replaced:?}");
    }
    let odd = HeaderValue::from_bytes(b"caf\xc3\xa9").unwrap();
    let answer = t
        .api
        .send(t.api.request(Method::GET, LIST).header("x-request-id", odd))
        .await;
    assert_eq!(answer.header("x-request-id").len(), 36);
}

async fn unknown_paths_answer_in_json(db: Db) {
    let t = TestApp::start(db).await;
    let paths = [
        "/public/v1/nothing",
        "/public/v1",
        "/public/v1/",
        "/public/v1/posts/",
        "/public/v2/posts",
        "/nothing",
        "/media",
        "/media/a/b",
        "/public/v1/platforms/x/y/z",
    ];
    for path in paths {
        let answer = t.api.get(path).await;
        answer.refused(404, "not_found");
        assert_eq!(answer.header("content-type"), "application/json", "{path}");
    }
}

async fn methods_that_a_path_does_not_have_are_refused_with_allow(db: Db) {
    let t = TestApp::start(db).await;
    let cases = [
        (Method::PUT, "/public/v1/posts", &["GET", "HEAD", "POST"][..]),
        (Method::DELETE, LIST, &["GET", "HEAD"]),
        (
            Method::POST,
            "/public/v1/posts/0196f3a0-0000-7000-8000-000000000000",
            &["GET", "HEAD", "PATCH", "DELETE"],
        ),
        (
            Method::GET,
            "/public/v1/posts/0196f3a0-0000-7000-8000-000000000000/schedule",
            &["PATCH"],
        ),
        (Method::PATCH, "/public/v1/media", &["GET", "HEAD", "POST"]),
        (Method::DELETE, "/healthz", &["GET", "HEAD"]),
        (Method::POST, "/media/some-key", &["GET", "HEAD"]),
    ];
    for (method, path, allowed) in cases {
        let answer = t.api.send(t.api.request(method.clone(), path)).await;
        answer.refused(405, "method_not_allowed");
        let mut allow: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
        allow.sort_unstable();
        let mut allowed = allowed.to_vec();
        allowed.sort_unstable();
        assert_eq!(allow, allowed, "{method} {path}");
    }
}

async fn head_answers_as_get_without_the_body(db: Db) {
    let t = TestApp::start(db).await;
    for path in [
        LIST,
        "/public/v1/posts",
        "/public/v1/media",
        "/public/v1/media/folders",
        "/healthz",
        "/readyz",
    ] {
        let (head, get) = (
            t.api.send(t.api.request(Method::HEAD, path)).await,
            t.api.get(path).await,
        );
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
    let missing = t
        .api
        .send(t.api.request(
            Method::HEAD,
            "/public/v1/posts/0196f3a0-0000-7000-8000-000000000000",
        ))
        .await;
    assert_eq!((missing.status, missing.body.len()), (404, 0));
}

async fn a_preflight_needs_no_key_and_is_answered_for_the_public_api_alone(db: Db) {
    let t = TestApp::start(db).await;
    let nobody = t.api.with_key(None);
    let ask = |path: &str| {
        nobody
            .request(Method::OPTIONS, path)
            .header(ORIGIN, "https://studio.example")
            .header("access-control-request-method", "PATCH")
            .header(
                "access-control-request-headers",
                "authorization, content-type, idempotency-key, last-event-id",
            )
    };
    let answer = nobody
        .send(ask(
            "/public/v1/posts/0196f3a0-0000-7000-8000-000000000000/schedule",
        ))
        .await;
    assert!((200..300).contains(&answer.status), "{}", answer.status);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(answer.header("access-control-allow-methods").contains("PATCH"));
    assert!(answer.header("access-control-allow-methods").contains("DELETE"));
    let headers = answer.header("access-control-allow-headers").to_ascii_lowercase();
    assert!(
        [
            "authorization",
            "content-type",
            "idempotency-key",
            "last-event-id"
        ]
        .iter()
        .all(|name| headers.contains(name)),
        "{headers}"
    );
    assert_eq!(
        answer.header("access-control-allow-credentials"),
        "",
        "no cookies"
    );
    for path in ["/healthz", "/webhooks/tiktok", "/oauth/tiktok/callback"] {
        let closed = nobody.send(ask(path)).await;
        assert_eq!(closed.header("access-control-allow-origin"), "", "{path}");
    }
}

async fn answers_of_the_public_api_can_be_read_by_pages_of_other_origins(db: Db) {
    let t = TestApp::start(db).await;
    for (api, status) in [(t.api.clone(), 200), (t.api.with_key(None), 401)] {
        let answer = api
            .send(
                api.request(Method::GET, LIST)
                    .header(ORIGIN, "https://studio.example"),
            )
            .await;
        assert_eq!(
            (answer.status, answer.header("access-control-allow-origin")),
            (status, "*")
        );
        assert!(
            answer
                .header("access-control-expose-headers")
                .contains("x-request-id")
        );
    }
    let closed = t
        .api
        .send(
            t.api
                .request(Method::GET, "/healthz")
                .header(ORIGIN, "https://studio.example"),
        )
        .await;
    assert_eq!(closed.header("access-control-allow-origin"), "");
}

async fn answers_are_compressed_on_request(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let path = format!("/public/v1/platforms/{platform}/schema");
    let plain = t.api.get(&path).await;
    assert_eq!(plain.header("content-encoding"), "");
    for (encoding, magic) in [
        ("gzip", &[0x1f, 0x8b][..]),
        ("br", &[]),
        ("zstd", &[0x28, 0xb5, 0x2f, 0xfd]),
    ] {
        let answer = t
            .api
            .send(
                t.api
                    .request(Method::GET, &path)
                    .header(ACCEPT_ENCODING, encoding),
            )
            .await;
        assert_eq!(answer.header("content-encoding"), encoding);
        assert!(
            answer.body.starts_with(magic),
            "{encoding}: {:?}",
            &answer.body[..4]
        );
        assert!(
            answer.body.len() < plain.body.len() / 2,
            "{encoding}: {} of {}",
            answer.body.len(),
            plain.body.len()
        );
        assert!(
            answer
                .header("vary")
                .to_ascii_lowercase()
                .contains("accept-encoding")
        );
    }
}

/// The work is done by then, so 406 would be read as a refusal of it.
async fn an_answer_without_a_coding_may_not_be_forbidden(db: Db) {
    let t = TestApp::start(db).await;
    let paths = [
        "/public/v1/posts",
        "/app/v1/me",
        "/openapi.json",
        "/docs",
        "/nowhere",
    ];
    for path in paths {
        let plain = t.api.get(path).await;
        for forbidding in [
            "identity;q=0",
            "gzip;q=0, Identity; Q=0.0",
            "*;q=0",
            "deflate, *;q=0.000",
        ] {
            let request = t.api.request(Method::GET, path);
            let answer = t.api.send(request.header(ACCEPT_ENCODING, forbidding)).await;
            assert_eq!(
                (answer.status, answer.header("content-encoding")),
                (plain.status, ""),
                "{path} {forbidding}"
            );
        }
    }
    for accepting in [
        "gzip;q=0.5",
        "identity;q=0, gzip",
        "br;q=0, zstd;q=0, *;q=0, gzip;q=0.1",
    ] {
        let request = t.api.request(Method::GET, "/openapi.json");
        let answer = t.api.send(request.header(ACCEPT_ENCODING, accepting)).await;
        assert_eq!(answer.header("content-encoding"), "gzip", "{accepting}");
    }
}

async fn media_are_never_compressed(db: Db) {
    let t = TestApp::start(db).await;
    t.api.upload_photo(300, 200).await;
    let media = t.api.get("/public/v1/media").await.ok()["media"][0].take();
    for url in [&media["publicUrl"], &media["previewUrl"]] {
        let path = url
            .as_str()
            .unwrap()
            .strip_prefix(&t.app.config.base_url)
            .unwrap()
            .to_owned();
        let answer = t
            .api
            .send(
                t.api
                    .request(Method::GET, &path)
                    .header(ACCEPT_ENCODING, "gzip, br, zstd"),
            )
            .await;
        assert_eq!((answer.status, answer.header("content-encoding")), (200, ""));
        assert_eq!(answer.header("content-length"), answer.body.len().to_string());
    }
}

async fn paths_that_are_no_text_are_answered_in_json(db: Db) {
    let t = TestApp::start(db).await;
    for path in [
        "/media/%FF",
        "/media/%00",
        "/m/%FF/0.jpg",
        "/m/x/%FF",
        "/m/%00/%00",
        "/public/v1/%FF",
    ] {
        t.api.get(path).await.refused(404, "not_found");
    }
    for path in [
        "/public/v1/posts/%FF",
        "/public/v1/posts/%00",
        "/public/v1/posts/1",
    ] {
        t.api.get(path).await.invalid_at(&[json!(["id"])]);
    }
    t.api
        .get("/oauth/%FF/callback?code=x&state=y")
        .await
        .refused(404, "not_found");
    t.api
        .post("/webhooks/%FF", &Value::Null)
        .await
        .refused(404, "not_found");
}

async fn a_notification_that_is_too_large_is_refused_in_json(db: Db) {
    let t = TestApp::start(db).await;
    let large = t
        .api
        .request(Method::POST, "/webhooks/tiktok")
        .body("x".repeat(64 * 1024 + 1));
    t.api.send(large).await.refused(413, "payload_too_large");
    t.api
        .post("/webhooks/unknown", &Value::Null)
        .await
        .refused(404, "not_found");
}
