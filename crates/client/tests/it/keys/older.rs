//! A service of an earlier version: its keys have no scopes, and it ignores those of a request.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::harness::{EMAIL, PASSWORD, Playout};

const KEY_ID: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
const CREATED_AT: &str = "2026-11-20T12:00:00.000Z";

/// The bodies of the keys that were requested, and `"revoked"` for each that was.
type Requests = Arc<Mutex<Vec<Value>>>;

struct OlderService {
    playout: Playout,
    requests: Requests,
    _runtime: Runtime,
}

impl OlderService {
    fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let requests = Requests::default();
        let router = Router::new()
            .route("/app/v1/auth/sign-in", post(sign_in))
            .route("/app/v1/auth/sign-out", post(async || StatusCode::NO_CONTENT))
            .route("/app/v1/keys", post(create).get(list))
            .route("/app/v1/keys/{id}", delete(revoke))
            .with_state(Arc::clone(&requests));
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        runtime.spawn(async { axum::serve(listener, router).await });
        Self {
            playout: Playout::new().env("PLAYOUT_API_URL", &url),
            requests,
            _runtime: runtime,
        }
    }
}

async fn sign_in() -> Json<Value> {
    let workspace = json!({ "id": "0196f3a0-7c1e-7d3a-9b5e-000000000002", "name": "Kites", "role": "owner" });
    Json(json!({ "token": "session", "organizations": [workspace] }))
}

fn key() -> Value {
    json!({ "id": KEY_ID, "name": "Farm", "lastFour": "aaaa", "createdAt": CREATED_AT, "lastUsedAt": null, "expiresAt": null })
}

async fn create(State(requests): State<Requests>, Json(body): Json<Value>) -> (StatusCode, Json<Value>) {
    requests.lock().unwrap().push(body);
    let mut made = key();
    made["key"] = json!("svc_sk_aaaa");
    (StatusCode::CREATED, Json(made))
}

async fn list() -> Json<Value> {
    Json(json!({ "keys": [key()] }))
}

async fn revoke(State(requests): State<Requests>) -> StatusCode {
    requests.lock().unwrap().push(json!("revoked"));
    StatusCode::NO_CONTENT
}

#[test]
fn keys_without_scopes_are_listed_and_created() {
    let service = OlderService::start();
    let run = |arguments: &[&str]| service.playout.run_reading(PASSWORD, arguments).ok();
    let listed = run(&["keys", "list", "--email", EMAIL]);
    assert_eq!(listed["keys"][0]["id"], KEY_ID);
    let made = run(&["keys", "create", "Farm", "--email", EMAIL]);
    assert_eq!(made["key"], "svc_sk_aaaa");
    let requests = service.requests.lock().unwrap();
    assert_eq!(*requests, [json!({ "name": "Farm", "expiresAt": null })]);
}

#[test]
fn a_key_that_was_to_be_limited_and_is_not_is_revoked_at_once() {
    let service = OlderService::start();
    let create = ["keys", "create", "Farm", "--email", EMAIL, "--scope", "read"];
    let ran = service.playout.run_reading(PASSWORD, &create);
    let error = ran.failed(5, "unexpected_answer");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("knows no scopes") && message.contains("revoked"),
        "{message}"
    );
    assert_eq!(ran.stdout, "", "the key is not shown");
    let requests = service.requests.lock().unwrap();
    assert_eq!(requests[0]["scopes"], json!(["read"]));
    assert_eq!(requests[1], "revoked");
}
