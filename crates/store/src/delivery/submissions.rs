//! The ledger of submissions: every step of handing a post over is committed here before or right after it happens
//! (the protocol is in `domain/src/submission.rs`). Opening one, step 1, is in `opening.rs`.
//!
//! Each write of a worker is fenced (`fence.rs`): it names its job, and changes nothing if the job's attempt has moved on.

use std::collections::HashMap;

use playout_domain::id::{PlatformId, PostId, SubmissionId, WorkspaceId};
use playout_domain::job::{Job, Release};
use playout_domain::provider::Accepted;
use playout_domain::submission::{Submission, SubmissionOutcome, Transfer, UploadSession};
use playout_domain::time::Time;

use super::fence::Change;
use crate::db::{Cell, Fields, Result, Row, Store, StoreError, Tx, Vault, asked, params};

const COLUMNS: &str =
    "id, post_id, platform_id, transfer, handle, upload, sent_bytes, last_byte_at, fetched_at,
    revoked_at, started_at, closed_at, outcome, code, message, log_id, next_retry_at, content";

/// What every run of a post's job reads first.
pub(crate) const UNSETTLED: &str =
    "FROM submissions WHERE post_id = $1 AND (closed_at IS NULL OR outcome IN ('unknown', 'in_inbox'))
     ORDER BY CASE WHEN closed_at IS NULL THEN 0 ELSE 1 END, started_at DESC, id DESC LIMIT 1";

/// The same for many posts: the last row of each post is its.
pub(crate) fn unsettled_among(list: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM submissions WHERE post_id IN ({list}) AND (closed_at IS NULL OR outcome IN ('unknown', 'in_inbox'))
         ORDER BY CASE WHEN closed_at IS NULL THEN 1 ELSE 0 END, started_at, id"
    )
}

/// An upload of which the provider has everything.
#[derive(Debug, Clone, Copy)]
pub struct AllSent {
    /// Its submission.
    pub submission: SubmissionId,
    /// How many bytes that is.
    pub size_bytes: u64,
}

impl Store {
    /// Step 3: stores what the provider calls a submission, and where an upload goes (sealed). `false`, and nothing
    /// changed, if the job was taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn save_handle(
        &self,
        job: &Job,
        submission: SubmissionId,
        accepted: &Accepted,
    ) -> Result<bool> {
        let upload = accepted
            .upload
            .as_ref()
            .map(|upload| seal(&self.0.vault, submission, upload))
            .transpose()?;
        let change = Change {
            set: "handle = $6, upload = $7",
            values: params![&accepted.handle, upload],
        };
        Ok(self.change_submission(job, submission, change).await?.is_some())
    }

    /// Notes how many bytes of an upload the provider has acknowledged. `false`, and nothing changed, if the job was
    /// taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_sent(&self, job: &Job, submission: SubmissionId, sent_bytes: u64) -> Result<bool> {
        let change = Change {
            set: "sent_bytes = $6",
            values: params![sent_bytes],
        };
        Ok(self.change_submission(job, submission, change).await?.is_some())
    }

    /// Notes that the provider has everything of an upload, and gives its job back. `false`, and nothing changed, if the job was taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_all_sent(
        &self,
        job: &Job,
        sent: &AllSent,
        release: Release,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let change = Change {
            set: "sent_bytes = $6",
            values: params![sent.size_bytes],
        };
        if !tx.change_submission(job, sent.submission, change).await? {
            return Ok(false);
        }
        let released = tx.release_job(job, release, now).await?;
        tx.commit().await?;
        Ok(released)
    }

    /// Notes with which code the provider refused the last chunk of an upload that is not closed yet. The job's questions are counted
    /// anew: those before the refusal show nothing of what became of the chunk. `false`, and nothing changed, if the job was taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_refusal(&self, job: &Job, submission: SubmissionId, code: &str) -> Result<bool> {
        let mut tx = self.begin().await?;
        if !tx.fence(job).await? {
            return Ok(false);
        }
        let sql = "UPDATE submissions SET code = $2 WHERE id = $1 AND COALESCE(closed_at, 0) = 0";
        if tx.execute(sql, params![submission, code]).await? == 0 {
            return Ok(false);
        }
        tx.execute("UPDATE jobs SET checks = 0 WHERE id = $1", params![job.id])
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Step 4: notes that the last chunk is about to be sent at `now`. `known` is when it was last about to be sent, as far as this run has
    /// read; `now` is no earlier than that. `false`, and nothing changed, if the job was taken over, or another run has noted
    /// a sending since.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark_last_byte(
        &self,
        job: &Job,
        submission: SubmissionId,
        known: Option<Time>,
        now: Time,
    ) -> Result<bool> {
        let change = Change {
            set: "last_byte_at = CASE WHEN COALESCE(last_byte_at, $7) = $7 THEN $6 ELSE last_byte_at END",
            values: params![now, known.unwrap_or(now)],
        };
        let Some(row) = self.change_submission(job, submission, change).await? else {
            return Ok(false);
        };
        Ok(row.of("submissions").time("last_byte_at")? == now)
    }

    /// The submission of a post that has not ended.
    ///
    /// # Errors
    /// When the database fails, or its upload session does not open.
    pub async fn open_submission_of(&self, post: PostId) -> Result<Option<Submission>> {
        let sql = format!("SELECT {COLUMNS} FROM submissions WHERE post_id = $1 AND closed_at IS NULL");
        let row = self.row(sqlx::AssertSqlSafe(sql), params![post]).await?;
        row.map(|row| read_submission(&self.0.vault, &row)).transpose()
    }

    /// Which submission of a post has not ended, also where the rest of its row cannot be read.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_submission_id(&self, post: PostId) -> Result<Option<SubmissionId>> {
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND closed_at IS NULL";
        let row = self.row(sql, params![post]).await?;
        row.map(|row| row.of("submissions").id("id")).transpose()
    }

    /// The submission of a post that has not ended; else the last one whose end is unknown, or which the creator was to finish.
    ///
    /// # Errors
    /// When the database fails, or its upload session does not open.
    pub async fn unsettled_submission_of(&self, post: PostId) -> Result<Option<Submission>> {
        let sql = format!("SELECT {COLUMNS} {UNSETTLED}");
        let row = self.row(sqlx::AssertSqlSafe(sql), params![post]).await?;
        row.map(|row| read_submission(&self.0.vault, &row)).transpose()
    }

    /// The submissions of many posts that have not ended, whose end is unknown, or which the creator was to finish: the last of each post
    /// is that of [`Store::unsettled_submission_of`].
    pub(crate) async fn unsettled_submissions_of(
        &self,
        posts: &[PostId],
    ) -> Result<HashMap<PostId, Vec<Submission>>> {
        let (sql, params) = asked(unsettled_among, posts);
        let rows = self.rows(sqlx::AssertSqlSafe(sql), params).await?;
        let mut found: HashMap<PostId, Vec<Submission>> = HashMap::new();
        for row in &rows {
            let submission = read_submission(&self.0.vault, row)?;
            found.entry(submission.post_id).or_default().push(submission);
        }
        Ok(found)
    }

    /// Every try of a post, oldest first. One that ended before any transfer began reads as [`Transfer::Text`]: it
    /// moved no bytes.
    ///
    /// # Errors
    /// When the database fails, or an upload session does not open.
    pub async fn submissions_of(&self, workspace: WorkspaceId, post: PostId) -> Result<Vec<Submission>> {
        self.tries_where("TRUE", workspace, post).await
    }

    /// [`Store::submissions_of`] but for those that ended before any transfer began: nothing of them can be at the provider.
    ///
    /// # Errors
    /// The same.
    pub async fn begun_submissions_of(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Vec<Submission>> {
        self.tries_where("transfer IS NOT NULL", workspace, post).await
    }

    async fn tries_where(
        &self,
        condition: &'static str,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Vec<Submission>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM submissions WHERE post_id = $2 AND workspace_id = $1 AND {condition} ORDER BY started_at, id"
        );
        let rows = self
            .rows(sqlx::AssertSqlSafe(sql), params![workspace, post])
            .await?;
        rows.iter()
            .map(|row| read_submission(&self.0.vault, row))
            .collect()
    }

    /// Whether a try that began at `since` or later came as far as the provider.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_begun_since(&self, post: PostId, since: Time) -> Result<bool> {
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND transfer IS NOT NULL AND started_at >= $2 LIMIT 1";
        Ok(self.row(sql, params![post, since]).await?.is_some())
    }

    /// The open submission that the provider calls `handle`.
    ///
    /// # Errors
    /// When the database fails, or its upload session does not open.
    pub async fn find_open_by_handle(
        &self,
        platform: PlatformId,
        handle: &str,
    ) -> Result<Option<Submission>> {
        self.find_by_handle(platform, handle)
            .await
            .map(|found| found.filter(|s| s.closed_at.is_none()))
    }

    /// The newest submission, open or ended, that the provider calls `handle`: a post in the creator's inbox has
    /// an ended one.
    ///
    /// # Errors
    /// When the database fails, or its upload session does not open.
    pub async fn find_by_handle(&self, platform: PlatformId, handle: &str) -> Result<Option<Submission>> {
        let sql = find_by_handle_sql();
        let row = self
            .row(sqlx::AssertSqlSafe(sql), params![platform, handle])
            .await?;
        row.map(|row| read_submission(&self.0.vault, &row)).transpose()
    }
}

impl Tx {
    /// [`Store::open_submission_of`], within the transaction.
    pub(crate) async fn open_submission(&mut self, post: PostId) -> Result<Option<Submission>> {
        let sql = format!("SELECT {COLUMNS} FROM submissions WHERE post_id = $1 AND closed_at IS NULL");
        let row = self.row(sqlx::AssertSqlSafe(sql), params![post]).await?;
        row.map(|row| read_submission(self.vault(), &row)).transpose()
    }
}

/// The text of [`Store::find_by_handle`].
pub(crate) fn find_by_handle_sql() -> String {
    format!(
        "SELECT {COLUMNS} FROM submissions WHERE platform_id = $1 AND handle = $2
         ORDER BY started_at DESC, id DESC LIMIT 1"
    )
}

fn seal(vault: &Vault, submission: SubmissionId, upload: &UploadSession) -> Result<Vec<u8>> {
    let text = serde_json::to_vec(upload).map_err(|error| StoreError::BadRow {
        table: "submissions",
        column: "upload",
        row: submission.to_string(),
        reason: error.to_string(),
    })?;
    Ok(vault.seal(cell(&submission), &text))
}

fn open(vault: &Vault, fields: Fields<'_>) -> Result<Option<UploadSession>> {
    let Some(sealed) = fields.get::<Option<Vec<u8>>>("upload")? else {
        return Ok(None);
    };
    let id: SubmissionId = fields.id("id")?;
    let text = vault
        .open(cell(&id), &sealed)
        .map_err(|source| StoreError::Sealed {
            table: "submissions",
            column: "upload",
            row: id.0,
            source,
        })?;
    serde_json::from_str(text.expose())
        .map(Some)
        .map_err(|error| fields.bad("upload", error))
}

fn cell(submission: &SubmissionId) -> Cell<'_> {
    Cell {
        row: submission.0.as_bytes(),
        column: "upload",
    }
}

fn read_submission(vault: &Vault, row: &Row) -> Result<Submission> {
    let fields = row.of("submissions");
    let outcome = fields.opt_word("outcome", SubmissionOutcome::parse)?;
    let upload = match outcome {
        None => open(vault, fields)?,
        // Only how long the last chunk may be on its way follows from it. One that does not open, as it was encrypted with an earlier key, does
        // not keep the provider from being asked.
        Some(outcome) if outcome.is_in_doubt() => open(vault, fields).ok().flatten(),
        // These are not encrypted anew when the key is rotated (`sealing.rs`).
        Some(_) => None,
    };
    Ok(Submission {
        id: fields.id("id")?,
        post_id: fields.id("post_id")?,
        content: fields.get("content")?,
        platform_id: fields.id("platform_id")?,
        transfer: fields
            .opt_word("transfer", Transfer::parse)?
            .unwrap_or(Transfer::Text),
        handle: fields.get("handle")?,
        upload,
        sent_bytes: fields.number("sent_bytes")?,
        last_byte_at: fields.opt_time("last_byte_at")?,
        fetched_at: fields.opt_time("fetched_at")?,
        revoked_at: fields.opt_time("revoked_at")?,
        started_at: fields.time("started_at")?,
        closed_at: fields.opt_time("closed_at")?,
        outcome,
        code: fields.get("code")?,
        message: fields.get("message")?,
        log_id: fields.get("log_id")?,
        next_retry_at: fields.opt_time("next_retry_at")?,
    })
}
