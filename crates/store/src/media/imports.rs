//! Imports: uploads whose bytes the service fetches itself. Each has a row with its address and when it is next due, and is leased by
//! moving that time, so that another node goes on where one has died. The bytes are counted as those of a resumable upload
//! (`uploads.rs`); their number is not known before the address has answered.

use std::collections::HashMap;
use std::time::Duration;

use playout_domain::id::{MediaId, WorkspaceId};
use playout_domain::media::{MAX_UNFINISHED_UPLOADS, Media};
use playout_domain::time::Time;

use super::read::media_columns;
use super::uploads::{BeginUpload, HAS_UNFINISHED_UPLOADS, Upload, read_upload, upload_columns};
use crate::db::{Result, Row, Store, Tx, params, read_one};
use crate::idempotency::Keep;

/// A file that is being fetched.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The object, and how many bytes are in.
    pub upload: Upload,
    /// Where the file is.
    pub url: String,
    /// The version of the bytes that are in, as the address named it: an entity tag or a date, for `If-Range`.
    pub validator: Option<String>,
    /// Whether the upload's length is that of the file; otherwise it is what is reserved for it so far.
    pub is_measured: bool,
    /// How often it was begun, with this time.
    pub tries: u32,
    /// Until when it is leased.
    pub due_at: Time,
}

/// Which imports to lease.
#[derive(Debug, Clone, Copy)]
pub struct ClaimImports<'a> {
    /// How many at most.
    pub limit: usize,
    /// How many of one workspace, with those that are under way.
    pub per_workspace: u32,
    /// How many of each workspace are under way.
    pub under_way: &'a HashMap<WorkspaceId, u32>,
    /// For how long they are leased.
    pub lease: Duration,
}

/// The length of an import, and the one that it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewLength {
    /// What it is; `None` where it has none.
    pub from: Option<u64>,
    /// What it will be.
    pub to: u64,
}

/// What became of [`Store::resize_import`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resized {
    /// It has that length now.
    Done,
    /// The plan's storage would be exceeded; nothing was changed.
    StorageLimitReached {
        /// Bytes allowed.
        limit: u64,
        /// Bytes used already.
        used: u64,
    },
    /// The import had ended, or had another length.
    Lost,
}

impl Store {
    /// Makes the object of an import, PENDING and without a length, and stores the answer that `keep` makes of it.
    ///
    /// # Errors
    /// When the database fails, its folder does not exist, or the claim was taken over.
    pub async fn create_import(
        &self,
        workspace: WorkspaceId,
        upload: &Upload,
        url: &str,
        storage_limit: Option<u64>,
        keep: Keep<'_, Media>,
    ) -> Result<BeginUpload> {
        let mut tx = self.begin().await?;
        let (media, now) = (&upload.media, upload.media.created_at);
        // Room for a byte must be left. This holds the workspace's row of storage, so that the uploads counted after it are all there are.
        if let Some((limit, used)) = tx.take_storage(workspace, 1, storage_limit).await? {
            return Ok(BeginUpload::StorageLimitReached { limit, used });
        }
        tx.return_storage(workspace, 1).await?;
        let params = params![workspace, MAX_UNFINISHED_UPLOADS, now];
        if tx.row(HAS_UNFINISHED_UPLOADS, params).await?.is_some() {
            return Ok(BeginUpload::TooMany);
        }
        tx.insert_media_row(workspace, media).await?;
        let sql = "UPDATE media SET upload_received = 0, upload_expires_at = $2 WHERE id = $1";
        tx.execute(sql, params![media.id, upload.expires_at]).await?;
        let sql = "INSERT INTO imports (media_id, workspace_id, url, due_at) VALUES ($1, $2, $3, $4)";
        tx.execute(sql, params![media.id, workspace, url, now]).await?;
        tx.keep(keep, media).await?;
        tx.commit().await?;
        Ok(BeginUpload::Begun)
    }

    /// When the next import is due, or its lease ends.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_import_at(&self) -> Result<Option<Time>> {
        let row = self
            .row("SELECT MIN(due_at) AS due_at FROM imports", params![])
            .await?;
        row.map_or(Ok(None), |row| row.of("imports").opt_time("due_at"))
    }

    /// Leases imports that are due, the first of each workspace before the second of any.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim_imports(&self, claim: ClaimImports<'_>, now: Time) -> Result<Vec<Import>> {
        let sql = "SELECT media_id, workspace_id, due_at, turn FROM (
                SELECT media_id, workspace_id, due_at,
                    ROW_NUMBER() OVER (PARTITION BY workspace_id ORDER BY due_at, media_id) AS turn
                FROM imports WHERE due_at <= $1
            ) AS due WHERE turn <= $2 ORDER BY turn, due_at LIMIT $3";
        // Those of workspaces that have enough under way are left out here.
        let rows = claim.limit + claim.under_way.len() * claim.per_workspace as usize;
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let mut due = Vec::new();
        for row in &self.rows(sql, params![now, claim.per_workspace, rows]).await? {
            let fields = row.of("imports");
            let workspace: WorkspaceId = fields.id("workspace_id")?;
            let turn: i64 = fields.get("turn")?;
            let place = i64::from(claim.under_way.get(&workspace).copied().unwrap_or(0)) + turn;
            let (id, due_at): (MediaId, Time) = (fields.id("media_id")?, fields.time("due_at")?);
            due.push((place, due_at, id));
        }
        // Those of workspaces that have less under way come first.
        due.retain(|(place, ..)| *place <= i64::from(claim.per_workspace));
        due.sort_unstable();
        let mut claimed = Vec::new();
        for (_, due_at, id) in due.into_iter().take(claim.limit) {
            let sql = "UPDATE imports SET due_at = $3, tries = tries + 1 WHERE media_id = $1 AND due_at = $2";
            if self
                .execute(sql, params![id, due_at, now.plus(claim.lease)])
                .await?
                > 0
            {
                claimed.extend(self.find_import(id).await?);
            }
        }
        Ok(claimed)
    }

    /// An import that has not ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_import(&self, id: MediaId) -> Result<Option<Import>> {
        let sql = concat!(
            "SELECT ",
            upload_columns!(),
            ", media.workspace_id, url, validator, is_measured, tries, due_at FROM media
             JOIN imports ON imports.media_id = media.id WHERE media.id = $1"
        );
        read_one(self.row(sql, params![id]).await?, read_import)
    }

    /// Moves the lease of an import from `from` to `to`; `false` where another has it, or it has ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew_import(&self, id: MediaId, from: Time, to: Time) -> Result<bool> {
        let sql = "UPDATE imports SET due_at = $3 WHERE media_id = $1 AND due_at = $2";
        Ok(self.execute(sql, params![id, from, to]).await? > 0)
    }

    /// Ends the lease of an import that has not ended: it is due again at `due`. Where it `is_uncounted`, it was not begun.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_import(
        &self,
        id: MediaId,
        leased: Time,
        due: Time,
        is_uncounted: bool,
    ) -> Result<()> {
        let sql =
            "UPDATE imports SET due_at = $3, tries = CASE WHEN $4 AND tries > 0 THEN tries - 1 ELSE tries END
            WHERE media_id = $1 AND due_at = $2";
        self.execute(sql, params![id, leased, due, is_uncounted]).await?;
        Ok(())
    }

    /// Notes the version of the bytes that come from now on, as the address names it, and whether their number is known.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_import_source(
        &self,
        id: MediaId,
        validator: Option<&str>,
        is_measured: bool,
    ) -> Result<()> {
        let sql = "UPDATE imports SET validator = $2, is_measured = $3 WHERE media_id = $1";
        let validator = validator.map(str::to_owned);
        self.execute(sql, params![id, validator, is_measured]).await?;
        Ok(())
    }

    /// Gives an import another length, and counts the difference as storage if `storage_limit` leaves room.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn resize_import(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        NewLength { from, to }: NewLength,
        storage_limit: Option<u64>,
    ) -> Result<Resized> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE media SET size_bytes = $3, upload_length = $3 WHERE id = $2 AND workspace_id = $1
            AND status = 'PENDING' AND failure_code IS NULL AND upload_received <= $3
            AND COALESCE(upload_length, -1) = $4";
        let was = from.map_or(-1, |from| i64::try_from(from).unwrap_or(i64::MAX));
        if tx.execute(sql, params![workspace, id, to, was]).await? == 0 {
            return Ok(Resized::Lost);
        }
        let from = from.unwrap_or(0);
        if to > from {
            if let Some((limit, used)) = tx.take_storage(workspace, to - from, storage_limit).await? {
                return Ok(Resized::StorageLimitReached { limit, used });
            }
        } else {
            tx.return_storage(workspace, from - to).await?;
        }
        tx.commit().await?;
        Ok(Resized::Done)
    }
}

impl Tx {
    /// Ends the import of an object, if it is one: it is READY, or has failed.
    pub(crate) async fn end_import(&mut self, id: MediaId) -> Result<()> {
        self.execute("DELETE FROM imports WHERE media_id = $1", params![id])
            .await?;
        Ok(())
    }
}

fn read_import(row: &Row) -> Result<Import> {
    let fields = row.of("imports");
    Ok(Import {
        workspace_id: fields.id("workspace_id")?,
        upload: read_upload(row)?,
        url: fields.get("url")?,
        validator: fields.get("validator")?,
        is_measured: fields.get("is_measured")?,
        tries: fields.number("tries")?,
        due_at: fields.time("due_at")?,
    })
}
