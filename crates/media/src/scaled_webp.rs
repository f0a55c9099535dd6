//! Decoding a large WebP at a smaller size, row by row, so that its pixels are never all in memory.

use libwebp_sys::{VP8StatusCode, WEBP_CSP_MODE, WebPDecode, WebPDecoderConfig, WebPRGBABuffer};

use crate::raster::{Raster, on_white};

/// Decodes at exactly `size`, which is smaller than the picture. Transparent parts lie on white.
pub(crate) fn decode(file: &[u8], size: (u32, u32), has_alpha: bool) -> Result<Raster, String> {
    let (width, height) = size;
    let bytes_a_pixel = if has_alpha { 4 } else { 3 };
    let stride = width as usize * bytes_a_pixel;
    let mut pixels = vec![0; stride * height as usize];
    let too_large = |_| "it is too large".to_owned();
    let mut config = WebPDecoderConfig::new().map_err(|()| "libwebp has another version")?;
    config.options.use_scaling = 1;
    config.options.scaled_width = i32::try_from(width).map_err(too_large)?;
    config.options.scaled_height = i32::try_from(height).map_err(too_large)?;
    config.output.colorspace = match has_alpha {
        true => WEBP_CSP_MODE::MODE_RGBA,
        false => WEBP_CSP_MODE::MODE_RGB,
    };
    config.output.is_external_memory = 1;
    config.output.u.RGBA = WebPRGBABuffer {
        rgba: pixels.as_mut_ptr(),
        stride: i32::try_from(stride).map_err(too_large)?,
        size: pixels.len(),
    };
    // SAFETY: `file` and `pixels` outlive the call; libwebp checks `stride` and `size` against the scaled picture before it
    // writes, and owns none of the memory of `config`, as the output is external.
    #[expect(unsafe_code, reason = "the safe binding decodes whole pictures alone")]
    let status = unsafe { WebPDecode(file.as_ptr(), file.len(), &raw mut config) };
    if status != VP8StatusCode::VP8_STATUS_OK {
        return Err("its picture data is damaged or cut off".to_owned());
    }
    let rgb = if has_alpha { on_white(&pixels) } else { pixels };
    Ok(Raster { width, height, rgb })
}
