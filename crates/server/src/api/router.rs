//! All routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use super::error::{method_not_allowed, not_found, panicked};
use super::limits::limit_time;
use super::provider_callbacks::notifications;
use super::request_id::name_request;
use super::{
    dashboard, deprecation, docs, files, health, oauth_device, openapi, pages, query_names, resources, web,
};
use crate::app::App;

/// The largest notification a provider sends.
const MAX_NOTIFICATION_BYTES: usize = 64 * 1024;

/// The whole HTTP surface.
pub fn router(app: Arc<App>) -> Router {
    query_names::learn(&[openapi::document(), openapi::dashboard::document()]);
    let routes = Router::new()
        .merge(resources::routes::routes(&app))
        .merge(dashboard::routes::routes(&app))
        .merge(oauth_device::routes(&app))
        .route("/media/{key}", get(files::public))
        .route("/m/{token}/{file}", get(files::single_purpose))
        .route(
            "/webhooks/{provider}",
            post(notifications::receive)
                .layer(DefaultBodyLimit::max(MAX_NOTIFICATION_BYTES))
                .layer(from_fn_with_state(Arc::clone(&app), limit_time)),
        )
        .merge(docs::routes())
        .merge(pages::routes(&app))
        .merge(web::routes(&app))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready));
    answered(routes, app)
}

/// What applies to every response: JSON for unknown paths and methods and for panics, and a request ID.
pub fn answered(routes: Router<Arc<App>>, app: Arc<App>) -> Router {
    deprecation::announced(routes)
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(
            ServiceBuilder::new()
                .layer(from_fn_with_state(Arc::clone(&app), name_request))
                .layer(CatchPanicLayer::custom(panicked)),
        )
        .with_state(app)
}
