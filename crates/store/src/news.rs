//! What arrives unasked and late: a provider's notifications find their submissions here, and the outcome of a
//! submission that had been given up becomes known.

use std::time::Duration;

use playout_domain::id::{PlatformId, PostId, SubmissionId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::submission::Submission;
use playout_domain::time::Time;

use crate::db::Store;
use crate::error::Result;
use crate::fetches::{FetchPermit, read_permit};
use crate::param::params;
use crate::posts::{post_columns, read_post};
use crate::settle::Released;

/// How late a notification may come: providers repeat them for up to three days.
const NEWS_LATE: Duration = Duration::from_secs(4 * 86_400);

/// Pulls that were fetched and have no handle, open or ended since `$2`, of the account behind a platform in whatever
/// workspace.
const LOST_PULLS: &str = "SELECT id, post_id, platform_id, closed_at FROM submissions WHERE handle IS NULL
     AND (closed_at IS NULL OR closed_at > $2) AND fetched_at IS NOT NULL AND transfer = 'pull' AND platform_id IN (SELECT same.id FROM platforms same JOIN platforms this
         ON same.provider = this.provider AND same.provider_account_id = this.provider_account_id WHERE this.id = $1)
     ORDER BY started_at, id";

/// Whether the account behind a platform has a submission of that handle, in whatever workspace.
const KNOWN_HANDLE: &str = "SELECT id FROM submissions WHERE handle = $2
     AND platform_id IN (SELECT same.id FROM platforms same JOIN platforms this
         ON same.provider = this.provider AND same.provider_account_id = this.provider_account_id WHERE this.id = $1)
     LIMIT 1";

impl Store {
    /// Whether a post of the account is known to have come out under this ID of the provider's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_release(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
        release_id: &str,
    ) -> Result<bool> {
        let sql = "SELECT id FROM posts WHERE workspace_id = $1 AND platform_id = $2 AND parent_id IS NULL
             AND release_id = $3 LIMIT 1";
        Ok(self
            .row(sql, params![workspace, platform, release_id])
            .await?
            .is_some())
    }

    /// Gives the handle of something that came out to the one open pull of the account whose answer was lost. `None`,
    /// and nothing changed, where it can be another's: of several that were fetched, or of one that ended without its
    /// handle while notifications of it may still be under way, here or in another workspace with the same account.
    /// What was never fetched cannot have come out.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adopt_handle(
        &self,
        platform: PlatformId,
        handle: &str,
        now: Time,
    ) -> Result<Option<Submission>> {
        let mut tx = self.begin().await?;
        let rows = tx
            .lock(LOST_PULLS, params![platform, now.minus(NEWS_LATE)])
            .await?;
        let [row] = rows.as_slice() else { return Ok(None) };
        let fields = row.of("submissions");
        if fields.opt_time("closed_at")?.is_some() {
            return Ok(None);
        }
        let (id, post): (SubmissionId, PostId) = (fields.id("id")?, fields.id("post_id")?);
        let is_ours = fields.id::<PlatformId>("platform_id")? == platform;
        let known = tx.row(KNOWN_HANDLE, params![platform, handle]).await?.is_some();
        if !is_ours || known {
            return Ok(None);
        }
        let sql = "UPDATE submissions SET handle = $2 WHERE id = $1";
        tx.execute(sql, params![id, handle]).await?;
        tx.commit().await?;
        self.open_submission_of(post).await
    }

    /// What the provider calls the latest submission of a post, if it ever answered one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn last_handle_of(&self, post: PostId) -> Result<Option<String>> {
        let sql = "SELECT handle FROM submissions WHERE post_id = $1 AND handle IS NOT NULL
             ORDER BY started_at DESC, id DESC LIMIT 1";
        let row = self.row(sql, params![post]).await?;
        row.map(|row| row.of("submissions").get("handle")).transpose()
    }

    /// Takes in that a closed submission's post is out after all: an inbox was finished, an unconfirmed post
    /// confirmed, or a published one got its address. `false` if that changes nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn publish_late(&self, post: PostId, released: Released<'_>, now: Time) -> Result<bool> {
        Ok(self.publish_from_inbox(post, released, now).await?
            || self.confirm_published(post, released, now).await?
            || (released.release_id.is_some() && self.set_release(post, released, now).await?))
    }

    /// Plans to ask after a published post's public address now, unless it is known; answers whether there is
    /// something to ask.
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
        tx.queue_post_job(workspace, (&read_post(row)?, JobKind::ResolveLink, now), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Whether a single-purpose address works, without spending it: what a HEAD request asks.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn peek_fetch(&self, token_hash: [u8; 32]) -> Result<Option<FetchPermit>> {
        let sql = "SELECT s.id, s.post_id, s.workspace_id, m.media_id FROM submissions s
            LEFT JOIN post_media m ON m.post_id = s.post_id
            WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.closed_at IS NULL ORDER BY m.position";
        let rows = self.rows(sql, params![token_hash]).await?;
        read_permit(&rows)
    }
}
