//! `/healthz`: the process is alive. `/readyz`: it can do its work.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::json::Json;
use crate::app::App;

/// Alive: nothing is asked.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Ready: database and storage answer, and the engine of this node looked lately.
pub async fn ready(State(app): State<Arc<App>>) -> (StatusCode, Json<Value>) {
    let database = app.store.ping().await.is_ok();
    let storage = app.blobs.check().await.is_ok();
    let worker = app.heart.is_beating(app.now());
    let ready = database && storage && worker;
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let word = |ok: bool| if ok { "ok" } else { "failing" };
    let body = json!({
        "status": if ready { "ready" } else { "not_ready" },
        "database": word(database),
        "storage": word(storage),
        "worker": word(worker),
    });
    (status, Json(body))
}
