//! Which address shows which page.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use url::form_urlencoded;

use super::html::avatar_svg;
use super::{post, profile};
use crate::sim::answer::with_headers;
use crate::sim::core::Core;
use crate::sim::front::serve;
use crate::sim::socket::Cut;

/// The pages, and the bytes they show.
pub(in crate::sim) fn router() -> Router<Arc<Core>> {
    Router::new()
        .route("/", get(index))
        .route("/messages", get(inboxes))
        .route("/messages/{username}", get(inbox).post(finish))
        .route("/sim/media/{id}", get(media))
        .route("/sim/avatar/{file}", get(avatar))
        .route(
            "/favicon.ico",
            get(|| async { axum::http::StatusCode::NO_CONTENT }),
        )
        .route("/{handle}", get(feed))
        .route("/{handle}/{kind}/{id}", get(permalink))
}

async fn index(State(core): State<Arc<Core>>) -> Html<String> {
    let ahead = core.ahead();
    Html(core.with(|world| profile::index(world, ahead)))
}

/// `/@handle`; any other single-part address is a request to the provider that it does not know.
async fn feed(
    core: State<Arc<Core>>,
    cut: ConnectInfo<Cut>,
    Path(handle): Path<String>,
    request: Request,
) -> Response {
    let Some(name) = handle.strip_prefix('@') else {
        return serve(core, cut, request).await;
    };
    let page = core.with(|world| match world.find_account(name) {
        Some(account) => profile::profile(world, account),
        None => post::nowhere(),
    });
    Html(page).into_response()
}

async fn permalink(
    core: State<Arc<Core>>,
    cut: ConnectInfo<Cut>,
    Path((handle, kind, id)): Path<(String, String, String)>,
    request: Request,
) -> Response {
    let Some(name) = handle.strip_prefix('@') else {
        return serve(core, cut, request).await;
    };
    let page = core.with(|world| match world.ledger.by_post(&id) {
        Some(found) if found.username == name && found.kind.as_str() == kind => post::permalink(world, found),
        _ => post::nowhere(),
    });
    Html(page).into_response()
}

async fn inboxes(State(core): State<Arc<Core>>) -> Html<String> {
    Html(core.with(|world| profile::inboxes(world)))
}

async fn inbox(State(core): State<Arc<Core>>, Path(username): Path<String>) -> Html<String> {
    Html(core.with(|world| match world.find_account(&username) {
        Some(account) => profile::inbox(world, account),
        None => post::nowhere(),
    }))
}

/// The creator posts a draft.
async fn finish(State(core): State<Arc<Core>>, Path(username): Path<String>, body: Bytes) -> Response {
    let field = |name: &str| {
        form_urlencoded::parse(&body)
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    let publish_id = field("publish_id").unwrap_or_default();
    let privacy = field("privacy_level").unwrap_or_else(|| "SELF_ONLY".to_owned());
    let done = core.with(|world| world.finish_draft(&publish_id, field("caption").as_deref(), &privacy));
    if !done {
        return with_headers(404, &[], "no such draft waits");
    }
    with_headers(303, &[("location", &format!("/@{username}"))], "")
}

async fn media(State(core): State<Arc<Core>>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    // The content type was determined on arrival and is kept with the media.
    let content_type = core.with(|world| world.media_type(&id));
    match core.shelf.serve(&id, &content_type, &headers).await {
        Ok(response) => response,
        Err(_) => with_headers(404, &[], ""),
    }
}

async fn avatar(Path(file): Path<String>) -> impl IntoResponse {
    let username = file.strip_suffix(".svg").unwrap_or(&file).to_owned();
    ([("content-type", "image/svg+xml")], avatar_svg(&username))
}
