//! Decoded pictures, always 8-bit sRGB without alpha, and the steps from a file to one of the right size.

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use playout_domain::media::MimeType;

use crate::probe::{ImageHeader, ProbeError};
use crate::{colour, jpeg, scaled_webp};

/// How hard libwebp tries, of 0 to 6. Its own 4 takes three times as long for a tenth fewer bytes, and 2 a third longer for few.
const WEBP_EFFORT: i32 = 1;

/// A WebP of more pixels is decoded at a smaller size, so that it never is in memory whole.
pub(crate) const FULL_PIXELS: u64 = 12_000_000;
/// Pixels at most of a JPEG decoded at the eighth that covers 1080×1920, from 8192×8192.
pub(crate) const JPEG_SCALED_PIXELS: u64 = 9_000_000;

/// A picture: `width * height` pixels of red, green, blue, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raster {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<u8>,
}

/// The largest size of the same shape as `width`×`height` within `limits`; never larger, never below one pixel.
pub(crate) fn fit_within((width, height): (u32, u32), (max_width, max_height): (u32, u32)) -> (u32, u32) {
    let scale = (f64::from(max_width) / f64::from(width))
        .min(f64::from(max_height) / f64::from(height))
        .min(1.0);
    let side = |side: u32, max: u32| ((f64::from(side) * scale).round() as u32).clamp(1, max);
    (side(width, max_width), side(height, max_height))
}

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

/// What a picture with transparent parts looks like on white paper.
pub(crate) fn on_white(rgba: &[u8]) -> Vec<u8> {
    let blend = |colour: u8, alpha: u8| {
        let mixed = u16::from(colour) * u16::from(alpha) + 255 * u16::from(255 - alpha);
        ((mixed + 127) / 255) as u8
    };
    let mut rgb = Vec::with_capacity(rgba.len() / 4 * 3);
    for pixel in rgba.chunks_exact(4) {
        rgb.extend_from_slice(&[0, 1, 2].map(|channel| blend(pixel[channel], pixel[3])));
    }
    rgb
}

impl Raster {
    /// This picture at another size, by Lanczos convolution.
    pub(crate) fn resized(self, (width, height): (u32, u32)) -> Result<Self, String> {
        if (self.width, self.height) == (width, height) {
            return Ok(self);
        }
        let source = Image::from_vec_u8(self.width, self.height, self.rgb, PixelType::U8x3);
        let source = source.map_err(|error| error.to_string())?;
        let mut target = Image::new(width, height, PixelType::U8x3);
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        Resizer::new()
            .resize(&source, &mut target, &options)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            width,
            height,
            rgb: target.into_vec(),
        })
    }

    /// This picture as a lossy WebP of `quality` (0–100).
    pub(crate) fn to_webp(&self, quality: f32) -> Result<Vec<u8>, String> {
        let encoder = webp::Encoder::from_rgb(&self.rgb, self.width, self.height);
        let mut config = webp::WebPConfig::new().map_err(|()| "libwebp has another version")?;
        config.quality = quality;
        config.method = WEBP_EFFORT;
        let encoded = encoder
            .encode_advanced(&config)
            .map_err(|error| format!("{error:?}"))?;
        Ok(encoded.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_fitted_by_its_tighter_side_and_never_enlarged() {
        assert_eq!(fit_within((1080, 1920), (480, 1920)), (480, 853));
        assert_eq!(fit_within((4000, 100), (480, 1920)), (480, 12));
        assert_eq!(fit_within((300, 200), (480, 1920)), (300, 200));
        assert_eq!(fit_within((8192, 1), (480, 1920)), (480, 1));
        assert_eq!(fit_within((1, 8192), (480, 1920)), (1, 1920));
    }

    #[test]
    fn transparent_parts_become_white_and_half_transparent_ones_a_mixture() {
        assert_eq!(
            on_white(&[10, 20, 30, 0, 10, 20, 30, 255, 0, 0, 0, 128]),
            [255, 255, 255, 10, 20, 30, 127, 127, 127]
        );
    }
}
