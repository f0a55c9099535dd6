//! What a file contains, found without decoding it: sizes, orientation, duration, codecs.

use std::io::{Read, Seek, SeekFrom};

use playout_domain::media::MimeType;

use crate::header::ImageHeader;
use crate::orientation::Orientation;
use crate::refusal::{IMAGE_MAX_BYTES, IMAGE_MAX_SIDE, ProbeError};
use crate::video::Video;
use crate::{isobmff, jpeg, webm};

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

/// Reads a video's headers. Memory stays flat whatever the file's size.
pub(crate) fn video(mime: MimeType, reader: &mut (impl Read + Seek)) -> Result<Video, ProbeError> {
    let size_bytes = reader.seek(SeekFrom::End(0)).map_err(ProbeError::Storage)?;
    let read = match mime {
        MimeType::Webm => webm::read_movie(reader, size_bytes),
        _ => isobmff::read_movie(reader, size_bytes),
    };
    read.map_err(|why| why.about(mime))
}
