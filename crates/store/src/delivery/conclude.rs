//! What follows when a post has reached a final state: an event is logged, and the next comment is planned.

use std::time::Duration;

use playout_domain::event::EventKind;
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::post::{Post, PostState};
use playout_domain::time::Time;

use crate::db::{Result, Tx, params};
use crate::jobs::NewJob;
use crate::posts::read::post_event;

impl Tx {
    /// Logs the event of how a post ended and plans the comment that follows it, unless that has to wait for this one.
    pub(crate) async fn conclude(&mut self, workspace: WorkspaceId, post: &Post, now: Time) -> Result<()> {
        let kind = match post.state {
            PostState::Published => EventKind::PostPublished,
            PostState::ActionRequired => EventKind::PostActionRequired,
            PostState::Error => EventKind::PostFailed,
            PostState::Draft | PostState::Queue => return Ok(()),
        };
        self.append_event(post_event(workspace, kind, post), now).await?;
        match post.lets_the_next_go() {
            true => self.let_the_next_go(workspace, post.id, now).await,
            false => Ok(()),
        }
    }

    /// Plans the comment that comes after this post of a group, unless those after it are left to a person. It reads only
    /// the ID, position and delay of rows, so that a damaged one fails in its own run and keeps no other one waiting.
    pub(crate) async fn let_the_next_go(
        &mut self,
        workspace: WorkspaceId,
        after: PostId,
        now: Time,
    ) -> Result<()> {
        if !self.has_later_comments(workspace, after).await? {
            return Ok(());
        }
        match self
            .give_later_comments_to_a_person(workspace, after, now)
            .await?
        {
            true => Ok(()),
            false => self.queue_next_comment(workspace, after, now).await,
        }
    }

    async fn has_later_comments(&mut self, workspace: WorkspaceId, after: PostId) -> Result<bool> {
        let sql = "SELECT id FROM posts WHERE workspace_id = $1
            AND group_id = (SELECT group_id FROM posts WHERE id = $2)
            AND position > (SELECT position FROM posts WHERE id = $2) LIMIT 1";
        let later = self.row(sql, params![workspace, after]).await?;
        Ok(later.is_some())
    }

    /// Plans the comment that comes after this post in its group, its delay from now; at once where its delay cannot be read. It is not planned
    /// where a comment before it waits for the account, nor a second time where it is planned already.
    async fn queue_next_comment(&mut self, workspace: WorkspaceId, after: PostId, now: Time) -> Result<()> {
        let sql = "SELECT id, platform_id, delay_minutes, state,
                (SELECT COUNT(*) FROM jobs WHERE post_id = posts.id AND kind = 'publish_comment') AS jobs
            FROM posts WHERE workspace_id = $1 AND (state = 'QUEUE' OR waiting IN ('reconnect', 'account_unavailable'))
            AND group_id = (SELECT group_id FROM posts WHERE id = $2)
            AND position > (SELECT position FROM posts WHERE id = $2) ORDER BY position LIMIT 1";
        let Some(row) = self.row(sql, params![workspace, after]).await? else {
            return Ok(());
        };
        let fields = row.of("posts");
        let (state, jobs): (String, i64) = (fields.get("state")?, fields.get("jobs")?);
        if state != PostState::Queue.as_str() || jobs > 0 {
            return Ok(());
        }
        let delay: Option<u32> = fields.opt_number("delay_minutes").unwrap_or_default();
        let delay = Duration::from_secs(60 * u64::from(delay.unwrap_or(0)));
        let job = NewJob {
            workspace,
            platform: fields.id("platform_id")?,
            post: fields.id("id")?,
            kind: JobKind::PublishComment,
            run_at: now.plus(delay),
            planned_at: None,
            asked_at: None,
        };
        self.queue_job(job, now).await
    }
}
