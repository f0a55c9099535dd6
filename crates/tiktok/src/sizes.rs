//! The most that a post may have: of its texts, its photos and its video.

use playout_domain::platform::{Connection, Platform};

use crate::settings::{self, PostMode};

/// UTF-16 code units of a caption.
pub(crate) const MAX_CAPTION: u32 = 2200;
/// UTF-16 code units of a photo post's title.
pub(crate) const MAX_TITLE: u32 = 90;
/// UTF-16 code units of a comment. The portal's text of 2025, and most clients, have 150 characters; its text for replies,
/// and one client of 2026, 1,200. What is too long is rejected when it is too late to change it, so the smaller holds.
pub(crate) const MAX_COMMENT: u32 = 150;
pub(crate) const MAX_IMAGES: u32 = 35;
pub(crate) const MAX_IMAGE_BYTES: u64 = 20_000_000;
/// The longest video that the inbox takes.
pub(crate) const MAX_INBOX_SECS: u64 = 600;

/// The limits of a video that differ between accounts and ways to post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VideoLimits {
    pub(crate) max_bytes: u64,
    pub(crate) least_secs: Option<u64>,
    pub(crate) longest_secs: Option<u64>,
}

impl VideoLimits {
    /// What `platform` takes when it is posted to by `mode`. The business API takes less: 1 GB, 3 to 600 seconds.
    pub(crate) fn of(platform: &Platform, mode: PostMode) -> Self {
        let longest_secs = match mode {
            PostMode::Direct => settings::longest_video_secs(platform),
            PostMode::Inbox => Some(MAX_INBOX_SECS),
        };
        match platform.connection {
            Connection::Creator => Self {
                max_bytes: 4_000_000_000,
                least_secs: None,
                longest_secs,
            },
            Connection::Business => Self {
                max_bytes: 1_000_000_000,
                least_secs: Some(3),
                longest_secs: Some(longest_secs.map_or(600, |longest| longest.min(600))),
            },
        }
    }
}

/// A size as people read it, such as `20.5 MB`.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}
