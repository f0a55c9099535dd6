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
    let stored = header.orientation.sides(shown);
    let decoded = match mime {
        MimeType::Webp => decode_webp(file, stored),
        _ => jpeg::decode(file, stored),
    };
    finish(
        mime,
        file,
        header,
        decoded.and_then(|picture| picture.resized(stored)),
    )
}

/// The same, quicker and less sharp: a WebP is scaled while it is decoded.
pub(crate) fn render_quickly(
    mime: MimeType,
    file: &[u8],
    header: ImageHeader,
    shown: (u32, u32),
) -> Result<Raster, ProbeError> {
    let stored = header.orientation.sides(shown);
    if mime != MimeType::Webp || stored == (header.width, header.height) {
        return render(mime, file, header, shown);
    }
    let features = webp::BitstreamFeatures::new(file).ok_or("its header is damaged".to_owned());
    let decoded = features.and_then(|features| scaled_webp::decode(file, stored, features.has_alpha()));
    finish(mime, file, header, decoded)
}

/// Brings what was decoded to sRGB, and turns it.
fn finish(
    mime: MimeType,
    file: &[u8],
    header: ImageHeader,
    decoded: Result<Raster, String>,
) -> Result<Raster, ProbeError> {
    let decoded = decoded.map_err(|reason| ProbeError::unreadable(mime, reason))?;
    let coloured = match colour::foreign_profile(mime, file) {
        Some(profile) => colour::to_srgb(decoded, &profile),
        None => decoded,
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
