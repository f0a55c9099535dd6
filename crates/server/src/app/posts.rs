//! Posts: created on several accounts at once, each judged by itself; read, rescheduled, deleted.

use std::collections::HashMap;
use std::sync::Arc;

use playout_domain::error::{Code, Issue, PathStep, Refusal};
use playout_domain::id::{MediaId, PlatformId, PostId, WorkspaceId};
use playout_domain::media::{Media, MediaStatus, MediaType};
use playout_domain::platform::{Platform, Strictness};
use playout_domain::post::{CommentDraft, Draft, Group, Post, PostState, effective_settings};
use playout_domain::provider::{Part, Problem};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_store::{
    CreateGroups, DeleteGroup, Keep, LimitReached, MonthlyLimit, NewGroup, NewPost, ScheduleGroup, Scheduling,
};
use playout_wire::posts::{CreatePost, CreateResult, CreateResults, Mode};

use super::once::Kept;
use super::platforms::platform_not_found;
use super::{App, AppError};
use crate::chance;
use crate::config::plan_of;

impl App {
    /// Creates a post on every account asked for; accounts that cannot take it fail by themselves.
    pub async fn create_posts(
        self: &Arc<Self>,
        workspace: &Workspace,
        request: CreatePost,
        kept: &Kept<CreateResults>,
    ) -> Result<CreateResults, AppError> {
        let media = self.media_of(workspace.id, &request).await?;
        let platforms = self
            .store
            .find_platforms(workspace.id, &request.platform_ids)
            .await?;
        let world = Judged {
            platforms: platforms.into_iter().map(|p| (p.id, p)).collect(),
            media,
        };
        let judge = |id: &PlatformId| (*id, self.judge(*id, &request, &world));
        let judged: Vec<Verdict> = request.platform_ids.iter().map(judge).collect();
        let accepted: Vec<NewGroup> = judged
            .iter()
            .filter_map(|(_, verdict)| verdict.as_ref().ok().cloned())
            .collect();
        let keep = kept.keep(|groups: &[Group]| results(&judged, groups));
        let groups = self.insert_groups(workspace, accepted, keep).await?;
        self.prepare_photos(&groups, &world);
        Ok(results(&judged, &groups))
    }

    /// The media that a request names; all must be there and READY (contract §4).
    async fn media_of(
        &self,
        workspace: WorkspaceId,
        request: &CreatePost,
    ) -> Result<HashMap<MediaId, Media>, AppError> {
        let of_comments = request.comments.iter().flat_map(|comment| &comment.media_ids);
        let ids: Vec<MediaId> = request.media_ids.iter().chain(of_comments).copied().collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.store.find_media_many(workspace, &ids).await?;
        let media: HashMap<MediaId, Media> = found.into_iter().map(|media| (media.id, media)).collect();
        let issues = missing_media(request, &media);
        if issues.is_empty() {
            Ok(media)
        } else {
            Err(Refusal::invalid(issues).into())
        }
    }

    fn judge(&self, id: PlatformId, request: &CreatePost, world: &Judged) -> Result<NewGroup, Refusal> {
        let platform = world.platforms.get(&id).cloned();
        let (platform, provider) = self.ready(platform).ok_or_else(platform_not_found)?;
        let strictness = match request.mode {
            Mode::Draft(_) => Strictness::TypesOnly,
            Mode::Now | Mode::Schedule(_) => Strictness::Full,
        };
        let draft = draft_of(request, &platform, &world.media);
        refuse_problems(provider.problems(&platform, &draft, strictness))?;
        Ok(new_group(request, platform.id, self.now()))
    }

    async fn insert_groups(
        &self,
        workspace: &Workspace,
        groups: Vec<NewGroup>,
        keep: Keep<'_, [Group]>,
    ) -> Result<Vec<Group>, AppError> {
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let (id, quota) = (workspace.id, self.monthly_limit(workspace));
        let created = self
            .store
            .create_groups_once(id, groups, (quota, keep), self.now());
        match created.await? {
            CreateGroups::Created(groups) => Ok(groups),
            CreateGroups::LimitReached(reached) => Err(limit_reached(reached).into()),
        }
    }

    fn monthly_limit(&self, workspace: &Workspace) -> Option<MonthlyLimit> {
        plan_of(&self.config, &workspace.plan)
            .posts_per_month
            .map(|limit| MonthlyLimit { limit })
    }

    /// A root and its comments, by the ID of any of them.
    pub async fn get_group(&self, workspace: WorkspaceId, id: PostId) -> Result<Group, AppError> {
        Ok(self
            .store
            .find_group(workspace, id)
            .await?
            .ok_or_else(post_not_found)?
            .group)
    }

    /// Deletes a whole group by the ID of any of its posts.
    pub async fn delete_group(&self, workspace: WorkspaceId, id: PostId) -> Result<(), AppError> {
        match self.store.delete_group(workspace, id, self.now()).await? {
            DeleteGroup::Deleted => Ok(()),
            DeleteGroup::NotFound => Err(post_not_found().into()),
            DeleteGroup::Publishing => Err(Refusal::new(
                Code::PostPublishing,
                "The post is being handed to the provider right now. Try again when that is settled.",
            )
            .into()),
        }
    }

    /// Puts a group in QUEUE at a new time, after full validation; `None` is now.
    pub async fn schedule_group(
        &self,
        workspace: &Workspace,
        id: PostId,
        at: Option<Time>,
    ) -> Result<Group, AppError> {
        loop {
            let found = self
                .store
                .find_group(workspace.id, id)
                .await?
                .ok_or_else(post_not_found)?;
            self.check_schedulable(workspace.id, &found.group).await?;
            let scheduling = Scheduling {
                at,
                expected_version: found.version,
                quota: self.monthly_limit(workspace),
            };
            match self
                .store
                .schedule_group(workspace.id, id, scheduling, self.now())
                .await?
            {
                ScheduleGroup::Scheduled(found) => return Ok(found.group),
                ScheduleGroup::Changed => {}
                ScheduleGroup::NotFound => return Err(post_not_found().into()),
                ScheduleGroup::Publishing | ScheduleGroup::AlreadyPublished => {
                    return Err(not_reschedulable().into());
                }
                ScheduleGroup::LimitReached(reached) => return Err(limit_reached(reached).into()),
            }
        }
    }

    async fn check_schedulable(&self, workspace: WorkspaceId, group: &Group) -> Result<(), AppError> {
        let root = &group.root;
        if !root.state.may_be_scheduled() || (root.publishing && root.state == PostState::Queue) {
            return Err(not_reschedulable().into());
        }
        let platform = self.store.find_platform(workspace, root.platform_id).await?;
        let Some((platform, provider)) = self.ready(platform) else {
            let message = "the account is disabled, removed or needs reconnecting";
            return Err(Refusal::invalid(vec![Issue::field("platformIds", message)]).into());
        };
        let draft = self.stored_draft(workspace, group, &platform).await?;
        let problems = provider.problems(&platform, &draft, Strictness::Full);
        let issues: Vec<Issue> = problems.into_iter().map(|problem| problem.issue).collect();
        if issues.is_empty() {
            Ok(())
        } else {
            Err(Refusal::invalid(issues).into())
        }
    }

    /// What a stored group says, in the form in which providers judge it.
    pub(crate) async fn stored_draft(
        &self,
        workspace: WorkspaceId,
        group: &Group,
        platform: &Platform,
    ) -> Result<Draft, AppError> {
        let root = &group.root;
        let found = self.store.find_media_many(workspace, &root.media_ids).await?;
        let by_id: HashMap<MediaId, Media> = found.into_iter().map(|media| (media.id, media)).collect();
        Ok(Draft {
            content: root.content.clone(),
            media: root
                .media_ids
                .iter()
                .filter_map(|id| by_id.get(id).cloned())
                .collect(),
            settings: effective_settings(&platform.settings, &root.settings),
            comments: group
                .children
                .iter()
                .filter(|child| child.state != PostState::Published)
                .map(comment_of)
                .collect(),
        })
    }

    /// Gets the photos of posts that will go out ready for their providers, so that publishing need not wait for it.
    fn prepare_photos(self: &Arc<Self>, groups: &[Group], world: &Judged) {
        for root in groups
            .iter()
            .map(|group| &group.root)
            .filter(|root| root.state == PostState::Queue)
        {
            let platform = world.platforms.get(&root.platform_id);
            let Some(provider) = platform.and_then(|platform| self.provider(&platform.provider)) else {
                continue;
            };
            let images = root.media_ids.iter().filter_map(|id| world.media.get(id));
            let images: Vec<Media> = images
                .filter(|media| media.mime.media_type() == MediaType::Image)
                .cloned()
                .collect();
            if !images.is_empty() {
                self.prepare_renditions_later(images, provider.photo_limits());
            }
        }
    }
}

/// What a create request refers to, looked up.
struct Judged {
    platforms: HashMap<PlatformId, Platform>,
    media: HashMap<MediaId, Media>,
}

fn comment_of(child: &Post) -> CommentDraft {
    CommentDraft {
        content: child.content.clone(),
        delay_minutes: child.delay_minutes,
        settings: child.settings.clone(),
        media: child.media_ids.clone(),
    }
}

fn draft_of(request: &CreatePost, platform: &Platform, media: &HashMap<MediaId, Media>) -> Draft {
    let comments = request.comments.iter().map(|comment| CommentDraft {
        content: comment.content.clone(),
        delay_minutes: comment.delay_minutes,
        settings: comment.settings.clone(),
        media: comment.media_ids.clone(),
    });
    Draft {
        content: request.content.clone(),
        media: request
            .media_ids
            .iter()
            .filter_map(|id| media.get(id).cloned())
            .collect(),
        settings: effective_settings(&platform.settings, &request.settings),
        comments: comments.collect(),
    }
}

fn new_group(request: &CreatePost, platform_id: PlatformId, now: Time) -> NewGroup {
    let root = NewPost {
        id: chance::id(now),
        content: request.content.clone(),
        settings: request.settings.clone(),
        media_ids: request.media_ids.clone(),
        delay_minutes: None,
    };
    let children = request.comments.iter().map(|comment| NewPost {
        id: chance::id(now),
        content: comment.content.clone(),
        settings: comment.settings.clone(),
        media_ids: comment.media_ids.clone(),
        delay_minutes: comment.delay_minutes,
    });
    NewGroup {
        group_id: chance::id(now),
        platform_id,
        queued: !matches!(request.mode, Mode::Draft(_)),
        scheduled_for: request.mode.scheduled_for(),
        root,
        children: children.collect(),
    }
}

fn missing_media(request: &CreatePost, media: &HashMap<MediaId, Media>) -> Vec<Issue> {
    let ready = |id: &MediaId| {
        media
            .get(id)
            .is_some_and(|media| media.status == MediaStatus::Ready)
    };
    let message = "names no READY media of this workspace";
    let issue = |mut path: Vec<PathStep>, index: usize| {
        path.extend([PathStep::from("mediaIds"), index.into()]);
        Issue {
            path,
            message: message.to_owned(),
        }
    };
    let of_root = request.media_ids.iter().enumerate().filter(|(_, id)| !ready(id));
    let of_comments = request
        .comments
        .iter()
        .enumerate()
        .flat_map(|(position, comment)| {
            let missing = comment.media_ids.iter().enumerate().filter(|(_, id)| !ready(id));
            missing.map(move |(index, _)| (position, index))
        });
    let mut issues: Vec<Issue> = of_root.map(|(index, _)| issue(Vec::new(), index)).collect();
    let under = of_comments.map(|(position, index)| issue(vec!["comments".into(), position.into()], index));
    if request.comments_first {
        issues.splice(0..0, under);
    } else {
        issues.extend(under);
    }
    issues
}

/// The code is that of the first part with a problem; the details list them all.
fn refuse_problems(problems: Vec<Problem>) -> Result<(), Refusal> {
    let Some(part) = problems.iter().map(|problem| problem.part).min() else {
        return Ok(());
    };
    let code = match part {
        Part::Content => Code::InvalidContent,
        Part::Media => Code::InvalidMedia,
        Part::Settings => Code::InvalidSettings,
        Part::Comments => Code::CommentsNotSupported,
    };
    Err(Refusal::listing(
        code,
        problems.into_iter().map(|problem| problem.issue).collect(),
    ))
}

type Verdict = (PlatformId, Result<NewGroup, Refusal>);

fn results(judged: &[Verdict], groups: &[Group]) -> CreateResults {
    let result = |(platform_id, verdict): &Verdict| match verdict {
        Err(refusal) => Some(CreateResult::failed(*platform_id, refusal.clone())),
        Ok(_) => {
            let group = groups
                .iter()
                .find(|group| group.root.platform_id == *platform_id)?;
            Some(CreateResult::Created {
                platform_id: *platform_id,
                post: Box::new(group.clone().into()),
            })
        }
    };
    CreateResults {
        results: judged.iter().filter_map(result).collect(),
    }
}

fn limit_reached(
    LimitReached {
        limit,
        used,
        resets_at,
    }: LimitReached,
) -> Refusal {
    let message =
        format!("The plan's {limit} posts a month are used up until {resets_at}. Nothing was created.");
    let details = serde_json::json!({ "limit": limit, "used": used, "resetsAt": resets_at });
    Refusal::new(Code::PostLimitReached, message).with_details(details)
}

fn post_not_found() -> Refusal {
    Refusal::new(
        Code::PostNotFound,
        "No post with this ID exists in this workspace.",
    )
}

fn not_reschedulable() -> Refusal {
    Refusal::new(
        Code::PostNotReschedulable,
        "The post is published, or is being handed to the provider right now, and cannot be given a new time.",
    )
}
