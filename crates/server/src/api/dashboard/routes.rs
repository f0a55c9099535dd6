//! The routes of `/app/v1`: the session is checked first, also for unknown paths, except where one begins.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    audit, auth, batches, bundle, events, invitations, keys, me, members, organizations, platforms,
    second_factor, sessions,
};
use crate::api::access::PREFIX;
use crate::api::address::limit_address;
use crate::api::auth::require_session;
use crate::api::error::{method_not_allowed, not_found, panicked};
use crate::api::limits::{count_payloads, limit_time, take_turns};
use crate::api::resources::routes::{
    drawing_operations, quick_operations, slow_operations, upload_operations,
};
use crate::api::session::refuse_foreign_pages;
use crate::api::tus;
use crate::app::App;

/// Everything under `/app/v1`.
pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let (own, _) = own_operations().split_for_parts();
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
    let bare_slash = Router::new().route(&format!("{PREFIX}/"), any(async || not_found()));
    let sign_in = Router::new().nest(PREFIX, open(app));
    Router::new()
        .nest(
            PREFIX,
            with_session(all, app).layer(from_fn_with_state(Arc::clone(app), tus::announce)),
        )
        // A nested router does not match its bare slash.
        .merge(with_session(bare_slash, app))
        .merge(sign_in)
        .layer(CompressionLayer::new())
}

fn with_session(routes: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    routes
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(app), count_payloads))
        .layer(from_fn_with_state(Arc::clone(app), require_session))
}

/// The operations that begin a session.
fn open(app: &Arc<App>) -> Router<Arc<App>> {
    let (open, _) = open_operations().split_for_parts();
    open.method_not_allowed_fallback(async || method_not_allowed())
        .layer(from_fn_with_state(Arc::clone(app), limit_time))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(app), refuse_foreign_pages))
        .layer(from_fn_with_state(Arc::clone(app), limit_address))
}

/// The operations of `/app/v1` as the reference describes them.
pub fn operations() -> OpenApi {
    let parts = [
        open_operations(),
        own_operations(),
        endless_operations(),
        quick_operations(),
        drawing_operations(),
        slow_operations(),
        upload_operations(),
    ];
    let documents = parts.map(|part| part.split_for_parts().1);
    documents
        .into_iter()
        .reduce(OpenApi::merge_from)
        .unwrap_or_default()
}

fn open_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(auth::sign_up_conditions, auth::sign_up))
        .routes(routes!(auth::sign_in))
        .routes(routes!(auth::forgot_password))
        .routes(routes!(auth::reset_password))
        .routes(routes!(auth::verify_email))
        .routes(routes!(invitations::read))
}

/// Responses that last as long as the client stays connected.
fn endless_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(events::follow))
}

fn own_operations() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(auth::sign_out))
        .routes(routes!(me::read, me::change))
        .routes(routes!(me::send_verification))
        .routes(routes!(sessions::list, sessions::end_others))
        .routes(routes!(sessions::end))
        .routes(routes!(second_factor::set_up, second_factor::turn_off))
        .routes(routes!(second_factor::confirm))
        .routes(routes!(second_factor::renew_recovery_codes))
        .routes(routes!(organizations::list, organizations::create))
        .routes(routes!(organizations::change, organizations::delete))
        .routes(routes!(members::list))
        .routes(routes!(members::change, members::remove))
        .routes(routes!(members::holdings))
        .routes(routes!(members::leave))
        .routes(routes!(invitations::list, invitations::create))
        .routes(routes!(invitations::revoke))
        .routes(routes!(invitations::accept))
        .routes(routes!(keys::list, keys::create, keys::revoke_all))
        .routes(routes!(keys::revoke))
        .routes(routes!(audit::list))
        .routes(routes!(audit::list_own))
        .routes(routes!(bundle::read))
        .routes(routes!(batches::reschedule_posts))
        .routes(routes!(batches::delete_posts))
        .routes(routes!(batches::delete_media))
        .routes(routes!(platforms::list))
        .routes(routes!(platforms::read, platforms::change, platforms::remove))
        .routes(routes!(platforms::connections))
        .routes(routes!(platforms::connect))
}
