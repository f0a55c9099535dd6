//! What follows for posts and comments when their account is connected again or enabled.

use playout_domain::event::EventKind;
use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::time::Time;
use serde_json::json as value;

use crate::db::{Result, Tx, params};
use crate::events::NewEvent;
use crate::jobs::NewJob;

/// A comment that was due while its account was disabled or removed. Its root is out, so that there is nothing that a person could send.
macro_rules! comments_without_account {
    () => {
        "(waiting = 'account_unavailable' AND NOT is_overdue AND parent_id IS NOT NULL)"
    };
}

/// Puts posts of an account back in QUEUE.
macro_rules! requeue {
    ($condition:expr) => {
        concat!(
            "UPDATE posts SET state = 'QUEUE', waiting = NULL, error_text = NULL, updated_at = $3, version = version + 1
            WHERE workspace_id = $1 AND platform_id = $2 AND ",
            $condition,
            " RETURNING id, group_id, parent_id, COALESCE(scheduled_for,
                (SELECT MAX(started_at) FROM submissions WHERE submissions.post_id = posts.id)) AS planned_at"
        )
    };
}

impl Tx {
    /// Puts what waits for an account to be reconnected back in QUEUE, to be run now (`docs/contract.md#reconnecting`).
    /// Each is still planned for when it was due, or tried last if it was to go out at once: it may be overdue by now. Comments that were
    /// due without an account follow.
    pub(crate) async fn requeue_waiting(
        &mut self,
        workspace: WorkspaceId,
        platform: PlatformId,
        now: Time,
    ) -> Result<u64> {
        let sql = requeue!(concat!(
            "(waiting = 'reconnect' OR ",
            comments_without_account!(),
            ")"
        ));
        self.requeue(sql, workspace, platform, now).await
    }

    /// Puts the comments that were due while their account was disabled back in QUEUE, to be run now.
    pub(crate) async fn requeue_comments(
        &mut self,
        workspace: WorkspaceId,
        platform: PlatformId,
        now: Time,
    ) -> Result<u64> {
        let sql = requeue!(comments_without_account!());
        self.requeue(sql, workspace, platform, now).await
    }

    /// Puts what waits for a reconnection although the provider may have it back in QUEUE, as its account is removed: its run finds that the
    /// provider can no longer be asked, and leaves it to a person.
    pub(crate) async fn requeue_under_way(
        &mut self,
        workspace: WorkspaceId,
        platform: PlatformId,
        now: Time,
    ) -> Result<u64> {
        let sql = requeue!("(waiting = 'reconnect' AND publishing)");
        self.requeue(sql, workspace, platform, now).await
    }

    async fn requeue(
        &mut self,
        sql: &'static str,
        workspace: WorkspaceId,
        platform: PlatformId,
        now: Time,
    ) -> Result<u64> {
        let posts = self.rows(sql, params![workspace, platform, now]).await?;
        let mut events = Vec::new();
        for row in &posts {
            let fields = row.of("posts");
            let post: PostId = fields.id("id")?;
            let is_root = fields.opt_id::<PostId>("parent_id")?.is_none();
            let kind = if is_root {
                JobKind::PublishPost
            } else {
                JobKind::PublishComment
            };
            self.queue_job(
                NewJob {
                    workspace,
                    platform,
                    post,
                    kind,
                    run_at: now,
                    planned_at: fields.opt_time("planned_at")?,
                    asked_at: None,
                },
                now,
            )
            .await?;
            let group = fields.get::<uuid::Uuid>("group_id")?;
            events.push(NewEvent {
                workspace_id: workspace,
                kind: EventKind::PostQueued,
                payload: value!({ "postId": post, "groupId": group, "platformId": platform }),
            });
        }
        self.append_events(events, now).await?;
        Ok(posts.len() as u64)
    }
}
