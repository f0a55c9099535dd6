//! One slide, drawn as a preview: nothing is stored, and nothing is charged.

use playout_captions::Slide;
use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;
use playout_domain::media::MimeType;
use playout_media::{FitLimits, RenditionError, fit_jpeg};
use playout_wire::slides::{PREVIEW_WIDTHS, PreviewSlide, SlideWarning};

use super::look::{look, refused, warnings};
use crate::app::{App, AppError};

/// A slide to be looked at.
pub struct Seen {
    /// A JPEG of the width asked for.
    pub jpeg: Vec<u8>,
    /// What of its caption could not be drawn.
    pub warnings: Vec<SlideWarning>,
}

impl App {
    /// Draws a slide and keeps nothing of it.
    pub async fn preview_slide(
        &self,
        workspace: WorkspaceId,
        request: PreviewSlide,
    ) -> Result<Seen, AppError> {
        let wanted = (request.media_id, vec!["mediaId".into()]);
        let mut images = self.images(workspace, &[wanted]).await?;
        let image = images.remove(0);
        let _entered = self.press.enter(workspace)?;
        let turn = self.press.turn(workspace).await?;
        let (picture, memory) = self.picture(workspace, &image.storage_key).await?;
        let drawn = self.press.draw(turn, move |compositor| {
            let _memory = memory;
            let slide = compositor.bake(&picture, &request.caption, look(request.look));
            slide.map(|slide| narrowed(slide, request.width))
        });
        let slide = drawn.await?;
        let slide = slide.map_err(|refusal| Refusal::invalid(vec![refused(Vec::new(), &refusal)]))??;
        Ok(Seen {
            jpeg: slide.jpeg,
            warnings: warnings(&slide.warnings),
        })
    }
}

fn narrowed(slide: Slide, width: u32) -> Result<Slide, RenditionError> {
    if width == PREVIEW_WIDTHS.1 {
        return Ok(slide);
    }
    let limits = FitLimits {
        max_short_side: width,
        max_long_side: playout_captions::HEIGHT,
        max_bytes: usize::MAX,
    };
    let jpeg = fit_jpeg(&slide.jpeg, MimeType::Jpeg, limits)?;
    Ok(Slide { jpeg, ..slide })
}
