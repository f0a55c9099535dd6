//! A slide at three eighths of its size, made while the slide is: to be shown in lists.

use turbojpeg::Subsamp;

use crate::fit::CANVAS;
use crate::planes::Planes;

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

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (SIZE.0 as u32, SIZE.1 as u32)
    }

    /// Luma, Cb and Cr, one behind the other without gaps; luma is padded on the right and below to whole samples of chroma.
    pub fn into_samples(self) -> Vec<u8> {
        self.0.samples
    }
}
