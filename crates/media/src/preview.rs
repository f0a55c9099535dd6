//! The preview of a file in lists: a small JPEG, and a BlurHash to show before it has loaded.

use playout_domain::media::{MimeType, Probe};

use crate::header::ImageHeader;
use crate::orientation::Orientation;
use crate::planes::Planes;
use crate::raster::{Raster, fit_within};
use crate::refusal::ProbeError;
use crate::render::render_quickly;
use crate::{colour, jpeg};

/// Pixels across, at most (`docs/contract.md#previews`).
pub const PREVIEW_MAX_WIDTH: u32 = 480;
/// Pixels down, at most: four times as high as wide is a strip that no list shows whole.
pub const PREVIEW_MAX_HEIGHT: u32 = 1920;

/// Tried in turn until a preview is at most [`PREVIEW_MAX_BYTES`]; nearly all are with the first.
const QUALITIES: [i32; 6] = [80, 60, 40, 15, 5, 1];
/// Previews are not counted as storage, so a small file must not have a large one. Noise fits with one of the lowest qualities.
const PREVIEW_MAX_BYTES: usize = 64 << 10;
/// A BlurHash keeps so little that more pixels change nothing but the time it takes.
const BLURHASH_INPUT: (u32, u32) = (32, 32);
const BLURHASH_COMPONENTS: (u32, u32) = (4, 3);

/// What a preview is encoded from.
#[derive(Debug, Clone)]
pub(crate) enum Drawn {
    Pixels(Raster),
    Planes(Planes),
}

/// How large the preview of something displayed at `size` is at most.
pub(crate) fn preview_size(size: (u32, u32)) -> (u32, u32) {
    fit_within(size, (PREVIEW_MAX_WIDTH, PREVIEW_MAX_HEIGHT))
}

/// How large the preview of a JPEG displayed at `size` is: an eighth of it or several, because those need no resizing, unless
/// that were less than two thirds of what a preview may be.
fn jpeg_preview_size(size: (u32, u32)) -> (u32, u32) {
    let most = preview_size(size);
    let eighths = |side: u32, count: u32| (side * count).div_ceil(8);
    (1..=8)
        .rev()
        .map(|count| (eighths(size.0, count), eighths(size.1, count)))
        .find(|scaled| scaled.0 <= most.0 && scaled.1 <= most.1)
        .filter(|scaled| 3 * scaled.0 >= 2 * most.0 && 3 * scaled.1 >= 2 * most.1)
        .unwrap_or(most)
}

/// Draws an image's preview. The whole file is decoded, so that a damaged one is found here.
pub(crate) fn of_image(mime: MimeType, file: &[u8], header: ImageHeader) -> Result<Drawn, ProbeError> {
    if mime != MimeType::Jpeg {
        return render_quickly(mime, file, header, preview_size(header.displayed())).map(Drawn::Pixels);
    }
    let size = jpeg_preview_size(header.displayed());
    let is_shown_as_stored =
        header.orientation == Orientation::Upright && colour::foreign_profile(mime, file).is_none();
    if is_shown_as_stored {
        let planes = Planes::decode(file, size).map_err(|reason| ProbeError::unreadable(mime, reason))?;
        if let Some(planes) = planes {
            return Ok(Drawn::Planes(planes));
        }
    }
    render_quickly(mime, file, header, size).map(Drawn::Pixels)
}

/// A finished preview.
#[derive(Debug, Clone)]
pub(crate) struct Preview {
    pub(crate) size: (u32, u32),
    blurhash: Option<String>,
    jpeg: Vec<u8>,
}

impl Preview {
    /// Encodes what was drawn of a file of that type.
    pub(crate) fn of(mime: MimeType, drawn: &Drawn) -> Result<Self, ProbeError> {
        let jpeg = drawn.small_jpeg();
        Ok(Self {
            size: drawn.size(),
            blurhash: drawn.blurhash(),
            jpeg: jpeg.map_err(|reason| ProbeError::unreadable(mime, reason))?,
        })
    }

    /// Enters its size and blurhash in `probe`, and returns the JPEG.
    pub(crate) fn note_in(self, probe: &mut Probe) -> Vec<u8> {
        probe.preview_width = Some(self.size.0);
        probe.preview_height = Some(self.size.1);
        probe.blurhash = self.blurhash;
        self.jpeg
    }
}

impl Drawn {
    fn size(&self) -> (u32, u32) {
        match self {
            Self::Pixels(raster) => (raster.width, raster.height),
            Self::Planes(planes) => planes.size(),
        }
    }

    /// A JPEG of the best quality that is small enough, else the lowest.
    fn small_jpeg(&self) -> Result<Vec<u8>, String> {
        let mut jpeg = Vec::new();
        for quality in QUALITIES {
            jpeg = self.to_jpeg(quality)?;
            if jpeg.len() <= PREVIEW_MAX_BYTES {
                break;
            }
        }
        Ok(jpeg)
    }

    fn to_jpeg(&self, quality: i32) -> Result<Vec<u8>, String> {
        match self {
            Self::Pixels(raster) => jpeg::encode_quickly(raster, quality),
            Self::Planes(planes) => planes.to_jpeg(quality),
        }
    }

    fn blurhash(&self) -> Option<String> {
        let size = fit_within(self.size(), BLURHASH_INPUT);
        let rgba = match self {
            Self::Pixels(raster) => raster.shrunk_rgba(size),
            Self::Planes(planes) => planes.shrunk_rgba(size),
        };
        let (across, down) = BLURHASH_COMPONENTS;
        blurhash::encode(across, down, size.0, size.1, &rgba.ok()?).ok()
    }
}

/// The preview of a video whose pictures could not be decoded: a triangle on a dark ground, in the video's shape.
pub(crate) fn placeholder((width, height): (u32, u32)) -> Raster {
    let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
    let radius = f64::from(width.min(height)) * 0.16;
    for y in 0..height {
        let depth = f64::from(y) / f64::from(height);
        for x in 0..width {
            let across = (f64::from(x) + 0.5 - f64::from(width) / 2.0) / radius;
            let down = (f64::from(y) + 0.5 - f64::from(height) / 2.0) / radius;
            let light = triangle_coverage(across, down, 1.0 / radius);
            rgb.extend(GROUND_TOP.iter().zip(GROUND_BOTTOM).zip(TRIANGLE).map(
                |((top, bottom), triangle)| {
                    let ground = top + (bottom - top) * depth;
                    (ground + (triangle - ground) * light).round() as u8
                },
            ));
        }
    }
    Raster { width, height, rgb }
}

const GROUND_TOP: [f64; 3] = [42.0, 48.0, 66.0];
const GROUND_BOTTOM: [f64; 3] = [14.0, 16.0, 24.0];
const TRIANGLE: [f64; 3] = [236.0, 240.0, 248.0];

/// How much of the pixel at `(x, y)` lies in a triangle of circumradius 1 that points right; edges `softness` wide.
fn triangle_coverage(x: f64, y: f64, softness: f64) -> f64 {
    let beyond_right_edges = x * 0.5 + y.abs() * 0.75_f64.sqrt() - 0.5;
    let beyond_left_edge = -x - 0.5;
    let outside = beyond_right_edges.max(beyond_left_edge);
    (0.5 - outside / softness).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(raster: &Raster, x: u32, y: u32) -> &[u8] {
        let at = ((y * raster.width + x) * 3) as usize;
        &raster.rgb[at..at + 3]
    }

    #[test]
    fn a_placeholder_shows_a_light_triangle_on_a_dark_ground() {
        let raster = placeholder((180, 320));
        assert_eq!(pixel(&raster, 90, 160), [236, 240, 248]);
        assert!(pixel(&raster, 5, 5).iter().all(|channel| *channel < 80));
        let (left, right) = (90 - 10, 90 + 10);
        assert!(pixel(&raster, left, 148)[0] > 200, "wide on the left");
        assert!(pixel(&raster, right + 5, 148)[0] < 80, "narrow on the right");
    }

    #[test]
    fn a_preview_of_noise_is_small_and_one_of_a_plain_picture_is_not_made_worse() {
        let mut state = 1u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let (width, height) = (PREVIEW_MAX_WIDTH, PREVIEW_MAX_HEIGHT);
        let rgb = (0..width * height * 3).map(|_| noise()).collect();
        let noisy = Drawn::Pixels(Raster { width, height, rgb });
        let sizes = QUALITIES.map(|quality| noisy.to_jpeg(quality).unwrap().len());
        assert!(sizes[0] > PREVIEW_MAX_BYTES, "{sizes:?}");
        assert!(
            noisy.small_jpeg().unwrap().len() <= PREVIEW_MAX_BYTES,
            "{sizes:?}"
        );
        let plain = Drawn::Pixels(placeholder((480, 853)));
        assert_eq!(plain.small_jpeg().unwrap(), plain.to_jpeg(QUALITIES[0]).unwrap());
    }

    #[test]
    fn a_preview_of_a_jpeg_is_some_eighths_of_it_unless_they_are_few() {
        for (size, preview) in [
            ((1080, 1920), (405, 720)),
            ((1920, 1080), (480, 270)),
            ((3024, 4032), (378, 504)),
            ((640, 480), (480, 360)),
            ((481, 300), (421, 263)),
            ((300, 200), (300, 200)),
            // An eighth of these is too little, and two are too much.
            ((2304, 1000), (480, 208)),
            ((2160, 3840), (480, 853)),
            ((8192, 8192), (480, 480)),
            ((100, 8192), (23, 1920)),
            ((1, 1), (1, 1)),
        ] {
            assert_eq!(jpeg_preview_size(size), preview, "{size:?}");
        }
    }

    #[test]
    fn a_blurhash_of_one_colour_is_that_colour() {
        let raster = Raster {
            width: 40,
            height: 30,
            rgb: [200, 100, 50].repeat(40 * 30),
        };
        let file = jpeg::encode(&raster, 95).unwrap();
        let planes = Planes::decode(&file, (40, 30)).unwrap().unwrap();
        for drawn in [Drawn::Pixels(raster), Drawn::Planes(planes)] {
            let hash = drawn.blurhash().unwrap();
            let decoded = blurhash::decode(&hash, 9, 9, 1.0).unwrap();
            let middle = &decoded[40 * 4..40 * 4 + 3];
            let far = middle
                .iter()
                .zip([200, 100, 50])
                .map(|(seen, wanted)| seen.abs_diff(wanted))
                .max();
            assert!(far <= Some(5), "{middle:?}");
        }
    }
}
