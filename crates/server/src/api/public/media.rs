//! `/media`: upload, list; `/media/folders`: list.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use playout_domain::error::{Code, Issue, Refusal};
use playout_domain::media::{MediaType, MimeType};
use playout_store::{InFolder, MediaFilter, Page};
use playout_wire::media::{FolderBody, FolderList, MediaBody, MediaList};
use playout_wire::page::Cursor;
use playout_wire::read::parse_uuid;

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::api::multipart::{Form, FormError, Part};
use crate::api::params::Query;
use crate::app::App;
use crate::app::media::{Incoming, UploadForm, invalid_file};

/// The longest text part of a form, and the longest file name.
const MAX_TEXT_BYTES: usize = 4096;
const MAX_NAME_CHARS: usize = 255;

/// Takes one file in.
pub async fn upload(
    State(app): State<Arc<App>>,
    caller: Caller,
    request: Request,
) -> Result<(StatusCode, Json<MediaBody>), ApiError> {
    let mut parts = Form::of(request).map_err(unreadable)?;
    let mut form = FormReader::default();
    while let Some(part) = parts.next_part().await.map_err(unreadable)? {
        match part.name.as_str() {
            "file" => form.incoming = Some(receive(&app, &caller, part, &mut form.own_name).await?),
            "fileName" | "mimeType" | "mediaType" | "folderId" => form.text(part).await?,
            _ => {}
        }
    }
    let (incoming, form) = form.done()?;
    let media = app.accept(caller.workspace(), incoming, form).await?;
    Ok((StatusCode::CREATED, Json(MediaBody::new(media, &app.media_url()))))
}

async fn receive(
    app: &App,
    caller: &Caller,
    mut part: Part<'_>,
    own_name: &mut Option<String>,
) -> Result<Incoming, ApiError> {
    let name = part.file_name.as_deref().map(clean_name);
    *own_name = name.filter(|name| !name.is_empty());
    let mut incoming = app.receive(caller.workspace()).await?;
    while let Some(bytes) = part.chunk().await.map_err(unreadable)? {
        incoming.write(bytes).await?;
    }
    Ok(incoming)
}

/// A part's text, cut at the most that any of them may mean; the rest is read and thrown away.
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

/// The last part of a path, as some clients send one; without control characters.
fn clean_name(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    base.chars()
        .filter(|character| !character.is_control())
        .take(MAX_NAME_CHARS)
        .collect()
}

/// Collects the parts of an upload form, in whatever order they come.
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
            ("fileName", text) => self.form.file_name = Some(clean_name(text)),
            ("mimeType", text) => match MimeType::parse(text) {
                Some(mime) => self.form.mime = Some(mime),
                None => self.type_problem = Some(unsupported(text)),
            },
            ("mediaType", "image") => self.form.media_type = Some(MediaType::Image),
            ("mediaType", "video") => self.form.media_type = Some(MediaType::Video),
            ("mediaType", _) => self
                .issues
                .push(Issue::field("mediaType", "must be one of image, video")),
            (_, "null") => {}
            (_, text) => match parse_uuid(text) {
                Some(id) => self.form.folder_id = Some(id),
                None => self
                    .issues
                    .push(Issue::field("folderId", "must be a UUID or null")),
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

fn unsupported(claimed: &str) -> Refusal {
    let known = MimeType::ALL.map(MimeType::as_str).join(", ");
    invalid_file(format!(
        "mimeType {claimed:?} is not supported; it must be one of {known}"
    ))
}

/// Lists media, newest first.
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
            query.problem("mediaType", "must be one of image, video");
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

/// Lists folders by name.
pub async fn list_folders(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<FolderList>, ApiError> {
    let workspace = caller.workspace().id;
    let folders = app.store.list_folders(workspace).await?;
    Ok(Json(FolderList {
        folders: folders
            .into_iter()
            .map(|folder| FolderBody::new(folder, workspace))
            .collect(),
    }))
}
