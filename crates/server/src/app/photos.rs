//! Photos cut down to what a provider takes, made once and kept beside the original.

pub mod making;
pub mod preparations;
pub mod prepared;

use std::sync::Arc;

use bytes::Bytes;
use playout_domain::id::WorkspaceId;
use playout_domain::media::Media;
use playout_domain::provider::PhotoLimits;
use playout_media::{BlobError, FitLimits, RenditionError, fit_jpeg, has_size};

use self::preparations::Preparation;
use super::file_keys::rendition_key;
use super::{App, AppError};

/// Why there is no rendition of a photo.
#[derive(Debug, thiserror::Error)]
pub enum RenditionFailure {
    /// The picture is the problem.
    #[error(transparent)]
    Picture(#[from] RenditionError),
    /// We failed.
    #[error(transparent)]
    Internal(#[from] AppError),
}

impl From<BlobError> for RenditionFailure {
    fn from(error: BlobError) -> Self {
        Self::Internal(error.into())
    }
}

/// The marker at the end of a JPEG.
const END_OF_IMAGE: [u8; 2] = [0xff, 0xd9];

impl App {
    /// Makes the rendition unless it is there as a whole.
    pub async fn ensure_rendition(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        limits: PhotoLimits,
    ) -> Result<(), RenditionFailure> {
        let key = rendition_key(&media.storage_key, limits);
        if self.has_whole_rendition(&key).await {
            return Ok(());
        }
        let _alone = self.making.alone(&key).await;
        if self.has_whole_rendition(&key).await {
            return Ok(());
        }
        let permit = self.decode_permit(workspace, &media.storage_key).await?;
        let original = self.blobs.get(&media.storage_key).await?;
        if let Some(size_bytes) = media.size_bytes {
            // A photo of which a part is missing is no photo that cannot be used.
            has_size(&media.storage_key, original.len() as u64, size_bytes)?;
        }
        let fit = FitLimits {
            max_short_side: limits.max_short_side,
            max_long_side: limits.max_long_side,
            max_bytes: usize::try_from(limits.max_bytes).unwrap_or(usize::MAX),
        };
        let mime = media.mime;
        let making = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            fit_jpeg(&original, mime, fit)
        });
        let jpeg = making.await.map_err(AppError::from)??;
        let size_bytes = jpeg.len() as u64;
        self.blobs.put(&key, Bytes::from(jpeg)).await?;
        self.prepared.note(&key, size_bytes);
        Ok(())
    }

    /// Whether there is a rendition of the size that it had when it was whole, or, where that is not known, one that ends as a JPEG does
    /// (ITU-T T.81, section B.2.1): one that was cut, as in a backup that was copied in part, does not.
    async fn has_whole_rendition(&self, key: &str) -> bool {
        if let Some(size_bytes) = self.prepared.size_of(key) {
            return self.blobs.check_size(key, size_bytes).await.is_ok();
        }
        match self.blobs.get_end(key, END_OF_IMAGE.len() as u64).await {
            Ok(end) if end.bytes[..] == END_OF_IMAGE => {
                self.prepared.note(key, end.size_bytes);
                true
            }
            _ => false,
        }
    }

    /// Makes renditions in the background, as far as there is room for them. What is left out and what fails is left to the
    /// moment of publishing, which makes them itself.
    pub(crate) fn prepare_renditions_later(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        images: Vec<Media>,
        limits: PhotoLimits,
    ) {
        let wanted = images.into_iter().map(|media| Preparation {
            key: rendition_key(&media.storage_key, limits),
            media,
            limits,
        });
        let mut wanted = wanted
            .filter(|wanted| !self.prepared.knows(&wanted.key))
            .peekable();
        if wanted.peek().is_none() || !self.preparations.add(workspace, wanted) {
            return;
        }
        let app = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(Preparation { media, limits, .. }) = app.preparations.next(workspace) {
                if let Err(error) = app.ensure_rendition(workspace, &media, limits).await {
                    tracing::warn!(media = %media.id, "could not prepare the photo {}: {error}", media.id);
                }
            }
        });
    }
}
