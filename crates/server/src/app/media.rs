//! Media: streamed in, looked into, kept, served.

use std::sync::Arc;

use bytes::Bytes;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::FolderId;
use playout_domain::media::{Media, MediaStatus, MediaType, MimeType};
use playout_domain::workspace::Workspace;
use playout_media::{
    BlobError, EarlyPoster, Finished, IMAGE_MAX_BYTES, Inspected, Inspector, SNIFF_BYTES, Upload, sniff,
};
use playout_store::InsertMedia;
use tokio::task::JoinHandle;

use super::library::folder_vanished;
use super::usage::quota_details;
use super::{App, AppError};
use crate::chance;
use crate::config::plan_of;

/// How many first bytes decide the type.
const SNIFF: usize = SNIFF_BYTES as usize;

/// What the form said about a file besides its bytes.
#[derive(Debug, Default)]
pub struct UploadForm {
    /// The name to keep it under.
    pub file_name: Option<String>,
    /// The type it claims.
    pub mime: Option<MimeType>,
    /// The kind it claims.
    pub media_type: Option<MediaType>,
    /// Its folder.
    pub folder_id: Option<FolderId>,
}

/// A file on its way in. Dropped unfinished, it leaves nothing behind.
pub struct Incoming {
    upload: Upload,
    storage_key: String,
    head: Vec<u8>,
    mime: Option<MimeType>,
    max_video_bytes: Option<u64>,
    inspector: Arc<Inspector>,
    early: Option<JoinHandle<Option<EarlyPoster>>>,
}

/// From so many bytes on, the poster of a video is drawn while the rest is still coming in.
const EARLY_FROM_BYTES: u64 = 16_000_000;

impl App {
    /// Begins to take a file in.
    pub async fn receive(&self, workspace: &Workspace) -> Result<Incoming, AppError> {
        let storage_key = chance::token();
        Ok(Incoming {
            upload: self.blobs.upload(&storage_key).await?,
            storage_key,
            head: Vec::new(),
            mime: None,
            max_video_bytes: plan_of(&self.config, &workspace.plan).max_video_bytes,
            inspector: Arc::clone(&self.inspector),
            early: None,
        })
    }

    /// Looks into a received file and makes a media object of it (contract §3).
    pub async fn accept(
        &self,
        workspace: &Workspace,
        incoming: Incoming,
        form: UploadForm,
    ) -> Result<Media, AppError> {
        let Received {
            finished,
            storage_key,
            mime,
            early,
        } = incoming.finish().await?;
        let accepted = self
            .accept_stored(workspace, (&finished, mime, &storage_key, early), form)
            .await;
        if accepted.is_err() {
            self.discard(&storage_key).await?;
        }
        accepted
    }

    async fn accept_stored(
        &self,
        workspace: &Workspace,
        (finished, mime, storage_key, early): (&Finished, MimeType, &str, Option<EarlyPoster>),
        form: UploadForm,
    ) -> Result<Media, AppError> {
        check_claims(&form, mime)?;
        self.check_folder(workspace.id, form.folder_id).await?;
        let inspected = self.inspect(storage_key, early).await?;
        let preview_key = preview_key(storage_key);
        self.blobs
            .put(&preview_key, Bytes::from(inspected.preview_webp))
            .await?;
        let now = self.now();
        let media = Media {
            id: chance::id(now),
            storage_key: storage_key.to_owned(),
            preview_key: Some(preview_key),
            mime,
            size_bytes: Some(finished.size_bytes),
            file_name: form
                .file_name
                .unwrap_or_else(|| format!("upload.{}", mime.extension())),
            status: MediaStatus::Ready,
            probe: Some(inspected.probe),
            sha256: Some(finished.sha256.to_vec()),
            finalized_at: Some(now),
            folder_id: form.folder_id,
            created_at: now,
        };
        let limit = plan_of(&self.config, &workspace.plan).storage_bytes;
        let inserted = self.store.insert_media(workspace.id, &media, limit).await;
        match inserted.map_err(folder_vanished)? {
            InsertMedia::Inserted => Ok(media),
            InsertMedia::StorageLimitReached { limit, used } => {
                Err(storage_limit_reached(limit, used).into())
            }
        }
    }

    async fn inspect(&self, storage_key: &str, early: Option<EarlyPoster>) -> Result<Inspected, AppError> {
        let mut reader = self.blobs.reader(storage_key).await?;
        let inspector = Arc::clone(&self.inspector);
        let _permit = self.pictures.acquire().await;
        match tokio::task::spawn_blocking(move || inspector.inspect_with(&mut reader, early)).await? {
            Ok(inspected) => Ok(inspected),
            Err(error) if error.is_internal() => Err(AppError::Probe(error)),
            Err(error) => Err(invalid_file(error.to_string()).into()),
        }
    }

    /// Removes a file that came to nothing, and its preview, if it got so far.
    async fn discard(&self, storage_key: &str) -> Result<(), BlobError> {
        self.blobs.delete(&preview_key(storage_key)).await?;
        self.blobs.delete(storage_key).await
    }
}

/// Where the preview of the file under `storage_key` is kept.
pub(crate) fn preview_key(storage_key: &str) -> String {
    format!("{storage_key}.preview.webp")
}

struct Received {
    finished: Finished,
    storage_key: String,
    mime: MimeType,
    early: Option<EarlyPoster>,
}

impl Incoming {
    /// Takes the next bytes. Refuses a file of an unsupported type, or one too large, as soon as that shows.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), AppError> {
        if self.mime.is_none() {
            let wanted = SNIFF.saturating_sub(self.head.len()).min(bytes.len());
            self.head.extend_from_slice(&bytes[..wanted]);
            if self.head.len() >= SNIFF {
                self.mime = Some(sniff_head(&self.head)?);
            }
        }
        self.upload.write(bytes).await?;
        self.draw_early();
        self.check_size()
    }

    /// Begins to draw the poster of a large video. Its bytes take longer to come than that does.
    fn draw_early(&mut self) {
        let is_video = self
            .mime
            .is_some_and(|mime| mime.media_type() == MediaType::Video);
        let is_time = self.early.is_none() && is_video && self.upload.size_bytes() >= EARLY_FROM_BYTES;
        if let (true, Some(unfinished)) = (is_time, self.upload.unfinished()) {
            let (inspector, unfinished) = (Arc::clone(&self.inspector), unfinished.to_owned());
            self.early = Some(tokio::task::spawn_blocking(move || {
                inspector.early_poster(&unfinished)
            }));
        }
    }

    /// Whether no byte has come.
    pub fn is_empty(&self) -> bool {
        self.upload.size_bytes() == 0
    }

    async fn finish(mut self) -> Result<Received, AppError> {
        if self.is_empty() {
            return Err(invalid_file("the file is empty").into());
        }
        let mime = match self.mime {
            Some(mime) => mime,
            None => sniff_head(&self.head)?,
        };
        self.mime = Some(mime);
        self.check_size()?;
        let early = match self.early.take() {
            Some(drawing) => drawing.await?,
            None => None,
        };
        Ok(Received {
            finished: self.upload.finish().await?,
            storage_key: self.storage_key,
            mime,
            early,
        })
    }

    fn check_size(&self) -> Result<(), AppError> {
        let limit = match self.mime.map(MimeType::media_type) {
            Some(MediaType::Image) => Some(IMAGE_MAX_BYTES),
            _ => self.max_video_bytes,
        };
        match limit {
            Some(limit) if self.upload.size_bytes() > limit => {
                let message =
                    format!("The file is larger than the {limit} bytes allowed for its kind on this plan.");
                let details = serde_json::json!({ "limit": limit });
                Err(Refusal::new(Code::MediaTooLarge, message)
                    .with_details(details)
                    .into())
            }
            _ => Ok(()),
        }
    }
}

fn sniff_head(head: &[u8]) -> Result<MimeType, AppError> {
    sniff(head).map_err(|unrecognized| invalid_file(unrecognized.to_string()).into())
}

fn check_claims(form: &UploadForm, mime: MimeType) -> Result<(), Refusal> {
    match (form.mime, form.media_type) {
        (Some(claimed), _) if claimed != mime => Err(invalid_file(format!(
            "declared as {}, but its bytes are {}",
            claimed.as_str(),
            mime.as_str()
        ))),
        (_, Some(claimed)) if claimed != mime.media_type() => Err(invalid_file(format!(
            "declared as {}, but its bytes are {}",
            claimed.as_str(),
            mime.as_str()
        ))),
        _ => Ok(()),
    }
}

/// The refusal of a file that is missing, unsupported or unreadable.
pub fn invalid_file(problem: impl Into<String>) -> Refusal {
    Refusal::new(Code::InvalidMediaFile, problem)
}

fn storage_limit_reached(limit: u64, used: u64) -> Refusal {
    let message = format!("The plan's storage of {limit} bytes would be exceeded; {used} are used.");
    Refusal::new(Code::StorageLimitReached, message).with_details(quota_details(limit, used, None))
}
