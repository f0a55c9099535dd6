//! `/media`: upload, list.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::error::{Code, Issue, IssueCode, Refusal, Violation};
use playout_domain::media::{Media, MediaType, MimeType, clean_file_name};
use playout_store::{InFolder, MediaFilter, Page, Stored};
use playout_wire::media::{MediaBody, MediaList};
use playout_wire::page::Cursor;
use playout_wire::read::parse_uuid;

use crate::api::auth::Caller;
use crate::api::conditions::stored_with_tag;
use crate::api::error::ApiError;
use crate::api::idempotency::{IdempotencyKey, in_json};
use crate::api::json::Json;
use crate::api::multipart::{Form, FormError, Part};
use crate::api::params::Query;
use crate::app::App;
use crate::app::media::{Incoming, UploadForm, invalid_file, unsupported};
use axum::body::HttpBody;

/// The longest text part of a form.
const MAX_TEXT_BYTES: usize = 4096;

/// Upload a file
///
/// An image or a video. Its type is detected from its bytes; a declared type must not contradict it. The parts may be in any
/// order. For large files over bad connections there are resumable uploads.
#[utoipa::path(post, path = "/media", operation_id = "uploadMedia", tag = "Media",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/UploadForm"), content_type = "multipart/form-data"),
    responses((status = 201, description = "The file, READY.", body = MediaBody)),
    extensions(("x-error-codes" = json!(["invalid_request", "invalid_media_file", "folder_not_found", "storage_limit_reached",
        "media_too_large", "unsupported_media_type"]))))]
pub async fn upload(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    request: Request,
) -> Result<Response, ApiError> {
    let length = request.body().size_hint().exact();
    let mut parts = Form::of(request).map_err(unreadable)?;
    key.check()?;
    let mut form = FormReader::default();
    while let Some(part) = parts.next_part().await.map_err(unreadable)? {
        match part.name.as_str() {
            "file" if form.incoming.is_some() => {
                return Err(invalid_file("the form has more than one file; send a request for each").into());
            }
            "file" => form.incoming = Some(receive(&app, &caller, part, length, &mut form.own_name).await?),
            "fileName" | "mimeType" | "mediaType" | "folderId" => form.text(part).await?,
            _ => {}
        }
    }
    let (incoming, form) = form.done()?;
    let received = incoming.seal().await?;
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let same = key.same(&caller, "POST /media", app.now(), || form.canonical(&received));
    let work = move |kept| async move { worker.accept(&workspace, received, form, &kept).await };
    same.once(&app, uploaded, work).await
}

fn uploaded(app: &App, media: &Media) -> Stored {
    let body = MediaBody::new(media.clone(), &app.media_url());
    stored_with_tag(in_json(StatusCode::CREATED, &body), &body)
}

async fn receive(
    app: &Arc<App>,
    caller: &Caller,
    mut part: Part<'_>,
    body_length: Option<u64>,
    own_name: &mut Option<String>,
) -> Result<Incoming, ApiError> {
    let name = part.file_name.as_deref().map(clean_file_name);
    *own_name = name.filter(|name| !name.is_empty());
    let mut incoming = app.receive(caller.workspace(), body_length).await?;
    while let Some(bytes) = part.chunk().await.map_err(unreadable)? {
        incoming.write(bytes).await?;
    }
    Ok(incoming)
}

/// A part's text, cut at the longest that any part may have; the rest is read and discarded.
async fn read_text(part: &mut Part<'_>) -> Result<String, Refusal> {
    let mut text = Vec::new();
    while let Some(bytes) = part.chunk().await.map_err(unreadable)? {
        let room = MAX_TEXT_BYTES.saturating_sub(text.len());
        text.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn unreadable(error: FormError) -> Refusal {
    match error {
        FormError::NoForm => Refusal::new(
            Code::UnsupportedMediaType,
            "The body must be multipart/form-data.",
        ),
        other => invalid_file(format!("the form cannot be read: {other}")),
    }
}

/// Collects the parts of an upload form, in any order.
#[derive(Default)]
struct FormReader {
    incoming: Option<Incoming>,
    own_name: Option<String>,
    form: UploadForm,
    issues: Vec<Issue>,
    type_problem: Option<Refusal>,
}

impl FormReader {
    async fn text(&mut self, mut part: Part<'_>) -> Result<(), ApiError> {
        let text = read_text(&mut part).await?;
        match (part.name.as_str(), text.trim()) {
            (_, "") => {}
            ("fileName", text) => self.form.file_name = Some(clean_file_name(text)),
            ("mimeType", text) => match MimeType::parse(text) {
                Some(mime) => self.form.mime = Some(mime),
                None => self.type_problem = Some(unsupported(text)),
            },
            ("mediaType", "image") => self.form.media_type = Some(MediaType::Image),
            ("mediaType", "video") => self.form.media_type = Some(MediaType::Video),
            ("mediaType", _) => self
                .issues
                .push(Issue::field("mediaType", Violation::one_of(&["image", "video"]))),
            (_, "null") => {}
            (_, text) => match parse_uuid(text) {
                Some(id) => self.form.folder_id = Some(id),
                None => self.issues.push(Issue::field(
                    "folderId",
                    IssueCode::Format.with("must be a UUID or null"),
                )),
            },
        }
        Ok(())
    }

    fn done(self) -> Result<(Incoming, UploadForm), Refusal> {
        if !self.issues.is_empty() {
            return Err(Refusal::invalid(self.issues));
        }
        if let Some(problem) = self.type_problem {
            return Err(problem);
        }
        let incoming = self
            .incoming
            .ok_or_else(|| invalid_file("the form has no part called file"))?;
        let file_name = self
            .form
            .file_name
            .filter(|name| !name.is_empty())
            .or(self.own_name);
        Ok((
            incoming,
            UploadForm {
                file_name,
                ..self.form
            },
        ))
    }
}

/// List media
///
/// Newest first. A page never repeats or skips a file because others were added meanwhile.
#[utoipa::path(get, path = "/media", operation_id = "listMedia", tag = "Media",
    params(
        ("folderId" = Option<String>, Query, nullable = false, description = "Only this folder's: its UUID, or `null` for the root. Default: all.", pattern = "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|null)$"),
        ("mediaType" = Option<String>, Query, nullable = false, description = "Only `image` or only `video`.", pattern = "^(image|video)$"),
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "The most items; default 1000."),
        ("cursor" = Option<String>, Query, nullable = false, pattern = "^[A-Za-z0-9_-]{32}$", description = "`nextCursor` of the previous page.")),
    responses((status = 200, description = "The media.", body = MediaList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    query: Query,
) -> Result<Json<MediaList>, ApiError> {
    let (filter, page) = read_list(query)?;
    let limit = page.limit - 1;
    let mut rows = app.store.list_media(caller.workspace().id, filter, page).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more);
    let next_cursor = last.map(|media| {
        Cursor {
            at: media.created_at,
            id: media.id.0,
        }
        .encode()
    });
    let media_url = app.media_url();
    Ok(Json(MediaList {
        media: rows
            .into_iter()
            .map(|media| MediaBody::new(media, &media_url))
            .collect(),
        next_cursor,
    }))
}

fn read_list(mut query: Query) -> Result<(MediaFilter, Page), Refusal> {
    let folder = match query.text("folderId").as_deref() {
        None => InFolder::All,
        Some("null") => InFolder::Root,
        Some(_) => query.id("folderId").map_or(InFolder::All, InFolder::In),
    };
    let media_type = match query.text("mediaType").as_deref() {
        None => None,
        Some("image") => Some(MediaType::Image),
        Some("video") => Some(MediaType::Video),
        Some(_) => {
            query.problem("mediaType", Violation::one_of(&["image", "video"]));
            None
        }
    };
    let (limit, cursor) = query.page();
    query.done()?;
    Ok((
        MediaFilter { folder, media_type },
        Page {
            limit: limit + 1,
            after: cursor.map(|cursor| (cursor.at, cursor.id)),
        },
    ))
}
