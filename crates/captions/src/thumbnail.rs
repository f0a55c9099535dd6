//! A slide at three eighths of its size, made while the slide is: to be shown in lists.

use turbojpeg::Subsamp;

use crate::fit::CANVAS;
use crate::planes::{Plane, PlaneMut, Planes};

/// Three eighths of a slide, in pixels.
const SIZE: (usize, usize) = (CANVAS.0 * 3 / 8, CANVAS.1 * 3 / 8);

/// A slide of 405 by 720 pixels in full-range YCbCr (JFIF 1.02) of 4:2:0.
#[derive(Debug)]
pub struct Thumbnail(Planes);

impl Thumbnail {
    /// One that shows nothing yet.
    pub(crate) fn new() -> Self {
        let mut planes = Planes::default();
        planes.shape(SIZE, Subsamp::Sub2x2);
        Self(planes)
    }

    pub(crate) fn planes(&mut self) -> &mut Planes {
        &mut self.0
    }

    /// Shows a canvas: each sample is the mean of those that it stands for.
    pub(crate) fn show(thumbnail: &mut Planes, canvas: &Planes) {
        let [from_cb, from_cr] = canvas.chroma();
        let [luma, cb, cr] = thumbnail.parts_mut();
        shrink(canvas.luma(), luma);
        shrink(from_cb, cb);
        shrink(from_cr, cr);
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (SIZE.0 as u32, SIZE.1 as u32)
    }

    /// Luma, Cb and Cr, one behind the other without gaps; luma is padded on the right and below to whole samples of chroma.
    pub fn into_samples(self) -> Vec<u8> {
        self.0.samples
    }
}

/// Makes three samples of each eight, across and down. Rows come first, eight whole ones at a time, because the compiler turns that into
/// vectors.
fn shrink(from: Plane<'_>, to: PlaneMut<'_>) {
    let width = from.width.next_multiple_of(8);
    let mut rows = [vec![0; width], vec![0; width], vec![0; width]];
    let eights = from.samples.chunks_exact(8 * from.width);
    for (eight, three) in eights.zip(to.samples.chunks_exact_mut(3 * to.width)) {
        shrink_rows(eight, from.width, &mut rows);
        for (row, to) in rows.iter_mut().zip(three.chunks_exact_mut(to.width)) {
            let last = row[from.width - 1];
            row[from.width..].fill(last);
            shrink_row(row, to);
        }
    }
}

fn shrink_rows(eight: &[u8], width: usize, [one, two, three]: &mut [Vec<u8>; 3]) {
    let (one, two, three) = (&mut one[..width], &mut two[..width], &mut three[..width]);
    let row = |number: usize| &eight[number * width..][..width];
    let rows = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
    for x in 0..width {
        [one[x], two[x], three[x]] = means(rows.map(|row| row[x]));
    }
}

fn shrink_row(row: &[u8], to: &mut [u8]) {
    let eights = row.as_chunks::<8>().0;
    for (to, eight) in to.chunks_mut(3).zip(eights) {
        to.copy_from_slice(&means(*eight)[..to.len()]);
    }
    // Luma is padded to whole samples of chroma.
    if to.len() > 3 * eights.len() {
        to[3 * eights.len()] = to[3 * eights.len() - 1];
    }
}

/// Eight samples as three, each of which stands for 2⅔ of them.
#[inline(always)]
fn means(eight: [u8; 8]) -> [u8; 3] {
    let [a, b, c, d, e, f, g, h] = eight.map(u16::from);
    [
        96 * (a + b) + 64 * c,
        96 * (d + e) + 32 * (c + f),
        96 * (g + h) + 64 * f,
    ]
    .map(|sum| ((sum + 128) >> 8) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_samples_become_their_means() {
        assert_eq!(means([255; 8]), [255; 3]);
        assert_eq!(means([0, 0, 0, 90, 90, 0, 0, 0]), [0, 68, 0]);
        assert_eq!(means([30, 30, 60, 60, 60, 60, 90, 90]), [38, 60, 83]);
    }

    #[test]
    fn a_thumbnail_shows_the_canvas_to_its_edges() {
        let mut canvas = Planes::default();
        canvas.shape(CANVAS, Subsamp::Sub2x2);
        for plane in canvas.parts_mut() {
            let width = plane.width;
            for (at, sample) in plane.samples.iter_mut().enumerate() {
                *sample = (at % width * 200 / width + at / width * 50 / plane.height) as u8;
            }
        }
        let mut thumbnail = Thumbnail::new();
        Thumbnail::show(thumbnail.planes(), &canvas);
        for plane in thumbnail.planes().parts_mut() {
            for (at, sample) in plane.samples.iter().enumerate() {
                let (x, y) = (at % plane.width, at / plane.width);
                let expected = x * 200 / plane.width + y * 50 / plane.height;
                assert!(
                    expected.abs_diff(usize::from(*sample)) <= 2,
                    "{x} {y}: {sample} {expected}"
                );
            }
        }
    }
}
