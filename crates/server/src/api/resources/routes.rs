//! The routes of `/public/v1`: the key comes first, also for unknown paths. The operations on resources are in `/app/v1` too.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, Method, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, post};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::slides::MISSING_GLYPHS;
use super::{
    events, folders, key, media, media_imports, media_objects, platforms, post_batches, posts, slides,
    uploads, usage, webhooks,
};
use crate::api::auth::require_key;
use crate::api::error::{X_REQUEST_ID, method_not_allowed, not_found, panicked};
use crate::api::idempotency::IDEMPOTENCY_REPLAYED;
use crate::api::key_access::PREFIX;
use crate::api::limits::{count_payloads, limit_rate, limit_time, take_turns};
use crate::api::rate_limit::{RATE_LIMIT, RATE_LIMIT_POLICY};
use crate::api::tus;
use crate::app::App;

/// Everything under `/public/v1`.
pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let bare_slash = Router::new().route(&format!("{PREFIX}/"), any(async || not_found()));
    Router::new()
        .nest(PREFIX, public(app))
        // A nested router does not match its bare slash.
        .merge(with_key(bare_slash, app))
}

/// What applies to everything behind a key: the key is checked first, then its rate. In one layer, because a router allocates for
/// each layer, and again at each request.
pub fn with_key(routes: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(Arc::clone(app), tus::announce))
        .layer(cors())
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(app), require_key))
        .layer(from_fn_with_state(Arc::clone(app), limit_rate))
        .layer(from_fn_with_state(Arc::clone(app), count_payloads))
        .layer(CatchPanicLayer::custom(panicked));
    routes.layer(layers)
}

/// `/public/v1`: the key is checked first, also for unknown paths; a preflight needs none.
fn public(app: &Arc<App>) -> Router<Arc<App>> {
    let (own, _) = public_operations().split_for_parts();
    let (quick, _) = quick_operations().split_for_parts();
    let (drawing, _) = drawing_operations().split_for_parts();
    let (slow, _) = slow_operations().split_for_parts();
    let (resumable, _) = upload_operations().split_for_parts();
    let (endless, _) = endless_operations().split_for_parts();
    let all = own
        .merge(quick)
        .layer(from_fn_with_state(Arc::clone(app), take_turns))
        .merge(drawing.layer(from_fn_with_state(Arc::clone(app), limit_time)))
        .merge(endless)
        .merge(slow.layer(DefaultBodyLimit::disable()))
        .merge(resumable.layer(from_fn(tus::speak)))
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || method_not_allowed());
    with_key(all, app)
}

/// The operations of `/public/v1` as the reference describes them.
pub fn operations() -> utoipa::openapi::OpenApi {
    let own = public_operations().split_for_parts().1;
    let quick = quick_operations().split_for_parts().1;
    let slow = slow_operations().split_for_parts().1;
    let resumable = upload_operations().split_for_parts().1;
    let drawing = drawing_operations().split_for_parts().1;
    let endless = endless_operations().split_for_parts().1;
    own.merge_from(quick)
        .merge_from(endless)
        .merge_from(drawing)
        .merge_from(slow)
        .merge_from(resumable)
}

/// Operations whose form differs in a session, where more is listed, and those about the key.
fn public_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(platforms::list))
        .routes(routes!(key::read))
}

/// Responses that have no end. The dashboard has a stream of its own.
fn endless_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(events::follow))
}

/// Operations that finish quickly.
pub(crate) fn quick_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(platforms::schema))
        .routes(routes!(platforms::health))
        .routes(routes!(media::list))
        .routes(routes!(media_imports::create))
        .routes(routes!(folders::list, folders::create))
        .routes(routes!(folders::rename, folders::delete))
        .routes(routes!(
            media_objects::read,
            media_objects::change,
            media_objects::delete
        ))
        .routes(routes!(posts::list, posts::create))
        .routes(routes!(posts::validate))
        .routes(routes!(post_batches::create))
        .routes(routes!(posts::read, posts::change, posts::delete))
        .routes(routes!(posts::attempts))
        .routes(routes!(posts::publish))
        .routes(routes!(posts::unschedule))
        .routes(routes!(posts::mark_published))
        .routes(routes!(posts::schedule))
        .routes(routes!(webhooks::list, webhooks::create))
        .routes(routes!(webhooks::read, webhooks::change, webhooks::delete))
        .routes(routes!(webhooks::rotate_secret))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::deliveries))
        .routes(routes!(webhooks::redeliver))
        .routes(routes!(usage::read))
}

/// Operations that take time, but no database connection meanwhile.
pub(crate) fn drawing_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(slides::composite))
        .routes(routes!(slides::preview))
}

/// Operations that last as long as the client sends, or have a timeout of their own.
pub(crate) fn slow_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(media::upload))
        .routes(routes!(slides::captions))
        .route("/slides/caption", post(slides::captions))
}

/// Resumable uploads.
pub(crate) fn upload_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(uploads::create))
        .routes(routes!(uploads::head, uploads::append, uploads::terminate))
        .route("/media/uploads/{id}", post(uploads::instead))
}

fn cors() -> CorsLayer {
    let readable = [
        X_REQUEST_ID,
        RATE_LIMIT,
        RATE_LIMIT_POLICY,
        header::RETRY_AFTER,
        header::ETAG,
        IDEMPOTENCY_REPLAYED,
        MISSING_GLYPHS,
    ];
    let sendable = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        header::IF_MATCH,
        header::IF_NONE_MATCH,
        HeaderName::from_static("idempotency-key"),
        HeaderName::from_static(events::LAST_EVENT_ID),
        X_REQUEST_ID,
    ];
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([
            Method::GET,
            Method::HEAD,
            Method::POST,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([&sendable[..], &tus::request_headers()].concat())
        .expose_headers([&readable[..], &tus::response_headers()].concat())
        .max_age(Duration::from_secs(86_400))
}
