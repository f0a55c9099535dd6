//! Media: uploaded or composed files, and what is known of their contents.

use serde::{Deserialize, Serialize};

use crate::id::{FolderId, MediaId};
use crate::text::is_deceptive;
use crate::time::Time;

/// What kind of thing a file is: the `mediaType` of a media object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaType {
    /// A still picture.
    Image,
    /// A moving picture.
    Video,
    /// Sound alone.
    Audio,
    /// Anything else.
    File,
}

impl MediaType {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::File => "file",
        }
    }
}

/// The five types the service takes (`docs/contract.md#uploads`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MimeType {
    /// `image/jpeg`
    Jpeg,
    /// `image/webp`
    Webp,
    /// `video/mp4`
    Mp4,
    /// `video/webm`
    Webm,
    /// `video/quicktime`
    QuickTime,
}

impl MimeType {
    /// All of them, in the order of the reference.
    pub const ALL: [Self; 5] = [Self::Jpeg, Self::Webp, Self::Mp4, Self::Webm, Self::QuickTime];

    /// The registered name (RFC 2046, RFC 9649, RFC 4337).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Mp4 => "video/mp4",
            Self::Webm => "video/webm",
            Self::QuickTime => "video/quicktime",
        }
    }

    /// The type of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|mime| mime.as_str().eq_ignore_ascii_case(name))
    }

    /// Whether it is an image or a video.
    pub const fn media_type(self) -> MediaType {
        match self {
            Self::Jpeg | Self::Webp => MediaType::Image,
            Self::Mp4 | Self::Webm | Self::QuickTime => MediaType::Video,
        }
    }

    /// The usual ending of a file's name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
            Self::QuickTime => "mov",
        }
    }
}

/// What looking into a file found; fields that do not apply to its kind are `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// Width as displayed, in pixels, rotation applied.
    pub width: Option<u32>,
    /// Height as displayed, in pixels, rotation applied.
    pub height: Option<u32>,
    /// Width of the preview, in pixels.
    pub preview_width: Option<u32>,
    /// Height of the preview, in pixels.
    pub preview_height: Option<u32>,
    /// A blurred stand-in for the preview (BlurHash, 4×3 components).
    pub blurhash: Option<String>,
    /// Length of a video in milliseconds.
    pub duration_ms: Option<u64>,
    /// `h264`, `h265`, `vp8`, `vp9`, …
    pub video_codec: Option<String>,
    /// `aac`, `opus`, …
    pub audio_codec: Option<String>,
    /// Pictures a second.
    pub frame_rate: Option<f64>,
    /// How far a player turns the stored picture, clockwise: 0, 90, 180 or 270.
    #[serde(default)]
    pub rotation_degrees: u16,
}

/// Where a media object is in its life (`docs/contract.md#media-objects`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaStatus {
    /// A resumable upload or an import that still misses bytes.
    Pending,
    /// Complete and checked.
    Ready,
}

impl MediaStatus {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Ready => "READY",
        }
    }
}

/// A media object (`docs/contract.md#media-objects`).
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// Its identifier.
    pub id: MediaId,
    /// Where its bytes are; unguessable, because it is part of the public address.
    pub storage_key: String,
    /// Where its preview's bytes are.
    pub preview_key: Option<String>,
    /// The type its bytes show.
    pub mime: MimeType,
    /// How many bytes.
    pub size_bytes: Option<u64>,
    /// How many of them are in, while it is uploaded in parts or imported.
    pub received_bytes: Option<u64>,
    /// The name it was uploaded under.
    pub file_name: String,
    /// PENDING or READY.
    pub status: MediaStatus,
    /// What its contents are.
    pub probe: Option<Probe>,
    /// SHA-256 of its bytes.
    pub sha256: Option<Vec<u8>>,
    /// When it became READY.
    pub finalized_at: Option<Time>,
    /// Its folder; `None` is the root.
    pub folder_id: Option<FolderId>,
    /// Why a PENDING one will never be READY. It has no file any more.
    pub failure: Option<MediaFailure>,
    /// When it was made.
    pub created_at: Time,
}

/// Why a media object failed, for its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFailure {
    /// A stable code.
    pub code: String,
    /// What happened, in a sentence.
    pub message: String,
}

/// A folder of media.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Its identifier.
    pub id: FolderId,
    /// 1–255 characters, unique in the workspace ignoring case.
    pub name: String,
    /// When it was made.
    pub created_at: Time,
    /// When it was last renamed.
    pub updated_at: Time,
}

/// How many folders a workspace has at most.
pub const MAX_FOLDERS: u32 = 1000;
/// How many resumable uploads of a workspace are unfinished at most.
pub const MAX_UNFINISHED_UPLOADS: u32 = 200;

/// The longest name of a file, in characters.
pub const MAX_FILE_NAME_CHARS: usize = 255;

/// The name a file is kept under: the last part of a path, as some clients send one, without control characters and
/// those that change the direction of text, and cut at [`MAX_FILE_NAME_CHARS`]. May be empty.
pub fn clean_file_name(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    base.chars()
        .filter(|character| !is_deceptive(*character))
        .take(MAX_FILE_NAME_CHARS)
        .collect()
}
