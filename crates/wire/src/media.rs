//! Media and folders on the wire (seed, "Media object", "Media folder"; contract §3).

use playout_domain::error::Issue;
use playout_domain::id::{FolderId, MediaId, WorkspaceId};
use playout_domain::media::{Folder, MAX_FILE_NAME_CHARS, Media, Probe, clean_file_name};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::Value;

use crate::read::{ObjectReader, read_body};

/// The longest name of a folder, in characters.
const MAX_FOLDER_NAME_CHARS: usize = 255;

/// `{ media: [...], nextCursor }`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaList {
    /// Newest first.
    pub media: Vec<MediaBody>,
    /// What to ask for next, if there is more.
    pub next_cursor: Option<String>,
}

/// A media object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaBody {
    id: MediaId,
    storage_key: String,
    public_url: String,
    preview_url: String,
    mime_type: &'static str,
    size: Option<u64>,
    media_type: &'static str,
    original_file_name: String,
    status: &'static str,
    thumbnail_metadata: Option<ThumbnailMetadata>,
    finalized_at: Option<Time>,
    folder_id: Option<FolderId>,
    created_at: Time,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThumbnailMetadata {
    width: Option<u32>,
    height: Option<u32>,
    preview_width: Option<u32>,
    preview_height: Option<u32>,
    blurhash: Option<String>,
    duration_ms: Option<u64>,
    video_codec: Option<String>,
    audio_codec: Option<String>,
    frame_rate: Option<f64>,
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
    /// The object as shown; `media_url` is the public address under which storage keys are served.
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
            media_type: media.mime.media_type().as_str(),
            original_file_name: media.file_name,
            status: media.status.as_str(),
            thumbnail_metadata: media.probe.map(ThumbnailMetadata::from),
            finalized_at: media.finalized_at,
            folder_id: media.folder_id,
            created_at: media.created_at,
        }
    }
}

/// `{ folders: [...] }`
#[derive(Debug, Serialize)]
pub struct FolderList {
    /// By name.
    pub folders: Vec<FolderBody>,
}

/// A folder.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FolderBody {
    id: FolderId,
    organization_id: WorkspaceId,
    name: String,
    created_at: Time,
    updated_at: Time,
}

impl FolderBody {
    /// The folder as shown.
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

/// A request to change a media object; `None` leaves a part as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdateMedia {
    /// Its name, cleaned as at upload.
    pub file_name: Option<String>,
    /// Its folder; `Some(None)` is the root (contract §10.6).
    pub folder_id: Option<Option<FolderId>>,
}

impl UpdateMedia {
    /// Reads the body of a change.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let file_name = reader.given("fileName", read_file_name);
            let folder_id = reader.id_or_null("folderId");
            Some(Self {
                file_name: file_name?,
                folder_id: folder_id?,
            })
        })
    }
}

fn read_file_name(reader: &mut ObjectReader<'_>) -> Option<String> {
    let name = clean_file_name(&reader.trimmed_text("fileName", MAX_FILE_NAME_CHARS)?);
    if name.is_empty() {
        reader.problem("fileName", "must name a file");
        return None;
    }
    Some(name)
}

/// A request to make a folder, or to give one another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameFolder {
    /// 1–255 characters, without white space around them.
    pub name: String,
}

impl NameFolder {
    /// Reads the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            reader
                .trimmed_text("name", MAX_FOLDER_NAME_CHARS)
                .map(|name| Self { name })
        })
    }
}
