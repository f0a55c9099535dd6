//! Resumable uploads (tus 1.0, `docs/contract.md#resumable-uploads`): begun, grown over many requests, finished or given up.
//!
//! The database has the number of bytes received, the storage has the bytes: bytes are synced before they are noted, and the next
//! request discards what was not noted. One request at a time writes to a file, whichever node it is on, because it holds the lock on
//! it. A bucket has no locks, and none are needed: what a request notes is noted from where the upload stood, so that no two can both be
//! right. Work goes on in a task of its own, so that a client that hangs up takes nothing away.
//!
//! Between the last byte and READY the process may die. The upload then does not expire; the next HEAD or PATCH, or the
//! sweep of any node, finishes it (`finish.rs`).

mod begin;
mod checksum;
mod chunk;
mod finish;
pub mod locks;
mod receive;
mod refusals;

use std::sync::Arc;

use playout_domain::access::Accounts;
use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{MediaId, WorkspaceId};
use playout_domain::media::Media;
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_media::{BlobError, IfMissing};
use playout_store::{DeleteMedia, Upload};
use playout_wire::tus::CreateUpload;
use tracing::Instrument;

pub(super) use self::begin::LIFETIME;
pub use self::chunk::{Body, Chunk};
use self::locks::Locked;
pub(super) use self::receive::Received;
use self::refusals::{locked, not_found, too_many};
use super::expected::Expected;
use super::{App, AppError};

/// How far an upload has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The media object: PENDING, or READY.
    pub media: Media,
    /// How many bytes are in.
    pub offset: u64,
    /// `Upload-Metadata`, as it came.
    pub metadata: Option<String>,
    /// When it ends; `None` once it is READY.
    pub expires_at: Option<Time>,
}

impl Standing {
    fn ready(media: Media, metadata: Option<String>) -> Self {
        Self {
            offset: media.size_bytes.unwrap_or(0),
            media,
            metadata,
            expires_at: None,
        }
    }
}

impl From<Upload> for Standing {
    fn from(upload: Upload) -> Self {
        Self {
            media: upload.media,
            offset: upload.received_bytes,
            metadata: upload.metadata,
            expires_at: Some(upload.expires_at),
        }
    }
}

impl App {
    /// Begins an upload, with its first bytes if there are some. An upload whose first bytes cannot be taken is not begun, as the
    /// client would not have its ID. An upload of a file that is not accepted reports the reason, as always.
    pub async fn begin_upload(
        self: &Arc<Self>,
        workspace: Workspace,
        request: CreateUpload,
        first: Option<Chunk>,
    ) -> Result<Standing, AppError> {
        let app = Arc::clone(self);
        let begun = async move {
            let upload = app.create_upload(&workspace, request).await?;
            let Some(chunk) = first else {
                return Ok(upload.into());
            };
            let media = upload.media.clone();
            let grown = app.append_here(workspace.id, upload.media.id, chunk).await;
            if grown.is_err() && !app.has_failed(workspace.id, media.id).await? {
                app.erase_upload(workspace.id, &media).await?;
            }
            grown
        };
        tokio::spawn(begun.in_current_span()).await?
    }

    /// Adds bytes to an upload; READY with its last one.
    pub async fn append_to_upload(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        id: MediaId,
        chunk: Chunk,
    ) -> Result<Standing, AppError> {
        self.check_own(id).await?;
        self.append_in_task(workspace, id, chunk).await
    }

    async fn append_in_task(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        id: MediaId,
        chunk: Chunk,
    ) -> Result<Standing, AppError> {
        let app = Arc::clone(self);
        let appended = async move { app.append_here(workspace, id, chunk).await };
        tokio::spawn(appended.in_current_span()).await?
    }

    /// An upload whose bytes the service itself fetches is none of a client's.
    async fn check_own(&self, id: MediaId) -> Result<(), AppError> {
        match self.store.find_import(id).await? {
            Some(_) => Err(not_found().into()),
            None => Ok(()),
        }
    }

    /// How far an upload has come. An upload held by a silent connection is taken from it first, and one whose finish is still
    /// pending is finished, so that the returned offset is the one to continue from.
    pub async fn upload_standing(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        id: MediaId,
    ) -> Result<Standing, AppError> {
        self.check_own(id).await?;
        self.uploads.displace_silent(id, self.now()).await;
        let found = self.find_standing(workspace, id).await?;
        if found.expires_at.is_none() || Some(found.offset) != found.media.size_bytes {
            return Ok(found);
        }
        self.finish_complete(workspace, id, found.offset).await
    }

    /// Finishes an upload whose bytes are all in.
    pub(super) async fn finish_complete(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        id: MediaId,
        length: u64,
    ) -> Result<Standing, AppError> {
        let nothing = Chunk {
            offset: length,
            length: Some(0),
            checksum: None,
            body: Box::pin(futures_util::stream::empty()),
        };
        self.append_in_task(workspace, id, nothing).await
    }

    /// Takes in what an address has sent for an import.
    pub(super) async fn take_import_in(
        &self,
        workspace: WorkspaceId,
        upload: Upload,
        chunk: Chunk,
    ) -> Result<Received, AppError> {
        let mut held = self.lock_upload(workspace, &upload.clone().into()).await?;
        self.go_on_from(workspace, &mut held, &upload).await?;
        self.take_in(workspace, upload, held, chunk).await
    }

    /// Gives up an upload, finished or not.
    pub async fn terminate_upload(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        by: &Actor,
        expected: &Expected,
        seen: &Accounts,
    ) -> Result<(), AppError> {
        self.check_own(id).await?;
        if !self.has_failed(workspace, id).await? {
            self.find_standing(workspace, id).await?;
        }
        self.delete_media(workspace, id, by, expected, seen).await
    }

    async fn has_failed(&self, workspace: WorkspaceId, id: MediaId) -> Result<bool, AppError> {
        let found = self.store.find_media(workspace, id).await?;
        Ok(found.is_some_and(|media| media.failure.is_some()))
    }

    async fn find_standing(&self, workspace: WorkspaceId, id: MediaId) -> Result<Standing, AppError> {
        if let Some(upload) = self.store.find_upload(workspace, id, self.now()).await? {
            return Ok(upload.into());
        }
        let finished = self.store.find_finished_upload(workspace, id).await?;
        let (media, metadata) = finished.ok_or_else(not_found)?;
        Ok(Standing::ready(media, metadata))
    }

    async fn append_here(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        id: MediaId,
        chunk: Chunk,
    ) -> Result<Standing, AppError> {
        self.uploads.displace_silent(id, self.now()).await;
        let found = self.find_standing(workspace, id).await?;
        check_fit(&found, &chunk)?;
        if found.expires_at.is_none() {
            return Ok(found);
        }
        let mut held = self.lock_upload(workspace, &found).await?;
        // Another request may have changed the upload between the lookup and the lock.
        let Some(upload) = self.store.find_upload(workspace, id, self.now()).await? else {
            let found = self.lost_upload(workspace, &found.media).await?;
            check_fit(&found, &chunk)?;
            return Ok(found);
        };
        check_fit(&upload.clone().into(), &chunk)?;
        self.go_on_from(workspace, &mut held, &upload).await?;
        match self.take_in(workspace, upload, held, chunk).await? {
            Received::Part(upload) => Ok(upload.into()),
            Received::All(upload, held) => Box::pin(self.finish_upload(workspace, upload, held)).await,
        }
    }

    /// Finds the end of what was received. Nothing can be added to what is stored in part.
    async fn go_on_from(
        &self,
        workspace: WorkspaceId,
        held: &mut Locked,
        upload: &Upload,
    ) -> Result<(), AppError> {
        let note = upload.note.as_deref();
        match held.partial.go_on_from(upload.received_bytes, note).await {
            Err(error) => Err(match (self.overtaken(workspace, upload).await?, error) {
                (Some(refusal), _) => refusal.into(),
                (None, BlobError::Size { .. }) => bytes_missing().into(),
                (None, error) => error.into(),
            }),
            Ok(()) => Ok(()),
        }
    }

    /// How to refuse a request that found the upload like this, if another, perhaps at another node, has gone on with it or ended it since:
    /// then it is no failure of the storage that bytes are not where they were.
    async fn overtaken(&self, workspace: WorkspaceId, found: &Upload) -> Result<Option<Refusal>, AppError> {
        let (id, now) = (found.media.id, self.now());
        if let Some(upload) = self.store.find_upload(workspace, id, now).await? {
            let is_same = (upload.received_bytes, &upload.note) == (found.received_bytes, &found.note);
            return Ok((!is_same).then(|| locked("Another request has written to this upload meanwhile.")));
        }
        let finished = self.store.find_finished_upload(workspace, id).await?;
        let by_another = || locked("The upload was finished by another request just now.");
        Ok(Some(finished.map_or_else(not_found, |_| by_another())))
    }

    /// Locks an upload's file. Nothing can be added to what is not there.
    async fn lock_upload(&self, workspace: WorkspaceId, found: &Standing) -> Result<Locked, AppError> {
        let if_missing = match found.offset {
            0 => IfMissing::Create,
            _ => IfMissing::Fail,
        };
        let key = &found.media.storage_key;
        match self.blobs.hold_partial(key, if_missing).await {
            Ok(Some(partial)) => Ok(Locked {
                partial,
                lock: self.uploads.take(found.media.id, self.now()),
            }),
            Ok(None) => Err(locked("Another request holds this upload; ask again in a moment.").into()),
            Err(BlobError::NotFound { .. }) => {
                let found = self.find_standing(workspace, found.media.id).await?;
                Err(match found.expires_at {
                    None => locked("The upload was finished by another request just now.").into(),
                    // The row stays: the storage may be unavailable, or another one's. If it is not, the upload expires.
                    Some(_) => bytes_missing().into(),
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The upload is READY since it was found, or else gone. Then what is left of it goes too, such as the file that taking hold of it
    /// made.
    async fn lost_upload(&self, workspace: WorkspaceId, media: &Media) -> Result<Standing, AppError> {
        let found = self.find_standing(workspace, media.id).await;
        if found.as_ref().is_ok_and(|found| found.expires_at.is_none()) {
            return found;
        }
        self.erase_upload(workspace, media).await?;
        Err(not_found().into())
    }

    /// Removes an upload that will not be finished, gives its storage back, and removes what there is of its bytes even if it was
    /// removed before.
    async fn erase_upload(&self, workspace: WorkspaceId, media: &Media) -> Result<(), AppError> {
        let by = Actor::operator();
        match self
            .store
            .delete_media(workspace, media.id, &by, self.now())
            .await?
        {
            DeleteMedia::InUse(_) => Ok(()),
            DeleteMedia::Deleted(_) | DeleteMedia::NotFound => {
                Ok(self.remove_files(&media.storage_key).await?)
            }
        }
    }
}

fn check_fit(standing: &Standing, chunk: &Chunk) -> Result<(), Refusal> {
    if standing.offset != chunk.offset {
        let message = format!(
            "The upload stands at byte {}, not at {}.",
            standing.offset, chunk.offset
        );
        let details = serde_json::json!({ "offset": standing.offset });
        return Err(Refusal::new(Code::UploadOffsetConflict, message).with_details(details));
    }
    let missing = standing
        .media
        .size_bytes
        .unwrap_or(0)
        .saturating_sub(chunk.offset);
    match chunk.length {
        Some(length) if length > missing => Err(too_many(missing)),
        _ => Ok(()),
    }
}

fn bytes_missing() -> Refusal {
    let message = "The bytes of this upload that were received are not in the storage. Ask again later, or begin a new upload.";
    Refusal::new(Code::MediaNotFound, message)
}
