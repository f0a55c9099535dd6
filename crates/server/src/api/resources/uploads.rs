//! `/media/uploads`: resumable uploads (tus 1.0). The common parts of their responses are in `api/tus.rs`.

use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{OriginalUri, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use playout_domain::error::{Code, Issue, Refusal};
use playout_domain::id::MediaId;
use playout_wire::media::MediaBody;
use playout_wire::tus::{AppendToUpload, Checksum, CreateUpload, OFFSET_OCTET_STREAM};

use crate::api::auth::Caller;
use crate::api::conditions::{Conditions, tagged};
use crate::api::error::{ApiError, method_not_allowed};
use crate::api::params::{Id, both};
use crate::api::tus::METHOD_OVERRIDE;
use crate::app::App;
use crate::app::uploads::{Chunk, Standing};

/// Begin a resumable upload
///
/// For large files over bad connections, with the protocol tus 1.0.0 and any of its clients. `Location` is the address for the
/// bytes, sent with PATCH; the body may already contain the first of them. The upload is a media object from the start, PENDING
/// until its last byte is received and checked, and deleted if that takes more than 24 hours. `Upload-Metadata` may contain
/// `filename`, `filetype`, `mediaType` and `folderId`, each in base64.
#[utoipa::path(post, path = "/media/uploads", operation_id = "createUpload", tag = "Resumable uploads",
    params(
        ("Tus-Resumable" = String, Header, description = "The protocol's version.", pattern = "^1\\.0\\.0$", example = "1.0.0"),
        ("Upload-Length" = String, Header, pattern = "^[1-9][0-9]{0,11}$", description = "The file's length in bytes."),
        ("Upload-Metadata" = Option<String>, Header, nullable = false, pattern = "^[ -~]*$", description = "Comma-separated pairs of a key and a value in base64.", example = "filename Y2xpcC5tcDQ=,filetype dmlkZW8vbXA0"),
        ("Upload-Checksum" = Option<String>, Header, nullable = false, pattern = "^(sha1|sha256) [A-Za-z0-9+/]+={0,2}$", description = "The checksum of the body: `sha1` or `sha256`, a space, the checksum in base64.")),
    request_body(content = Vec<u8>, content_type = "application/offset+octet-stream", description = "The first bytes; may be absent."),
    responses((status = 201, description = "The upload has begun. With all its bytes in the body it is READY already.", body = MediaBody,
        headers(("Location" = String, description = "The address for the bytes."), ("Upload-Offset" = u64, description = "How many bytes are received."),
            ("Upload-Expires" = String, description = "When it is deleted unless it is complete.")))),
    extensions(("x-error-codes" = json!(["invalid_request", "invalid_media_file", "folder_not_found", "storage_limit_reached", "count_limit_reached",
        "media_too_large", "unsupported_media_type", "payload_too_large", "checksum_mismatch", "unsupported_tus_version"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Result<Response, ApiError> {
    let (create, first) = read_create(request)?;
    let standing = app
        .begin_upload(caller.workspace().clone(), create, first)
        .await?;
    let location = format!(
        "{}{}/{}",
        app.config.base_url,
        uri.path().trim_end_matches('/'),
        standing.media.id
    );
    let headers = headers_of(&standing);
    let body = tagged(&MediaBody::new(standing.media, &app.media_url()));
    let location = [(header::LOCATION, location)];
    Ok((StatusCode::CREATED, headers, location, body).into_response())
}

/// Get an upload's offset
///
/// `Upload-Offset` is the position at which to continue. For a finished upload it is the whole length.
#[utoipa::path(head, path = "/media/uploads/{id}", operation_id = "readUpload", tag = "Resumable uploads",
    params(("id" = Uuid, Path, description = "The upload's ID, which is its media ID."),
        ("Tus-Resumable" = String, Header, description = "The protocol's version.", pattern = "^1\\.0\\.0$", example = "1.0.0")),
    responses((status = 200, description = "The offset.",
        headers(("Upload-Offset" = u64, description = "How many bytes are received."), ("Upload-Length" = u64, description = "The whole length."),
            ("Upload-Metadata" = String, description = "As it was sent."), ("Upload-Expires" = String, description = "When it is deleted unless it is complete.")))),
    extensions(("x-error-codes" = json!(["invalid_request", "media_not_found", "upload_locked", "unsupported_tus_version"]))))]
pub async fn head(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<MediaId>,
) -> Result<Response, ApiError> {
    let standing = app.upload_standing(caller.workspace().id, id).await?;
    let mut headers = headers_of(&standing);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let length = standing.media.size_bytes.unwrap_or(standing.offset);
    headers.insert("upload-length", HeaderValue::from(length));
    // It was received as a header.
    let metadata = standing
        .metadata
        .and_then(|text| HeaderValue::try_from(text).ok());
    headers.extend(metadata.map(|text| (HeaderName::from_static("upload-metadata"), text)));
    Ok(headers.into_response())
}

/// Add bytes to an upload
///
/// As many as the client likes, best all of them: every request counts against the rate limit. `Upload-Offset` must equal the
/// upload's offset. Bytes that arrive before a connection is cut are stored, unless the request has a checksum. After the last
/// byte the upload is READY, or it is rejected: its bytes are deleted, and the media object has the reason in `failure` for a
/// day.
#[utoipa::path(patch, path = "/media/uploads/{id}", operation_id = "appendToUpload", tag = "Resumable uploads",
    params(("id" = Uuid, Path, description = "The upload's ID, which is its media ID."),
        ("Tus-Resumable" = String, Header, description = "The protocol's version.", pattern = "^1\\.0\\.0$", example = "1.0.0"),
        ("Upload-Offset" = String, Header, pattern = "^(0|[1-9][0-9]{0,11})$", description = "The position of the bytes."),
        ("Upload-Checksum" = Option<String>, Header, nullable = false, pattern = "^(sha1|sha256) [A-Za-z0-9+/]+={0,2}$", description = "The checksum of the body: `sha1` or `sha256`, a space, the checksum in base64.")),
    request_body(content = Vec<u8>, content_type = "application/offset+octet-stream"),
    responses((status = 204, description = "The bytes are received.",
        headers(("Upload-Offset" = u64, description = "How many bytes are received now."), ("Upload-Expires" = String, description = "When it is deleted unless it is complete.")))),
    extensions(("x-error-codes" = json!(["invalid_request", "invalid_media_file", "media_not_found", "media_too_large", "upload_offset_conflict",
        "upload_locked", "payload_too_large", "unsupported_media_type", "checksum_mismatch", "unsupported_tus_version"]))))]
pub async fn append(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<MediaId>, ApiError>,
    conditions: Conditions,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    check_type(&parts)?;
    let read = AppendToUpload::read(|name| text(&parts.headers, name));
    let (id, append) = both(id, read)?;
    app.check_media(caller.workspace().id, id, &conditions.expected())
        .await?;
    let chunk = Chunk::new(append, body.size_hint().exact(), body.into_data_stream().boxed());
    let standing = app.append_to_upload(caller.workspace().id, id, chunk).await?;
    Ok((StatusCode::NO_CONTENT, headers_of(&standing)).into_response())
}

/// Terminate an upload
///
/// Its bytes are deleted and its storage is freed. A finished upload is deleted like any other media.
#[utoipa::path(delete, path = "/media/uploads/{id}", operation_id = "terminateUpload", tag = "Resumable uploads",
    params(("id" = Uuid, Path, description = "The upload's ID, which is its media ID."),
        ("Tus-Resumable" = String, Header, description = "The protocol's version.", pattern = "^1\\.0\\.0$", example = "1.0.0")),
    responses((status = 204, description = "It is deleted.")),
    extensions(("x-error-codes" = json!(["invalid_request", "media_not_found", "media_in_use", "unsupported_tus_version"]))))]
pub async fn terminate(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<MediaId>,
    conditions: Conditions,
) -> Result<StatusCode, ApiError> {
    let seen = &caller.access().accounts;
    app.terminate_upload(
        caller.workspace().id,
        id,
        &caller.actor(),
        &conditions.expected(),
        seen,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// POST for clients that support neither PATCH nor DELETE: `X-HTTP-Method-Override` names the method.
pub async fn instead(
    state: State<Arc<App>>,
    caller: Caller,
    id: Result<Id<MediaId>, ApiError>,
    conditions: Conditions,
    request: Request,
) -> Result<Response, ApiError> {
    match text(request.headers(), METHOD_OVERRIDE.as_str()).as_deref() {
        Some("PATCH") => append(state, caller, id, conditions, request).await,
        Some("HEAD") => head(state, caller, id?).await,
        Some("DELETE") => Ok(terminate(state, caller, id?, conditions).await?.into_response()),
        _ => Ok(([(header::ALLOW, "HEAD, PATCH, DELETE")], method_not_allowed()).into_response()),
    }
}

fn read_create(request: Request) -> Result<(CreateUpload, Option<Chunk>), Refusal> {
    let (parts, body) = request.into_parts();
    let has_bytes = !body.is_end_stream();
    if has_bytes {
        check_type(&parts)?;
    }
    let create = CreateUpload::read(|name| text(&parts.headers, name));
    let checksum = Checksum::read(text(&parts.headers, "Upload-Checksum").as_deref());
    let (create, checksum) = match (create, checksum) {
        (Ok(create), Ok(checksum)) => (create, checksum),
        (create, checksum) => {
            let issues: Vec<Issue> = create.err().unwrap_or_default();
            return Err(Refusal::invalid(
                issues.into_iter().chain(checksum.err()).collect(),
            ));
        }
    };
    let first = has_bytes.then(|| {
        let append = AppendToUpload { offset: 0, checksum };
        Chunk::new(append, body.size_hint().exact(), body.into_data_stream().boxed())
    });
    Ok((create, first))
}

fn check_type(parts: &Parts) -> Result<(), Refusal> {
    let content_type = text(&parts.headers, "Content-Type").unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(OFFSET_OCTET_STREAM) {
        return Ok(());
    }
    let message = format!("The body must be {OFFSET_OCTET_STREAM}.");
    Err(Refusal::new(Code::UnsupportedMediaType, message))
}

/// A header's text. Bytes that are not text become characters that no header accepts.
fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn headers_of(standing: &Standing) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("upload-offset", HeaderValue::from(standing.offset));
    let expires = standing
        .expires_at
        .map(|time| HeaderValue::try_from(time.http_date()));
    if let Some(Ok(expires)) = expires {
        headers.insert("upload-expires", expires);
    }
    headers
}
