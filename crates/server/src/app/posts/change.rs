//! Changing a group that exists: a new time, now, new contents, deletion. Each judges the group at a version, and
//! begins anew if that is no longer the group's when it is stored.

use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::limits::Warning;
use playout_domain::media::Media;
use playout_domain::platform::{Platform, Strictness};
use playout_domain::post::{Draft, Group, Post, PostState, effective_settings};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_store::{DeleteGroup, GroupChanges, MonthlyLimit, ScheduleGroup, Scheduling, UpdateGroup};
use playout_wire::posts::UpdatePost;

use super::judge::{Named, comment_drafts, in_order, new_comments};
use super::refusals::{limit_reached, post_not_found};
use crate::app::once::Kept;
use crate::app::{App, AppError};

/// A group that was brought into QUEUE.
pub struct Queued {
    /// It.
    pub group: Group,
    /// What to know beforehand.
    pub warnings: Vec<Warning>,
}

/// What brings a group into QUEUE.
#[derive(Clone, Copy)]
enum Requeue {
    /// `PATCH /posts/{id}/schedule`
    At(Time),
    /// The same for a group that is in QUEUE already; others stay as they are.
    Move(Time),
    /// `POST /posts/{id}/publish`
    Now,
}

impl App {
    /// Deletes a whole group by the ID of any of its posts.
    pub async fn delete_group(&self, workspace: WorkspaceId, id: PostId, by: &Actor) -> Result<(), AppError> {
        match self.store.delete_group(workspace, id, by, self.now()).await? {
            DeleteGroup::Deleted => Ok(()),
            DeleteGroup::NotFound => Err(post_not_found().into()),
            DeleteGroup::Publishing => Err(Refusal::new(
                Code::PostPublishing,
                "The post is being handed to the provider right now. Try again when that is settled.",
            )
            .into()),
            DeleteGroup::HandedOver => Err(Refusal::new(
                Code::PostPublishing,
                "The provider has the post and may still publish it; what becomes of it can be asked once the account is reconnected. \
                 Reconnect the account, or look there and mark the post as published; then delete it.",
            )
            .into()),
        }
    }

    /// Puts a group in QUEUE at a new time, after full validation.
    pub async fn schedule_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        at: Time,
        by: &Actor,
    ) -> Result<Queued, AppError> {
        self.requeue(workspace, id, Requeue::At(at), by, &Kept::nowhere())
            .await
    }

    /// Gives a group that is in QUEUE another time, after full validation; one in any other state stays as it is.
    pub async fn move_queued_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        at: Time,
        by: &Actor,
    ) -> Result<Queued, AppError> {
        self.requeue(workspace, id, Requeue::Move(at), by, &Kept::nowhere())
            .await
    }

    /// Lets a group that is not in QUEUE go out now, after full validation.
    pub async fn publish_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        by: &Actor,
        kept: &Kept<Queued>,
    ) -> Result<Queued, AppError> {
        self.requeue(workspace, id, Requeue::Now, by, kept).await
    }

    async fn requeue(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        how: Requeue,
        by: &Actor,
        kept: &Kept<Queued>,
    ) -> Result<Queued, AppError> {
        loop {
            let found = self.find_group(workspace.id, id).await?;
            how.check(&found.group.root)?;
            let (platform, draft) = self.publishable(workspace.id, &found.group).await?;
            let quota = self.plan_of(&workspace.plan).posts_per_month;
            let scheduling = Scheduling {
                at: how.at(),
                expected_version: found.version,
                quota: quota.map(|limit| MonthlyLimit { limit }),
                by,
                queued_only: matches!(how, Requeue::Move(_)),
            };
            let warnings: Vec<Warning> = self.held_warning().await?.into_iter().collect();
            let queued = |group: &Group| Queued {
                group: group.clone(),
                warnings: warnings.clone(),
            };
            let keep = kept.keep(queued);
            match self
                .store
                .schedule_group_once(workspace.id, id, scheduling, keep, self.now())
                .await?
            {
                ScheduleGroup::Scheduled(found) => {
                    self.prepare_photos(workspace.id, &found.group.root, &platform, &draft.media);
                    return Ok(queued(&found.group));
                }
                ScheduleGroup::Changed => {}
                ScheduleGroup::NotFound => return Err(post_not_found().into()),
                ScheduleGroup::Publishing | ScheduleGroup::AlreadyPublished | ScheduleGroup::NotQueued => {
                    return Err(how.refusal().into());
                }
                ScheduleGroup::LimitReached(reached) => return Err(limit_reached(reached).into()),
            }
        }
    }

    /// The account of a group and the group's draft, if it can be published as it is.
    async fn publishable(
        &self,
        workspace: WorkspaceId,
        group: &Group,
    ) -> Result<(Platform, Draft), AppError> {
        let platform = self
            .store
            .find_platform(workspace, group.root.platform_id)
            .await?;
        let platform = platform
            .filter(Platform::is_ready)
            .ok_or_else(account_unavailable)?;
        let draft = self.stored_draft(workspace, group, &platform).await?;
        self.refuse_draft(&platform, &draft, Strictness::Full)?;
        Ok((platform, draft))
    }

    /// Refuses what an account does not take, with its reasons at their paths.
    fn refuse_draft(
        &self,
        platform: &Platform,
        draft: &Draft,
        strictness: Strictness,
    ) -> Result<(), Refusal> {
        let provider = self.provider_of(platform).ok_or_else(account_unavailable)?;
        let problems = provider.problems(platform, draft, strictness);
        let issues: Vec<Issue> = problems.into_iter().map(|problem| problem.issue).collect();
        if issues.is_empty() {
            Ok(())
        } else {
            Err(Refusal::invalid(issues))
        }
    }

    /// Gives a DRAFT or QUEUE group new contents, by the ID of any of its posts. What is in QUEUE must stay
    /// publishable.
    pub async fn update_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        request: &UpdatePost,
        by: &Actor,
    ) -> Result<Group, AppError> {
        loop {
            let found = self.find_group(workspace.id, id).await?;
            check_editable(&found.group.root)?;
            let judged = self.judge_changes(workspace.id, &found.group, request).await?;
            let changes = GroupChanges {
                expected_version: found.version,
                content: request.content.clone(),
                media_ids: request.media_ids.clone(),
                settings: request.settings.clone(),
                comments: request
                    .comments
                    .as_ref()
                    .map(|comments| new_comments(comments, self.now())),
                was_hidden: self
                    .may_be_hidden(workspace.id, &found.group.root, request)
                    .await?,
                by: by.clone(),
            };
            match self
                .store
                .update_group(workspace.id, id, changes, self.now())
                .await
            {
                Ok(UpdateGroup::Updated(found)) => {
                    if let Some((platform, media)) = judged {
                        self.prepare_photos(workspace.id, &found.group.root, &platform, &media);
                    }
                    return Ok(found.group);
                }
                Ok(UpdateGroup::Changed) => {}
                Ok(UpdateGroup::NotFound) => return Err(post_not_found().into()),
                Ok(UpdateGroup::Publishing | UpdateGroup::NotEditable) => return Err(not_editable().into()),
                Err(error) => return Err(self.vanished(workspace.id, named(request), error).await),
            }
        }
    }

    /// Whether what decides if the account lists a post is changed, and it may not list the post as it is.
    async fn may_be_hidden(
        &self,
        workspace: WorkspaceId,
        root: &Post,
        request: &UpdatePost,
    ) -> Result<bool, AppError> {
        if request.settings.is_none() && request.media_ids.is_none() {
            return Ok(false);
        }
        let platform = self.store.find_platform(workspace, root.platform_id).await?;
        Ok(platform.is_none_or(|platform| {
            let settings = effective_settings(&platform.settings, &root.settings);
            self.lists_not_all(&platform, &settings)
        }))
    }

    /// Judges a group as it would be: a draft by its types alone, and not at all while its account is gone, because
    /// it is judged in full before it can go out. Answers the account and the root's media.
    async fn judge_changes(
        &self,
        workspace: WorkspaceId,
        group: &Group,
        request: &UpdatePost,
    ) -> Result<Option<(Platform, Vec<Media>)>, AppError> {
        let media = self.media_named(workspace, named(request)).await?;
        let platform = self
            .store
            .find_platform(workspace, group.root.platform_id)
            .await?;
        let ready = platform.filter(Platform::is_ready);
        let (platform, strictness) = match (ready, group.root.state) {
            (None, PostState::Draft) => return Ok(None),
            (None, _) => return Err(account_unavailable().into()),
            (Some(platform), PostState::Draft) => (platform, Strictness::TypesOnly),
            (Some(platform), _) => (platform, Strictness::Full),
        };
        let mut draft = self.stored_draft(workspace, group, &platform).await?;
        if let Some(content) = &request.content {
            draft.content.clone_from(content);
        }
        if let Some(ids) = &request.media_ids {
            draft.media = in_order(ids, &media);
        }
        if let Some(settings) = &request.settings {
            draft.settings = effective_settings(&platform.settings, settings);
        }
        if let Some(comments) = &request.comments {
            draft.comments = comment_drafts(comments);
        }
        self.refuse_draft(&platform, &draft, strictness)?;
        Ok(Some((platform, draft.media)))
    }
}

impl Requeue {
    fn at(self) -> Option<Time> {
        match self {
            Self::At(at) | Self::Move(at) => Some(at),
            Self::Now => None,
        }
    }

    fn check(self, root: &Post) -> Result<(), Refusal> {
        let allowed = match self {
            Self::At(_) => root.state.may_be_scheduled() && !is_being_handed_over(root),
            Self::Move(_) => root.state == PostState::Queue && !root.publishing,
            Self::Now => root.state.may_be_published(),
        };
        if allowed { Ok(()) } else { Err(self.refusal()) }
    }

    fn refusal(self) -> Refusal {
        match self {
            Self::At(_) => Refusal::new(
                Code::PostNotReschedulable,
                "The post is published, or is being handed to the provider right now, and cannot be given a new time.",
            ),
            Self::Move(_) => Refusal::new(
                Code::PostNotReschedulable,
                "Only a post in QUEUE moves, and not while it is being handed to the provider.",
            ),
            Self::Now => Refusal::new(
                Code::PostNotPublishable,
                "The post is published, or is in QUEUE already. A queued post gets another time by PATCH /posts/{id}/schedule.",
            ),
        }
    }
}

fn named(request: &UpdatePost) -> Named<'_> {
    Named {
        media_ids: request.media_ids.as_deref().unwrap_or_default(),
        comments: request.comments.as_deref().unwrap_or_default(),
        comments_first: request.comments_first,
    }
}

fn is_being_handed_over(root: &Post) -> bool {
    root.publishing && root.state == PostState::Queue
}

fn check_editable(root: &Post) -> Result<(), Refusal> {
    if root.state.may_be_edited() && !is_being_handed_over(root) {
        Ok(())
    } else {
        Err(not_editable())
    }
}

fn not_editable() -> Refusal {
    Refusal::new(
        Code::PostNotEditable,
        "Only a post in DRAFT or QUEUE can be changed, and not while it is being handed to the provider.",
    )
}

fn account_unavailable() -> Refusal {
    let message = "is disabled, removed or needs reconnecting";
    Refusal::invalid(vec![Issue::field(
        "platformIds",
        IssueCode::NotFound.with(message),
    )])
}
