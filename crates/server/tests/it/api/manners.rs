//! Manners of every endpoint (`docs/contract.md#conventions`), as a checker of APIs would try them: every method on
//! every path, odd queries, odd bodies, clients that never finish, handlers that panic.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use playout_server::api::openapi;
use playout_server::api::resources::routes::with_key;
use playout_server::api::router::answered;
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{Answer, Client, Db, TestApp, on_both, post_body};

on_both!(
    every_path_refuses_the_methods_it_does_not_have,
    every_operation_needs_a_key,
    head_answers_as_get_does_everywhere,
    what_the_client_would_accept_changes_nothing,
    a_parameter_that_is_not_repeatable_is_given_once,
    an_empty_parameter_is_not_an_absent_one,
    unknown_parameters_are_refused,
    json_is_utf_8,
    a_name_that_is_there_twice_is_refused_wherever_it_is,
    numbers_and_texts_are_read_as_they_are,
    a_body_that_never_ends_is_given_up_after_half_a_minute,
    a_panic_is_answered_in_json_and_logged_with_its_request,
);

const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// Every path of the public API with the methods it has, upper case; HEAD is where GET is.
fn operations() -> Vec<(String, Vec<String>)> {
    let paths = openapi::document()["paths"].as_object().unwrap().iter();
    let methods = |methods: &Value| {
        let known = methods
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| *name != "parameters");
        let mut known: Vec<String> = known.map(|name| name.to_ascii_uppercase()).collect();
        if known.iter().any(|name| name == "GET") && known.iter().all(|name| name != "HEAD") {
            known.push("HEAD".to_owned());
        }
        known.sort();
        known
    };
    paths
        .filter(|(path, _)| path.starts_with(openapi::PREFIX))
        .map(|(path, of)| (path.replace("{id}", NOWHERE), methods(of)))
        .collect()
}

/// POSTs a JSON body as it stands.
async fn post_text(t: &TestApp, content_type: &str, body: &str) -> Answer {
    let request = t
        .api
        .request(Method::POST, POSTS)
        .header("content-type", content_type);
    t.api.send(request.body(body.to_owned())).await
}

async fn every_path_refuses_the_methods_it_does_not_have(db: Db) {
    let t = TestApp::start(db).await;
    let known = operations();
    assert!(known.len() >= 12, "{known:?}");
    for (path, methods) in known {
        // POST on a resumable upload is the method that its X-HTTP-Method-Override names.
        let stands_for_others = path.contains("/media/uploads/");
        for name in [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "PROPFIND",
        ] {
            if methods.iter().any(|known| known == name) || (stands_for_others && name == "POST") {
                continue;
            }
            let method = Method::from_bytes(name.as_bytes()).unwrap();
            let request = t
                .api
                .request(method.clone(), &path)
                .header("tus-resumable", "1.0.0");
            let answer = t.api.send(request).await;
            assert_eq!(answer.status, 405, "{name} {path}");
            let mut allow: Vec<&str> = answer.header("allow").split(',').map(str::trim).collect();
            allow.retain(|name| !(stands_for_others && *name == "POST"));
            allow.sort_unstable();
            assert_eq!(allow, methods, "{name} {path}");
            if name != "HEAD" {
                answer.refused(405, "method_not_allowed");
            }
        }
    }
}

async fn every_operation_needs_a_key(db: Db) {
    let t = TestApp::start(db).await;
    let nobody = t.api.with_key(None);
    for (path, methods) in operations() {
        for method in methods {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let answer = nobody.send(nobody.request(method.clone(), &path)).await;
            assert_eq!(
                (answer.status, answer.header("www-authenticate")),
                (401, "Bearer"),
                "{method} {path}"
            );
        }
    }
}

async fn head_answers_as_get_does_everywhere(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = t
        .api
        .create_post(&json!({ "platformIds": [platform], "content": "x", "mode": "draft" }))
        .await;
    let (photo, mut asked) = (t.api.upload_photo(40, 30).await, 0);
    let hook = json!({ "url": "https://hooks.example/in", "events": ["post.published"] });
    let hook = t.api.post("/public/v1/webhooks", &hook).await.json();
    for (path, methods) in operations() {
        // A stream has no end; `event_stream.rs` has its tests.
        let is_stream = path == "/public/v1/events";
        if is_stream || methods.iter().all(|name| name != "GET") {
            continue;
        }
        let id: &str = match path.split('/').nth(3).unwrap() {
            "posts" => &post,
            "media" => &photo,
            "webhooks" => hook["id"].as_str().unwrap(),
            _ => &platform,
        };
        let path = path.replace(NOWHERE, id);
        let (head, got) = (
            t.api.send(t.api.request(Method::HEAD, &path)).await,
            t.api.get(&path).await,
        );
        assert_eq!(
            (head.status, head.body.len(), got.status),
            (200, 0, 200),
            "{path}"
        );
        for name in ["content-type", "content-length", "vary", "cache-control"] {
            assert_eq!(head.header(name), got.header(name), "{name} of {path}");
        }
        asked += 1;
    }
    assert!(asked >= 8);
}

async fn what_the_client_would_accept_changes_nothing(db: Db) {
    let t = TestApp::start(db).await;
    for accept in ["text/html", "image/*", "application/xml;q=1", "nonsense", ""] {
        let answer = t
            .api
            .send(t.api.request(Method::GET, POSTS).header(ACCEPT, accept))
            .await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, "application/json"),
            "{accept}"
        );
        let missing = t
            .api
            .send(
                t.api
                    .request(Method::GET, "/public/v1/nothing")
                    .header(ACCEPT, accept),
            )
            .await;
        missing.refused(404, "not_found");
    }
}

async fn a_parameter_that_is_not_repeatable_is_given_once(db: Db) {
    let t = TestApp::start(db).await;
    let (a, b) = ("startDate=2026-11-20T00:00:00Z", "startDate=2026-11-21T00:00:00Z");
    t.api
        .get(&format!("{POSTS}?{a}&{b}"))
        .await
        .invalid_at(&[json!(["startDate"])]);
    t.api
        .get(&format!("{POSTS}?limit=1&limit=1&q=a&q=b"))
        .await
        .invalid_at(&[json!(["limit"]), json!(["q"])]);
    t.api
        .get("/public/v1/media?folderId=null&folderId=null")
        .await
        .invalid_at(&[json!(["folderId"])]);
    t.api
        .get(&format!("/public/v1/media?folderId={NOWHERE}&folderId=x"))
        .await
        .invalid_at(&[json!(["folderId"])]);
    t.api
        .get("/public/v1/media?mediaType=image&mediaType=video")
        .await
        .invalid_at(&[json!(["mediaType"])]);
    t.api.get(&format!("{POSTS}?state=DRAFT&state=QUEUE")).await.ok();
}

async fn an_empty_parameter_is_not_an_absent_one(db: Db) {
    let t = TestApp::start(db).await;
    for name in ["limit", "cursor", "startDate", "endDate", "state", "platformId"] {
        for query in [format!("{name}="), name.to_owned()] {
            t.api
                .get(&format!("{POSTS}?{query}"))
                .await
                .invalid_at(&[json!([name])]);
        }
    }
    for name in ["limit", "cursor", "folderId", "mediaType"] {
        t.api
            .get(&format!("/public/v1/media?{name}="))
            .await
            .invalid_at(&[json!([name])]);
    }
    t.api.get(&format!("{POSTS}?q=")).await.ok();
}

async fn unknown_parameters_are_refused(db: Db) {
    let t = TestApp::start(db).await;
    for (query, name) in [
        ("future=1", "future"),
        ("future=1&future=2", "future"),
        ("Limit=0", "Limit"),
        ("=", ""),
        ("state[]=DRAFT", "state[]"),
        ("limit=1&_=1700000000", "_"),
    ] {
        let refused = t.api.get(&format!("{POSTS}?{query}")).await;
        refused.invalid_at(&[json!([name])]);
    }
    t.api.get(&format!("{POSTS}?&&")).await.ok();
    let body = post_body("019aa124-7a00-7000-8000-000000000001", &[]);
    for (method, path) in [
        (Method::POST, POSTS),
        (Method::HEAD, POSTS),
        (Method::GET, "/public/v1/platforms"),
    ] {
        let request = t.api.request(method, &format!("{path}?dryRun=true"));
        assert_eq!(t.api.send(request.json(&body)).await.status, 400, "{path}");
    }
    let ada = t.sign_up("ada@example.org").await;
    ada.api
        .get("/app/v1/posts?Limit=1")
        .await
        .invalid_at(&[json!(["Limit"])]);
    // What is no operation ignores them.
    for path in ["/healthz?x=1", "/docs?x=1", "/openapi.json?x=1"] {
        assert_eq!(t.nobody().get(path).await.status, 200, "{path}");
    }
}

async fn json_is_utf_8(db: Db) {
    let t = TestApp::start(db).await;
    for wrong in [
        "application/json; charset=iso-8859-1",
        "application/json;charset=\"UTF-16\"",
        "application/json; x=y; charset=koi8-r",
    ] {
        post_text(&t, wrong, "{}")
            .await
            .refused(415, "unsupported_media_type");
    }
    for right in [
        "application/json; charset=\"utf-8\"",
        "application/json; charset=US-ASCII",
        "application/problem+json; v=1",
        "application/json;",
    ] {
        post_text(&t, right, "{}").await.refused(400, "invalid_request");
    }
    let latin = t
        .api
        .request(Method::POST, POSTS)
        .header("content-type", "application/json");
    t.api
        .send(latin.body(b"{\"content\": \"caf\xe9\"}".to_vec()))
        .await
        .refused(400, "invalid_json");
}

async fn a_name_that_is_there_twice_is_refused_wherever_it_is(db: Db) {
    let t = TestApp::start(db).await;
    for body in [
        r#"{"mode": "draft", "mode": "now"}"#,
        r#"{"mode": "draft", "mode": "draft"}"#,
        r#"{"mode": "draft", "\u006dode": "now"}"#,
        r#"{"settings": {"a": 1, "b": {"c": 1, "c": null}}}"#,
        r#"{"comments": [{}, {"content": "a", "content": "b"}]}"#,
    ] {
        let refused = post_text(&t, "application/json", body)
            .await
            .refused(400, "invalid_json");
        assert!(
            refused["message"].as_str().unwrap().contains("twice"),
            "{refused}"
        );
    }
    post_text(
        &t,
        "application/json",
        r#"{"a": {"x": 1}, "b": {"x": 1}, "c": [{"x": 1}, {"x": 1}]}"#,
    )
    .await
    .refused(400, "invalid_request");
}

async fn numbers_and_texts_are_read_as_they_are(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let settings = r#"{"u": 18446744073709551615, "i": -9223372036854775808, "f": 1.5, "e": 1e3, "t": "\ud83e\ude81", "n": null, "l": [true, []]}"#;
    let body = format!(
        r#"{{"platformIds": ["{platform}"], "content": "x", "mode": "draft", "settings": {settings}}}"#
    );
    let id = post_text(&t, "application/json", &body).await.ok()["results"][0]["post"]["root"]["id"].take();
    let kept = t.root(id.as_str().unwrap()).await["settings"].take();
    let mut expected: Value = serde_json::from_str(settings).unwrap();
    expected["e"] = json!(1000);
    assert_eq!(kept, expected, "a whole number is one however it is written");
}

async fn a_body_that_never_ends_is_given_up_after_half_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    let key = t
        .app
        .create_key(t.workspace.id, "raw", None, None)
        .await
        .unwrap()
        .key;
    let address = t.app.config.base_url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    let begun = format!(
        "POST {POSTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: 100\r\n\r\n{{\"content\": ",
        key.expose()
    );
    socket.write_all(begun.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let mut waited = 0;
    let mut reading = std::pin::pin!(socket.read_to_string(&mut answer));
    loop {
        tokio::select! {
            biased;
            read = &mut reading => { read.unwrap(); break }
            _ = t.api.get("/healthz") => t.clock.advance(Duration::from_secs(1)),
        }
        waited += 1;
        assert!(waited < 10_000, "no answer after {waited} seconds");
    }
    assert!(waited >= 30, "after {waited} seconds: {answer}");
    assert!(
        answer.starts_with("HTTP/1.1 408 ") && answer.contains("request_timeout"),
        "{answer}"
    );
    assert!(
        answer.to_ascii_lowercase().contains("connection: close"),
        "{answer}"
    );
}

async fn a_panic_is_answered_in_json_and_logged_with_its_request(db: Db) {
    let t = TestApp::start(db).await;
    async fn panics() -> &'static str {
        panic!("the kite is gone")
    }
    let routes = Router::new().route("/panics", get(panics));
    let guarded = Router::new().route("/guarded", get(panics));
    let router = answered(routes.merge(with_key(guarded, &t.app)), Arc::clone(&t.app));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api = t.api.at(&format!("http://{}", listener.local_addr().unwrap()));
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    t.errors.expect("a request panicked: the kite is gone");
    for path in ["/panics", "/guarded"] {
        let answer = api.get(path).await;
        let body = answer.refused(500, "internal_error");
        assert!(!body.to_string().contains("kite"), "{body}");
        assert_eq!(
            (answer.header("content-type"), answer.header("x-request-id").len()),
            ("application/json", 36)
        );
    }
    let guarded: Client = api.with_key(None);
    guarded.get("/guarded").await.refused(401, "missing_api_key");
    serving.abort();
}
