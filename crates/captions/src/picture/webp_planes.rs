//! Decoding a still, opaque, lossy WebP to the planes that it is stored as (RFC 6386), with no way through red, green and blue.

use libwebp_sys::{VP8StatusCode, WEBP_CSP_MODE, WebPDecode, WebPDecoderConfig, WebPYUVABuffer};
use turbojpeg::Subsamp;

use crate::planes::{PlaneMut, Planes};

/// Decodes a file of that size. Its planes become full-range, as JPEG has them.
pub(super) fn decode(file: &[u8], size: (usize, usize), planes: &mut Planes) -> Result<(), String> {
    planes.shape(size, Subsamp::Sub2x2);
    let [luma, cb, cr] = planes.parts_mut();
    fill(file, [&mut *luma.samples, cb.samples, cr.samples], luma.width)?;
    luma.samples
        .iter_mut()
        .for_each(|sample| *sample = full_luma(*sample));
    for sample in cb.samples.iter_mut().chain(cr.samples) {
        *sample = full_chroma(*sample);
    }
    repeat_edges(luma, size);
    Ok(())
}

/// Decodes to planes of which luma has rows of `pitch` samples and chroma of half as many.
fn fill(file: &[u8], [luma, cb, cr]: [&mut [u8]; 3], pitch: usize) -> Result<(), String> {
    let mut config = WebPDecoderConfig::new().map_err(|()| "libwebp has another version")?;
    let stride = i32::try_from(pitch).map_err(|_| "it is too large")?;
    config.output.colorspace = WEBP_CSP_MODE::MODE_YUV;
    config.output.is_external_memory = 1;
    config.output.u.YUVA = WebPYUVABuffer {
        y: luma.as_mut_ptr(),
        u: cb.as_mut_ptr(),
        v: cr.as_mut_ptr(),
        a: std::ptr::null_mut(),
        y_stride: stride,
        u_stride: stride / 2,
        v_stride: stride / 2,
        a_stride: 0,
        y_size: luma.len(),
        u_size: cb.len(),
        v_size: cr.len(),
        a_size: 0,
    };
    // SAFETY: `file` and the planes outlive the call; libwebp checks strides and sizes against the picture before it writes, and owns
    // none of the memory of `config`, as the output is external.
    #[expect(unsafe_code, reason = "the safe binding decodes to RGB alone")]
    let status = unsafe { WebPDecode(file.as_ptr(), file.len(), &raw mut config) };
    match status {
        VP8StatusCode::VP8_STATUS_OK => Ok(()),
        _ => Err("its picture data is damaged or cut off".to_owned()),
    }
}

/// Luma between 16 and 235 (RFC 6386 §9.2) as one between 0 and 255, in steps that every processor takes eight at once.
#[inline]
fn full_luma(sample: u8) -> u8 {
    let above = u16::from(sample.saturating_sub(16)) << 7;
    ((above + part(above, 10_773) + 64) >> 7).min(255) as u8
}

/// The same of chroma, which lies between 16 and 240 around 128.
#[inline]
fn full_chroma(sample: u8) -> u8 {
    let sample = u16::from(sample) << 7;
    ((sample + part(sample, 9070) + 64).saturating_sub(2267) >> 7).min(255) as u8
}

/// So many 65536ths.
#[inline]
fn part(value: u16, share: u16) -> u16 {
    ((u32::from(value) * u32::from(share)) >> 16) as u16
}

/// Pads luma to whole samples of chroma with the last column and row.
fn repeat_edges(luma: PlaneMut<'_>, (width, height): (usize, usize)) {
    if luma.width > width {
        for row in luma.samples.chunks_exact_mut(luma.width) {
            row[width] = row[width - 1];
        }
    }
    if luma.height > height {
        luma.samples.copy_within(
            (height - 1) * luma.width..height * luma.width,
            height * luma.width,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_become_full_range() {
        for sample in 0..=255_u8 {
            let luma = (f64::from(sample) - 16.0) * 255.0 / 219.0;
            let chroma = (f64::from(sample) - 128.0) * 255.0 / 224.0 + 128.0;
            for (made, exact) in [(full_luma(sample), luma), (full_chroma(sample), chroma)] {
                let far = (f64::from(made) - exact.clamp(0.0, 255.0)).abs();
                assert!(far < 0.52, "{sample}: {made} {exact}");
            }
        }
        assert_eq!([full_luma(16), full_luma(235), full_chroma(128)], [0, 255, 128]);
    }

    #[test]
    fn a_picture_of_odd_sides_keeps_its_colours_to_the_edge() {
        let file = webp::Encoder::from_rgb(&[200, 100, 50].repeat(7 * 5), 7, 5).encode(95.0);
        let mut planes = Planes::default();
        decode(&file, (7, 5), &mut planes).unwrap();
        // As JFIF 1.02 has it: 124, 86 and 182.
        let expected = [
            (planes.luma(), 124_u8),
            (planes.chroma()[0], 86),
            (planes.chroma()[1], 182),
        ];
        for (plane, expected) in expected {
            let far = plane.samples.iter().map(|sample| sample.abs_diff(expected)).max();
            assert!(far <= Some(4), "{expected}: {:?}", plane.samples);
        }
        assert!(decode(&file[..file.len() - 9], (7, 5), &mut planes).is_err());
    }
}
