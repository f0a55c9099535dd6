//! A publish task: what the app asked for, how far it is, how it ended.

use playout_domain::time::Time;
use serde::Serialize;
use sha2::Sha256;
use tokio_util::sync::CancellationToken;

use super::grants::App;
use super::media::Media;

/// Video or photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One video.
    Video,
    /// Photos, 1 to 35.
    Photo,
}

impl Kind {
    /// The word in permalinks.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Photo => "photo",
        }
    }
}

/// Posted directly, or left in the creator's inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// `DIRECT_PUBLISH` in webhooks.
    Direct,
    /// `INBOX_SHARE` in webhooks.
    Draft,
}

impl Mode {
    pub(super) fn publish_type(self) -> &'static str {
        match self {
            Self::Direct => "DIRECT_PUBLISH",
            Self::Draft => "INBOX_SHARE",
        }
    }
}

/// What the app sent about the post.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PostInfo {
    /// Caption of a video; title of photos.
    pub title: String,
    /// Caption of photos.
    pub description: String,
    /// `PUBLIC_TO_EVERYONE`, …; empty for drafts.
    pub privacy_level: String,
    /// Comments are disabled.
    pub disable_comment: bool,
    /// Duets are disabled.
    pub disable_duet: bool,
    /// Stitches are disabled.
    pub disable_stitch: bool,
    /// Paid partnership.
    pub brand_content_toggle: bool,
    /// The creator's own business.
    pub brand_organic_toggle: bool,
    /// Made with AI.
    pub is_aigc: bool,
    /// The provider adds music to photos.
    pub auto_add_music: bool,
    /// The video's cover frame, in milliseconds.
    pub video_cover_timestamp_ms: u64,
    /// The photo that is the cover.
    pub photo_cover_index: usize,
}

impl PostInfo {
    /// The text that people read under the post.
    pub fn caption(&self) -> String {
        match (self.title.as_str(), self.description.as_str()) {
            (title, "") => title.to_owned(),
            ("", description) => description.to_owned(),
            (title, description) => format!("{title}\n{description}"),
        }
    }
}

/// A file that the app sends in chunks.
#[derive(Debug, Clone)]
pub(super) struct Upload {
    pub(super) token: String,
    pub(super) media_id: String,
    pub(super) size: u64,
    pub(super) chunk: u64,
    pub(super) count: u64,
    pub(super) received: u64,
    /// When the last byte came.
    pub(super) complete_at: Option<Time>,
    pub(super) chunks: u64,
    /// A chunk is arriving right now.
    pub(super) busy: bool,
    pub(super) hash: Sha256,
    pub(super) expires_at: Time,
}

/// Files that the provider fetches.
#[derive(Debug, Clone)]
pub(super) struct Pull {
    pub(super) urls: Vec<String>,
    pub(super) downloaded: u64,
    /// Stops the download in its tracks.
    pub(super) abort: CancellationToken,
}

/// How the bytes come.
#[derive(Debug, Clone)]
pub(super) enum Source {
    File(Upload),
    Url(Pull),
}

/// How far a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stage {
    /// Bytes are awaited.
    Transfer,
    /// All bytes are here.
    Processing,
    /// The draft waits in the creator's inbox.
    Inbox,
    /// It is out.
    Complete,
    /// It never will be.
    Failed(String),
}

/// One publish task.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) publish_id: String,
    pub(super) open_id: String,
    /// Which app asked for it.
    pub(super) app: App,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
    pub(super) info: PostInfo,
    pub(super) source: Source,
    pub(super) stage: Stage,
    /// What the bytes are not fit for, found on arrival.
    pub(super) problem: Option<String>,
    pub(super) media: Vec<Media>,
    pub(super) inited_at: Time,
}

impl Task {
    /// The status as the provider words it.
    pub(super) fn status(&self) -> &'static str {
        match (&self.stage, &self.source) {
            (Stage::Transfer | Stage::Processing, Source::File(_)) => "PROCESSING_UPLOAD",
            (Stage::Transfer | Stage::Processing, Source::Url(_)) => "PROCESSING_DOWNLOAD",
            (Stage::Inbox, _) => "SEND_TO_USER_INBOX",
            (Stage::Complete, _) => "PUBLISH_COMPLETE",
            (Stage::Failed(_), _) => "FAILED",
        }
    }

    /// The `fail_reason` of a pull that did not work.
    pub(super) fn pull_failure(&self) -> &'static str {
        match self.kind {
            Kind::Video => "video_pull_failed",
            Kind::Photo => "photo_pull_failed",
        }
    }

    pub(super) fn upload_mut(&mut self) -> Option<&mut Upload> {
        match &mut self.source {
            Source::File(upload) => Some(upload),
            Source::Url(_) => None,
        }
    }

    /// Stops the downloads, if there are any.
    pub(super) fn abort(&self) {
        if let Source::Url(pull) = &self.source {
            pull.abort.cancel();
        }
    }

    /// Whether the task is an undelivered or unfinished draft.
    pub(super) fn waits_in_inbox(&self) -> bool {
        self.mode == Mode::Draft && self.stage == Stage::Inbox
    }
}
