//! Photos cut down to what a provider takes, made once and kept beside the original.

pub mod making;
pub mod preparations;
pub mod prepared;

use std::sync::Arc;

use bytes::Bytes;
use playout_domain::id::WorkspaceId;
use playout_domain::media::Media;
use playout_domain::provider::PhotoLimits;
use playout_media::{BlobError, FitLimits, RenditionError, fit_jpeg};

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

impl App {
    /// Makes the rendition unless it is there, and answers its key.
    pub async fn ensure_rendition(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        limits: PhotoLimits,
    ) -> Result<String, RenditionFailure> {
        let key = rendition_key(&media.storage_key, limits);
        if self.blobs.head(&key).await.is_ok() {
            return Ok(key);
        }
        let _alone = self.making.alone(&key).await;
        if self.blobs.head(&key).await.is_ok() {
            return Ok(key);
        }
        let permit = self.decode_permit(workspace, &media.storage_key).await?;
        let original = self.blobs.get(&media.storage_key).await?;
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
        self.blobs.put(&key, Bytes::from(jpeg)).await?;
        Ok(key)
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
                match app.ensure_rendition(workspace, &media, limits).await {
                    Ok(key) => app.prepared.note(key),
                    Err(error) => {
                        tracing::warn!(media = %media.id, "could not prepare the photo {}: {error}", media.id);
                    }
                }
            }
        });
    }
}
