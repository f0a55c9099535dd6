//! Every route, once.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{any, get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::auth::require_key;
use super::error::{X_REQUEST_ID, internal_error, method_not_allowed, not_found, refusal_response};
use super::public::{media, platforms, posts, uploads};
use super::request_id::name_request;
use super::{files, health, oauth, tus, webhooks};
use crate::app::App;
use playout_domain::error::{Code, Refusal};

/// How long an ordinary request may take. Uploads and downloads take as long as they take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The largest notification a provider sends.
const MAX_NOTIFICATION_BYTES: usize = 64 * 1024;

/// The whole HTTP surface.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .nest("/public/v1", public(Arc::clone(&app)))
        // A nested router does not answer for its bare slash.
        .route(
            "/public/v1/",
            any(async || not_found()).layer(from_fn_with_state(Arc::clone(&app), require_key)),
        )
        .route("/media/{key}", get(files::public))
        .route("/m/{token}/{file}", get(files::single_purpose))
        .route("/oauth/{provider}/callback", get(oauth::callback))
        .route(
            "/webhooks/{provider}",
            post(webhooks::receive).layer(DefaultBodyLimit::max(MAX_NOTIFICATION_BYTES)),
        )
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(CatchPanicLayer::custom(|_| internal_error()))
        .layer(from_fn_with_state(Arc::clone(&app), name_request))
        .with_state(app)
}

/// `/public/v1`: the key comes first, also for unknown paths; a preflight needs none.
fn public(app: Arc<App>) -> Router<Arc<App>> {
    let (quick, _) = quick_operations().split_for_parts();
    let (slow, _) = slow_operations().split_for_parts();
    let (resumable, _) = upload_operations().split_for_parts();
    quick
        .layer(from_fn(limit_time))
        .merge(slow.layer(DefaultBodyLimit::disable()))
        .merge(resumable.layer(from_fn(tus::speak)))
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(from_fn_with_state(Arc::clone(&app), require_key))
        .layer(CompressionLayer::new())
        .layer(cors())
        .layer(from_fn_with_state(app, tus::announce))
}

/// The operations of `/public/v1` as the reference describes them.
pub fn operations() -> utoipa::openapi::OpenApi {
    let quick = quick_operations().split_for_parts().1;
    let slow = slow_operations().split_for_parts().1;
    let resumable = upload_operations().split_for_parts().1;
    quick.merge_from(slow).merge_from(resumable)
}

/// What takes a moment.
fn quick_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(platforms::list))
        .routes(routes!(platforms::schema))
        .routes(routes!(media::list_folders))
        .routes(routes!(posts::list, posts::create))
        .routes(routes!(posts::read, posts::delete))
        .routes(routes!(posts::schedule))
}

/// What takes as long as the client takes to send.
fn slow_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(media::list, media::upload))
}

/// Resumable uploads.
fn upload_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(uploads::create))
        .routes(routes!(uploads::head, uploads::append, uploads::terminate))
        .route("/media/uploads/{id}", post(uploads::instead))
}

fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([
            Method::GET,
            Method::HEAD,
            Method::POST,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers(
            [
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                header::HeaderName::from_static("idempotency-key"),
                X_REQUEST_ID,
            ]
            .into_iter()
            .chain(tus::request_headers())
            .collect::<Vec<_>>(),
        )
        .expose_headers(
            [X_REQUEST_ID]
                .into_iter()
                .chain(tus::response_headers())
                .collect::<Vec<_>>(),
        )
        .max_age(Duration::from_secs(86_400))
}

async fn limit_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message =
                "The request took too long; its effect, if any, is not undone. Read before you repeat it.";
            let mut response = refusal_response(Refusal::new(Code::RequestTimeout, message));
            *response.status_mut() = StatusCode::REQUEST_TIMEOUT;
            response
                .headers_mut()
                .insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}
