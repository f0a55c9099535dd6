//! What follows when a post has reached a final state: an event is logged, and the next comment is planned.

use std::time::Duration;

use playout_domain::event::EventKind;
use playout_domain::id::WorkspaceId;
use playout_domain::job::JobKind;
use playout_domain::post::{Post, PostState};
use playout_domain::time::Time;

use crate::db::{Result, Tx, params};
use crate::jobs::NewJob;
use crate::posts::read::{post_columns, post_event, read_post};

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
        if !post.lets_the_next_go() || !self.has_later_comments(workspace, post).await? {
            return Ok(());
        }
        match self
            .give_marked_comments_to_a_person(workspace, post, now)
            .await?
        {
            true => Ok(()),
            false => self.queue_next_comment(workspace, post, now).await,
        }
    }

    async fn has_later_comments(&mut self, workspace: WorkspaceId, post: &Post) -> Result<bool> {
        let sql = "SELECT id FROM posts WHERE workspace_id = $1 AND group_id = $2
            AND position > (SELECT position FROM posts WHERE id = $3) LIMIT 1";
        let later = self.row(sql, params![workspace, post.group_id, post.id]).await?;
        Ok(later.is_some())
    }

    /// Plans the comment that comes after `post` in its group, its delay from now.
    async fn queue_next_comment(&mut self, workspace: WorkspaceId, post: &Post, now: Time) -> Result<()> {
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            " FROM posts WHERE workspace_id = $1 AND group_id = $2 AND state = 'QUEUE'
             AND position > (SELECT position FROM posts WHERE id = $3) ORDER BY position LIMIT 1"
        );
        let Some(row) = self.row(sql, params![workspace, post.group_id, post.id]).await? else {
            return Ok(());
        };
        let next = read_post(&row)?;
        let delay = Duration::from_secs(60 * u64::from(next.delay_minutes.unwrap_or(0)));
        let job = NewJob::of(workspace, &next, JobKind::PublishComment, now.plus(delay));
        self.queue_job(job, now).await
    }
}
