//! From a file and what is to be laid over it to a slide.

use std::sync::{Mutex, PoisonError};

use turbojpeg::Colorspace;

use crate::encode::Encoder;
use crate::fit::{Fitter, needed};
use crate::look::{Fit, Look};
use crate::overlay::Overlay;
use crate::patch::Patch;
use crate::picture::{Format, Source, to_srgb};
use crate::planes::Planes;
use crate::refusal::Refusal;
use crate::splice::Splicer;
use crate::text::{Typesetter, Warning};
use crate::thumbnail::Thumbnail;

/// A decoded picture's memory is kept for the next one up to this size: four canvases.
const KEPT_BYTES: usize = 4 * 3_110_400;

/// Makes slides, on as many threads at once as call it. What takes time to make is made once and kept.
#[derive(Default)]
pub struct Compositor {
    typesetter: Typesetter,
    workbenches: Mutex<Vec<Workbench>>,
}

/// A finished slide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slide {
    /// A JPEG file of 1080 by 1920 pixels in sRGB, 4:2:0, without metadata.
    pub jpeg: Vec<u8>,
    /// What of the caption could not be shown.
    pub warnings: Vec<Warning>,
}

/// What one slide at a time is made with.
#[derive(Debug)]
struct Workbench {
    encoder: Encoder,
    splicer: Splicer,
    fitter: Fitter,
    patch: Patch,
    overlay: Overlay,
    decoded: Planes,
    canvas: Planes,
}

impl Compositor {
    /// A compositor that has made nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A slide of `picture` with `caption` on it.
    ///
    /// A picture that is a slide already, and at least of quality 85, keeps its own quantisers and, bit by bit, every block
    /// that the caption does not touch; any other is encoded at quality 90.
    ///
    /// # Errors
    /// When the caption does not fit, or the picture is none, too large, or cannot be read.
    pub fn bake(&self, picture: &[u8], caption: &str, look: Look) -> Result<Slide, Refusal> {
        self.bake_to(picture, caption, look, None)
    }

    /// The same slide, and the same at three eighths of its size, for which nothing is decoded again.
    ///
    /// # Errors
    /// As [`Compositor::bake`].
    pub fn bake_with_thumbnail(
        &self,
        picture: &[u8],
        caption: &str,
        look: Look,
    ) -> Result<(Slide, Thumbnail), Refusal> {
        let mut thumbnail = Thumbnail::new();
        let slide = self.bake_to(picture, caption, look, Some(&mut thumbnail))?;
        Ok((slide, thumbnail))
    }

    fn bake_to(
        &self,
        picture: &[u8],
        caption: &str,
        look: Look,
        thumbnail: Option<&mut Thumbnail>,
    ) -> Result<Slide, Refusal> {
        let typeset = self.typesetter.set(caption, look)?;
        let source = Source::read(picture)?;
        let mut workbench = self.workbench()?;
        self.typesetter.paint(&typeset, &mut workbench.patch);
        workbench.overlay.take(&workbench.patch);
        let jpeg = self.finish(workbench, &source, look.fit, thumbnail)?;
        let warnings = typeset.warnings;
        Ok(Slide { jpeg, warnings })
    }

    /// The same with a patch that is painted already: the slide's JPEG file.
    ///
    /// # Errors
    /// When the picture is none, too large, or cannot be read.
    pub fn bake_patch(&self, picture: &[u8], patch: &Patch, fit: Fit) -> Result<Vec<u8>, Refusal> {
        let source = Source::read(picture)?;
        let mut workbench = self.workbench()?;
        workbench.overlay.take(patch);
        self.finish(workbench, &source, fit, None)
    }

    fn finish(
        &self,
        mut workbench: Workbench,
        source: &Source<'_>,
        fit: Fit,
        thumbnail: Option<&mut Thumbnail>,
    ) -> Result<Vec<u8>, Refusal> {
        let slide = workbench.bake(source, fit, thumbnail.map(Thumbnail::planes));
        workbench.decoded.forget_above(KEPT_BYTES);
        self.free().push(workbench);
        slide
    }

    fn workbench(&self) -> Result<Workbench, Refusal> {
        let free = self.free().pop();
        free.map_or_else(Workbench::new, Ok)
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Workbench>> {
        self.workbenches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workbench {
    fn new() -> Result<Self, Refusal> {
        Ok(Self {
            encoder: Encoder::new().map_err(refused)?,
            splicer: Splicer::default(),
            fitter: Fitter::default(),
            patch: Patch::default(),
            overlay: Overlay::new(),
            decoded: Planes::default(),
            canvas: Planes::default(),
        })
    }

    fn bake(
        &mut self,
        source: &Source<'_>,
        fit: Fit,
        mut thumbnail: Option<&mut Planes>,
    ) -> Result<Vec<u8>, Refusal> {
        if is_canvas_like(source)
            && let Some(slide) = self
                .splicer
                .splice(source.file, &self.overlay, thumbnail.as_deref_mut())
        {
            return Ok(slide);
        }
        let needed = needed(source.size, source.orientation, fit);
        source.decode(needed, &mut self.decoded)?;
        self.fitter
            .fill(&mut self.decoded, source.orientation, fit, &mut self.canvas)
            .map_err(Refusal::Unreadable)?;
        if let Some(profile) = &source.profile {
            to_srgb(&mut self.canvas, profile);
        }
        self.overlay.lay_over(&mut self.canvas);
        if let Some(thumbnail) = thumbnail {
            Thumbnail::show(thumbnail, &self.canvas);
        }
        self.encoder.encode(&self.canvas).map_err(refused)
    }
}

fn refused(error: turbojpeg::Error) -> Refusal {
    Refusal::Unreadable(error.to_string())
}

/// Whether the pixels as stored are the pixels as shown, in YCbCr.
fn is_canvas_like(source: &Source<'_>) -> bool {
    let is_plain = source.orientation.is_upright() && source.profile.is_none();
    is_plain && matches!(&source.format, Format::Jpeg(header) if header.colorspace == Colorspace::YCbCr)
}
