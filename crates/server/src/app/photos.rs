//! Photos cut down to what a provider takes, made once and kept beside the original.

mod making;
mod preparations;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use playout_domain::id::WorkspaceId;
use playout_domain::media::Media;
use playout_domain::provider::PhotoLimits;
use playout_media::{BlobError, FitLimits, RenditionError, fit_jpeg};

use self::preparations::Preparation;
use super::{App, AppError};

pub use making::Making;
pub use preparations::Preparations;

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

/// Where the rendition of the photo under `storage_key` under these limits is kept.
pub fn rendition_key(storage_key: &str, limits: PhotoLimits) -> String {
    let (long, short) = (limits.max_long_side, limits.max_short_side);
    format!("{storage_key}.{long}x{short}.jpg")
}

/// Renditions that were there lately: what is posted again and again need not be looked for each time. It is only a
/// hint; publishing looks itself.
#[derive(Debug, Default)]
pub struct Prepared(Mutex<HashSet<String>>);

/// How many are remembered.
const MOST_PREPARED: usize = 4096;

impl Prepared {
    fn knows(&self, key: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(key)
    }

    fn note(&self, key: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_PREPARED {
            known.clear();
        }
        known.insert(key);
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
