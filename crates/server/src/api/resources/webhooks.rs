//! `/webhooks`: create, list, change, delete, rotate the secret, test; deliveries, and sending them again.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::Response;
use playout_domain::error::Violation;
use playout_domain::id::{DeliveryId, WebhookId};
use playout_domain::webhook::{Delivery, Webhook};
use playout_store::{Page, Stored};
use playout_wire::canonical::Canonical;
use playout_wire::page::Cursor;
use playout_wire::webhooks::{
    CreateWebhook, DeliveryBody, DeliveryList, SecretBody, UpdateWebhook, WebhookBody, WebhookList,
    with_secret,
};
use serde_json::Value;

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::conditions::{Conditions, stored_with_tag, tagged};
use crate::api::error::ApiError;
use crate::api::fixed_fields::refuse_fixed;
use crate::api::idempotency::{IdempotencyKey, in_json, respond_to};
use crate::api::json::Json;
use crate::api::params::{Id, Query, both, no_uuid};
use crate::app::App;
use crate::app::once::Answered;

/// List webhooks
///
/// Oldest first.
#[utoipa::path(get, path = "/webhooks", operation_id = "listWebhooks", tag = "Webhooks",
    responses((status = 200, description = "The webhooks.", body = WebhookList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<WebhookList>, ApiError> {
    let webhooks = app.store.list_webhooks(caller.workspace().id).await?;
    Ok(Json(WebhookList {
        webhooks: webhooks.into_iter().map(WebhookBody::from).collect(),
    }))
}

/// Create a webhook
///
/// Events are posted to its address as JSON, `{ type, timestamp, data }`, signed as [Standard
/// Webhooks](https://www.standardwebhooks.com) with the secret that is returned only here. A delivery without a 2xx response
/// within 15 seconds is retried for three days; so an event can arrive twice, and events can arrive out of order. A workspace has
/// 20 webhooks at most.
#[utoipa::path(post, path = "/webhooks", operation_id = "createWebhook", tag = "Webhooks",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/CreateWebhook"), content_type = "application/json"),
    responses((status = 201, description = "The webhook and its secret.", body = SecretBody)),
    extensions(("x-error-codes" = json!(["webhook_not_found", "count_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| CreateWebhook::read(&body, &|url: &str| app.egress.check(url));
    let request = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, "POST /webhooks", now, || request.canonical());
    let (worker, workspace, by) = (Arc::clone(&app), caller.workspace().id, caller.actor());
    let work = move |kept| async move { worker.create_webhook(workspace, request, &by, &kept).await };
    let answered = same.answered(&app, created, work).await?;
    show_secret(&app, &caller, answered).await
}

fn created(_: &App, webhook: &Webhook) -> Stored {
    let body = WebhookBody::from(webhook.clone());
    stored_with_tag(in_json(StatusCode::CREATED, &body), &body)
}

/// Adds the secret to a response. It is never stored in a readable form, and no cache may store it.
async fn show_secret(app: &App, caller: &Caller, answered: Answered) -> Result<Response, ApiError> {
    let (Answered::Done(stored) | Answered::Replayed(stored)) = &answered;
    let webhook: Value = serde_json::from_slice(&stored.body).unwrap_or_default();
    let id = webhook["id"].as_str().and_then(|id| id.parse().ok());
    let id: WebhookId = id.expect("the stored response is this operation's, and has a webhook's ID");
    let secret = app.get_webhook_secret(caller.workspace().id, id).await?;
    let complete = |stored: Stored| Stored {
        headers: [
            stored.headers,
            vec![(CACHE_CONTROL.to_string(), "no-store".to_owned())],
        ]
        .concat(),
        body: with_secret(webhook, &secret).to_string().into_bytes(),
        status: stored.status,
    };
    Ok(respond_to(match answered {
        Answered::Done(stored) => Answered::Done(complete(stored)),
        Answered::Replayed(stored) => Answered::Replayed(complete(stored)),
    }))
}

/// Get a webhook
///
/// Without its secret.
#[utoipa::path(get, path = "/webhooks/{id}", operation_id = "getWebhook", tag = "Webhooks",
    params(("id" = Uuid, Path, description = "The webhook's ID.")),
    responses((status = 200, description = "The webhook.", body = WebhookBody)),
    extensions(("x-error-codes" = json!(["webhook_not_found"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<WebhookId>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let webhook = app.get_webhook(caller.workspace().id, id).await?;
    Ok(conditions.respond(&WebhookBody::from(webhook)))
}

/// Change a webhook
///
/// Absent fields and `null` stay unchanged. When it is disabled, pending deliveries are cancelled; events until it is enabled
/// again are never sent.
#[utoipa::path(patch, path = "/webhooks/{id}", operation_id = "updateWebhook", tag = "Webhooks",
    params(("id" = Uuid, Path, description = "The webhook's ID.")),
    request_body(content = ref("#/components/schemas/UpdateWebhook"), content_type = "application/json"),
    responses((status = 200, description = "The webhook.", body = WebhookBody)),
    extensions(("x-error-codes" = json!(["webhook_not_found"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<WebhookId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = UpdateWebhook::read(&body, &|url: &str| app.egress.check(url));
    let (id, request) = both(id, request)?;
    let workspace = caller.workspace().id;
    let shown = async || app.get_webhook(workspace, id).await.map(WebhookBody::from);
    refuse_fixed::<UpdateWebhook, _, _>(&body, shown).await?;
    let (actor, expected) = (caller.actor(), conditions.expected());
    let webhook = app
        .update_webhook(workspace, id, request, &actor, &expected)
        .await?;
    Ok(tagged(&WebhookBody::from(webhook)))
}

/// Delete a webhook
///
/// With its deliveries: pending ones are cancelled.
#[utoipa::path(delete, path = "/webhooks/{id}", operation_id = "deleteWebhook", tag = "Webhooks",
    params(("id" = Uuid, Path, description = "The webhook's ID.")),
    responses((status = 204, description = "It is deleted.")),
    extensions(("x-error-codes" = json!(["webhook_not_found"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<WebhookId>,
    conditions: Conditions,
) -> Result<StatusCode, ApiError> {
    app.delete_webhook(caller.workspace().id, id, &caller.actor(), &conditions.expected())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Rotate a webhook's secret
///
/// Its deliveries are signed with a new secret, returned only here, and for 24 hours with the previous one too: so the receiver
/// can switch without missing an event. Send an `Idempotency-Key`, because rotating twice within that time invalidates the first
/// secret at once.
#[utoipa::path(post, path = "/webhooks/{id}/rotate-secret", operation_id = "rotateWebhookSecret", tag = "Webhooks",
    params(
        ("id" = Uuid, Path, description = "The webhook's ID."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false)),
    responses((status = 200, description = "The webhook and its new secret.", body = SecretBody)),
    extensions(("x-error-codes" = json!(["webhook_not_found"]))))]
pub async fn rotate_secret(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    id: Result<Id<WebhookId>, ApiError>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| id.as_ref().map(|Id(id)| *id).map_err(|_| vec![no_uuid()]);
    let id = key.read(&app, &caller, now, read).await?;
    let same = key.same(
        &caller,
        &format!("POST /webhooks/{id}/rotate-secret"),
        now,
        || Value::Null,
    );
    let (worker, workspace, by) = (Arc::clone(&app), caller.workspace().id, caller.actor());
    let work = move |kept| async move { worker.rotate_webhook_secret(workspace, id, &by, &kept).await };
    let answered = same.answered(&app, rotated, work).await?;
    show_secret(&app, &caller, answered).await
}

fn rotated(_: &App, webhook: &Webhook) -> Stored {
    in_json(StatusCode::OK, &WebhookBody::from(webhook.clone()))
}

/// Test a webhook
///
/// Sends it an event `webhook.test`, regardless of the events that it receives, and also while it is disabled. The result is in
/// the list of its deliveries.
#[utoipa::path(post, path = "/webhooks/{id}/test", operation_id = "testWebhook", tag = "Webhooks",
    params(
        ("id" = Uuid, Path, description = "The webhook's ID."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false)),
    responses((status = 202, description = "The delivery, which is sent at once.", body = DeliveryBody)),
    extensions(("x-error-codes" = json!(["webhook_not_found"]))))]
pub async fn test(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    id: Result<Id<WebhookId>, ApiError>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| id.as_ref().map(|Id(id)| *id).map_err(|_| vec![no_uuid()]);
    let id = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, &format!("POST /webhooks/{id}/test"), now, || Value::Null);
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().id);
    let work = move |kept| async move { worker.test_webhook(workspace, id, &kept).await };
    same.once(&app, accepted, work).await
}

fn accepted(_: &App, delivery: &Delivery) -> Stored {
    in_json(StatusCode::ACCEPTED, &DeliveryBody::from(delivery.clone()))
}

/// List a webhook's deliveries
///
/// Sent and pending deliveries, newest first, with the last response to each. They are kept for 30 days after they end.
#[utoipa::path(get, path = "/webhooks/{id}/deliveries", operation_id = "listDeliveries", tag = "Webhooks",
    params(
        ("id" = Uuid, Path, description = "The webhook's ID."),
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "The most items; default 1000."),
        ("cursor" = Option<String>, Query, nullable = false, pattern = "^[A-Za-z0-9_-]{32}$", description = "`nextCursor` of the previous page.")),
    responses((status = 200, description = "The deliveries.", body = DeliveryList)),
    extensions(("x-error-codes" = json!(["webhook_not_found"]))))]
pub async fn deliveries(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<WebhookId>, ApiError>,
    mut query: Query,
) -> Result<Json<DeliveryList>, ApiError> {
    let (limit, cursor) = query.page();
    if id.is_err() {
        query.problem("id", Violation::no_uuid());
    }
    query.done()?;
    let Id(id) = id?;
    let page = Page {
        limit: limit + 1,
        after: cursor.map(|cursor| (cursor.at, cursor.id)),
    };
    let (mut rows, is_cut) = app.list_deliveries(caller.workspace().id, id, page).await?;
    let more = is_cut || rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more);
    let next_cursor = last.map(|delivery| {
        let (at, id) = (delivery.created_at, delivery.id.0);
        Cursor { at, id }.encode()
    });
    Ok(Json(DeliveryList {
        deliveries: rows.into_iter().map(DeliveryBody::from).collect(),
        next_cursor,
    }))
}

/// Send a delivery again
///
/// The same event under the same `webhook-id`, in any state of the delivery; it is retried for three days from then. A pending
/// one is sent now. A disabled webhook gets one attempt.
#[utoipa::path(post, path = "/webhooks/deliveries/{id}/redeliver", operation_id = "redeliver", tag = "Webhooks",
    params(
        ("id" = Uuid, Path, description = "The delivery's ID."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false)),
    responses((status = 202, description = "The delivery, which is sent at once.", body = DeliveryBody)),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn redeliver(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    id: Result<Id<DeliveryId>, ApiError>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| id.as_ref().map(|Id(id)| *id).map_err(|_| vec![no_uuid()]);
    let id = key.read(&app, &caller, now, read).await?;
    let route = format!("POST /webhooks/deliveries/{id}/redeliver");
    let same = key.same(&caller, &route, now, || Value::Null);
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().id);
    let work = move |kept| async move { worker.redeliver(workspace, id, &kept).await };
    same.once(&app, accepted, work).await
}
