//! The device flow (RFC 8628, `docs/contract.md#device-authorization`) as a small OAuth server: `/auth/device`, `/auth/revoke`
//! and the metadata document. Clients authenticate with their codes only; people need a session.
//!
//! Imports the layers of `api`, and `app`, but no other room.

pub mod client;
pub mod person;
pub mod standard;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, Request, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::address::{limit_address, limit_polls};
use super::auth::require_session;
use super::error::{method_not_allowed, panicked};
use super::limits::{count_payloads, limit_time};
use crate::app::App;

/// The routes of the device flow.
pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let polls = served(token_operations(), app)
        .layer(from_fn_with_state(Arc::clone(app), limit_polls))
        .layer(from_fn(standard::speak_oauth));
    let calls = served(client_operations(), app)
        .layer(from_fn_with_state(Arc::clone(app), limit_address))
        .layer(from_fn(standard::speak_oauth));
    let people = served(person_operations(), app)
        .layer(from_fn_with_state(Arc::clone(app), count_payloads))
        .layer(from_fn_with_state(Arc::clone(app), require_session));
    let document = served(document_operations(), app);
    polls
        .merge(calls)
        .merge(people)
        .layer(from_fn(keep_nowhere))
        .merge(document)
}

/// The operations of the device flow, for the reference.
pub fn operations() -> OpenApi {
    let parts = [
        document_operations(),
        client_operations(),
        token_operations(),
        person_operations(),
    ];
    let documents = parts.map(|part| part.split_for_parts().1);
    documents
        .into_iter()
        .reduce(OpenApi::merge_from)
        .unwrap_or_default()
}

fn document_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(standard::metadata))
}

fn client_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(client::start))
        .routes(routes!(client::revoke))
}

fn token_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(client::token))
}

fn person_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(person::approve))
        .routes(routes!(person::deny))
        .routes(routes!(person::read))
}

fn served(operations: OpenApiRouter<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    let (routes, _) = operations.split_for_parts();
    routes
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(from_fn_with_state(Arc::clone(app), limit_time))
        .layer(CatchPanicLayer::custom(panicked))
}

/// These responses contain codes and keys: no cache may store them (RFC 6749 §5.1).
async fn keep_nowhere(request: Request<axum::body::Body>, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}
