//! What arrives unasked: a provider's notifications find their submissions here, and take the jobs of their posts over. What they report
//! of a submission that has ended is in `late_publications.rs`.

use std::time::Duration;

use playout_domain::event::EventKind;
use playout_domain::id::{PlatformId, PostId, SubmissionId};
use playout_domain::job::{Job, JobKind};
use playout_domain::submission::Submission;
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;

use super::claims::{JOB_COLUMNS, read_job};
use super::fetches::{FetchPermit, read_permit};
use crate::db::{Result, Store, Tx, params};
use crate::jobs::NewJob;
use crate::posts::read::{post_columns, post_event, read_post};

/// How late a notification may come: providers repeat them for up to three days.
const NEWS_LATE: Duration = Duration::from_secs(4 * 86_400);

/// Who takes a job over, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct TakeOver<'a> {
    /// The node.
    pub owner: &'a str,
    /// How long it may take to do what it wants to do.
    pub lease: Duration,
}

/// Fetched pulls without a handle, open or ended since, of the account behind a platform in any workspace.
pub(crate) const LOST_PULLS: &str = "SELECT id, post_id, platform_id, closed_at FROM submissions WHERE handle IS NULL
     AND transfer = 'pull' AND fetched_at IS NOT NULL AND (closed_at IS NULL OR closed_at > $2)
     AND platform_id IN (SELECT same.id FROM platforms same JOIN platforms this
         ON same.provider = this.provider AND same.provider_account_id = this.provider_account_id WHERE this.id = $1)
     ORDER BY started_at, id";

/// Whether any account of the provider's has a submission of that handle, in any workspace, or had one whose post was deleted.
pub(crate) const KNOWN_HANDLE: &str =
    "SELECT s.id FROM submissions s JOIN platforms whose ON whose.id = s.platform_id
     WHERE s.handle = $2 AND whose.provider = (SELECT provider FROM platforms WHERE id = $1)
    UNION ALL SELECT r.id FROM removed_submissions r
     WHERE r.handle = $2 AND r.provider = (SELECT provider FROM platforms WHERE id = $1) LIMIT 1";

/// Whether a post of the account was deleted since whose pull was fetched and got no handle.
pub(crate) const LOST_WITH_ITS_POST: &str = "SELECT r.id FROM platforms this JOIN removed_submissions r
        ON r.provider = this.provider AND r.provider_account_id = this.provider_account_id
    WHERE this.id = $1 AND r.is_lost AND r.removed_at > $2 LIMIT 1";

/// Whether this database may have forgotten what the provider reports: a hold is on or ended lately, or the account has a post
/// that may be out without its knowledge, in any workspace.
pub(crate) const MAY_BE_FORGOTTEN: &str =
    "SELECT id FROM instance WHERE id = 1 AND (held_at IS NOT NULL OR hold_ended_at > $2)
    UNION ALL SELECT 1 FROM platforms this JOIN platforms same
        ON same.provider = this.provider AND same.provider_account_id = this.provider_account_id
    JOIN posts p ON p.workspace_id = same.workspace_id AND p.platform_id = same.id AND p.parent_id IS NULL
    WHERE this.id = $1 AND p.look_since IS NOT NULL AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED') LIMIT 1";

impl Store {
    /// The one open pull of the account whose answer was lost, and to which a handle belongs that is not known here. `None`
    /// where it can be another's: of several that were fetched, in any workspace, or of one that ended without its handle
    /// while notifications of it may still be under way, or of a post that this database has forgotten (`delivery/hold.rs`), or of one
    /// that was deleted. What was never fetched cannot have come out. What another installation publishes through the same app
    /// is not known here either: where the account lists its posts, the caller must find it in that list.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_lost_pull(
        &self,
        platform: PlatformId,
        handle: &str,
        now: Time,
    ) -> Result<Option<Submission>> {
        let mut tx = self.begin().await?;
        match tx.lost_pull(platform, handle, now).await? {
            Some((_, post)) => self.open_submission_of(post).await,
            None => Ok(None),
        }
    }

    /// Gives a handle to a lost pull, if it is still the one that [`Store::find_lost_pull`] finds. `None`, and nothing changed, if
    /// not.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adopt_handle(
        &self,
        lost: &Submission,
        handle: &str,
        now: Time,
    ) -> Result<Option<Submission>> {
        let mut tx = self.begin().await?;
        let Some((id, post)) = tx.lost_pull(lost.platform_id, handle, now).await? else {
            return Ok(None);
        };
        if id != lost.id {
            return Ok(None);
        }
        let sql = "UPDATE submissions SET handle = $2 WHERE id = $1";
        tx.execute(sql, params![id, handle]).await?;
        tx.commit().await?;
        self.open_submission_of(post).await
    }

    /// What the provider calls the latest submission of a post, if it ever returned a handle.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn last_handle_of(&self, post: PostId) -> Result<Option<String>> {
        let sql = "SELECT handle FROM submissions WHERE post_id = $1 AND handle IS NOT NULL
             ORDER BY started_at DESC, id DESC LIMIT 1";
        let row = self.row(sql, params![post]).await?;
        row.map(|row| row.of("submissions").get("handle")).transpose()
    }

    /// Takes the job of a root post over from its holder, because of a notification about `submission`: the attempt
    /// rises, so that a run which is under way changes nothing any more. `None`, and nothing taken, unless the post is in
    /// QUEUE and `submission` is its open one, or ended before and no other is open.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_over(
        &self,
        submission: &Submission,
        by: TakeOver<'_>,
        now: Time,
    ) -> Result<Option<Job>> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id FROM posts WHERE id = $1 AND state = 'QUEUE'";
        if tx.lock(sql, params![submission.post_id]).await?.is_empty() {
            return Ok(None);
        }
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND closed_at IS NULL";
        let open = tx.row(sql, params![submission.post_id]).await?;
        let open: Option<SubmissionId> = open.map(|row| row.of("submissions").id("id")).transpose()?;
        if open != submission.closed_at.is_none().then_some(submission.id) {
            return Ok(None);
        }
        // One that is not due yet is taken until it is: if this run dies, another does not begin before its time.
        let sql = format!(
            "UPDATE jobs SET attempt = attempt + 1, lease_owner = $2,
                leased_until = CASE WHEN run_at > $3 THEN run_at ELSE $3 END,
                due_at = CASE WHEN run_at > $3 THEN run_at ELSE $3 END
            WHERE post_id = $1 AND kind = 'publish_post' RETURNING {JOB_COLUMNS}"
        );
        let params = params![submission.post_id, by.owner, now.plus(by.lease)];
        let Some(row) = tx.row(AssertSqlSafe(sql), params).await? else {
            return Ok(None);
        };
        let job = read_job(&row)?;
        tx.commit().await?;
        Ok(Some(job))
    }

    /// Notes in the log that a post which is out is no longer public, as the provider reported at `at`. `false` if
    /// that, or something later, was noted before: copies of a notification have the same time.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_no_longer_public(&self, post: PostId, at: Time, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND state = 'PUBLISHED'
             AND (hidden_at IS NULL OR hidden_at < $2)"
        );
        let rows = tx.lock(sql, params![post, at]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let workspace = row.of("posts").id("workspace_id")?;
        let event = post_event(workspace, EventKind::PostNoLongerPublic, &read_post(row)?);
        tx.execute("UPDATE posts SET hidden_at = $2 WHERE id = $1", params![post, at])
            .await?;
        tx.append_event(event, now).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Brings the next refresh of an account's tokens forward to now, unless a worker is at it; returns whether there was
    /// one to bring.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hasten_refresh(&self, platform: PlatformId, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql =
            "UPDATE jobs SET run_at = $2, due_at = $2 WHERE platform_id = $1 AND kind = 'refresh_platform'
            AND run_at > $2 AND leased_until IS NULL";
        let is_hastened = tx.execute(sql, params![platform, now]).await? > 0;
        tx.wake_workers();
        tx.commit().await?;
        Ok(is_hastened)
    }

    /// Plans a request for a published post's public address now, unless it is known; returns whether one was
    /// planned.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn follow_link(&self, post: PostId, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND state = 'PUBLISHED' AND release_url IS NULL"
        );
        let rows = tx.lock(sql, params![post]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let workspace = row.of("posts").id("workspace_id")?;
        let job = NewJob::of(workspace, &read_post(row)?, JobKind::ResolveLink, now);
        tx.queue_job(job, now).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Whether a single-purpose address works, without spending it: for a HEAD request.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn peek_fetch(&self, token_hash: [u8; 32]) -> Result<Option<FetchPermit>> {
        let sql = "SELECT s.id, s.post_id, s.workspace_id, m.media_id FROM submissions s
            LEFT JOIN post_media m ON m.post_id = s.post_id
            WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND COALESCE(s.closed_at, 0) = 0 ORDER BY m.position";
        let rows = self.rows(sql, params![token_hash]).await?;
        read_permit(&rows)
    }
}

impl Tx {
    /// The submission, and its post, that [`Store::find_lost_pull`] finds; locked.
    async fn lost_pull(
        &mut self,
        platform: PlatformId,
        handle: &str,
        now: Time,
    ) -> Result<Option<(SubmissionId, PostId)>> {
        let since = now.minus(NEWS_LATE);
        let rows = self.lock(LOST_PULLS, params![platform, since]).await?;
        let [row] = rows.as_slice() else { return Ok(None) };
        let fields = row.of("submissions");
        let is_open = fields.opt_time("closed_at")?.is_none();
        if !is_open || fields.id::<PlatformId>("platform_id")? != platform {
            return Ok(None);
        }
        let found = (fields.id("id")?, fields.id("post_id")?);
        let is_known = self.row(KNOWN_HANDLE, params![platform, handle]).await?.is_some();
        for sql in [LOST_WITH_ITS_POST, MAY_BE_FORGOTTEN] {
            if self.row(sql, params![platform, since]).await?.is_some() {
                return Ok(None);
            }
        }
        Ok((!is_known).then_some(found))
    }
}
