//! Media and folders.

use playout_domain::time::Time;
use serde::Deserialize;

/// `{ media, nextCursor }`
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaList {
    /// Newest first.
    pub media: Vec<Media>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<String>,
}

/// A media object.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// Its ID, which posts refer to.
    pub id: String,
    /// The public address of its bytes.
    pub public_url: String,
    /// Detected from its bytes.
    pub mime_type: String,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// How many bytes are in, while it is uploaded in parts or imported; a service of before imports does not say.
    #[serde(default)]
    pub received_bytes: Option<u64>,
    /// Its name.
    pub original_file_name: String,
    /// `PENDING` or `READY`.
    pub status: String,
    /// Why it will never be READY.
    pub failure: Option<MediaFailure>,
    /// Its folder; `None` is the root.
    pub folder_id: Option<String>,
    /// When it was uploaded.
    pub created_at: Time,
}

/// Why a file could not be processed.
#[derive(Debug, Clone, Deserialize)]
pub struct MediaFailure {
    /// Such as `invalid_media_file` or `processing_failed`.
    pub code: String,
    /// The message for people.
    pub message: String,
}

/// `{ folders }`
#[derive(Debug, Clone, Deserialize)]
pub struct FolderList {
    /// By name.
    pub folders: Vec<Folder>,
}

/// A folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    /// Its ID.
    pub id: String,
    /// Unique in the workspace, ignoring case.
    pub name: String,
    /// When it was created.
    pub created_at: Time,
}
