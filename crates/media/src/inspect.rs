//! Inspects a finished upload in one step: its type, its properties and its preview.

use std::fs::File;
use std::io::Seek;
use std::path::Path;

use playout_domain::media::{MediaType, MimeType, Probe};
use playout_domain::sniff::{SNIFF_BYTES, sniff};

use crate::cost;
use crate::isobmff;
use crate::planes::Planes;
use crate::poster::{Poster, PosterOf};
use crate::preview::{self, Drawn, Preview, preview_size};
use crate::probe;
use crate::raster::Raster;
use crate::reader::BlobReader;
use crate::refusal::{IMAGE_MAX_BYTES, ProbeError};
use crate::video::Video;

/// What the coefficients of a progressive JPEG may take: 8192×8192 pixels with halved colour (4:2:0 or 4:2:2), 45
/// megapixels with full colour.
const COEFFICIENTS_MAX_BYTES: u64 = 270_000_000;

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspected {
    /// The type its bytes show, whatever was declared.
    pub mime: MimeType,
    /// What is in it.
    pub probe: Probe,
    /// Its preview, a JPEG of `probe.preview_width`×`probe.preview_height` pixels.
    pub preview_jpeg: Vec<u8>,
    /// Why the preview is a mere placeholder, for the log; `None` if it shows the file.
    pub placeholder_because: Option<String>,
}

impl Inspected {
    /// What an inspection would find in an upright JPEG of `size` that was made here, and is like this where it is smaller: planes of
    /// `small` pixels in full-range YCbCr of 4:2:0, one behind the other without gaps, luma padded to whole samples of chroma.
    ///
    /// # Errors
    /// When the planes are of another size, or cannot be encoded.
    pub fn of_made_jpeg(size: (u32, u32), small: (u32, u32), planes: Vec<u8>) -> Result<Self, ProbeError> {
        let mime = MimeType::Jpeg;
        let planes = Planes::of(small, planes).map_err(|reason| ProbeError::unreadable(mime, reason))?;
        let mut probe = Probe {
            width: Some(size.0),
            height: Some(size.1),
            ..Probe::default()
        };
        let preview_jpeg = Preview::of(mime, &Drawn::Planes(planes))?.note_in(&mut probe);
        Ok(Self {
            mime,
            probe,
            preview_jpeg,
            placeholder_because: None,
        })
    }
}

/// A poster drawn while the rest of its video was still coming in.
#[derive(Debug)]
pub struct EarlyPoster(Preview);

/// Looks into files. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Inspector {
    poster: Option<Poster>,
}

impl Inspector {
    /// An inspector that draws videos' posters with `poster`; without one, videos get a placeholder.
    pub fn new(poster: Option<Poster>) -> Self {
        Self { poster }
    }

    /// What draws the posters of videos, if anything does.
    pub fn poster(&self) -> Option<&Poster> {
        self.poster.as_ref()
    }

    /// Sniffs, probes and previews a file. The error explains what the uploader can do about it, unless
    /// [`ProbeError::is_internal`].
    ///
    /// Blocks: milliseconds for most files, up to a quarter of a minute for a video that `ffmpeg` finds hard. Takes
    /// up to 20 MB for an image's file and what its pixels take while decoding; little for a video.
    pub fn inspect(&self, reader: &mut BlobReader) -> Result<Inspected, ProbeError> {
        self.inspect_with(reader, None)
    }

    /// Draws the poster of a video of which only a beginning is stored in the file `unfinished`. `None` where that does
    /// not suffice: its index stands at its end, or it is no MP4. Blocks as [`Inspector::inspect`] does.
    pub fn early_poster(&self, unfinished: &Path) -> Option<EarlyPoster> {
        let mut file = File::open(unfinished).ok()?;
        let stored = file.metadata().ok()?.len();
        let index_end = isobmff::index_end(&mut file, stored)?;
        let mut reader = BlobReader::file(file, unfinished.to_owned(), index_end);
        let mime = sniff(&reader.head(SNIFF_BYTES).ok()?).ok()?;
        let video = probe::video(mime, &mut reader).ok()?;
        let drawn = self.draw_poster(mime, &reader, &video).ok()?;
        let drawn = Drawn::Pixels(drawn);
        Preview::of(mime, &drawn).ok().map(EarlyPoster)
    }

    /// [`Inspector::inspect`], with a poster that was drawn before the file was complete, if there is one.
    pub fn inspect_with(
        &self,
        reader: &mut BlobReader,
        early: Option<EarlyPoster>,
    ) -> Result<Inspected, ProbeError> {
        let head = reader.head(SNIFF_BYTES).map_err(ProbeError::Storage)?;
        let mime = sniff(&head)?;
        if mime.media_type() == MediaType::Image {
            inspect_image(mime, reader)
        } else {
            self.inspect_video(mime, reader, early)
        }
    }

    fn inspect_video(
        &self,
        mime: MimeType,
        reader: &mut BlobReader,
        early: Option<EarlyPoster>,
    ) -> Result<Inspected, ProbeError> {
        let video = probe::video(mime, reader)?;
        let size = preview_size((video.width, video.height));
        let early = early.filter(|EarlyPoster(preview)| preview.size == size);
        let (preview, placeholder_because) = match early {
            Some(EarlyPoster(preview)) => (preview, None),
            None => self.draw_preview(mime, reader, &video)?,
        };
        let mut probe = Probe::from(video);
        let preview_jpeg = preview.note_in(&mut probe);
        Ok(Inspected {
            mime,
            probe,
            preview_jpeg,
            placeholder_because,
        })
    }

    /// The preview of a video, or a placeholder and why.
    fn draw_preview(
        &self,
        mime: MimeType,
        reader: &BlobReader,
        video: &Video,
    ) -> Result<(Preview, Option<String>), ProbeError> {
        let (drawn, reason) = match self.draw_poster(mime, reader, video) {
            Ok(drawn) => (drawn, None),
            Err(reason) => (
                preview::placeholder(preview_size((video.width, video.height))),
                Some(reason),
            ),
        };
        Ok((Preview::of(mime, &Drawn::Pixels(drawn))?, reason))
    }

    fn draw_poster(&self, mime: MimeType, reader: &BlobReader, video: &Video) -> Result<Raster, String> {
        let poster = self.poster.as_ref().ok_or("ffmpeg is not installed")?;
        let excerpt = reader.excerpt().transpose();
        let excerpt = excerpt.map_err(|error| format!("the video could not be fetched: {error}"))?;
        let path = excerpt.as_ref().map(|file| file.path()).or(reader.path());
        let path = path.ok_or("there is no file for ffmpeg")?;
        let size = preview_size((video.width, video.height));
        poster.draw(
            path,
            PosterOf {
                mime,
                size,
                duration_ms: video.duration_ms,
            },
        )
    }
}

fn inspect_image(mime: MimeType, reader: &mut BlobReader) -> Result<Inspected, ProbeError> {
    let size_bytes = reader.size_bytes();
    if size_bytes > IMAGE_MAX_BYTES {
        return Err(ProbeError::ImageBytes { size_bytes });
    }
    let coefficient_bytes = cost::coefficient_bytes(mime, reader);
    if coefficient_bytes > COEFFICIENTS_MAX_BYTES {
        return Err(ProbeError::ProgressiveSize);
    }
    reader.rewind().map_err(ProbeError::Storage)?;
    let file = reader.head(size_bytes).map_err(ProbeError::Storage)?;
    let header = probe::image_header(mime, &file)?;
    let (width, height) = header.displayed();
    let rotation_degrees = header.orientation.rotation_degrees();
    let mut probe = Probe {
        width: Some(width),
        height: Some(height),
        rotation_degrees,
        ..Probe::default()
    };
    let drawn = preview::of_image(mime, &file, header)?;
    let preview_jpeg = Preview::of(mime, &drawn)?.note_in(&mut probe);
    Ok(Inspected {
        mime,
        probe,
        preview_jpeg,
        placeholder_because: None,
    })
}
