//! Changing a group that exists: a new time, now, new contents. Each judges the group at a version, and
//! begins anew if that is no longer the group's when it is stored.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::limits::Warning;
use playout_domain::media::Media;
use playout_domain::platform::{Platform, Strictness};
use playout_domain::post::{Draft, Group, Post, PostState, Waiting, effective_settings};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_store::{GroupChanges, MonthlyLimit, ScheduleGroup, Scheduling, UnscheduleGroup, UpdateGroup};
use playout_wire::posts::{UpdatePost, fields_of};
use playout_wire::read::Patch;
use serde_json::Map;

use super::asked::{Asked, Changed, Changes};
use super::judge::{Named, comment_drafts, in_order, new_comments};
use super::refusals::{limit_reached, not_editable, post_not_found, publishing};
use super::without_effect::{ignored, ignored_in_comments, unknown_settings};
use crate::app::expected::Expected;
use crate::app::once::Kept;
use crate::app::{App, AppError};

/// The time that a person needs to read that a try may be out, and to look at the account.
const TO_LOOK: Duration = Duration::from_secs(60);

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
    /// Puts a group in QUEUE at a new time, after full validation.
    pub async fn schedule_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        at: Time,
        by: &Actor,
        expected: &Expected,
    ) -> Result<Changed, AppError> {
        let asked = Asked {
            by,
            expected,
            changes: Changes::All,
        };
        self.requeue(workspace, id, Requeue::At(at), asked, &Kept::nowhere())
            .await
    }

    /// Gives a group that is in QUEUE another time, after full validation; one in any other state stays as it is.
    pub async fn move_queued_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        at: Time,
        by: &Actor,
    ) -> Result<Changed, AppError> {
        let asked = Asked {
            by,
            expected: &Expected::Any,
            changes: Changes::All,
        };
        self.requeue(workspace, id, Requeue::Move(at), asked, &Kept::nowhere())
            .await
    }

    /// Lets a group go out now, after full validation.
    pub async fn publish_group(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        asked: Asked<'_>,
        kept: &Kept<Changed>,
    ) -> Result<Changed, AppError> {
        self.requeue(workspace, id, Requeue::Now, asked, kept).await
    }

    /// Makes a group in QUEUE a draft again, whatever its account takes by now.
    pub async fn unschedule_group(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        asked: Asked<'_>,
        kept: &Kept<Group>,
    ) -> Result<Group, AppError> {
        loop {
            let found = self.find_group(workspace, id).await?;
            self.check_expected(asked.expected, &found.group).await?;
            let keep = kept.keep(Clone::clone);
            match self
                .store
                .unschedule_group_once(workspace, id, &found, asked.by, keep, self.now())
                .await?
            {
                UnscheduleGroup::Unscheduled(found) => return Ok(found.group),
                UnscheduleGroup::Changed => {}
                UnscheduleGroup::NotFound => return Err(post_not_found().into()),
                UnscheduleGroup::Publishing => return Err(publishing().into()),
                UnscheduleGroup::NotQueued => {
                    let message = "Only a post in QUEUE can be made a draft again.";
                    return Err(Refusal::new(Code::PostNotUnschedulable, message).into());
                }
            }
        }
    }

    async fn requeue(
        self: &Arc<Self>,
        workspace: &Workspace,
        id: PostId,
        how: Requeue,
        asked: Asked<'_>,
        kept: &Kept<Changed>,
    ) -> Result<Changed, AppError> {
        loop {
            let found = self.find_group(workspace.id, id).await?;
            self.check_expected(asked.expected, &found.group).await?;
            how.check(&found.group.root)?;
            check_looked(&found.group.root, asked.expected, self.now())?;
            let (platform, draft) = self.publishable(workspace.id, &found.group).await?;
            let quota = self.plan_of(&workspace.plan).posts_per_month;
            let scheduling = Scheduling {
                at: how.at(),
                judged: &found,
                quota: quota.map(|limit| MonthlyLimit { limit }),
                by: asked.by,
                queued_only: matches!(how, Requeue::Move(_)),
            };
            let warnings: Vec<Warning> = self.held_warning().await?.into_iter().collect();
            let queued = |group: &Group| Changed {
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
        asked: Asked<'_>,
    ) -> Result<Changed, AppError> {
        loop {
            let found = self.find_group(workspace.id, id).await?;
            self.check_expected(asked.expected, &found.group).await?;
            asked.changes.check(&found.group.root)?;
            check_editable(&found.group.root)?;
            check_time(&found.group.root, request.scheduled_for)?;
            let judged = self.judge_changes(workspace.id, &found.group, request).await?;
            let changes = GroupChanges {
                judged: &found,
                content: request.content.clone(),
                media_ids: request.media_ids.clone(),
                settings: request.settings.clone(),
                comments: request
                    .comments
                    .as_ref()
                    .map(|comments| new_comments(comments, self.now())),
                scheduled_for: request
                    .scheduled_for
                    .filter(|at| *at != found.group.root.scheduled_for),
                was_hidden: self
                    .may_be_hidden(workspace.id, &found.group.root, request)
                    .await?,
                by: asked.by.clone(),
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
                    let mut warnings = self
                        .unknown_settings_in(workspace.id, &found.group, request)
                        .await?;
                    warnings.extend(ignored_in(&found.group, request));
                    return Ok(Changed {
                        group: found.group,
                        warnings,
                    });
                }
                Ok(UpdateGroup::Changed) => {}
                Ok(UpdateGroup::NotFound) => return Err(post_not_found().into()),
                Ok(UpdateGroup::Publishing | UpdateGroup::NotEditable) => {
                    return Err(not_editable(&found.group.root).into());
                }
                Err(error) => return Err(self.vanished(workspace.id, named(request), error).await),
            }
        }
    }

    /// The settings in a change that the group's provider does not know; none while its account is gone.
    async fn unknown_settings_in(
        &self,
        workspace: WorkspaceId,
        group: &Group,
        request: &UpdatePost,
    ) -> Result<Vec<Warning>, AppError> {
        if request.settings.is_none() && request.comments.is_none() {
            return Ok(Vec::new());
        }
        let platform = self
            .store
            .find_platform(workspace, group.root.platform_id)
            .await?;
        let none = Map::new();
        let settings = request.settings.as_ref().unwrap_or(&none);
        let comments = request.comments.iter().flatten().map(|comment| &comment.settings);
        let provider = platform.as_ref().and_then(|platform| self.provider_of(platform));
        Ok(provider.map_or_else(Vec::new, |provider| {
            unknown_settings(&**provider, settings, comments)
        }))
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
            Self::At(_) | Self::Now => root.state.may_be_scheduled() && !is_being_handed_over(root),
            Self::Move(_) => root.state == PostState::Queue && !root.publishing,
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
                "The post is published, or is being handed to the provider right now.",
            ),
        }
    }
}

/// The fields of a change that are ignored. Those that the post has may be sent as they were read.
fn ignored_in(group: &Group, request: &UpdatePost) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !request.others.is_empty() {
        let shown = fields_of(group.clone());
        let others = request.others.iter().filter(|name| shown.get(name).is_none());
        let others: Vec<String> = others.cloned().collect();
        warnings.extend(ignored(Vec::new(), &others, UpdatePost::FIELDS));
    }
    warnings.extend(ignored_in_comments(
        request.comments.as_deref().unwrap_or_default(),
    ));
    warnings
}

fn named(request: &UpdatePost) -> Named<'_> {
    Named {
        media_ids: request.media_ids.as_deref().unwrap_or_default(),
        comments: request.comments.as_deref().unwrap_or_default(),
        comments_first: request.comments_first,
    }
}

/// Whether who sends a post again can have read that a try of it may be out: the request names the version that says so, or comes once a
/// person has had the time to look. A repetition of the request that led to the question does neither, and decides nothing.
fn check_looked(root: &Post, expected: &Expected, now: Time) -> Result<(), Refusal> {
    let may_be_out = matches!(root.waiting, Some(Waiting::Unconfirmed | Waiting::Inbox));
    let at = root.updated_at.plus(TO_LOOK);
    if !may_be_out || *expected != Expected::Any || at <= now {
        return Ok(());
    }
    let message = format!(
        "A try of this post may be out. {} If it is to be sent again, send the request with the ETag of the post as If-Match, or after {at}.",
        root.error_text.as_deref().unwrap_or_default()
    );
    Err(Refusal::new(Code::PostUndecided, message))
}

fn is_being_handed_over(root: &Post) -> bool {
    root.publishing && root.state == PostState::Queue
}

fn check_editable(root: &Post) -> Result<(), Refusal> {
    if root.state.may_be_edited() && !is_being_handed_over(root) {
        Ok(())
    } else {
        Err(not_editable(root))
    }
}

/// Only a draft's time is changed with its contents: a queued post is validated as of its new time.
fn check_time(root: &Post, time: Option<Option<Time>>) -> Result<(), Refusal> {
    match time {
        Some(at) if root.state != PostState::Draft && at != root.scheduled_for => {
            let message = "cannot be changed here, because the post is in QUEUE; PATCH /posts/{id}/schedule sets another time, \
                           POST /posts/{id}/publish publishes it now, POST /posts/{id}/unschedule makes it a draft";
            let issue = Issue::field("scheduledFor", IssueCode::Conflict.with(message));
            Err(Refusal::invalid(vec![issue]))
        }
        _ => Ok(()),
    }
}

fn account_unavailable() -> Refusal {
    let message = "is disabled, removed or needs reconnecting";
    Refusal::invalid(vec![Issue::field(
        "platformIds",
        IssueCode::NotFound.with(message),
    )])
}
