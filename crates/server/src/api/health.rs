//! `/healthz`: the process runs. `/readyz`: it can serve requests.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::json::Json;
use crate::app::App;
use crate::identity::Fit;

/// The timeout of each check: `/readyz` responds within 2 s.
const PATIENCE: Duration = Duration::from_millis(1800);

/// Alive; checks nothing else.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Ready: database and storage respond, the engine of this node has run lately, and the node is not about to stop.
pub async fn ready(State(app): State<Arc<App>>) -> (StatusCode, Json<Value>) {
    let database = timeout(PATIENCE, app.store.ping());
    let storage = timeout(PATIENCE, app.blobs.check());
    let (database, storage) = tokio::join!(database, storage);
    let (database, storage) = (matches!(database, Ok(Ok(()))), matches!(storage, Ok(Ok(()))));
    let worker = app.heart.is_beating(app.now());
    let fit = app.identity.fit();
    let database = database && fit != Fit::Incomplete;
    let storage = storage && !matches!(fit, Fit::WrongStorage | Fit::MissingStorage);
    let key = !matches!(fit, Fit::WrongKey | Fit::MissingKey);
    let is_leaving = app.leaving.is_cancelled();
    let ready = database && storage && key && worker && fit == Fit::Fits && !is_leaving;
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let word = |ok: bool| if ok { "ok" } else { "failing" };
    // A node that has just started compares both with the database's first.
    let compared = |ok: bool| {
        if ok && fit == Fit::Unknown {
            "unchecked"
        } else {
            word(ok)
        }
    };
    let body = json!({
        "status": match (ready, is_leaving) {
            (true, _) => "ready",
            (false, true) => "stopping",
            (false, false) => "not_ready",
        },
        "database": word(database),
        "storage": compared(storage),
        "key": compared(key),
        "worker": word(worker),
        "hold": app.identity.is_held(),
    });
    (status, Json(body))
}
