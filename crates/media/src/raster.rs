//! Decoded pictures, always 8-bit sRGB without alpha.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};

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
        let rgb = convolved::<U8x3>(
            &self.rgb,
            (self.width, self.height),
            (width, height),
            FilterType::Lanczos3,
        )?;
        Ok(Self { width, height, rgb })
    }

    /// Red, green, blue and full alpha of this picture at another, much smaller size.
    pub(crate) fn shrunk_rgba(&self, size: (u32, u32)) -> Result<Vec<u8>, String> {
        let rgb = averaged::<U8x3>(&self.rgb, (self.width, self.height), size)?;
        let pixels = rgb.as_chunks::<3>().0.iter();
        Ok(pixels
            .flat_map(|[red, green, blue]| [*red, *green, *blue, 255])
            .collect())
    }
}

/// Samples of so many pixels across and down at another, smaller size: each the mean of those that it stands for.
pub(crate) fn averaged<P: PixelTrait>(
    samples: &[u8],
    size: (u32, u32),
    to: (u32, u32),
) -> Result<Vec<u8>, String> {
    convolved::<P>(samples, size, to, FilterType::Box)
}

/// Samples at another size. The type of a pixel is a parameter because the resizer that finds it at run time is compiled for all
/// of its thirteen types, which are 3 MB of code.
fn convolved<P: PixelTrait>(
    samples: &[u8],
    (width, height): (u32, u32),
    to: (u32, u32),
    filter: FilterType,
) -> Result<Vec<u8>, String> {
    let source = TypedImageRef::<P>::from_buffer(width, height, samples);
    let source = source.map_err(|error| error.to_string())?;
    let mut resized = vec![0; to.0 as usize * to.1 as usize * P::size()];
    let mut target =
        TypedImage::<P>::from_buffer(to.0, to.1, &mut resized).map_err(|error| error.to_string())?;
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter));
    Resizer::new()
        .resize_typed(&source, &mut target, &options)
        .map_err(|error| error.to_string())?;
    Ok(resized)
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
