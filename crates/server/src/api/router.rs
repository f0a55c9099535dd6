//! Every route, once.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{any, get, patch, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};

use super::auth::require_key;
use super::error::{X_REQUEST_ID, internal_error, method_not_allowed, not_found, refusal_response};
use super::public::{folders, media, media_objects, platforms, posts, usage};
use super::request_id::name_request;
use super::{files, health, oauth, webhooks};
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
    let quick = Router::new()
        .route("/platforms", get(platforms::list))
        .route("/platforms/{id}/schema", get(platforms::schema))
        .route("/media/folders", get(folders::list).post(folders::create))
        .route(
            "/media/folders/{id}",
            patch(folders::rename).delete(folders::delete),
        )
        .route(
            "/media/{id}",
            get(media_objects::read)
                .patch(media_objects::change)
                .delete(media_objects::delete),
        )
        .route("/posts", get(posts::list).post(posts::create))
        .route("/posts/validate", post(posts::validate))
        .route(
            "/posts/{id}",
            get(posts::read).patch(posts::change).delete(posts::delete),
        )
        .route("/posts/{id}/attempts", get(posts::attempts))
        .route("/posts/{id}/publish", post(posts::publish))
        .route("/posts/{id}/schedule", patch(posts::schedule))
        .route("/usage", get(usage::read))
        .layer(from_fn(limit_time));
    quick
        .route(
            "/media",
            get(media::list)
                .post(media::upload)
                .layer(DefaultBodyLimit::disable()),
        )
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(from_fn_with_state(app, require_key))
        .layer(CompressionLayer::new())
        .layer(cors())
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
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::HeaderName::from_static("idempotency-key"),
            X_REQUEST_ID,
        ])
        .expose_headers([X_REQUEST_ID])
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
