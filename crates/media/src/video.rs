//! What a video's headers say, and why they could not be read.

use std::io;

use playout_domain::media::{MimeType, Probe};

use crate::refusal::ProbeError;

/// A video's headers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Video {
    /// As displayed, rotation applied.
    pub(crate) width: u32,
    /// As displayed, rotation applied.
    pub(crate) height: u32,
    pub(crate) rotation_degrees: u16,
    pub(crate) duration_ms: Option<u64>,
    pub(crate) video_codec: Option<String>,
    pub(crate) audio_codec: Option<String>,
    pub(crate) frame_rate: Option<f64>,
}

impl From<Video> for Probe {
    fn from(video: Video) -> Self {
        Self {
            width: Some(video.width),
            height: Some(video.height),
            duration_ms: video.duration_ms,
            video_codec: video.video_codec,
            audio_codec: video.audio_codec,
            frame_rate: video.frame_rate,
            rotation_degrees: video.rotation_degrees,
            ..Self::default()
        }
    }
}

/// Why a container could not be read; [`Unreadable::about`] adds whose container.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("{0}")]
    Because(&'static str),
    #[error("no video track")]
    NoVideo,
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Unreadable {
    pub(crate) const fn new(reason: &'static str) -> Self {
        Self::Because(reason)
    }

    pub(crate) const fn no_video() -> Self {
        Self::NoVideo
    }

    pub(crate) fn about(self, mime: MimeType) -> ProbeError {
        match self {
            Self::Because(reason) => ProbeError::unreadable(mime, reason),
            Self::NoVideo => ProbeError::NoVideoTrack { mime },
            Self::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                ProbeError::unreadable(mime, "it ends too early; the upload or the recording was cut off")
            }
            Self::Io(error) => ProbeError::Storage(error),
        }
    }
}

/// `duration` of `scale` units a second in milliseconds; `None` if it is zero or the scale is.
pub(crate) fn scaled_ms(duration: u64, scale: u32) -> Option<u64> {
    let scaled = (u128::from(duration) * 1000 + u128::from(scale / 2)).checked_div(u128::from(scale))?;
    u64::try_from(scaled).ok().filter(|ms| *ms > 0)
}
