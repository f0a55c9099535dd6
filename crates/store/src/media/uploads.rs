//! Resumable uploads (tus 1.0, `docs/contract.md#resumable-uploads`): media that are PENDING until their last byte is
//! in and checked.
//!
//! Their bytes are counted against the plan's storage from the beginning, and given back when they are abandoned.

use std::time::Duration;

use playout_domain::change::Noun;
use playout_domain::id::{MediaId, WorkspaceId};
use playout_domain::media::{MAX_UNFINISHED_UPLOADS, Media, MediaFailure};
use playout_domain::time::Time;

use super::changes::probe;
use super::read::{media_columns, read_media};
use crate::db::{Result, Row, Store, params, read_one};

/// How long after its time an upload with all bytes is still tried.
const UNFINISHED_FOR: Duration = Duration::from_secs(24 * 3600);

/// A resumable upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Upload {
    /// The PENDING media object; its `size_bytes` is the declared length.
    pub media: Media,
    /// How many bytes are in.
    pub received_bytes: u64,
    /// What the storage needs to go on from there, where it is a bucket.
    pub note: Option<String>,
    /// The `Upload-Metadata` header, verbatim.
    pub metadata: Option<String>,
    /// When it is removed unless finished.
    pub expires_at: Time,
}

/// What became of [`Store::create_upload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeginUpload {
    /// It has begun.
    Begun,
    /// The plan's storage would be exceeded; nothing was changed.
    StorageLimitReached {
        /// Bytes allowed.
        limit: u64,
        /// Bytes used already.
        used: u64,
    },
    /// The workspace has [`MAX_UNFINISHED_UPLOADS`] already.
    TooMany,
}

/// Has a row where so many uploads of a workspace, or more, are unfinished.
pub(crate) const HAS_UNFINISHED_UPLOADS: &str = "SELECT id FROM media WHERE workspace_id = $1
    AND status = 'PENDING' AND failure_code IS NULL AND upload_expires_at > $3 LIMIT 1 OFFSET $2 - 1";

/// The columns that [`read_upload`] reads.
macro_rules! upload_columns {
    () => {
        concat!(
            media_columns!(),
            ", upload_metadata, upload_expires_at, upload_note"
        )
    };
}
pub(crate) use upload_columns;

impl Store {
    /// Begins an upload and counts its declared length, if `storage_limit` (bytes) leaves room and not too many are
    /// unfinished: exact under concurrency.
    ///
    /// # Errors
    /// When the database fails, or its folder does not exist.
    pub async fn create_upload(
        &self,
        workspace: WorkspaceId,
        upload: &Upload,
        storage_limit: Option<u64>,
    ) -> Result<BeginUpload> {
        let mut tx = self.begin().await?;
        let length = upload.media.size_bytes.unwrap_or(0);
        // Holds the workspace's row of storage, so that the uploads counted after it are all there are.
        if let Some((limit, used)) = tx.take_storage(workspace, length, storage_limit).await? {
            return Ok(BeginUpload::StorageLimitReached { limit, used });
        }
        let params = params![workspace, MAX_UNFINISHED_UPLOADS, upload.media.created_at];
        if tx.row(HAS_UNFINISHED_UPLOADS, params).await?.is_some() {
            return Ok(BeginUpload::TooMany);
        }
        tx.insert_media_row(workspace, &upload.media).await?;
        let sql = "UPDATE media SET upload_length = $2, upload_received = $3, upload_metadata = $4,
            upload_expires_at = $5 WHERE id = $1";
        let metadata = upload.metadata.clone();
        let params = params![
            upload.media.id,
            length,
            upload.received_bytes,
            metadata,
            upload.expires_at
        ];
        tx.execute(sql, params).await?;
        tx.commit().await?;
        Ok(BeginUpload::Begun)
    }

    /// The upload with this identifier, unless it is finished or has expired. One whose bytes are all in does not
    /// expire.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_upload(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        now: Time,
    ) -> Result<Option<Upload>> {
        let sql = concat!(
            "SELECT ",
            upload_columns!(),
            " FROM media WHERE id = $2 AND workspace_id = $1 AND status = 'PENDING'
               AND failure_code IS NULL AND (upload_expires_at > $3 OR upload_received = upload_length)"
        );
        read_one(self.row(sql, params![workspace, id, now]).await?, read_upload)
    }

    /// The media object that a finished upload became, and the upload's `Upload-Metadata` header.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_finished_upload(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
    ) -> Result<Option<(Media, Option<String>)>> {
        let sql = concat!(
            "SELECT ",
            upload_columns!(),
            " FROM media WHERE id = $2 AND workspace_id = $1 AND status = 'READY' AND upload_length IS NOT NULL"
        );
        let read = |row: &Row| Ok((read_media(row)?, row.of("media").get("upload_metadata")?));
        read_one(self.row(sql, params![workspace, id]).await?, read)
    }

    /// Notes that an upload has grown from `from` to `to` bytes, and what the storage needs to go on from there. `false`, and nothing changed, if it was not at `from`,
    /// because another request has written meanwhile.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn advance_upload(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        (from, to): (u64, u64),
        note: Option<&str>,
    ) -> Result<bool> {
        let sql =
            "UPDATE media SET upload_received = $4, upload_note = $5 WHERE id = $2 AND workspace_id = $1 AND status = 'PENDING'
            AND upload_received = $3 AND upload_length >= $4";
        Ok(self.execute(sql, params![workspace, id, from, to, note]).await? > 0)
    }

    /// Makes an upload READY with what its bytes turned out to be. `false`, and nothing changed, if it is not PENDING.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finish_upload(&self, workspace: WorkspaceId, media: &Media, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE media SET status = 'READY', finalized_at = $3, mime = $4, media_type = $5, preview_key = $6,
                probe = $7, sha256 = $8, file_name = $9, upload_received = NULL, upload_note = NULL, upload_expires_at = NULL
            WHERE id = $2 AND workspace_id = $1 AND status = 'PENDING' AND upload_received = upload_length
                AND failure_code IS NULL";
        let (mime, media_type) = (media.mime.as_str(), media.mime.media_type().as_str());
        let (preview, sha256) = (media.preview_key.clone(), media.sha256.clone());
        let mut params = params![workspace, media.id, now, mime, media_type, preview];
        params.push(probe(media));
        params.extend(params![sha256, &media.file_name]);
        if tx.execute(sql, params).await? == 0 {
            return Ok(false);
        }
        tx.end_import(media.id).await?;
        tx.append_media_ready(workspace, media).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Begins an attempt to finish an upload; returns how many were counted before. `None` if it is READY, has failed, or is gone, or while
    /// another attempt is leased. With `leased_until` this one is.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_attempt(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        now: Time,
        leased_until: Option<Time>,
    ) -> Result<Option<u32>> {
        let sql = "UPDATE media SET finishing_until = $4
            WHERE id = $2 AND workspace_id = $1 AND status = 'PENDING' AND failure_code IS NULL
            AND (finishing_until IS NULL OR finishing_until <= $3) RETURNING upload_attempts";
        let row = self
            .write_row(sql, params![workspace, id, now, leased_until])
            .await?;
        read_one(row, |row| row.of("media").number("upload_attempts"))
    }

    /// Counts an attempt, before its file is read: with it there are `attempts`, or more where another node has counted since. Whose the lease is by
    /// now makes no difference: the file is about to be read. `false` if the upload is READY, has failed, or is gone.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count_attempt(&self, id: MediaId, attempts: u32) -> Result<bool> {
        let sql = "UPDATE media SET upload_attempts = CASE WHEN upload_attempts < $2 THEN $2 ELSE upload_attempts END
            WHERE id = $1 AND status = 'PENDING' AND failure_code IS NULL";
        Ok(self.execute(sql, params![id, attempts]).await? > 0)
    }

    /// Renews the lease of an attempt. `false`, and nothing changed, if it is another's by now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew_attempt(&self, id: MediaId, (leased, until): (Time, Time)) -> Result<bool> {
        let sql = "UPDATE media SET finishing_until = $3 WHERE id = $1 AND finishing_until = $2";
        Ok(self.execute(sql, params![id, leased, until]).await? > 0)
    }

    /// Ends an attempt that came to nothing, so that another can be begun at once, unless another is leased by now. `attempts` were counted,
    /// this one among them only if it failed for a reason of the file.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_attempt(&self, id: MediaId, leased: Option<Time>, attempts: u32) -> Result<()> {
        let sql = "UPDATE media SET upload_attempts = $3, finishing_until = NULL
            WHERE id = $1 AND status = 'PENDING' AND finishing_until IS NOT DISTINCT FROM $2";
        self.execute(sql, params![id, leased, attempts]).await?;
        Ok(())
    }

    /// Gives an upload up: it stays PENDING with the reason until `until`, its storage is given back, and its files are noted
    /// to be removed. `false`, and nothing changed, if it is READY, has failed before, or is gone.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn fail_upload(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        failure: &MediaFailure,
        (now, until): (Time, Time),
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE media SET failure_code = $3, failure_message = $4, upload_expires_at = $5, size_bytes = NULL
            WHERE id = $2 AND workspace_id = $1 AND status = 'PENDING' AND failure_code IS NULL";
        let params = params![workspace, media.id, &failure.code, &failure.message, until];
        if tx.execute(sql, params).await? == 0 {
            return Ok(false);
        }
        tx.end_import(media.id).await?;
        tx.note_removed_files(&media.storage_key, now).await?;
        tx.return_storage(workspace, media.size_bytes.unwrap_or(0))
            .await?;
        tx.append_media_failed(workspace, media, now).await?;
        tx.changed(workspace, Noun::Media);
        tx.commit().await?;
        Ok(true)
    }

    /// Uploads of all workspaces whose bytes are all in and that are not READY, oldest first, at most `limit`: the
    /// request that took the last byte is about to finish them, or has died. Imports are finished by who fetches them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn complete_uploads(&self, now: Time, limit: u32) -> Result<Vec<(WorkspaceId, Upload)>> {
        let sql = concat!(
            "SELECT workspace_id, ",
            upload_columns!(),
            " FROM media WHERE status = 'PENDING' AND upload_received = upload_length AND failure_code IS NULL
               AND (finishing_until IS NULL OR finishing_until <= $1)
               AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.media_id = media.id)
             ORDER BY upload_expires_at LIMIT $2"
        );
        let rows = self.rows(sql, params![now, limit]).await?;
        rows.iter()
            .map(|row| Ok((row.of("media").id("workspace_id")?, read_upload(row)?)))
            .collect()
    }

    /// Uploads of all workspaces that have expired with bytes missing or as failed, oldest first, at most `limit`: their bytes are
    /// to be removed, then [`Store::delete_media`] is called. Also those with all bytes that could not be finished for a day longer, as where
    /// the storage has lost some.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn expired_uploads(&self, now: Time, limit: u32) -> Result<Vec<(WorkspaceId, Media)>> {
        let sql = concat!(
            "SELECT workspace_id, ",
            media_columns!(),
            " FROM media WHERE status = 'PENDING' AND upload_expires_at <= $1
               AND (upload_length IS NULL OR upload_received < upload_length OR failure_code IS NOT NULL
                    OR upload_expires_at <= $3)
             ORDER BY upload_expires_at LIMIT $2"
        );
        let given_up = now.minus(UNFINISHED_FOR);
        let rows = self.rows(sql, params![now, limit, given_up]).await?;
        rows.iter()
            .map(|row| Ok((row.of("media").id("workspace_id")?, read_media(row)?)))
            .collect()
    }
}

pub(crate) fn read_upload(row: &Row) -> Result<Upload> {
    let fields = row.of("media");
    Ok(Upload {
        media: read_media(row)?,
        received_bytes: fields.number("upload_received")?,
        note: fields.get("upload_note")?,
        metadata: fields.get("upload_metadata")?,
        expires_at: fields.time("upload_expires_at")?,
    })
}
