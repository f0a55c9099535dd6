//! Photos for a provider with narrower limits than ours: upright, sRGB, without metadata, small enough.

use playout_domain::media::MimeType;

use crate::header::ImageHeader;
use crate::probe::image_header;
use crate::raster::{Raster, fit_within};
use crate::refusal::ProbeError;
use crate::render::render;
use crate::{colour, jpeg, orientation::Orientation};

/// What a provider accepts at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FitLimits {
    /// Pixels of the shorter side: 1080 for TikTok.
    pub max_short_side: u32,
    /// Pixels of the longer side: 1920 for TikTok.
    pub max_long_side: u32,
    /// Bytes of the file.
    pub max_bytes: usize,
}

/// Why there is no rendition.
#[derive(Debug, thiserror::Error)]
pub enum RenditionError {
    /// The image itself is not readable, or no image.
    #[error(transparent)]
    Input(#[from] ProbeError),
    /// Not even a thumbnail at the lowest quality is small enough.
    #[error("the image does not fit in {max_bytes} bytes")]
    Bytes {
        /// The limit.
        max_bytes: usize,
    },
}

/// Tried in this order until the file is small enough.
const QUALITIES: [i32; 6] = [90, 82, 74, 66, 58, 50];
/// Below this, smaller is no picture any more.
const MIN_LONG_SIDE: u32 = 64;

/// Makes a JPEG of the image file `input` that keeps `limits`, never enlarged.
///
/// EXIF rotation is applied, colours are brought to sRGB, metadata is gone, transparency lies on white. A JPEG that
/// needs none of this keeps its very pixels: only its metadata is cut out. Blocks for tens of milliseconds.
pub fn fit_jpeg(input: &[u8], mime: MimeType, limits: FitLimits) -> Result<Vec<u8>, RenditionError> {
    let header = image_header(mime, input)?;
    let shown = fitted(header.displayed(), limits);
    if mime == MimeType::Jpeg
        && shown == header.displayed()
        && keeps_its_pixels(input, header)
        && let Some(file) = jpeg::stripped(input).filter(|file| file.len() <= limits.max_bytes)
    {
        // The recipient must be able to decode the file to its end; at an eighth of the size that is cheap to check.
        jpeg::decode(&file, (1, 1)).map_err(|reason| ProbeError::unreadable(mime, reason))?;
        return Ok(file);
    }
    squeeze(render(mime, input, header, shown)?, limits)
}

/// The largest size of this shape within the limits.
fn fitted((width, height): (u32, u32), limits: FitLimits) -> (u32, u32) {
    let upright = (limits.max_short_side, limits.max_long_side);
    let box_size = if width > height {
        (upright.1, upright.0)
    } else {
        upright
    };
    fit_within((width, height), box_size)
}

fn keeps_its_pixels(input: &[u8], header: ImageHeader) -> bool {
    header.orientation == Orientation::Upright
        && jpeg::is_plain(input)
        && colour::foreign_profile(MimeType::Jpeg, input).is_none()
}

/// Lowers the quality, then the size, until the file is small enough.
fn squeeze(mut raster: Raster, limits: FitLimits) -> Result<Vec<u8>, RenditionError> {
    let failed = |reason: String| ProbeError::unreadable(MimeType::Jpeg, reason);
    loop {
        for quality in QUALITIES {
            let file = jpeg::encode(&raster, quality).map_err(failed)?;
            if file.len() <= limits.max_bytes {
                return Ok(file);
            }
        }
        let smaller = (raster.width * 3 / 4, raster.height * 3 / 4);
        if smaller.0.max(smaller.1) < MIN_LONG_SIDE {
            return Err(RenditionError::Bytes {
                max_bytes: limits.max_bytes,
            });
        }
        raster = raster
            .resized((smaller.0.max(1), smaller.1.max(1)))
            .map_err(failed)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: FitLimits = FitLimits {
        max_short_side: 1080,
        max_long_side: 1920,
        max_bytes: 20_000_000,
    };

    #[test]
    fn pictures_are_fitted_lying_or_standing() {
        assert_eq!(fitted((1086, 1448), LIMITS), (1080, 1440));
        assert_eq!(fitted((4000, 3000), LIMITS), (1440, 1080));
        assert_eq!(fitted((3000, 3000), LIMITS), (1080, 1080));
        assert_eq!(fitted((941, 1672), LIMITS), (941, 1672));
        assert_eq!(fitted((8000, 1000), LIMITS), (1920, 240));
    }
}
