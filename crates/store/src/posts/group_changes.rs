//! Changes of a group by a person: a new time, new contents, deletion.
//!
//! Each locks the whole group first. A worker that holds the group's job at that moment but has not begun a
//! submission is fenced off: the job's attempt rises. One that has begun is seen by the `publishing` flag, and
//! wins.

use playout_domain::audit::{Action, Actor};
use playout_domain::event::EventKind;
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::post::{Group, Post, PostState, Waiting};
use playout_domain::time::Time;
use serde_json::json as value;

use super::create::author;
use super::read::{FoundGroup, post_columns, post_event, read_post};
use crate::audit::Noted;
use crate::db::{OnlyIf, Result, Store, Tx, params, read_all, require};
use crate::idempotency::Keep;
use crate::jobs::NewJob;
use crate::usage::{LimitReached, MonthlyLimit};

/// What became of [`Store::delete_group`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeleteGroup {
    /// It is gone.
    Deleted,
    /// It is being handed to the provider.
    Publishing,
    /// It was handed over before its account had to be reconnected, and comes out unless the provider fails at it.
    HandedOver,
    /// There is no such post in this workspace.
    NotFound,
}

/// What became of [`Store::unschedule_group`].
#[derive(Debug, Clone, PartialEq)]
pub enum UnscheduleGroup {
    /// It is a draft.
    Unscheduled(Box<FoundGroup>),
    /// It is being handed to the provider.
    Publishing,
    /// It is not in QUEUE.
    NotQueued,
    /// It is no longer what the caller saw; read it again.
    Changed,
    /// There is no such post in this workspace.
    NotFound,
}

/// A new time for a group, which the caller has validated in full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheduling<'a> {
    /// When; `None` is now.
    pub at: Option<Time>,
    /// What was validated.
    pub judged: &'a FoundGroup,
    /// The plan's limit, for a draft that is to count.
    pub quota: Option<MonthlyLimit>,
    /// Who decides it.
    pub by: &'a Actor,
    /// Whether a group in another state than QUEUE stays as it is.
    pub queued_only: bool,
}

/// What became of [`Store::schedule_group`].
#[derive(Debug, Clone, PartialEq)]
pub enum ScheduleGroup {
    /// It is in QUEUE.
    Scheduled(Box<FoundGroup>),
    /// The month's posts are used up.
    LimitReached(LimitReached),
    /// It is being handed to the provider.
    Publishing,
    /// It is out.
    AlreadyPublished,
    /// It is not in QUEUE, and only what is was to be moved.
    NotQueued,
    /// It is no longer what was validated; validate it again.
    Changed,
    /// There is no such post in this workspace.
    NotFound,
}

/// A group whose rows are locked until the end of the transaction.
pub(crate) struct LockedGroup {
    pub(crate) workspace: WorkspaceId,
    posts: Vec<Post>,
    counted_month: Option<String>,
    pub(crate) version: i64,
}

/// The error text of a draft that was in QUEUE after a try that may be out.
const MAY_BE_OUT: &str = "An earlier try of this post may be published, or wait in the creator's inbox. If you schedule it, the service looks for \
    it before anything is sent again. Look at the account before you delete it.";

impl Store {
    /// Deletes a group, by the identifier of any of its posts, with its job. A count of this month that was never
    /// published is given back.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_group(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        by: &Actor,
        now: Time,
    ) -> Result<DeleteGroup> {
        self.delete_group_if(workspace, post, by, now, None).await
    }

    /// [`Store::delete_group`] of a group that the caller still wants to delete.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`](crate::StoreError::Stale) where it does not.
    pub async fn delete_group_if(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        by: &Actor,
        now: Time,
        only_if: OnlyIf<'_, Group>,
    ) -> Result<DeleteGroup> {
        let mut tx = self.begin_compared().await?;
        let Some(group) = tx.lock_group(workspace, post).await? else {
            return Ok(DeleteGroup::NotFound);
        };
        if only_if.is_some() {
            require(only_if, &tx.group(workspace, post).await?.group)?;
        }
        if group.is_publishing() {
            return Ok(DeleteGroup::Publishing);
        }
        let root = group.root();
        if tx.may_come_out(root).await? {
            return Ok(DeleteGroup::HandedOver);
        }
        // First, because webhooks are sent the post as it was.
        tx.append_event(post_event(workspace, EventKind::PostDeleted, root), now)
            .await?;
        tx.keep_submissions_of_group(workspace, root.group_id, now)
            .await?;
        // Comments, media, jobs and the ledger go with their posts.
        let sql = "DELETE FROM posts WHERE workspace_id = $1 AND group_id = $2";
        tx.execute(sql, params![workspace, root.group_id]).await?;
        if root.state != PostState::Published {
            tx.uncount_group(&group, now).await?;
        }
        let noted = Noted {
            action: Action::PostDeleted,
            target: Some(root.id.to_string()),
            detail: Some(value!({ "state": root.state.as_str() })),
        };
        tx.note(workspace, by, noted, now).await?;
        tx.commit().await?;
        Ok(DeleteGroup::Deleted)
    }

    /// Makes a group in QUEUE a draft again; its time stays as the planned one. A count of this month is given back. What was submitted
    /// before stays in the ledger, so that a later run finds it.
    ///
    /// # Errors
    /// When the database fails, or the claim was taken over.
    pub async fn unschedule_group_once(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        judged: &FoundGroup,
        by: &Actor,
        keep: Keep<'_, Group>,
        now: Time,
    ) -> Result<UnscheduleGroup> {
        let mut tx = self.begin_compared().await?;
        let Some(group) = tx.lock_group(workspace, post).await? else {
            return Ok(UnscheduleGroup::NotFound);
        };
        if group.is_publishing() {
            return Ok(UnscheduleGroup::Publishing);
        }
        if group.root().state != PostState::Queue {
            return Ok(UnscheduleGroup::NotQueued);
        }
        if !group.is_still(judged) {
            return Ok(UnscheduleGroup::Changed);
        }
        tx.unqueue_group(&group, by, now).await?;
        let found = tx.group(workspace, post).await?;
        tx.keep(keep, &found.group).await?;
        tx.commit().await?;
        Ok(UnscheduleGroup::Unscheduled(Box::new(found)))
    }

    /// Puts a group in QUEUE for a time, with a day to be tried from then. It counts the first time it enters QUEUE.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn schedule_group(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        scheduling: Scheduling<'_>,
        now: Time,
    ) -> Result<ScheduleGroup> {
        self.schedule_group_once(workspace, post, scheduling, Keep::nowhere(), now)
            .await
    }

    /// [`Store::schedule_group`], and stores the answer that it makes.
    ///
    /// # Errors
    /// When the database fails, or the claim was taken over.
    pub async fn schedule_group_once(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        scheduling: Scheduling<'_>,
        keep: Keep<'_, Group>,
        now: Time,
    ) -> Result<ScheduleGroup> {
        let mut tx = self.begin().await?;
        let Some(group) = tx.lock_group(workspace, post).await? else {
            return Ok(ScheduleGroup::NotFound);
        };
        if group.is_publishing() {
            return Ok(ScheduleGroup::Publishing);
        }
        if !group.root().state.may_be_scheduled() {
            return Ok(ScheduleGroup::AlreadyPublished);
        }
        if scheduling.queued_only && group.root().state != PostState::Queue {
            return Ok(ScheduleGroup::NotQueued);
        }
        if !group.is_still(scheduling.judged) {
            return Ok(ScheduleGroup::Changed);
        }
        if group.counted_month.is_none()
            && let Some(reached) = tx.count_posts(workspace, 1, scheduling.quota, now).await?
        {
            return Ok(ScheduleGroup::LimitReached(reached));
        }
        tx.note_scheduled(&group, scheduling, now).await?;
        tx.queue_group(&group, scheduling, now).await?;
        let found = tx.group(workspace, post).await?;
        tx.keep(keep, &found.group).await?;
        tx.commit().await?;
        Ok(ScheduleGroup::Scheduled(Box::new(found)))
    }
}

impl LockedGroup {
    pub(crate) fn root(&self) -> &Post {
        &self.posts[0]
    }

    /// Whether it is what its caller has judged: no one has changed it, and no run has settled it since. Its media change with its version.
    pub(crate) fn is_still(&self, judged: &FoundGroup) -> bool {
        let group = &judged.group;
        let judged_posts = std::iter::once(&group.root).chain(&group.children);
        let without_media = judged_posts.map(|post| Post {
            media_ids: Vec::new(),
            ..post.clone()
        });
        self.version == judged.version && self.posts.iter().cloned().eq(without_media)
    }

    /// Whether a post of it is being handed over right now. One that waits for a person is not, even if its
    /// submission is still open: rescheduled, its run first finds out what became of that submission.
    pub(crate) fn is_publishing(&self) -> bool {
        self.posts
            .iter()
            .any(|post| post.publishing && post.state == PostState::Queue)
    }
}

impl Tx {
    /// Locks the group of a post, root first.
    pub(crate) async fn lock_group(
        &mut self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Option<LockedGroup>> {
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", counted_month, version FROM posts WHERE workspace_id = $1
             AND group_id = (SELECT group_id FROM posts WHERE id = $2 AND workspace_id = $1) ORDER BY position"
        );
        let rows = self.lock(sql, params![workspace, post]).await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        Ok(Some(LockedGroup {
            workspace,
            counted_month: first.of("posts").get("counted_month")?,
            version: first.of("posts").get("version")?,
            posts: read_all(&rows, read_post)?,
        }))
    }

    /// Whether a post that waits for its account was handed over, so that it may come out without any further action.
    async fn may_come_out(&mut self, root: &Post) -> Result<bool> {
        if !root.publishing {
            return Ok(false);
        }
        let open = self.open_submission(root.id).await?;
        Ok(open.is_some_and(|submission| submission.may_be_out()))
    }

    /// The trail has who gave a post its time, and who chose to send again what may be out.
    async fn note_scheduled(
        &mut self,
        group: &LockedGroup,
        scheduling: Scheduling<'_>,
        now: Time,
    ) -> Result<()> {
        let noted = Noted {
            action: match group.root().waiting {
                Some(Waiting::Unconfirmed) => Action::PostPublishedAgain,
                _ => Action::PostScheduled,
            },
            target: Some(group.root().id.to_string()),
            detail: Some(value!({ "scheduledFor": scheduling.at.map(|at| at.to_string()) })),
        };
        self.note(group.workspace, scheduling.by, noted, now).await
    }

    /// Gives back what a group counted in this month; says whether it did.
    async fn uncount_group(&mut self, group: &LockedGroup, now: Time) -> Result<bool> {
        match &group.counted_month {
            Some(month) if *month == now.month() => {
                self.uncount_post(group.workspace, month).await?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    async fn unqueue_group(&mut self, group: &LockedGroup, by: &Actor, now: Time) -> Result<()> {
        let (workspace, root) = (group.workspace, group.root());
        self.execute("DELETE FROM jobs WHERE post_id = $1", params![root.id])
            .await?;
        let is_uncounted = self.uncount_group(group, now).await?;
        let sql = "UPDATE posts SET state = 'DRAFT', waiting = NULL, updated_at = $3, updated_by = $4,
                version = version + 1, counted_month = CASE WHEN $5 THEN NULL ELSE counted_month END,
                error_text = CASE WHEN parent_id IS NULL AND EXISTS (SELECT 1 FROM submissions s WHERE s.post_id = posts.id
                    AND (s.outcome IN ('unknown', 'in_inbox') OR s.code IN ('restored', 'restored_unsearched')))
                    THEN $6 ELSE NULL END
            WHERE workspace_id = $1 AND group_id = $2";
        let updated_by = author(by.author().as_ref());
        let params = params![
            workspace,
            root.group_id,
            now,
            updated_by,
            is_uncounted,
            MAY_BE_OUT
        ];
        self.execute(sql, params).await?;
        let noted = Noted {
            action: Action::PostUnscheduled,
            target: Some(root.id.to_string()),
            detail: None,
        };
        self.note(workspace, by, noted, now).await?;
        let draft = Post {
            state: PostState::Draft,
            error_text: None,
            ..root.clone()
        };
        self.append_event(post_event(workspace, EventKind::PostUnscheduled, &draft), now)
            .await
    }

    async fn queue_group(
        &mut self,
        group: &LockedGroup,
        scheduling: Scheduling<'_>,
        now: Time,
    ) -> Result<()> {
        let (root, at) = (group.root(), scheduling.at);
        let sql = "UPDATE posts SET state = 'QUEUE', waiting = NULL, error_text = NULL, updated_at = $3,
                updated_by = $6, version = version + 1,
                scheduled_for = CASE WHEN parent_id IS NULL THEN $4 ELSE scheduled_for END,
                effective_at = CASE WHEN parent_id IS NULL THEN COALESCE($4, created_at) ELSE effective_at END,
                counted_month = CASE WHEN parent_id IS NULL THEN COALESCE(counted_month, $5) END
            WHERE workspace_id = $1 AND group_id = $2 AND state <> 'PUBLISHED'";
        let by = author(scheduling.by.author().as_ref());
        let params = params![group.workspace, root.group_id, now, at, now.month(), by];
        self.execute(sql, params).await?;
        let job = NewJob {
            // Who schedules a draft may not know that an earlier try of it may be out, and is asked.
            asked_at: (root.state != PostState::Draft).then_some(now),
            ..NewJob::of(group.workspace, root, JobKind::PublishPost, at.unwrap_or(now))
        };
        self.queue_job(job, now).await?;
        let queued = Post {
            state: PostState::Queue,
            scheduled_for: at,
            error_text: None,
            ..root.clone()
        };
        self.append_event(post_event(group.workspace, EventKind::PostQueued, &queued), now)
            .await
    }
}
