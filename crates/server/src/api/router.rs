//! Every route, once.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{any, get, post};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::auth::{Caller, require_key};
use super::error::{X_REQUEST_ID, method_not_allowed, not_found, panicked, refusal_response};
use super::idempotency::IDEMPOTENCY_REPLAYED;
use super::provider_callbacks::notifications;
use super::rate_limit::{RATE_LIMIT, RATE_LIMIT_POLICY, limit_rate};
use super::request_id::name_request;
use super::resources::slides::MISSING_GLYPHS;
use super::resources::{
    folders, media, media_objects, platforms, posts, slides, uploads, usage, webhooks as hooks,
};
use super::{dashboard, docs, files, health, oauth_device, pages, payloads, tus};
use crate::app::App;
use crate::web;
use playout_domain::error::{Code, Refusal};

/// How long an ordinary request may take. Uploads and downloads take as long as they take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The largest notification a provider sends.
const MAX_NOTIFICATION_BYTES: usize = 64 * 1024;

/// The whole HTTP surface.
pub fn router(app: Arc<App>) -> Router {
    let routes = Router::new()
        .nest("/public/v1", public(&app))
        // A nested router does not answer for its bare slash.
        .merge(with_key(
            Router::new().route("/public/v1/", any(async || not_found())),
            &app,
        ))
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

/// What every answer has in common: JSON for unknown paths and methods and for panics, and a request ID.
pub fn answered(routes: Router<Arc<App>>, app: Arc<App>) -> Router {
    routes
        .fallback(async || not_found())
        .method_not_allowed_fallback(async || method_not_allowed())
        .layer(
            ServiceBuilder::new()
                .layer(from_fn_with_state(Arc::clone(&app), name_request))
                .layer(CatchPanicLayer::custom(panicked)),
        )
        .with_state(app)
}

/// What everything behind a key has in common: the key comes first, then its rate. In one piece, because a router allocates for
/// each layer that it is given, and again at each request.
pub fn with_key(routes: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(Arc::clone(app), tus::announce))
        .layer(cors())
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(app), require_key))
        .layer(from_fn_with_state(Arc::clone(app), limit_rate))
        .layer(from_fn_with_state(Arc::clone(app), payloads::count))
        .layer(CatchPanicLayer::custom(panicked));
    routes.layer(layers)
}

/// `/public/v1`: the key comes first, also for unknown paths; a preflight needs none.
fn public(app: &Arc<App>) -> Router<Arc<App>> {
    let (own, _) = public_operations().split_for_parts();
    let (quick, _) = quick_operations().split_for_parts();
    let (drawing, _) = drawing_operations().split_for_parts();
    let (slow, _) = slow_operations().split_for_parts();
    let (resumable, _) = upload_operations().split_for_parts();
    let all = own
        .merge(quick)
        .layer(from_fn_with_state(Arc::clone(app), take_turns))
        .merge(drawing.layer(from_fn_with_state(Arc::clone(app), limit_time)))
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
    own.merge_from(quick)
        .merge_from(drawing)
        .merge_from(slow)
        .merge_from(resumable)
}

/// What only the public API has in this form: in a session there is more to list.
fn public_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(platforms::list))
}

/// What takes a moment.
pub(super) fn quick_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(platforms::schema))
        .routes(routes!(platforms::health))
        .routes(routes!(media::list))
        .routes(routes!(folders::list, folders::create))
        .routes(routes!(folders::rename, folders::delete))
        .routes(routes!(
            media_objects::read,
            media_objects::change,
            media_objects::delete
        ))
        .routes(routes!(posts::list, posts::create))
        .routes(routes!(posts::validate))
        .routes(routes!(posts::read, posts::change, posts::delete))
        .routes(routes!(posts::attempts))
        .routes(routes!(posts::publish))
        .routes(routes!(posts::mark_published))
        .routes(routes!(posts::schedule))
        .routes(routes!(hooks::list, hooks::create))
        .routes(routes!(hooks::read, hooks::change, hooks::delete))
        .routes(routes!(hooks::rotate_secret))
        .routes(routes!(hooks::test))
        .routes(routes!(hooks::deliveries))
        .routes(routes!(hooks::redeliver))
        .routes(routes!(usage::read))
}

/// What takes its time, but no connection to the database meanwhile.
pub(super) fn drawing_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(slides::composite))
        .routes(routes!(slides::preview))
}

/// What takes as long as the client takes to send, or has a time of its own.
pub(super) fn slow_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(media::upload))
        .routes(routes!(slides::captions))
        .route("/slides/caption", post(slides::captions))
}

/// Resumable uploads.
pub(super) fn upload_operations() -> OpenApiRouter<Arc<App>> {
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
        IDEMPOTENCY_REPLAYED,
        MISSING_GLYPHS,
    ];
    let sendable = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        HeaderName::from_static("idempotency-key"),
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

/// Gives a request up that takes too long.
pub(super) async fn limit_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let end = app.now().plus(TIMEOUT);
    tokio::select! {
        biased;
        response = next.run(request) => response,
        () = app.clock.sleep_until(end) => timed_out(),
    }
}

/// [`limit_time`], and lets a workspace change only so much at the same time. In one piece: each layer is an allocation.
pub(super) async fn take_turns(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let workspace = match request.method().is_safe() {
        true => None,
        false => request
            .extensions()
            .get::<Caller>()
            .map(|caller| caller.workspace().id),
    };
    let Some(turn) = workspace.and_then(|workspace| app.writers.turn(workspace)) else {
        return limit_time(State(app), request, next).await;
    };
    if request.body().is_end_stream() {
        if let Err(refusal) = turn.take().await {
            return refusal_response(refusal);
        }
    } else {
        // Whoever reads the body takes the turn then.
        request.extensions_mut().insert(turn.clone());
    }
    let response = limit_time(State(app), request, next).await;
    drop(turn);
    response
}

fn timed_out() -> Response {
    let message = "The request took too long; its effect, if any, is not undone. Read before you repeat it.";
    let mut response = refusal_response(Refusal::new(Code::RequestTimeout, message));
    response
        .headers_mut()
        .insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
