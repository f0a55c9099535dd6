//! From the last byte to READY.
//!
//! First the file gets its name, under which it is found when the upload is finished after a crash; then it is inspected; then
//! one transaction makes it READY. The holder of the file can repeat each step. A bucket locks no file: there a lease in the database
//! keeps other nodes away meanwhile.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use playout_domain::error::Refusal;
use playout_domain::id::{MediaId, WorkspaceId};
use playout_domain::media::{Media, MediaFailure, MediaStatus};
use playout_domain::time::Time;
use playout_media::{BlobError, IfMissing};
use playout_store::Upload;

use super::Standing;
use super::begin::default_name;
use super::locks::Locked;
use super::receive::{check_size, claims_of};
use super::refusals::{locked, not_found};
use crate::app::file_keys::preview_key;
use crate::app::media::{check_claims, invalid_file};
use crate::app::{App, AppError};
use crate::concurrency::alongside::alongside;
use crate::logs::log_failure;

/// How many uploads a sweep looks at.
const SWEPT_AT_ONCE: u32 = 1000;
/// How often finishing an upload is begun. A process that dies on the way has counted its attempt before.
const MOST_ATTEMPTS: u32 = 3;
/// How long the reason of a failed upload can be read.
const FAILED_FOR: Duration = Duration::from_secs(24 * 3600);
/// How long an attempt is leased; it is renewed in time. Another node goes on so long after the one that died: sooner than clients
/// give up, whose libraries ask again for about ten seconds.
const LEASE: Duration = Duration::from_secs(6);
/// How long a request waits for another node that finishes the same upload, longer than the lease of one that died, and how often it
/// looks.
const WAITED_FOR: Duration = Duration::from_secs(7);
const LOOKED_EVERY: Duration = Duration::from_millis(250);
/// How long after a try that failed a lease is renewed again.
const RENEWED_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// What became of the wish to finish an upload.
enum Turn {
    /// It is this node's.
    Here(Attempt),
    /// The upload is READY or has failed.
    Over(Box<Standing>),
}

/// An attempt to finish an upload.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    /// How many were counted before. It counts from when the file is read on: a process that dies while it waits for the storage is not
    /// the file's doing.
    earlier: u32,
    /// Until when the upload is no other node's, where there is no lock.
    leased: Option<Time>,
}

impl App {
    /// Inspects an upload whose bytes are all in. If the file is rejected, the reason is kept, as the client may be gone before
    /// the response; if it cannot be inspected for another reason, the upload stays, and is tried again later.
    pub(in crate::app) async fn finish_upload(
        &self,
        workspace: WorkspaceId,
        upload: Upload,
        mut held: Locked,
    ) -> Result<Standing, AppError> {
        held.lock.is_finishing();
        self.failpoint("upload.before_place");
        let id = upload.media.id;
        let mut attempt = match self.begin_attempt(workspace, id).await? {
            Turn::Here(attempt) if attempt.earlier >= MOST_ATTEMPTS => {
                return self.give_up(workspace, &upload).await;
            }
            Turn::Here(attempt) => attempt,
            Turn::Over(finished) => return Ok(*finished),
        };
        let finishing = Box::pin(self.finish_held(workspace, &upload, attempt, &mut held));
        let finished = match &mut attempt.leased {
            Some(leased) => self.while_leased(id, leased, finishing).await,
            None => finishing.await,
        };
        match finished {
            Ok(standing) => Ok(standing),
            Err(error) => self.after_failure(workspace, &upload.media, attempt, error).await,
        }
    }

    /// What an attempt comes to that failed: the file may be refused, or another request have ended the upload.
    async fn after_failure(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        attempt: Attempt,
        error: AppError,
    ) -> Result<Standing, AppError> {
        let id = media.id;
        // Another node has done it, when this one's lease had ended.
        if let Some((media, metadata)) = self.store.find_finished_upload(workspace, id).await? {
            return Ok(Standing::ready(media, metadata));
        }
        if self.store.find_media(workspace, id).await?.is_none() {
            self.remove_files(&media.storage_key).await?;
            return Err(not_found().into());
        }
        match error {
            AppError::Refused(refusal) => {
                self.refuse_upload(workspace, media, &refusal).await?;
                Err(refusal.into())
            }
            error => {
                // Database and storage may be unavailable for long; such an error is not the file's. That the storage has not all of its
                // bytes is.
                let counts = match &error {
                    AppError::Blob(error) => matches!(error, BlobError::Size { .. }),
                    error => !matches!(error, AppError::Store(_)),
                };
                let attempts = attempt.earlier + u32::from(counts);
                self.store.end_attempt(id, attempt.leased, attempts).await?;
                Err(error)
            }
        }
    }

    /// Begins an attempt, perhaps after that of another node, which is waited for a while: it may succeed, or its node may have died.
    async fn begin_attempt(&self, workspace: WorkspaceId, id: MediaId) -> Result<Turn, AppError> {
        let until = self.now().plus(WAITED_FOR);
        loop {
            let leased = (!self.blobs.locks_partials()).then(|| self.now().plus(LEASE));
            let begun = self.store.begin_attempt(workspace, id, self.now(), leased);
            if let Some(earlier) = begun.await? {
                return Ok(Turn::Here(Attempt { earlier, leased }));
            }
            let found = self.find_standing(workspace, id).await?;
            if found.expires_at.is_none() {
                return Ok(Turn::Over(Box::new(found)));
            }
            if self.now() >= until {
                let others = "Another request is finishing this upload; ask again in a moment.";
                return Err(locked(others).into());
            }
            self.clock.sleep_until(self.now().plus(LOOKED_EVERY)).await;
        }
    }

    /// Renews the lease of an attempt while it works, also after a while in which the database did not answer.
    async fn while_leased<T>(&self, id: MediaId, leased: &mut Time, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        let mut next = leased.minus(LEASE * 2 / 3);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = self.clock.sleep_until(next) => {}
            }
            let until = self.now().plus(LEASE);
            let renewal = self.store.renew_attempt(id, (*leased, until));
            let (renewed, done) = alongside(renewal, work.as_mut()).await;
            if let Ok(true) = renewed {
                *leased = until;
            }
            if let Some(done) = done {
                return done;
            }
            next = match renewed {
                Ok(true) => until.minus(LEASE * 2 / 3),
                // Another node's by now: both find the same, and one of them is first.
                Ok(false) => return work.await,
                Err(error) => {
                    tracing::debug!(media = %id, "could not renew the lease of the upload {id}: {error}");
                    self.now().plus(RENEWED_AGAIN_AFTER)
                }
            };
        }
    }

    /// Ends an upload whose finishing failed too often: the process died, or failed for a reason of its own.
    async fn give_up(&self, workspace: WorkspaceId, upload: &Upload) -> Result<Standing, AppError> {
        let message = "The file could not be processed: each attempt ended with an error of the service.";
        let failure = MediaFailure {
            code: "processing_failed".to_owned(),
            message: message.to_owned(),
        };
        self.fail_upload(workspace, &upload.media, &failure).await?;
        tracing::warn!(media = %upload.media.id, "gave the upload {} up after {MOST_ATTEMPTS} attempts: {}", upload.media.id, failure.code);
        Err(invalid_file(message).into())
    }

    /// Ends an upload of a file that is not accepted.
    pub(in crate::app) async fn refuse_upload(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        refusal: &Refusal,
    ) -> Result<(), AppError> {
        let failure = MediaFailure {
            code: refusal.code.as_str().to_owned(),
            message: refusal.message.clone(),
        };
        self.fail_upload(workspace, media, &failure).await
    }

    /// Keeps the reason with the media object for a day, and removes its file.
    pub(in crate::app) async fn fail_upload(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        failure: &MediaFailure,
    ) -> Result<(), AppError> {
        let now = self.now();
        let until = now.plus(FAILED_FOR);
        if self
            .store
            .fail_upload(workspace, media, failure, (now, until))
            .await?
        {
            self.remove_files(&media.storage_key).await?;
        }
        Ok(())
    }

    async fn finish_held(
        &self,
        workspace: WorkspaceId,
        upload: &Upload,
        attempt: Attempt,
        held: &mut Locked,
    ) -> Result<Standing, AppError> {
        held.partial.place().await?;
        self.failpoint("upload.after_place");
        let media = self.look_into(workspace, upload, attempt).await?;
        self.failpoint("upload.before_ready");
        if !self.store.finish_upload(workspace, &media, self.now()).await? {
            return self.find_standing(workspace, media.id).await;
        }
        held.partial.is_over();
        self.failpoint("upload.after_ready");
        Ok(Standing::ready(media, upload.metadata.clone()))
    }

    async fn look_into(
        &self,
        workspace: WorkspaceId,
        upload: &Upload,
        attempt: Attempt,
    ) -> Result<Media, AppError> {
        let key = &upload.media.storage_key;
        let inspecting = async {
            let opened = self.open_to_inspect(workspace, key).await?;
            let counted = self.store.count_attempt(upload.media.id, attempt.earlier + 1);
            if !counted.await? {
                return Err(locked("Another request has ended this upload meanwhile.").into());
            }
            self.failpoint("upload.after_count");
            self.inspect(key, opened, None).await
        };
        let (sha256, inspected) = tokio::join!(self.blobs.sha256(key), inspecting);
        let (sha256, inspected) = (sha256?, inspected?);
        let claims = claims_of(upload)?;
        check_claims(&claims, inspected.mime)?;
        check_size(inspected.mime, upload.received_bytes)?;
        let preview_key = preview_key(key);
        self.blobs
            .put(&preview_key, Bytes::from(inspected.preview_jpeg))
            .await?;
        // It may have been renamed or moved since.
        let current = self.store.find_media(workspace, upload.media.id).await?;
        let mut media = current.ok_or_else(not_found)?;
        if media.file_name == default_name(media.mime) && claims.file_name.is_none() {
            media.file_name = default_name(inspected.mime);
        }
        Ok(Media {
            preview_key: Some(preview_key),
            mime: inspected.mime,
            status: MediaStatus::Ready,
            received_bytes: None,
            probe: Some(inspected.probe),
            sha256: Some(sha256.to_vec()),
            finalized_at: Some(self.now()),
            ..media
        })
    }

    /// Finishes uploads whose process died after their last byte, and removes those that have expired.
    ///
    /// # Errors
    /// When the database fails. What goes wrong with one upload is logged and does not keep the others.
    pub async fn sweep_uploads(self: &Arc<Self>) -> Result<(), AppError> {
        for (workspace, upload) in self.store.complete_uploads(self.now(), SWEPT_AT_ONCE).await? {
            let id = upload.media.id;
            match self.finish_complete(workspace, id, upload.received_bytes).await {
                Ok(_) => tracing::info!(media = %id, "finished the upload {id}"),
                Err(AppError::Refused(refusal)) => {
                    tracing::info!(media = %id, "the upload {id}: {}", refusal.message)
                }
                Err(error) => log_failure!(error, media = %id, "could not finish the upload {id}: {error}"),
            }
        }
        for (workspace, media) in self.store.expired_uploads(self.now(), SWEPT_AT_ONCE).await? {
            if let Err(error) = self.remove_expired(workspace, &media).await {
                log_failure!(error, media = %media.id, "could not remove the upload {}: {error}", media.id);
            }
        }
        Ok(())
    }

    /// One that is being written to at this moment is left to the next sweep.
    async fn remove_expired(&self, workspace: WorkspaceId, media: &Media) -> Result<(), AppError> {
        let _held = match self.blobs.hold_partial(&media.storage_key, IfMissing::Fail).await {
            Ok(None) => return Ok(()),
            Ok(held) => held,
            Err(BlobError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        self.erase_upload(workspace, media).await
    }
}
