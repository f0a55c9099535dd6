//! From an image file to a picture of the right size.

use playout_domain::media::MimeType;

use crate::header::ImageHeader;
use crate::raster::{FULL_PIXELS, Raster, fit_within, on_white};
use crate::refusal::ProbeError;
use crate::{colour, jpeg, scaled_webp};

/// Decodes an image file whose header was checked, at exactly `shown` pixels: scaled, in sRGB, upright, opaque.
pub(crate) fn render(
    mime: MimeType,
    file: &[u8],
    header: ImageHeader,
    shown: (u32, u32),
) -> Result<Raster, ProbeError> {
    let stored = if header.orientation.swaps_sides() {
        (shown.1, shown.0)
    } else {
        shown
    };
    let decoded = match mime {
        MimeType::Webp => decode_webp(file, stored),
        _ => jpeg::decode(file, stored),
    };
    let decoded = decoded.map_err(|reason| ProbeError::unreadable(mime, reason))?;
    let resized = decoded
        .resized(stored)
        .map_err(|reason| ProbeError::unreadable(mime, reason))?;
    let coloured = match colour::foreign_profile(mime, file) {
        Some(profile) => colour::to_srgb(resized, &profile),
        None => resized,
    };
    Ok(header.orientation.apply(coloured))
}

/// Decodes a picture whole, or one of very many pixels at twice `at_least` or more, to be resized well.
fn decode_webp(file: &[u8], at_least: (u32, u32)) -> Result<Raster, String> {
    let features = webp::BitstreamFeatures::new(file).ok_or("its header is damaged")?;
    let size = (features.width(), features.height());
    if u64::from(size.0) * u64::from(size.1) > FULL_PIXELS {
        let scaled = fit_within(size, (at_least.0 * 2, at_least.1 * 2));
        return scaled_webp::decode(file, scaled, features.has_alpha());
    }
    let image = webp::Decoder::new(file)
        .decode()
        .ok_or("its picture data is damaged or cut off")?;
    let rgb = if image.is_alpha() {
        on_white(&image)
    } else {
        image.to_vec()
    };
    Ok(Raster {
        width: image.width(),
        height: image.height(),
        rgb,
    })
}
