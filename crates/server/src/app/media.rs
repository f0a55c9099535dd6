//! Media: received as a stream, inspected, stored, served.

pub mod unfinished;

use std::sync::Arc;

use bytes::Bytes;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{FolderId, WorkspaceId};
use playout_domain::media::{Media, MediaStatus, MediaType, MimeType};
use playout_domain::workspace::Workspace;
use playout_media::{
    BlobError, BlobReader, Blobs, EarlyPoster, Finished, IMAGE_MAX_BYTES, Inspected, POSTER_COST_BYTES,
    SNIFF_BYTES, Sealed, Upload, decode_cost, sniff,
};
use playout_store::InsertMedia;
use tokio::task::JoinHandle;

use self::unfinished::UnfinishedFile;
use super::decoding::DecodePermit;
use super::file_keys::preview_key;
use super::library::folder_vanished;
use super::once::Kept;
use super::refusals::storage_limit_reached;
use super::reservations::Reservation;
use super::{App, AppError};
use crate::chance;

/// How many first bytes decide the type.
const SNIFF: usize = SNIFF_BYTES as usize;

/// The fields of the form besides the file's bytes.
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

impl UploadForm {
    /// The content of the request, with the file's bytes as their hash (`docs/contract.md#same-request`).
    pub fn canonical(&self, file: &Received) -> serde_json::Value {
        let Self {
            file_name,
            mime,
            media_type,
            folder_id,
        } = self;
        serde_json::json!({
            "fileName": file_name,
            "mimeType": mime.map(MimeType::as_str),
            "mediaType": media_type.map(MediaType::as_str),
            "folderId": folder_id,
            "sha256": hex::encode(file.sha256()),
        })
    }
}

/// A file on its way in. Dropped unfinished, it leaves nothing behind.
pub struct Incoming {
    workspace: WorkspaceId,
    upload: Upload,
    reservation: Reservation,
    storage_key: String,
    head: Vec<u8>,
    mime: Option<MimeType>,
    max_video_bytes: Option<u64>,
    app: Arc<App>,
    is_early_tried: bool,
    early: Option<JoinHandle<Option<EarlyPoster>>>,
}

/// From so many bytes on, the poster of a video is drawn while the rest is still coming in.
const EARLY_FROM_BYTES: u64 = 16_000_000;

impl App {
    /// Begins to take a file in, unless too many of the workspace are unfinished.
    /// `body_length` is the length of the whole request, where it is announced.
    pub async fn receive(
        self: &Arc<Self>,
        workspace: &Workspace,
        body_length: Option<u64>,
    ) -> Result<Incoming, AppError> {
        self.unfinished.check(workspace.id)?;
        let storage_key = chance::token();
        let limits = (self.plan_of(&workspace.plan).storage_bytes, body_length);
        Ok(Incoming {
            workspace: workspace.id,
            upload: self.blobs.upload(&storage_key).await?,
            reservation: Reservation::new(self, workspace.id, &storage_key, limits),
            storage_key,
            head: Vec::new(),
            mime: None,
            max_video_bytes: self.plan_of(&workspace.plan).max_video_bytes,
            app: Arc::clone(self),
            is_early_tried: false,
            early: None,
        })
    }

    /// Inspects a received file and makes a media object of it (`docs/contract.md#uploads`).
    pub async fn accept(
        &self,
        workspace: &Workspace,
        received: Received,
        form: UploadForm,
        kept: &Kept<Media>,
    ) -> Result<Media, AppError> {
        let early = match received.early {
            Some(drawing) => drawing.await?,
            None => None,
        };
        let _unfinished = received.unfinished;
        let storage_key = received.storage_key;
        let unowned = Unowned::new(&self.blobs, &storage_key);
        let finished = received.sealed.keep().await?;
        let stored = StoredFile {
            finished,
            unowned,
            storage_key: &storage_key,
            mime: received.mime,
            early,
        };
        let accepted = self.accept_stored(workspace, stored, form, kept).await;
        match accepted {
            Ok(_) => received.reservation.settled(),
            Err(_) => self.discard(&storage_key).await?,
        }
        accepted
    }

    async fn accept_stored(
        &self,
        workspace: &Workspace,
        StoredFile {
            finished,
            mut unowned,
            storage_key,
            mime,
            early,
        }: StoredFile<'_>,
        form: UploadForm,
        kept: &Kept<Media>,
    ) -> Result<Media, AppError> {
        check_claims(&form, mime)?;
        self.check_folder(workspace.id, form.folder_id).await?;
        let opened = self.open_to_inspect(workspace.id, storage_key).await?;
        let inspected = self.inspect(storage_key, opened, early).await?;
        let preview_key = preview_key(storage_key);
        self.blobs
            .put(&preview_key, Bytes::from(inspected.preview_jpeg))
            .await?;
        let now = self.now();
        let media = Media {
            id: chance::id(now),
            storage_key: storage_key.to_owned(),
            preview_key: Some(preview_key),
            mime,
            size_bytes: Some(finished.size_bytes),
            received_bytes: None,
            file_name: form
                .file_name
                .unwrap_or_else(|| format!("upload.{}", mime.extension())),
            status: MediaStatus::Ready,
            probe: Some(inspected.probe),
            sha256: Some(finished.sha256.to_vec()),
            finalized_at: Some(now),
            failure: None,
            folder_id: form.folder_id,
            created_at: now,
        };
        let limit = self.plan_of(&workspace.plan).storage_bytes;
        let keep = kept.keep(Media::clone);
        unowned.forget();
        let inserted = self.store.insert_media_once(workspace.id, &media, limit, keep);
        match inserted.await.map_err(folder_vanished)? {
            InsertMedia::Inserted => Ok(media),
            InsertMedia::StorageLimitReached { limit, used } => {
                Err(storage_limit_reached(limit, used).into())
            }
        }
    }

    /// Returns what a stored file contains, or rejects it.
    pub(super) async fn inspect(
        &self,
        storage_key: &str,
        opened: Opened,
        early: Option<EarlyPoster>,
    ) -> Result<Inspected, AppError> {
        self.failpoint("media.before_inspect");
        let Opened { mut reader, permit } = opened;
        let inspector = Arc::clone(&self.inspector);
        let inspecting = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            inspector.inspect_with(&mut reader, early)
        });
        match inspecting.await? {
            Ok(inspected) => {
                if let Some(reason) = &inspected.placeholder_because {
                    tracing::info!(storage_key, reason, "no poster could be drawn for a video");
                }
                Ok(inspected)
            }
            Err(error) if error.is_internal() => Err(AppError::Probe(error)),
            Err(error) => Err(invalid_file(error.to_string()).into()),
        }
    }

    /// Waits until the file may be decoded: the cost follows from its header, and no more of it is read before. It is opened
    /// again after that, so that files that wait take no descriptors.
    pub(super) async fn open_to_inspect(
        &self,
        workspace: WorkspaceId,
        storage_key: &str,
    ) -> Result<Opened, AppError> {
        let permit = self.decode_permit(workspace, storage_key).await?;
        let reader = self.blobs.reader(storage_key).await?;
        Ok(Opened { reader, permit })
    }

    /// Waits until the file may be decoded.
    pub(super) async fn decode_permit(
        &self,
        workspace: WorkspaceId,
        storage_key: &str,
    ) -> Result<DecodePermit, AppError> {
        let mut reader = self.blobs.reader(storage_key).await?;
        let reading = tokio::task::spawn_blocking(move || decode_cost(&mut reader));
        let cost = self.blobs.within_limit(storage_key, reading).await??;
        self.decoding.permit(workspace, cost).await
    }

    /// Removes a file that becomes no media object, and its preview, if there is one.
    async fn discard(&self, storage_key: &str) -> Result<(), BlobError> {
        self.blobs.delete(&preview_key(storage_key)).await?;
        self.blobs.delete(storage_key).await
    }
}

/// A file that may be decoded now.
pub(super) struct Opened {
    reader: BlobReader,
    permit: DecodePermit,
}

/// A file that is in, but not yet stored. Dropped, it leaves nothing behind.
pub struct Received {
    sealed: Sealed,
    reservation: Reservation,
    storage_key: String,
    mime: MimeType,
    early: Option<JoinHandle<Option<EarlyPoster>>>,
    unfinished: UnfinishedFile,
}

impl Received {
    /// The SHA-256 of its bytes.
    pub fn sha256(&self) -> [u8; 32] {
        self.sealed.finished().sha256
    }
}

/// A file under its name that no media object owns yet. Dropped, because the client went away, it and its preview go.
struct Unowned(Option<(Blobs, String)>);

impl Unowned {
    fn new(blobs: &Blobs, storage_key: &str) -> Self {
        Self(Some((blobs.clone(), storage_key.to_owned())))
    }

    /// From here on what becomes of it is certain only when the database has answered.
    fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Unowned {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some((blobs, storage_key)), Ok(runtime)) = (self.0.take(), runtime) {
            runtime.spawn(async move {
                let removed = async {
                    blobs.delete(&preview_key(&storage_key)).await?;
                    blobs.delete(&storage_key).await
                };
                if let Err(error) = removed.await {
                    tracing::warn!("the file of an upload that came to nothing was not removed: {error}");
                }
            });
        }
    }
}

/// A file that is stored, but not yet known.
struct StoredFile<'a> {
    finished: Finished,
    unowned: Unowned,
    storage_key: &'a str,
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
        let size = self.upload.size_bytes() + bytes.len() as u64;
        self.check_size(size)?;
        self.reservation.cover(size).await?;
        self.upload.write(bytes).await?;
        self.draw_early();
        Ok(())
    }

    /// Begins to draw the poster of a large video. Its bytes take longer to come than that does. Where no permit is free, the
    /// poster is drawn at the end.
    fn draw_early(&mut self) {
        let is_video = self
            .mime
            .is_some_and(|mime| mime.media_type() == MediaType::Video);
        if self.is_early_tried || !is_video || self.upload.size_bytes() < EARLY_FROM_BYTES {
            return;
        }
        self.is_early_tried = true;
        let permit = self.app.decoding.try_permit(POSTER_COST_BYTES);
        if let (Some(permit), Some(unfinished)) = (permit, self.upload.unfinished()) {
            let (inspector, unfinished) = (Arc::clone(&self.app.inspector), unfinished.to_owned());
            self.early = Some(tokio::task::spawn_blocking(move || {
                let _permit = permit;
                inspector.early_poster(&unfinished)
            }));
        }
    }

    /// Whether no byte has come.
    pub fn is_empty(&self) -> bool {
        self.upload.size_bytes() == 0
    }

    /// Ends a file whose last byte is in, and judges it by its type and size. From here on it counts as unfinished.
    pub async fn seal(mut self) -> Result<Received, AppError> {
        if self.is_empty() {
            return Err(invalid_file("the file is empty").into());
        }
        let mime = match self.mime {
            Some(mime) => mime,
            None => sniff_head(&self.head)?,
        };
        self.mime = Some(mime);
        self.check_size(self.upload.size_bytes())?;
        let unfinished = self.app.unfinished.count(self.workspace)?;
        Ok(Received {
            unfinished,
            sealed: self.upload.seal().await?,
            reservation: self.reservation,
            storage_key: self.storage_key,
            mime,
            early: self.early,
        })
    }

    fn check_size(&self, size: u64) -> Result<(), AppError> {
        let limit = match self.mime.map(MimeType::media_type) {
            Some(MediaType::Image) => Some(IMAGE_MAX_BYTES),
            _ => self.max_video_bytes,
        };
        match limit {
            Some(limit) if size > limit => Err(too_large(limit).into()),
            _ => Ok(()),
        }
    }
}

/// The type of a file by its first bytes.
pub(super) fn sniff_head(head: &[u8]) -> Result<MimeType, AppError> {
    sniff(head).map_err(|unrecognized| invalid_file(unrecognized.to_string()).into())
}

/// Refuses a file whose bytes are not what was declared.
pub(super) fn check_claims(form: &UploadForm, mime: MimeType) -> Result<(), Refusal> {
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

/// The refusal of a file that is larger than `limit` bytes.
pub(super) fn too_large(limit: u64) -> Refusal {
    let message = format!("The file is larger than the {limit} bytes allowed for its kind on this plan.");
    let details = serde_json::json!({ "limit": limit });
    Refusal::new(Code::MediaTooLarge, message).with_details(details)
}

/// The refusal of a file that claims a type which is not taken.
pub fn unsupported(claimed: &str) -> Refusal {
    let known = MimeType::ALL.map(MimeType::as_str).join(", ");
    invalid_file(format!(
        "mimeType {claimed:?} is not supported; it must be one of {known}"
    ))
}
