//! Fetches: a provider that pulls does so from single-purpose addresses of its submission, which can be revoked. Once
//! they are, either a fetch was noted or none ever happened. During a hold (`delivery/hold.rs`) nothing is
//! fetched, nor afterwards for a submission from before it: that may have ended after the copy was made, and been followed.

use playout_domain::id::{MediaId, PostId, SubmissionId, WorkspaceId};
use playout_domain::job::Job;
use playout_domain::time::Time;

use super::fence::Change;
use crate::db::{Result, Row, Store, StoreError, params};

/// Leave for a provider to fetch a submission's media.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchPermit {
    /// The submission.
    pub submission_id: SubmissionId,
    /// Its post.
    pub post_id: PostId,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The post's media, in order.
    pub media_ids: Vec<MediaId>,
}

/// What became of [`Store::renew_pull`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullRenewal {
    /// The addresses before are gone unfetched, and those with the new token work.
    Renewed,
    /// An address was fetched before. Nothing was changed.
    Fetched,
    /// The job was taken over, or the submission has ended. Nothing was changed.
    Lost,
}

pub(crate) const RECORD_FETCH: &str = "UPDATE submissions SET fetched_at = $2
    WHERE token_hash = $1 AND revoked_at IS NULL AND COALESCE(closed_at, 0) = 0 AND fetched_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM instance WHERE id = 1 AND held_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = submissions.post_id AND p.look_since IS NOT NULL
        AND submissions.started_at < p.looked_at)";

pub(crate) const FIND_FETCH: &str = "SELECT s.id, s.post_id, s.workspace_id, m.media_id FROM submissions s
    LEFT JOIN post_media m ON m.post_id = s.post_id
    WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND COALESCE(s.closed_at, 0) = 0 AND s.fetched_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM instance WHERE id = 1 AND held_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = s.post_id AND p.look_since IS NOT NULL AND s.started_at < p.looked_at)
    ORDER BY m.position";

const NOTED_FETCH: &str = "SELECT s.id, s.post_id, s.workspace_id, m.media_id FROM submissions s
    LEFT JOIN post_media m ON m.post_id = s.post_id WHERE s.token_hash = $1 ORDER BY m.position";

impl Store {
    /// Revokes the single-purpose addresses of a pull; returns when one was first fetched, if ever. After this no
    /// [`Store::record_fetch`] of it succeeds. Not fenced: a run that has lost its job only keeps bytes from the provider by it, and the
    /// one that took over revokes them too, and learns whether any were fetched.
    ///
    /// # Errors
    /// When the database fails, or there is no such submission.
    pub async fn revoke_pull(&self, submission: SubmissionId, now: Time) -> Result<Option<Time>> {
        let sql = "UPDATE submissions SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1
            RETURNING id, fetched_at";
        let row = self.write_row(sql, params![submission, now]).await?;
        let row = row.ok_or(StoreError::Missing {
            table: "submissions",
            row: submission.0,
        })?;
        row.of("submissions").opt_time("fetched_at")
    }

    /// Revokes the single-purpose addresses of a pull unless one was fetched; returns whether they are revoked, now or
    /// before, without a fetch. Where they are, nothing can come of the pull.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_unfetched(&self, submission: SubmissionId, now: Time) -> Result<bool> {
        let sql = "UPDATE submissions SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1
            AND fetched_at IS NULL";
        Ok(self.execute(sql, params![submission, now]).await? > 0)
    }

    /// Gives an open pull that was never fetched other single-purpose addresses: requests with the previous ones are refused.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew_pull(
        &self,
        job: &Job,
        submission: SubmissionId,
        token_hash: [u8; 32],
    ) -> Result<PullRenewal> {
        let change = Change {
            set: "token_hash = CASE WHEN fetched_at IS NULL THEN $6 ELSE token_hash END",
            values: params![token_hash],
        };
        let Some(row) = self.change_submission(job, submission, change).await? else {
            return Ok(PullRenewal::Lost);
        };
        Ok(match row.of("submissions").opt_time("fetched_at")? {
            None => PullRenewal::Renewed,
            Some(_) => PullRenewal::Fetched,
        })
    }

    /// Notes that a provider fetches from an address with this token, before a byte is served. `None` if the
    /// address is unknown, revoked, or its submission has ended. Writes only the first time.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_fetch(&self, token_hash: [u8; 32], now: Time) -> Result<Option<FetchPermit>> {
        if self.is_postgres() {
            // What was taken back since is there again in a database that was put back.
            drop(self.begin_compared().await?);
        }
        if let Some(permit) = self.find_fetch(token_hash).await? {
            return Ok(Some(permit));
        }
        if self.execute(RECORD_FETCH, params![token_hash, now]).await? == 0 {
            // Another fetch of the same submission may have been noted just now.
            return self.find_fetch(token_hash).await;
        }
        // What is noted is served, even if it was revoked since: else it would count as fetched and never have been.
        read_permit(&self.rows(NOTED_FETCH, params![token_hash]).await?)
    }

    async fn find_fetch(&self, token_hash: [u8; 32]) -> Result<Option<FetchPermit>> {
        let rows = self.rows(FIND_FETCH, params![token_hash]).await?;
        read_permit(&rows)
    }
}

/// The permit that the rows of a submission and its media make; `None` without a row.
pub(crate) fn read_permit(rows: &[Row]) -> Result<Option<FetchPermit>> {
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let fields = first.of("submissions");
    let media = rows.iter().map(|row| row.of("post_media").opt_id("media_id"));
    Ok(Some(FetchPermit {
        submission_id: fields.id("id")?,
        post_id: fields.id("post_id")?,
        workspace_id: fields.id("workspace_id")?,
        media_ids: media.filter_map(Result::transpose).collect::<Result<_>>()?,
    }))
}
