//! Slides that are kept: drawn, stored, and only then inserted, all or nothing. A request becomes images, and each image
//! with its caption a file without a name; `keep.rs` makes media of them.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::try_join;
use futures_util::stream::{StreamExt, TryStreamExt, iter};
use playout_captions::{HEIGHT, WIDTH};
use playout_domain::error::{Issue, Refusal};
use playout_domain::id::WorkspaceId;
use playout_domain::media::{MAX_FILE_NAME_CHARS, Media, MediaStatus, MimeType};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_media::{Inspected, Synced};
use playout_wire::slides::{BakedSlide, CompositeResult, CompositeSlides, SlideLook, SlideRequest};

use super::look::{look, refused, warnings};
use super::path::Path;
use super::press::{Room, STORED_AT_ONCE};
use crate::app::file_keys::preview_key;
use crate::app::once::Kept;
use crate::app::{App, AppError};
use crate::chance;

/// What a file's name ends with.
const SUFFIX: &str = "-captioned.jpg";

/// A slide whose file and preview are on the disk, but have no names yet. Dropped, it leaves nothing behind.
pub(super) struct Baked {
    pub(super) files: [Synced; 2],
    pub(super) media: Media,
    pub(super) answer: BakedSlide,
}

/// A slide that was drawn, and what becomes of it.
struct Drawn {
    jpeg: Bytes,
    inspected: Inspected,
    answer: BakedSlide,
    image: Media,
    made_at: Time,
    room: Room,
}

impl App {
    /// Makes slides of images and captions: new media, READY, in the folders of their images.
    pub async fn composite_slides(
        &self,
        workspace: &Workspace,
        request: CompositeSlides,
        kept: &Kept<CompositeResult>,
    ) -> Result<CompositeResult, AppError> {
        let wanted = request.slides.iter().enumerate();
        let wanted =
            wanted.map(|(at, slide)| (slide.media_id, [path_to(at), vec!["mediaId".into()]].concat()));
        let images = self.images(workspace.id, &wanted.collect::<Vec<_>>()).await?;
        self.check_credits(workspace, self.price(images.len())).await?;
        let _entered = self.press.enter(workspace.id)?;
        let baked = self.bake_all(workspace.id, request, images).await?;
        self.keep_slides(workspace, baked, kept).await
    }

    /// What so many slides cost.
    pub(super) fn price(&self, slides: usize) -> u64 {
        u64::from(self.config.composite_credits) * slides as u64
    }

    /// Draws all slides, a few at a time, and stores them meanwhile; the refusal names every slide that cannot be drawn.
    async fn bake_all(
        &self,
        workspace: WorkspaceId,
        request: CompositeSlides,
        images: Vec<Media>,
    ) -> Result<Vec<Baked>, AppError> {
        let (appearance, now) = (request.look, self.now());
        let slides = request.slides.into_iter().zip(images).enumerate();
        let drawing = slides.map(|(at, (slide, image))| {
            // Lists show what is newer first: the first slide is the oldest.
            let made_at = now.plus(Duration::from_micros(at as u64));
            async move {
                match self.draw(workspace, slide, appearance, image, made_at).await {
                    Ok(drawn) => Ok((at, Ok(drawn))),
                    Err(NotDrawn::Refused(refusal)) => Ok((at, Err(refused(path_to(at), &refusal)))),
                    Err(NotDrawn::Failed(error)) => Err(error),
                }
            }
        });
        let drawn = iter(drawing).buffer_unordered(self.press.abreast());
        let storing = drawn.map(|drawn| async move {
            let (at, drawn) = drawn?;
            let stored = match drawn {
                Ok(drawn) => Ok(self.store_unnamed(drawn).await?),
                Err(issue) => Err(issue),
            };
            Ok::<_, AppError>((at, stored))
        });
        let stored: BTreeMap<usize, _> = storing.buffer_unordered(STORED_AT_ONCE).try_collect().await?;
        all_or_issues(stored.into_values())
    }

    async fn draw(
        &self,
        workspace: WorkspaceId,
        request: SlideRequest,
        appearance: SlideLook,
        image: Media,
        made_at: Time,
    ) -> Result<Drawn, NotDrawn> {
        let room = self.press.room(workspace).await?;
        let turn = self.press.turn(workspace).await?;
        let (picture, memory) = self.picture(workspace, &image.storage_key).await?;
        let (index, caption) = (request.index, request.caption);
        let drawn = self.press.draw(turn, move |compositor| {
            let _memory = memory;
            let (slide, small) = compositor.bake_with_thumbnail(&picture, &caption, look(appearance))?;
            let (size, planes) = (small.size(), small.into_samples());
            let inspected = Inspected::of_made_jpeg((WIDTH, HEIGHT), size, planes);
            Ok((slide, inspected))
        });
        let (slide, inspected) = drawn.await?.map_err(NotDrawn::Refused)?;
        Ok(Drawn {
            jpeg: Bytes::from(slide.jpeg),
            inspected: inspected.map_err(AppError::Probe)?,
            answer: BakedSlide {
                index,
                media_id: chance::id(made_at),
                warnings: warnings(&slide.warnings),
            },
            image,
            made_at,
            room,
        })
    }

    async fn store_unnamed(&self, drawn: Drawn) -> Result<Baked, AppError> {
        let Drawn {
            jpeg,
            inspected,
            answer,
            image,
            made_at,
            room,
        } = drawn;
        let storage_key = chance::token();
        let preview_key = preview_key(&storage_key);
        let preview = Bytes::from(inspected.preview_jpeg);
        let (file, preview) = try_join(
            self.blobs.write_unnamed(&storage_key, jpeg),
            self.blobs.write_unnamed(&preview_key, preview),
        )
        .await?;
        drop(room);
        let finished = file.finished();
        let media = Media {
            id: answer.media_id,
            storage_key,
            preview_key: Some(preview_key),
            mime: MimeType::Jpeg,
            size_bytes: Some(finished.size_bytes),
            received_bytes: None,
            file_name: captioned(&image.file_name),
            status: MediaStatus::Ready,
            probe: Some(inspected.probe),
            sha256: Some(finished.sha256.to_vec()),
            finalized_at: Some(made_at),
            failure: None,
            folder_id: image.folder_id,
            created_at: made_at,
        };
        let files = [file, preview];
        Ok(Baked { files, media, answer })
    }
}

/// Why a slide was not drawn.
enum NotDrawn {
    /// It cannot be, as it was requested.
    Refused(playout_captions::Refusal),
    Failed(AppError),
}

impl From<AppError> for NotDrawn {
    fn from(error: AppError) -> Self {
        Self::Failed(error)
    }
}

fn all_or_issues(baked: impl Iterator<Item = Result<Baked, Issue>>) -> Result<Vec<Baked>, AppError> {
    let (mut slides, mut issues) = (Vec::new(), Vec::new());
    for slide in baked {
        match slide {
            Ok(slide) => slides.push(slide),
            Err(issue) => issues.push(issue),
        }
    }
    match issues.is_empty() {
        true => Ok(slides),
        false => Err(Refusal::invalid(issues).into()),
    }
}

fn path_to(slide: usize) -> Path {
    vec!["slides".into(), slide.into()]
}

/// The name of a slide, by that of its image.
fn captioned(original: &str) -> String {
    let stem = match original.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_of_image(ending) => stem,
        _ => original,
    };
    let room = MAX_FILE_NAME_CHARS - SUFFIX.len();
    let stem: String = stem.chars().take(room).collect();
    format!("{stem}{SUFFIX}")
}

fn is_of_image(ending: &str) -> bool {
    let known = ["jpg", "jpeg", "webp"];
    known.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slide_is_called_after_its_image() {
        for (original, slide) in [
            ("kite.jpg", "kite-captioned.jpg"),
            ("Kite.JPEG", "Kite-captioned.jpg"),
            ("kite.webp", "kite-captioned.jpg"),
            ("v1.2 of it", "v1.2 of it-captioned.jpg"),
            (".jpg", ".jpg-captioned.jpg"),
            ("", "-captioned.jpg"),
        ] {
            assert_eq!(captioned(original), slide);
        }
        let long = captioned(&"🪁".repeat(255));
        assert_eq!(long.chars().count(), 255);
        assert!(long.ends_with("🪁-captioned.jpg"));
    }
}
