//! What is sent again, and what never is, against a service that answers from a list.

mod doubt;
mod imports;
mod lists;
mod versions;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::harness::{Playout, Ran};

/// The answers of a service, in order, and the requests that it received.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// The versions that the requests named.
    named: Arc<Mutex<Vec<String>>>,
}

/// The version of everything that a [`Script`] answers.
const VERSION: &str = "\"6yW1Tn2nT0mUuXGmYh5d8g\"";

/// Status, `Retry-After`, body.
type Answer = (u16, Option<&'static str>, Value);
/// Method and path, and the idempotency key.
type Asked = (String, Option<String>);

async fn answer(State(script): State<Script>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    // A response before all of a body was read may be lost.
    let _body = axum::body::to_bytes(body, usize::MAX).await;
    let key = request.headers.get("idempotency-key");
    let key = key.map(|key| key.to_str().unwrap().to_owned());
    let asked = format!("{} {}", request.method, request.uri);
    let mut all = script.asked.lock().unwrap();
    let is_replayed = key.is_some() && all.iter().any(|(_, earlier)| *earlier == key);
    all.push((asked, key));
    drop(all);
    let named = request.headers.get("if-match");
    let named = named.map(|version| version.to_str().unwrap().to_owned());
    script.named.lock().unwrap().extend(named);
    let next = script.answers.lock().unwrap().pop_front();
    let (status, retry_after, body) =
        next.unwrap_or((404, None, json!({ "code": "not_found", "message": "Nothing." })));
    let headers = retry_after.map(|after| [("retry-after", after)]);
    let body = (StatusCode::from_u16(status).unwrap(), axum::Json(body));
    let version = [
        ("etag", VERSION),
        ("idempotency-replayed", if is_replayed { "true" } else { "false" }),
    ];
    match headers {
        Some(headers) => (version, headers, body).into_response(),
        None => (version, body).into_response(),
    }
}

/// Runs the program against a service that gives these answers; returns the requests that it received, too.
fn run(answers: Vec<Answer>, arguments: &[&str]) -> (Ran, Vec<Asked>) {
    let (_runtime, playout, script) = scripted(answers);
    let ran = playout.run(arguments);
    let asked = script.asked.lock().unwrap().clone();
    (ran, asked)
}

/// The program, signed in at a service that gives these answers until the runtime is dropped.
fn scripted(answers: Vec<Answer>) -> (tokio::runtime::Runtime, Playout, Script) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let script = Script {
        answers: Arc::new(Mutex::new(answers.into())),
        ..Script::default()
    };
    let router = Router::new().fallback(answer).with_state(script.clone());
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, router).await });
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &url)
        .env("PLAYOUT_API_KEY", "any");
    (runtime, playout, script)
}

/// A post in a state.
fn group(state: &str) -> Answer {
    let root = json!({
        "id": "p", "integrationId": "a", "content": "Kites", "state": state, "scheduledFor": null,
        "releaseUrl": null, "errorText": null, "settings": {}, "mediaIds": [], "createdAt": "2026-11-20T12:00:00.000Z",
    });
    (200, None, json!({ "root": root, "children": [] }))
}

fn refusal(status: u16, code: &str) -> Answer {
    (status, None, json!({ "code": code, "message": "No." }))
}

fn folder() -> Answer {
    let folder =
        json!({ "id": "f", "name": "Kites", "createdAt": "2026-11-20T12:00:00.000Z", "colour": "red" });
    (201, None, folder)
}

#[test]
fn a_fault_of_the_service_is_asked_again_with_the_same_idempotency_key() {
    let away = (503, Some("0"), json!({ "code": "unavailable", "message": "No." }));
    let answers = vec![
        refusal(500, "internal_error"),
        refusal(502, "bad"),
        away,
        folder(),
    ];
    let (ran, asked) = run(answers, &["folders", "create", "Kites"]);
    assert_eq!(
        ran.ok()["colour"],
        "red",
        "what the client does not know is shown all the same"
    );
    assert_eq!(asked.len(), 4);
    let keys: Vec<_> = asked.iter().map(|(_, key)| key.clone().unwrap()).collect();
    assert!(
        keys.iter().all(|key| *key == keys[0] && key.len() == 32),
        "{keys:?}"
    );
}

#[test]
fn a_rate_limit_is_waited_out() {
    let limited = (
        429,
        Some("1"),
        json!({ "code": "rate_limited", "message": "Too many." }),
    );
    let (ran, asked) = run(vec![limited, folder()], &["folders", "create", "Kites"]);
    ran.ok();
    assert_eq!(asked.len(), 2);
}

#[test]
fn a_rate_limit_that_lasts_too_long_is_the_answer() {
    let limited = (
        429,
        Some("3600"),
        json!({ "code": "rate_limited", "message": "Too many." }),
    );
    let (ran, asked) = run(vec![limited, folder()], &["folders", "create", "Kites"]);
    ran.failed(1, "rate_limited");
    assert_eq!(asked.len(), 1);
}

#[test]
fn a_request_that_is_still_being_worked_on_is_asked_again() {
    let answers = vec![refusal(409, "idempotency_in_progress"), folder()];
    let (ran, asked) = run(answers, &["folders", "create", "Kites"]);
    ran.ok();
    assert_eq!(asked[0].1, asked[1].1);
}

/// The account to which imported rows go.
const ACCOUNT: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000001";

fn platform() -> Value {
    json!({ "id": ACCOUNT, "provider": "tiktok", "displayName": "Kites", "displayHandle": "kites", "providerName": "TikTok", "tokenExpiresAt": null, "capabilities": [], "disabled": false, "refreshNeeded": false })
}

#[test]
fn a_refusal_is_final() {
    for (status, code, exit) in [
        (400, "invalid_request", 1),
        (401, "invalid_api_key", 3),
        (403, "forbidden", 1),
        (503, "captions_unavailable", 7),
    ] {
        let (ran, asked) = run(
            vec![refusal(status, code), folder()],
            &["folders", "create", "Kites"],
        );
        ran.failed(exit, code);
        assert_eq!(asked.len(), 1, "{code}");
    }
}

#[test]
fn a_service_that_goes_on_failing_ends_with_5() {
    let answers = (0..9).map(|_| refusal(500, "internal_error")).collect();
    let (ran, asked) = run(answers, &["usage"]);
    ran.failed(5, "internal_error");
    assert_eq!(asked.len(), 5);
}

#[test]
fn watching_goes_on_when_the_service_is_away_for_a_while() {
    let away = (0..6).map(|_| refusal(502, "bad_gateway"));
    let answers = std::iter::once(group("QUEUE"))
        .chain(away)
        .chain([group("PUBLISHED")]);
    let (ran, asked) = run(answers.collect(), &["posts", "watch", "p"]);
    assert_eq!(ran.ok()["root"]["state"], "PUBLISHED");
    assert_eq!(asked.len(), 8);
    let (ran, _) = run(vec![], &["posts", "watch", "p"]);
    ran.failed(1, "not_found");
}

#[test]
fn something_that_is_no_playout_is_told_apart() {
    let (ran, _) = run(vec![(200, None, json!("hello"))], &["usage"]);
    ran.failed(5, "unexpected_answer");
    let (ran, _) = run(vec![(418, None, json!({ "tea": true }))], &["usage"]);
    ran.failed(5, "unexpected_answer");
}
