//! What happened: posts, drafts, requests, webhooks, downloads.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;

use super::reply::{Told, answer, done, refuse};
use crate::sim::core::Core;

pub(super) fn router() -> Router<Arc<Core>> {
    Router::new()
        .route("/sim/publications", get(publications))
        .route("/sim/inbox", get(inbox))
        .route("/sim/inbox/{publish_id}/finish", post(finish))
        .route("/sim/journal", get(journal))
        .route("/sim/misunderstood", get(misunderstood))
        .route("/sim/webhooks", get(webhooks).post(send_event))
        .route("/sim/fetches", get(fetches))
}

async fn publications(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.ledger.all().to_vec()))
}

async fn inbox(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.ledger.drafts().to_vec()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Finish {
    caption: Option<String>,
    privacy_level: Option<String>,
}

async fn finish(
    State(core): State<Arc<Core>>,
    Path(publish_id): Path<String>,
    Told(finish): Told<Finish>,
) -> Response {
    let privacy = finish.privacy_level.as_deref().unwrap_or("PUBLIC_TO_EVERYONE");
    match core.with(|world| world.finish_draft(&publish_id, finish.caption.as_deref(), privacy)) {
        true => done(),
        false => refuse(404, "no draft waits under this publish_id"),
    }
}

#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: u64,
}

async fn journal(State(core): State<Arc<Core>>, Query(query): Query<After>) -> Response {
    let entries = core.journal().after(query.after);
    answer(&entries)
}

async fn misunderstood(State(core): State<Arc<Core>>) -> Response {
    let misunderstood = core.journal().misunderstood();
    answer(&misunderstood)
}

async fn webhooks(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.hooks.deliveries.values().cloned().collect::<Vec<_>>()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EventRequest {
    event: String,
    #[serde(default)]
    open_id: String,
    #[serde(default)]
    content: serde_json::Map<String, serde_json::Value>,
}

/// Sends the app an event that did not happen.
async fn send_event(State(core): State<Arc<Core>>, Told(request): Told<EventRequest>) -> Response {
    core.with(|world| world.emit(&request.open_id, &request.event, &request.content.into()));
    done()
}

async fn fetches(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.fetches.clone()))
}
