//! Serves media: to the public under unguessable addresses, and to providers under single-purpose ones.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use playout_domain::media::{Media, MediaStatus, MediaType};
use playout_domain::platform::Platform;
use playout_media::BlobError;
use playout_store::{FetchPermit, MediaFile};

use super::dashboard::events::UNBUFFERED;
use super::error::{ApiError, not_found, refusal_response};
use super::params::Names;
use super::ranges::{Wanted, wanted};
use crate::app::App;
use crate::app::expected::stale;
use crate::app::file_keys::{preview_mime, rendition_key};
use crate::worker::publish::pull_urls::token_hash;
use playout_domain::error::{Code, Refusal};

/// A file as it is served.
struct Served {
    key: String,
    content_type: &'static str,
    etag: String,
    cache: &'static str,
    /// How many bytes were stored, where that is known: a file that was cut is not sent.
    stored_bytes: Option<u64>,
}

/// `GET /media/{key}`: an original or a preview, which never changes (`docs/contract.md#public-files`).
pub async fn public(
    State(app): State<Arc<App>>,
    Names(key): Names<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Some((media, file)) = app.store.media_by_storage_key(&key).await? else {
        return Ok(not_found());
    };
    // A PENDING upload has not passed its checks, so it is not served.
    if media.status != MediaStatus::Ready {
        return Ok(not_found());
    }
    let (content_type, stored_bytes) = match file {
        MediaFile::Original => (media.mime.as_str(), media.size_bytes),
        MediaFile::Preview => (preview_mime(&key).as_str(), None),
    };
    let etag = format!("\"{key}\"");
    let file = Served {
        key,
        content_type,
        etag,
        cache: "public, max-age=31536000, immutable",
        stored_bytes,
    };
    match serve(&app, file, &method, &headers).await {
        Err(missing @ BlobError::NotFound { .. }) => {
            tracing::error!("a file of the library is not in the storage: {missing}");
            Ok(not_found())
        }
        served => Ok(served?),
    }
}

/// `GET /m/{token}/{index}.{ext}`: one file of one submission. The first GET is recorded before its first byte is sent; once the
/// submission is revoked or closed the response is 404 (`docs/contract.md#single-purpose-urls`).
pub async fn single_purpose(
    State(app): State<Arc<App>>,
    Names((token, file)): Names<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let position = file
        .split('.')
        .next()
        .and_then(|index| index.parse::<usize>().ok());
    let hash = token_hash(&token);
    // A HEAD returns no content that could be published, so it is not recorded as a fetch.
    let permit = match &method {
        &Method::HEAD => app.store.peek_fetch(hash).await?,
        _ => note_fetch(&app, hash).await?,
    };
    let (Some(permit), Some(position)) = (permit, position) else {
        return Ok(not_found());
    };
    let Some(id) = permit.media_ids.get(position) else {
        return Ok(not_found());
    };
    let platform = platform_of(&app, &permit).await?;
    let media = app.store.find_media_many(permit.workspace_id, &[*id]).await?;
    let Some(served) = media
        .first()
        .zip(platform)
        .and_then(|(media, platform)| for_provider(&app, &platform, media))
    else {
        return Ok(not_found());
    };
    let response = serve(&app, served, &method, &headers).await?;
    let mut response = response.map(|body| until_held(&app, body));
    // A proxy that has read all of it could hand it out after the service was stopped and restored.
    let (name, value) = UNBUFFERED;
    response
        .headers_mut()
        .insert(name, HeaderValue::from_static(value));
    Ok(response)
}

/// The body, which breaks off when publications are held, or were held meanwhile: after a restore nothing may come of a pull from before it.
fn until_held(app: &Arc<App>, body: Body) -> Body {
    let app = Arc::clone(app);
    let before = app.identity.last_hold();
    let was_held = move |app: &App| before.is_some() && app.identity.last_hold() != before;
    let bytes = body
        .into_data_stream()
        .map(move |bytes| match app.identity.is_held() || was_held(&app) {
            true => Err(axum::Error::new(std::io::Error::other("publications are held"))),
            false => bytes,
        });
    Body::from_stream(bytes)
}

async fn note_fetch(app: &App, token_hash: [u8; 32]) -> Result<Option<FetchPermit>, ApiError> {
    app.failpoint("pull.before_note");
    let permit = app.store.record_fetch(token_hash, app.now()).await?;
    app.failpoint("pull.after_note");
    Ok(permit)
}

async fn platform_of(app: &App, permit: &FetchPermit) -> Result<Option<Platform>, ApiError> {
    let group = app.store.find_group(permit.workspace_id, permit.post_id).await?;
    let Some(found) = group else {
        return Ok(None);
    };
    let platform = app
        .store
        .find_platform(permit.workspace_id, found.group.root.platform_id)
        .await?;
    Ok(platform)
}

fn for_provider(app: &App, platform: &Platform, media: &Media) -> Option<Served> {
    let limits = app.provider_of(platform)?.photo_limits();
    let (key, content_type, stored_bytes) = match media.mime.media_type() {
        MediaType::Image => {
            let key = rendition_key(&media.storage_key, limits);
            let size_bytes = app.prepared.size_of(&key);
            (key, "image/jpeg", size_bytes)
        }
        MediaType::Video | MediaType::Audio | MediaType::File => {
            (media.storage_key.clone(), media.mime.as_str(), media.size_bytes)
        }
    };
    let etag = format!("\"{key}\"");
    Some(Served {
        key,
        content_type,
        etag,
        cache: "private, no-store",
        stored_bytes,
    })
}

async fn serve(app: &App, file: Served, method: &Method, headers: &HeaderMap) -> Result<Response, BlobError> {
    let size = match file.stored_bytes {
        Some(stored_bytes) => stored_bytes,
        None => app.blobs.head(&file.key).await?,
    };
    let (status, range) = match wanted(method, headers, size, &file.etag) {
        Wanted::NotModified => return Ok(with_headers(StatusCode::NOT_MODIFIED.into_response(), &file)),
        Wanted::OtherVersion => return Ok(refusal_response(stale())),
        Wanted::Unsatisfiable => return Ok(unsatisfiable(size)),
        Wanted::All => (StatusCode::OK, 0..size),
        Wanted::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
    };
    let body = Body::from_stream(app.blobs.get_range(&file.key, range.clone(), size).await?);
    let mut response = with_headers((status, body).into_response(), &file);
    let set = response.headers_mut();
    set.insert(header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
    if status == StatusCode::PARTIAL_CONTENT {
        let content_range = format!("bytes {}-{}/{size}", range.start, range.end - 1);
        set.insert(header::CONTENT_RANGE, header_value(&content_range));
    }
    Ok(response)
}

/// Only the sniffed type, and in a sandbox: an upload can never act as a page of this host.
fn with_headers(mut response: Response, file: &Served) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(file.cache));
    headers.insert(header::ETAG, header_value(&file.etag));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; sandbox"),
    );
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("cross-origin"),
    );
    response
}

fn unsatisfiable(size: u64) -> Response {
    let refusal = Refusal::new(
        Code::InvalidRequest,
        format!("The file has {size} bytes; the range is outside."),
    );
    let mut response = refusal_response(refusal);
    *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
    response
        .headers_mut()
        .insert(header::CONTENT_RANGE, header_value(&format!("bytes */{size}")));
    response
}

fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
