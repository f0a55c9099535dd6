//! What a file contains, found without decoding it: sizes, orientation, duration, codecs.

use std::io::{self, Read, Seek, SeekFrom};

use playout_domain::media::{MimeType, Probe};

use crate::orientation::Orientation;
use crate::sniff::Unrecognized;
use crate::{isobmff, jpeg, webm};

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

/// An image's header: everything that must be known before a single pixel is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageHeader {
    /// As stored, before the orientation is applied.
    pub(crate) width: u32,
    /// As stored.
    pub(crate) height: u32,
    pub(crate) orientation: Orientation,
}

impl ImageHeader {
    /// Width and height as displayed.
    pub(crate) fn displayed(self) -> (u32, u32) {
        if self.orientation.swaps_sides() {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        }
    }
}

/// Reads an image's header and checks every limit on it.
pub(crate) fn image_header(mime: MimeType, bytes: &[u8]) -> Result<ImageHeader, ProbeError> {
    let size_bytes = bytes.len() as u64;
    if size_bytes > IMAGE_MAX_BYTES {
        return Err(ProbeError::ImageBytes { size_bytes });
    }
    let (width, height) = match mime {
        MimeType::Webp => webp_size(bytes)?,
        _ => jpeg::size(bytes).map_err(|reason| ProbeError::unreadable(mime, reason))?,
    };
    let sides = 1..=IMAGE_MAX_SIDE;
    if !sides.contains(&width) || !sides.contains(&height) {
        return Err(ProbeError::ImageDimensions { width, height });
    }
    Ok(ImageHeader {
        width,
        height,
        orientation: Orientation::of(mime, bytes),
    })
}

fn webp_size(bytes: &[u8]) -> Result<(u32, u32), ProbeError> {
    let features = webp::BitstreamFeatures::new(bytes);
    let features = features.ok_or_else(|| ProbeError::unreadable(MimeType::Webp, "its header is damaged"))?;
    if features.has_animation() {
        return Err(ProbeError::Animated);
    }
    // The container states its length, so that a cut upload is seen without decoding.
    let stated = bytes
        .get(4..8)
        .and_then(|size| size.try_into().ok())
        .map_or(0, u32::from_le_bytes);
    if u64::from(stated) + 8 > bytes.len() as u64 {
        return Err(ProbeError::unreadable(
            MimeType::Webp,
            "it ends too early; the upload was cut off",
        ));
    }
    Ok((features.width(), features.height()))
}

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

/// Reads a video's headers. Memory stays flat whatever the file's size.
pub(crate) fn video(mime: MimeType, reader: &mut (impl Read + Seek)) -> Result<Video, ProbeError> {
    let size_bytes = reader.seek(SeekFrom::End(0)).map_err(ProbeError::Storage)?;
    let read = match mime {
        MimeType::Webm => webm::read_movie(reader, size_bytes),
        _ => isobmff::read_movie(reader, size_bytes),
    };
    read.map_err(|why| why.about(mime))
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

    fn about(self, mime: MimeType) -> ProbeError {
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
