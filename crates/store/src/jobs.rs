//! Queueing jobs. They are claimed in `delivery/claims.rs`.

use playout_domain::id::{JobId, PlatformId, PostId, WorkspaceId};
use playout_domain::job::{JobKind, JobQueue, RETRY_WINDOW};
use playout_domain::post::Post;
use playout_domain::time::Time;

use crate::db::{Result, Tx, new_id, params};

/// A job for a post, with a day to be done from its first claim.
pub(crate) struct NewJob {
    pub(crate) workspace: WorkspaceId,
    pub(crate) platform: PlatformId,
    pub(crate) post: PostId,
    pub(crate) kind: JobKind,
    pub(crate) run_at: Time,
    /// When it was due first, if that is not `run_at`: the post waited for a person meanwhile.
    pub(crate) planned_at: Option<Time>,
    /// When a person asked for its post to go out.
    pub(crate) asked_at: Option<Time>,
}

impl NewJob {
    pub(crate) fn of(workspace: WorkspaceId, post: &Post, kind: JobKind, run_at: Time) -> Self {
        Self {
            workspace,
            platform: post.platform_id,
            post: post.id,
            kind,
            run_at,
            planned_at: None,
            asked_at: None,
        }
    }
}

impl Tx {
    /// Adds a job for a post, or starts the existing one afresh: its attempt rises, so that its present holder
    /// can write nothing any more. That a person asked for it stays.
    pub(crate) async fn queue_job(&mut self, job: NewJob, now: Time) -> Result<()> {
        let sql = "INSERT INTO jobs (id, workspace_id, platform_id, post_id, kind, run_at, due_at, attempt, failures,
                checks, deadline_at, queue, planned_at, asked_at) VALUES ($1, $2, $3, $4, $5, $6, $6, 0, 0, 0, $7, $8, $9, $10)
            ON CONFLICT (post_id, kind) WHERE post_id IS NOT NULL DO UPDATE SET run_at = excluded.run_at,
                due_at = excluded.due_at, attempt = jobs.attempt + 1, failures = 0, checks = 0, queue = excluded.queue,
                leased_until = NULL, lease_owner = NULL, deadline_at = excluded.deadline_at,
                planned_at = excluded.planned_at, first_claimed_at = NULL";
        let id: JobId = new_id(now);
        let deadline = job.run_at.max(now).plus(RETRY_WINDOW);
        let kind = job.kind.as_str();
        let params = params![
            id,
            job.workspace,
            job.platform,
            job.post,
            kind,
            job.run_at,
            deadline,
            JobQueue::of(job.kind).as_str(),
            job.planned_at.unwrap_or(job.run_at),
            job.asked_at
        ];
        self.execute(sql, params).await?;
        self.wake_workers_for(job.run_at, now);
        Ok(())
    }
}
