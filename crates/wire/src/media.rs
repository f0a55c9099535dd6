//! Media and folders on the wire (`docs/contract.md#media-objects`, `docs/contract.md#folders`).

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::{FolderId, MediaId, WorkspaceId};
use playout_domain::media::{
    Folder, MAX_FILE_NAME_CHARS, Media, MediaFailure, MediaStatus, MediaType, MimeType, Probe,
    clean_file_name,
};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::read::{
    CheckUrl, FieldType, ObjectReader, Patch, checked_url, id_or_null, read_body, schema_of, trimmed_text,
};
use crate::schema::{UUID_OR_NULL, word_of};

/// The longest name of a folder, in characters.
const MAX_FOLDER_NAME_CHARS: usize = 255;

/// `{ media: [...], nextCursor }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaList {
    /// Newest first.
    pub media: Vec<MediaBody>,
    /// The cursor of the next page, if there is one.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A media object.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Media)]
pub struct MediaBody {
    /// Its ID, which posts refer to.
    #[schema(value_type = Uuid)]
    id: MediaId,
    /// Its unguessable address.
    storage_key: String,
    /// The public address of the bytes: supports ranges and ETag, can be cached for ever. 404 until READY.
    #[schema(format = Uri)]
    public_url: String,
    /// A JPEG or WebP at most 480 px wide; for a video, its poster frame. 404 until READY.
    #[schema(format = Uri)]
    preview_url: String,
    /// Detected from its bytes.
    #[schema(schema_with = mime_types)]
    mime_type: &'static str,
    /// Its size in bytes; null while it is not known. For an import without an announced size, what is reserved for it so far.
    #[schema(required)]
    size: Option<u64>,
    /// How many bytes are in, while it is uploaded in parts or imported; null otherwise.
    #[schema(required)]
    received_bytes: Option<u64>,
    /// Detected from its bytes.
    #[schema(schema_with = media_types)]
    media_type: &'static str,
    /// The name under which it was uploaded, or its new name.
    original_file_name: String,
    /// PENDING while a resumable upload or an import is in progress; READY when it is received and checked.
    #[schema(schema_with = media_statuses)]
    status: &'static str,
    /// Properties measured from its bytes.
    #[schema(required)]
    thumbnail_metadata: Option<ThumbnailMetadata>,
    /// When it became READY.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    finalized_at: Option<Time>,
    /// Its folder; null is the root.
    #[schema(value_type = Option<Uuid>, required)]
    folder_id: Option<FolderId>,
    /// Why a PENDING one will never be READY; null otherwise. It is deleted after a day.
    #[schema(required)]
    failure: Option<Failure>,
    /// When it was uploaded, or its upload began.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// The reason why a file could not be processed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MediaFailure)]
struct Failure {
    /// Such as `invalid_media_file`, `import_failed`, or `processing_failed`.
    code: String,
    /// The message for people.
    message: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ThumbnailMetadata {
    /// Pixels, as shown (rotation applied).
    #[schema(required)]
    width: Option<u32>,
    /// Pixels, as shown.
    #[schema(required)]
    height: Option<u32>,
    /// Pixels of the preview.
    #[schema(required)]
    preview_width: Option<u32>,
    /// Pixels of the preview.
    #[schema(required)]
    preview_height: Option<u32>,
    /// A placeholder to show while the preview loads.
    #[schema(required)]
    blurhash: Option<String>,
    /// Milliseconds; null for images.
    #[schema(required)]
    duration_ms: Option<u64>,
    /// Such as `h264`; null for images.
    #[schema(required)]
    video_codec: Option<String>,
    /// Such as `aac`; null without sound.
    #[schema(required)]
    audio_codec: Option<String>,
    /// Frames a second; null for images.
    #[schema(required)]
    frame_rate: Option<f64>,
}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("UploadForm", upload_schema()),
        (
            "ImportMedia",
            // The check is not part of a schema.
            schema_of(|reader| ImportMedia::fields(reader, &|_| Ok(()))),
        ),
        ("UpdateMedia", schema_of(UpdateMedia::fields)),
        ("NameFolder", schema_of(NameFolder::fields)),
    ]
}

/// A form with a file, which is not read as JSON.
fn upload_schema() -> Value {
    let properties = json!({
        "file": { "type": "string", "format": "binary", "description": "The file." },
        "fileName": { "type": "string", "description": "A name for it, instead of the file's own." },
        "mimeType": {
            "type": "string", "description": "The declared type; its bytes decide.",
            "enum": MimeType::ALL.map(MimeType::as_str),
        },
        "mediaType": { "type": "string", "description": "The declared kind.", "enum": ["image", "video"] },
        "folderId": {
            "type": "string", "pattern": UUID_OR_NULL,
            "description": "Its folder: a UUID, or the word `null` for the root.",
        },
    });
    json!({ "type": "object", "description": "A file and its metadata.", "required": ["file"], "properties": properties })
}

fn mime_types() -> Object {
    word_of(&MimeType::ALL.map(MimeType::as_str))
}

fn media_types() -> Object {
    word_of(
        &[
            MediaType::Image,
            MediaType::Video,
            MediaType::Audio,
            MediaType::File,
        ]
        .map(MediaType::as_str),
    )
}

fn media_statuses() -> Object {
    word_of(&[MediaStatus::Pending, MediaStatus::Ready].map(MediaStatus::as_str))
}

impl From<Probe> for ThumbnailMetadata {
    fn from(probe: Probe) -> Self {
        Self {
            width: probe.width,
            height: probe.height,
            preview_width: probe.preview_width,
            preview_height: probe.preview_height,
            blurhash: probe.blurhash,
            duration_ms: probe.duration_ms,
            video_codec: probe.video_codec,
            audio_codec: probe.audio_codec,
            frame_rate: probe.frame_rate,
        }
    }
}

impl MediaBody {
    /// The object as returned; `media_url` is the public base address of storage keys.
    pub fn new(media: Media, media_url: &str) -> Self {
        let address = |key: &str| format!("{media_url}/{key}");
        let public_url = address(&media.storage_key);
        Self {
            id: media.id,
            preview_url: media
                .preview_key
                .as_deref()
                .map_or_else(|| public_url.clone(), address),
            public_url,
            storage_key: media.storage_key,
            mime_type: media.mime.as_str(),
            size: media.size_bytes,
            received_bytes: media.received_bytes,
            media_type: media.mime.media_type().as_str(),
            original_file_name: media.file_name,
            status: media.status.as_str(),
            thumbnail_metadata: media.probe.map(ThumbnailMetadata::from),
            finalized_at: media.finalized_at,
            folder_id: media.folder_id,
            failure: media
                .failure
                .map(|MediaFailure { code, message }| Failure { code, message }),
            created_at: media.created_at,
        }
    }
}

/// `{ folders: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct FolderList {
    /// By name.
    pub folders: Vec<FolderBody>,
}

/// A folder.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Folder)]
pub struct FolderBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: FolderId,
    /// The workspace.
    #[schema(value_type = Uuid)]
    organization_id: WorkspaceId,
    /// Unique in the workspace, ignoring case.
    name: String,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it was last renamed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

impl FolderBody {
    /// The folder as returned.
    pub fn new(folder: Folder, workspace: WorkspaceId) -> Self {
        Self {
            id: folder.id,
            organization_id: workspace,
            name: folder.name,
            created_at: folder.created_at,
            updated_at: folder.updated_at,
        }
    }
}

/// A request to import a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportMedia {
    /// Where the file is.
    pub url: String,
    /// A name for it, cleaned as at upload.
    pub file_name: Option<String>,
    /// Its folder.
    pub folder_id: Option<FolderId>,
}

impl ImportMedia {
    /// Reads the body; `check` validates the address.
    pub fn read(body: &Value, check: CheckUrl<'_>) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, check))
    }

    fn fields(reader: &mut ObjectReader<'_>, check: CheckUrl<'_>) -> Option<Self> {
        reader.about("A file to fetch.");
        let url = reader.required(
            "url",
            checked_url(check),
            "The address of the file, http or https; not a private one, and without a user or a password.",
        );
        let file_name = reader.optional(
            "fileName",
            file_name(),
            "A name for it, instead of the one in its address.",
        );
        let folder_id = reader.optional_or_null("folderId", id_or_null(), "Its folder; null is the root.");
        Some(Self {
            url: url?,
            file_name: file_name?,
            folder_id: folder_id?.flatten().flatten(),
        })
    }
}

/// A request to change a media object; `None` leaves a part unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdateMedia {
    /// Its name, cleaned as at upload.
    pub file_name: Option<String>,
    /// Its folder; `Some(None)` is the root (`docs/contract.md#media-objects`).
    pub folder_id: Option<Option<FolderId>>,
}

impl Patch for UpdateMedia {
    const FIELDS: &'static [&'static str] = &["fileName", "folderId"];

    fn changed_by(field: &str) -> &'static str {
        match field {
            "originalFileName" => "cannot be changed here; `fileName` renames the file",
            _ => "is set by the service; upload another file instead",
        }
    }
}

impl UpdateMedia {
    /// Reads the body of a change.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("What to change of a media object; absent fields stay unchanged.");
        let file_name = reader.optional("fileName", file_name(), "Its name.");
        let folder_id = reader.optional_or_null(
            "folderId",
            id_or_null(),
            "Its folder: a UUID; `null`, or the word `null`, is the root.",
        );
        Some(Self {
            file_name: file_name?,
            folder_id: folder_id?.map(Option::flatten),
        })
    }
}

/// The name of a file, cleaned.
fn file_name() -> impl FieldType<Parsed = String> {
    trimmed_text(MAX_FILE_NAME_CHARS).then(|name| match clean_file_name(&name) {
        name if name.is_empty() => Err(IssueCode::Format.with("must name a file")),
        name => Ok(name),
    })
}

/// A request to create or rename a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameFolder {
    /// 1–255 characters, without white space around them.
    pub name: String,
}

impl Patch for NameFolder {
    const FIELDS: &'static [&'static str] = &["name"];

    fn changed_by(_: &str) -> &'static str {
        "is set by the service"
    }
}

impl NameFolder {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("The name of a folder.");
        let name = reader.required(
            "name",
            trimmed_text(MAX_FOLDER_NAME_CHARS),
            "Trimmed; unique in the workspace, ignoring case.",
        );
        Some(Self { name: name? })
    }
}
