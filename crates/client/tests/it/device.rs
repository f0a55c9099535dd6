//! `auth login` by the device flow (RFC 8628), against a service that answers from a list.

mod scopes;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::harness::{Playout, Ran};

/// The answer with the key. Scopes behind it are those that were granted.
const APPROVED: &str = "approved";
const INVALID_SCOPE: &str = "invalid_scope";

/// A service whose token endpoint gives these answers, one a poll, and accepts the key it hands out.
#[derive(Clone)]
struct Service {
    words: Arc<Mutex<VecDeque<&'static str>>>,
    polls: Arc<Mutex<Vec<(Instant, Value)>>>,
    started: Arc<Mutex<Vec<Value>>>,
    key: String,
    expires_in: u64,
}

type Answer = (StatusCode, Json<Value>);

async fn start(State(service): State<Service>, Json(body): Json<Value>) -> Answer {
    service.started.lock().unwrap().push(body);
    if service.words.lock().unwrap().front() == Some(&INVALID_SCOPE) {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": INVALID_SCOPE })));
    }
    let codes = json!({
        "device_code": "the-secret", "user_code": "SVC-BCDF-GHJK", "verification_uri": "http://127.0.0.1:1/device",
        "verification_uri_complete": "http://127.0.0.1:1/device?code=SVC-BCDF-GHJK",
        "expires_in": service.expires_in, "interval": 1,
    });
    (StatusCode::OK, Json(codes))
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long the program waits in real time is what is tested"
)]
async fn token(State(service): State<Service>, Json(body): Json<Value>) -> Answer {
    let is_grant = body["grant_type"].is_string();
    service.polls.lock().unwrap().push((Instant::now(), body));
    let word = service.words.lock().unwrap().pop_front();
    let word = word.unwrap_or("authorization_pending");
    let Some(scope) = word.strip_prefix(APPROVED) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": word })));
    };
    let mut approved = json!({ "status": APPROVED, "api_key": service.key });
    if is_grant {
        approved["scope"] = json!(scope.trim());
    }
    (StatusCode::OK, Json(approved))
}

async fn usage() -> Json<Value> {
    let count = json!({ "used": 0, "limit": null });
    Json(json!({
        "plan": "unlimited", "month": { "start": "2026-11-01T00:00:00.000Z", "resetsAt": "2026-12-01T00:00:00.000Z" },
        "posts": count, "platforms": count, "aiCredits": count,
        "storage": { "usedBytes": 0, "limitBytes": null }, "maxVideoBytes": null,
    }))
}

/// A line of a shell that signs in, where the person approves at once.
pub(crate) fn signs_in(line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (_, ran, _) = sign_in_saying(&words[1..], &["approved read media drafts"], 600);
    assert_eq!(ran.code, 0, "{line}\n{ran:#?}");
}

/// Signs in while the service gives these answers; returns the outcome, and the service.
fn sign_in(words: &[&'static str], expires_in: u64) -> (Playout, Ran, Service) {
    sign_in_saying(&["auth", "login", "--no-browser"], words, expires_in)
}

fn sign_in_saying(arguments: &[&str], words: &[&'static str], expires_in: u64) -> (Playout, Ran, Service) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let service = Service {
        words: Arc::new(Mutex::new(words.iter().copied().collect())),
        polls: Arc::default(),
        started: Arc::default(),
        key: playout_domain::key::make_key([5; 32]).expose().to_owned(),
        expires_in,
    };
    let router = Router::new()
        .route("/auth/device/start", post(start))
        .route("/auth/device/token", post(token))
        .route("/public/v1/usage", get(usage))
        .with_state(service.clone());
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, router).await });
    let playout = Playout::new().env("PLAYOUT_API_URL", &url);
    let browser = playout.program("browser", "echo \"$1\" > opened.new && mv opened.new opened");
    let playout = playout.env("BROWSER", &browser);
    let ran = playout.run(arguments);
    (playout, ran, service)
}

/// The lines on standard error are a document each.
fn told(ran: &Ran) -> Vec<Value> {
    let documents = serde_json::Deserializer::from_str(&ran.stderr).into_iter();
    documents.map(|document| document.unwrap()).collect()
}

#[test]
fn who_approves_in_the_browser_is_signed_in() {
    let (playout, ran, service) = sign_in(&["authorization_pending", APPROVED], 600);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(ran.json()["keyLastFour"], service.key[service.key.len() - 4..]);
    assert_eq!(told(&ran)[0]["device"]["userCode"], "SVC-BCDF-GHJK");
    assert!(
        !format!("{ran:?}").contains("the-secret"),
        "the device code is the client's own"
    );
    assert!(!format!("{ran:?}").contains(&service.key), "a key is never shown");
    let kept = std::fs::read_to_string(playout.config().join("credentials.json")).unwrap();
    assert!(kept.contains(&service.key));
    let polls = service.polls.lock().unwrap();
    assert_eq!(polls[0].1, json!({ "device_code": "the-secret" }));
    let name = service.started.lock().unwrap()[0]["client_name"].clone();
    assert!(name.as_str().unwrap().starts_with("playout "), "{name}");
    assert_eq!(service.started.lock().unwrap()[0]["scope"], json!(null));
    assert_eq!(ran.json()["scopes"], json!(null));
}

#[test]
#[cfg(unix)]
fn the_page_is_opened_with_the_code_in_it_unless_told_not_to() {
    let pending = ["authorization_pending", "authorization_pending", APPROVED];
    let (playout, ran, _) = sign_in_saying(&["auth", "login"], &pending, 600);
    assert_eq!(ran.code, 0, "{ran:#?}");
    // The program has ended; the browser may still be at it.
    let opened = (0..30_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        std::fs::read_to_string(playout.dir().join("opened")).ok()
    });
    let opened = opened.expect("the browser was opened");
    assert_eq!(opened.trim(), "http://127.0.0.1:1/device?code=SVC-BCDF-GHJK");
    let (playout, _, _) = sign_in(&[APPROVED], 600);
    assert!(!playout.dir().join("opened").exists());
}

#[test]
fn who_is_told_to_slow_down_waits_five_seconds_longer_from_then_on() {
    let (_, ran, service) = sign_in(&["slow_down", APPROVED], 600);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let polls = service.polls.lock().unwrap();
    let waited = polls[1].0 - polls[0].0;
    assert!(waited >= Duration::from_secs(6), "{waited:?}");
}

#[test]
fn a_refusal_in_the_browser_ends_the_waiting() {
    let (playout, ran, service) = sign_in(&["access_denied"], 600);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert_eq!(told(&ran)[1]["error"]["code"], "access_denied");
    assert_eq!(service.polls.lock().unwrap().len(), 1);
    assert!(!playout.config().exists());
}

#[test]
fn a_code_that_is_no_longer_good_ends_the_waiting() {
    let (_, ran, _) = sign_in(&["expired_token"], 600);
    assert_eq!(
        (ran.code, &told(&ran)[1]["error"]["code"]),
        (1, &json!("expired_token"))
    );
    let (_, ran, service) = sign_in(&[], 2);
    assert_eq!(
        (ran.code, &told(&ran)[1]["error"]["code"]),
        (1, &json!("expired_token"))
    );
    assert!(
        service.polls.lock().unwrap().len() <= 3,
        "who has not decided in time is not asked for ever"
    );
}

#[test]
fn a_service_without_the_device_flow_says_what_to_do_instead() {
    let (playout, ran) = without_device_flow();
    let error = ran.failed(1, "not_found");
    assert!(
        error["message"].as_str().unwrap().contains("--api-key=-"),
        "{error}"
    );
    assert!(!playout.config().exists());
}

fn without_device_flow() -> (Playout, Ran) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let nothing = async || {
        let body = json!({ "code": "not_found", "message": "There is nothing here." });
        (StatusCode::NOT_FOUND, Json(body))
    };
    let router = Router::new().fallback(nothing);
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, router).await });
    let playout = Playout::new().env("PLAYOUT_API_URL", &url);
    let ran = playout.run(&["auth", "login", "--no-browser"]);
    (playout, ran)
}
