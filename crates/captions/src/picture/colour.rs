//! Between colours: RGB to YCbCr, and wide gamuts home to sRGB, so that a slide keeps its colours without a profile.

use std::panic::{AssertUnwindSafe, catch_unwind};

use moxcms::{ColorProfile, Layout, Transform8BitExecutor, TransformOptions};
use turbojpeg::Subsamp;

use crate::planes::{PlaneMut, Planes};

/// Makes planes of 4:2:0 of pixels of red, green and blue.
pub(super) fn from_rgb(rgb: &[u8], size: (usize, usize), planes: &mut Planes) {
    planes.shape(size, Subsamp::Sub2x2);
    let pitch = size.0 * 3;
    let mut edge = Vec::new();
    let mut rows = Rows::of(planes);
    for two in rgb.chunks(2 * pitch) {
        let (upper, lower) = two.split_at(pitch);
        let lower = if lower.is_empty() { upper } else { lower };
        if size.0.is_multiple_of(2) {
            rows.write(upper, lower);
        } else {
            // The last pixel twice, so that all samples of chroma have four pixels.
            edge.clear();
            for row in [upper, lower] {
                edge.extend_from_slice(row);
                edge.extend_from_slice(&row[pitch - 3..]);
            }
            let (upper, lower) = edge.split_at(pitch + 3);
            rows.write(upper, lower);
        }
    }
}

/// Two rows of luma and one of Cb and Cr after another.
struct Rows<'a> {
    luma: std::slice::ChunksExactMut<'a, u8>,
    cb: std::slice::ChunksExactMut<'a, u8>,
    cr: std::slice::ChunksExactMut<'a, u8>,
    /// Red, green and blue apart, so that many are converted at once.
    channels: [Vec<u8>; 3],
}

impl<'a> Rows<'a> {
    fn of(planes: &'a mut Planes) -> Self {
        let rows = |plane: PlaneMut<'a>, count: usize| plane.samples.chunks_exact_mut(plane.width * count);
        let [luma, cb, cr] = planes.parts_mut();
        Self {
            channels: [0; 3].map(|zero| vec![zero; luma.width * 2]),
            luma: rows(luma, 2),
            cb: rows(cb, 1),
            cr: rows(cr, 1),
        }
    }

    /// Writes two rows of pixels; both have an even number of them.
    fn write(&mut self, upper: &[u8], lower: &[u8]) {
        let (Some(luma), Some(cb), Some(cr)) = (self.luma.next(), self.cb.next(), self.cr.next()) else {
            return;
        };
        let width = luma.len() / 2;
        let [red, green, blue] = &mut self.channels;
        split(
            upper,
            [&mut red[..width], &mut green[..width], &mut blue[..width]],
        );
        split(
            lower,
            [&mut red[width..], &mut green[width..], &mut blue[width..]],
        );
        for (((luma, red), green), blue) in luma.iter_mut().zip(&*red).zip(&*green).zip(&*blue) {
            *luma = luma_of([*red, *green, *blue]);
        }
        let [red, green, blue] = [red, green, blue].map(|channel| {
            let (upper, lower) = channel.split_at(width);
            upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0)
        });
        let sum = |(upper, lower): (&[u8; 2], &[u8; 2])| {
            u16::from(upper[0]) + u16::from(upper[1]) + u16::from(lower[0]) + u16::from(lower[1])
        };
        for ((((cb, cr), red), green), blue) in cb.iter_mut().zip(cr).zip(red).zip(green).zip(blue) {
            [*cb, *cr] = chroma_of([sum(red), sum(green), sum(blue)]);
        }
    }
}

fn split(pixels: &[u8], [red, green, blue]: [&mut [u8]; 3]) {
    let channels = red.iter_mut().zip(green).zip(blue);
    for (pixel, ((red, green), blue)) in pixels.as_chunks::<3>().0.iter().zip(channels) {
        [*red, *green, *blue] = *pixel;
    }
}

/// The upper half of a product: every processor multiplies eight of these at once.
#[inline]
fn times(value: u16, factor: u16) -> u16 {
    ((u32::from(value) * u32::from(factor)) >> 16) as u16
}

#[inline]
fn luma_of(pixel: [u8; 3]) -> u8 {
    let [red, green, blue] = pixel.map(|channel| u16::from(channel) << 8);
    let luma = times(red, 19595) + times(green, 38470) + times(blue, 7471);
    ((luma + 129) >> 8) as u8
}

/// Cb and Cr of four pixels, whose channels are added up.
#[inline]
fn chroma_of(sums: [u16; 3]) -> [u8; 2] {
    let [red, green, blue] = sums.map(|sum| sum << 6);
    let cb = 0x8000 + 126 + (blue >> 1) - times(red, 11059) - times(green, 21709);
    let cr = 0x8000 + 126 + (red >> 1) - times(green, 27439) - times(blue, 5329);
    [(cb >> 8) as u8, (cr >> 8) as u8]
}

/// Brings a canvas home to sRGB. A profile that is damaged, or for another kind of colour, changes nothing.
pub(crate) fn to_srgb(canvas: &mut Planes, profile: &[u8]) {
    // Third-party code on hostile input: better the wrong shade than no picture.
    let transform = catch_unwind(|| {
        let source = ColorProfile::new_from_slice(profile).ok()?;
        let srgb = ColorProfile::new_srgb();
        let options = TransformOptions::default();
        source
            .create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, options)
            .ok()
    });
    if let Ok(Some(transform)) = transform {
        drop(catch_unwind(AssertUnwindSafe(|| convert(canvas, &*transform))));
    }
}

fn convert(canvas: &mut Planes, transform: &Transform8BitExecutor) {
    let width = canvas.width;
    let (mut rgb, mut converted) = (vec![0; width * 3 * 2], vec![0; width * 3 * 2]);
    let original = Planes {
        samples: canvas.samples.clone(),
        ..*canvas
    };
    let [cb, cr] = original.chroma();
    let luma = original.luma().samples.chunks_exact(width * 2);
    let cb = cb.samples.chunks_exact(cb.width);
    let cr = cr.samples.chunks_exact(cr.width);
    let mut tints = Tints::new(width);
    let mut rows = Rows::of(canvas);
    for (luma, (cb, cr)) in luma.zip(cb.zip(cr)) {
        tints.take(cb, cr);
        for (luma, rgb) in luma.chunks_exact(width).zip(rgb.chunks_exact_mut(width * 3)) {
            tints.write(luma, rgb);
        }
        if transform.transform(&rgb, &mut converted).is_err() {
            return;
        }
        let (upper, lower) = converted.split_at(width * 3);
        rows.write(upper, lower);
    }
}

/// What a row of chroma adds to luma to make red, green and blue of it.
struct Tints {
    tints: [Vec<[i16; 2]>; 3],
    channels: [Vec<u8>; 3],
}

impl Tints {
    fn new(width: usize) -> Self {
        Self {
            tints: [0; 3].map(|zero| vec![[zero; 2]; width / 2]),
            channels: [0; 3].map(|zero| vec![zero; width]),
        }
    }

    fn take(&mut self, cb: &[u8], cr: &[u8]) {
        let [red, green, blue] = &mut self.tints;
        let tints = red.iter_mut().zip(green).zip(blue);
        for (((red, green), blue), (cb, cr)) in tints.zip(cb.iter().zip(cr)) {
            let (cb, cr) = (i32::from(*cb) - 128, i32::from(*cr) - 128);
            *red = [((91881 * cr + 32768) >> 16) as i16; 2];
            *green = [((-22554 * cb - 46802 * cr + 32768) >> 16) as i16; 2];
            *blue = [((116_130 * cb + 32768) >> 16) as i16; 2];
        }
    }

    fn write(&mut self, luma: &[u8], rgb: &mut [u8]) {
        for (channel, tints) in self.channels.iter_mut().zip(&self.tints) {
            for ((channel, luma), tint) in channel.iter_mut().zip(luma).zip(tints.as_flattened()) {
                *channel = (i16::from(*luma) + tint).clamp(0, 255) as u8;
            }
        }
        let [red, green, blue] = &self.channels;
        let channels = red.iter().zip(green).zip(blue);
        for (pixel, ((red, green), blue)) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(channels) {
            *pixel = [*red, *green, *blue];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes(rgb: &[u8], size: (usize, usize)) -> Planes {
        let mut planes = Planes::default();
        from_rgb(rgb, size, &mut planes);
        planes
    }

    #[test]
    fn colours_become_what_the_standard_says() {
        let of = |pixel: [u8; 3]| planes(&pixel.repeat(4), (2, 2)).samples;
        for grey in [0, 1, 77, 128, 254, 255] {
            assert_eq!(of([grey; 3]), [grey, grey, grey, grey, 128, 128]);
        }
        assert_eq!(of([255, 0, 0])[3..], [76, 85, 255]);
        assert_eq!(of([0, 255, 0])[3..], [150, 44, 21]);
        assert_eq!(of([0, 0, 255])[3..], [29, 255, 107]);
    }

    #[test]
    fn odd_sides_repeat_their_last_pixels() {
        let odd = planes(&[[255, 0, 0]; 9].concat(), (3, 3));
        assert_eq!(odd.chroma()[1].samples, [255; 4]);
        assert_eq!(odd.luma().samples.len(), 16);
    }

    #[test]
    fn a_display_p3_red_becomes_a_stronger_srgb_red() {
        let mut canvas = planes(&[200, 60, 50].repeat(4), (2, 2));
        let profile = ColorProfile::new_display_p3().encode().unwrap();
        let before = canvas.samples.clone();
        to_srgb(&mut canvas, b"no profile at all");
        assert_eq!(canvas.samples, before);
        to_srgb(&mut canvas, &profile);
        assert!(
            canvas.samples[5] > before[5] + 5,
            "{:?} {before:?}",
            canvas.samples
        );
    }
}
