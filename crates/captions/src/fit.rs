//! How a picture of any shape fills the canvas.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use turbojpeg::Subsamp;

use crate::crop::{Crop, contained, cover};
use crate::look::Fit;
use crate::orientation::Orientation;
use crate::planes::{Plane, PlaneMut, Planes};
use crate::{HEIGHT, WIDTH};

/// The canvas, in pixels.
pub(crate) const CANVAS: (usize, usize) = (WIDTH as usize, HEIGHT as usize);

/// The backdrop of a contained picture is this much coarser than the canvas before it is blurred.
const COARSE: usize = 24;
/// The luma of the backdrop, of 256 parts.
const BACKDROP_LUMA: u16 = 176;
/// The colour of the backdrop, of 256 parts.
const BACKDROP_CHROMA: u16 = 205;

/// Resizes and turns, and keeps the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Fitter {
    resizer: Resizer,
    turned: Planes,
    coarse: Planes,
    inner: Planes,
}

/// The smallest size at which a picture of `stored` pixels need be decoded to fill the canvas without loss.
pub(crate) fn needed(stored: (usize, usize), orientation: Orientation, fit: Fit) -> (usize, usize) {
    let target = orientation.sides(CANVAS);
    match fit {
        Fit::Cover => target,
        Fit::Contain => contained(stored, target),
    }
}

impl Fitter {
    /// Fills `canvas` with `picture`, whose samples are up for grabs.
    ///
    /// # Errors
    /// When the resizer refuses, which it does for no size that the limits let pass.
    pub(crate) fn fill(
        &mut self,
        picture: &mut Planes,
        orientation: Orientation,
        fit: Fit,
        canvas: &mut Planes,
    ) -> Result<(), String> {
        if orientation.is_upright() {
            return self.compose(picture, fit, canvas, CANVAS);
        }
        let mut stored = std::mem::take(&mut self.turned);
        let composed = self.compose(picture, fit, &mut stored, orientation.sides(CANVAS));
        canvas.shape(CANVAS, Subsamp::Sub2x2);
        if composed.is_ok() {
            orientation.turn(&stored, canvas);
        }
        self.turned = stored;
        composed
    }

    fn compose(
        &mut self,
        picture: &mut Planes,
        fit: Fit,
        target: &mut Planes,
        size: (usize, usize),
    ) -> Result<(), String> {
        if (picture.width, picture.height) == size && picture.subsamp == Subsamp::Sub2x2 {
            std::mem::swap(picture, target);
            return Ok(());
        }
        target.shape(size, Subsamp::Sub2x2);
        let inner = contained((picture.width, picture.height), size);
        if fit == Fit::Cover || inner == size {
            let crop = cover((picture.width, picture.height), size);
            return self.resize(picture, crop, target, FilterType::CatmullRom);
        }
        self.backdrop(picture, target)?;
        let mut whole = std::mem::take(&mut self.inner);
        whole.shape(inner, Subsamp::Sub2x2);
        let drawn = self.resize(picture, Crop::all(picture), &mut whole, FilterType::CatmullRom);
        paste(&whole, target);
        self.inner = whole;
        drawn
    }

    /// Fills `target` with a blurred, darker copy of the picture.
    fn backdrop(&mut self, picture: &Planes, target: &mut Planes) -> Result<(), String> {
        let size = (target.width, target.height);
        let mut coarse = std::mem::take(&mut self.coarse);
        coarse.shape(
            (size.0 / COARSE / 2 * 2, size.1 / COARSE / 2 * 2),
            Subsamp::Sub2x2,
        );
        let crop = cover((picture.width, picture.height), size);
        let drawn = self.resize(picture, crop, &mut coarse, FilterType::Box);
        for plane in coarse.parts_mut() {
            blur(plane);
        }
        let [luma, cb, cr] = coarse.parts_mut();
        for sample in luma.samples {
            *sample = (u16::from(*sample) * BACKDROP_LUMA / 256) as u8;
        }
        for sample in cb.samples.iter_mut().chain(cr.samples) {
            let paler = u16::from(*sample) * BACKDROP_CHROMA + 128 * (256 - BACKDROP_CHROMA);
            *sample = ((paler + 128) / 256) as u8;
        }
        let drawn =
            drawn.and_then(|()| self.resize(&coarse, Crop::all(&coarse), target, FilterType::Mitchell));
        self.coarse = coarse;
        drawn
    }

    /// Fills `target`, which has chroma, with a part of the picture. All filters used are polynomials, so that
    /// the weights are the same on every machine.
    fn resize(
        &mut self,
        picture: &Planes,
        crop: Crop,
        target: &mut Planes,
        filter: FilterType,
    ) -> Result<(), String> {
        let (across, down) = picture.grain();
        let coarser = crop.divided(across as f64, down as f64);
        let [from_cb, from_cr] = picture.chroma();
        let [luma, cb, cr] = target.parts_mut();
        self.resize_plane(picture.luma(), crop, luma, filter)?;
        self.resize_plane(from_cb, coarser, cb, filter)?;
        self.resize_plane(from_cr, coarser, cr, filter)
    }

    fn resize_plane(
        &mut self,
        from: Plane<'_>,
        crop: Crop,
        to: PlaneMut<'_>,
        filter: FilterType,
    ) -> Result<(), String> {
        if from.samples.is_empty() {
            to.samples.fill(128);
            return Ok(());
        }
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        // Typed, because the resizer that finds the type at run time is compiled for all of its thirteen types.
        let source = TypedImageRef::<U8>::from_buffer(side(from.width), side(from.height), from.samples);
        let target = TypedImage::<U8>::from_buffer(side(to.width), side(to.height), to.samples);
        let crop = crop.within(from);
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(filter))
            .crop(crop.left, crop.top, crop.width, crop.height);
        let (source, mut target) = (source.map_err(text)?, target.map_err(text)?);
        self.resizer
            .resize_typed(&source, &mut target, &options)
            .map_err(text)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Puts a smaller picture, of even sides, in the middle of a larger one.
fn paste(inner: &Planes, target: &mut Planes) {
    let [cb, cr] = inner.chroma();
    let left = (target.width - inner.width) / 4;
    let top = (target.height - inner.height) / 4;
    for (from, (to, grain)) in [inner.luma(), cb, cr]
        .into_iter()
        .zip(target.parts_mut().into_iter().zip([2, 1, 1]))
    {
        let rows = to.samples.chunks_exact_mut(to.width).skip(top * grain);
        for (row, to) in from.samples.chunks_exact(from.width).zip(rows) {
            to[left * grain..][..from.width].copy_from_slice(row);
        }
    }
}

/// Three passes of a box three samples wide, each way: near enough to a Gaussian.
fn blur(plane: PlaneMut<'_>) {
    let PlaneMut {
        width,
        height,
        samples,
    } = plane;
    for _ in 0..3 {
        for row in samples.chunks_exact_mut(width) {
            let line = Line {
                start: 0,
                step: 1,
                length: width,
            };
            blur_line(row, line);
        }
        for column in 0..width {
            let line = Line {
                start: column,
                step: width,
                length: height,
            };
            blur_line(samples, line);
        }
    }
}

/// So many samples that begin at `start` and lie `step` apart.
struct Line {
    start: usize,
    step: usize,
    length: usize,
}

fn blur_line(samples: &mut [u8], line: Line) {
    let Line { start, step, length } = line;
    let mut before = u16::from(samples[start]);
    for index in 0..length {
        let at = start + index * step;
        let after = if index + 1 < length {
            samples[at + step]
        } else {
            samples[at]
        };
        let sum = before + u16::from(samples[at]) + u16::from(after);
        before = u16::from(samples[at]);
        samples[at] = ((sum + 1) / 3) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_any_shape_fill_the_canvas_upright_or_not() {
        let mut canvas = Planes::default();
        let shapes = [
            (1, 1),
            (2, 3),
            (1, 65_535),
            (65_535, 1),
            (1080, 1920),
            (33, 4000),
            (4000, 33),
        ];
        for (shape, tag) in shapes
            .into_iter()
            .flat_map(|shape| [1, 6].map(|tag| (shape, tag)))
        {
            for (fit, subsamp) in [
                (Fit::Cover, Subsamp::Sub2x2),
                (Fit::Contain, Subsamp::None),
                (Fit::Contain, Subsamp::Gray),
            ] {
                let mut picture = Planes::default();
                picture.shape(shape, subsamp);
                picture.samples.fill(128);
                let turned = Orientation::from_tag(tag);
                Fitter::default()
                    .fill(&mut picture, turned, fit, &mut canvas)
                    .unwrap();
                assert_eq!(
                    (canvas.width, canvas.height, canvas.samples.len()),
                    (1080, 1920, 3_110_400)
                );
                let mut middle = (956..964).flat_map(|row| &canvas.samples[row * 1080..][536..544]);
                assert!(middle.any(|sample| *sample == 128), "{shape:?} {tag} {fit:?}");
            }
        }
    }
}
