//! Why a file is refused.

use std::io;

use playout_domain::media::MimeType;
use playout_domain::sniff::Unrecognized;

/// Pixels a side of an image (`docs/contract.md#media-limits`).
pub const IMAGE_MAX_SIDE: u32 = 8192;
/// Bytes of an image file (`docs/contract.md#media-limits`: 20 MB of 10⁶ bytes).
pub const IMAGE_MAX_BYTES: u64 = 20_000_000;

/// Why a file is refused. The messages are for the person who uploaded it.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// Its bytes are of none of the five accepted types.
    #[error(transparent)]
    Unrecognized(#[from] Unrecognized),
    /// It begins like its type and is not.
    #[error("the file is no readable {}: {reason}", kind(*mime))]
    Unreadable {
        /// The type by its first bytes.
        mime: MimeType,
        /// What is wrong with it.
        reason: String,
    },
    /// A video file with sound, or nothing, in it.
    #[error("the {} file has no video track", kind(*mime))]
    NoVideoTrack {
        /// The type by its first bytes.
        mime: MimeType,
    },
    /// A side of the image is too long.
    #[error("the image is {width}×{height} pixels; each side must be 1 to {IMAGE_MAX_SIDE}")]
    ImageDimensions {
        /// In pixels, as stored.
        width: u32,
        /// In pixels, as stored.
        height: u32,
    },
    /// The image file is too large.
    #[error("the image is {size_bytes} bytes; at most {IMAGE_MAX_BYTES} (20 MB) are accepted")]
    ImageBytes {
        /// The file's length.
        size_bytes: u64,
    },
    /// A JPEG of several scans that would take too much memory before its last.
    #[error(
        "the progressive JPEG has too many pixels; save it as a baseline JPEG, with 4:2:0 colour, or with less than 45 megapixels"
    )]
    ProgressiveSize,
    /// A WebP that moves.
    #[error("animated WebP images are not accepted; upload a still image, or a video")]
    Animated,
    /// The storage could not be read: not the file's fault.
    #[error("the stored file could not be read")]
    Storage(#[source] io::Error),
}

impl ProbeError {
    /// Whether the service is at fault rather than the file.
    pub fn is_internal(&self) -> bool {
        matches!(self, Self::Storage(_))
    }

    pub(crate) fn unreadable(mime: MimeType, reason: impl Into<String>) -> Self {
        Self::Unreadable {
            mime,
            reason: reason.into(),
        }
    }
}

fn kind(mime: MimeType) -> &'static str {
    match mime {
        MimeType::Jpeg => "JPEG",
        MimeType::Webp => "WebP",
        MimeType::Mp4 => "MP4",
        MimeType::Webm => "WebM",
        MimeType::QuickTime => "QuickTime (MOV)",
    }
}
