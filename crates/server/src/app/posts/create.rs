//! Creating on several accounts at once, each judged by itself; and the judging alone.

use std::collections::HashMap;
use std::sync::Arc;

use playout_domain::access::Accounts;
use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::limits::Warning;
use playout_domain::platform::{Platform, Strictness};
use playout_domain::post::{Draft, Group, effective_settings};
use playout_domain::provider::{Part, Problem};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_store::{CreateGroups, Keep, MonthlyLimit, NewGroup, NewPost};
use playout_wire::limits::WarningBody;
use playout_wire::posts::{CreatePost, CreateResult, CreateResults, Mode, OutlookBody, ValidateResult};

use super::judge::{MediaById, Named, comment_drafts, in_order, new_comments};
use super::refusals::{in_another_way, limit_reached};
use super::without_effect::{ignored_fields, unknown_settings};
use crate::app::foresight::Planned;
use crate::app::once::Kept;
use crate::app::platforms::platform_not_found;
use crate::app::{App, AppError};
use crate::chance;

/// The accounts and media that requests refer to, and whether publications are held.
pub(super) struct Referred {
    pub(super) platforms: HashMap<PlatformId, Platform>,
    pub(super) media: MediaById,
    pub(super) held: Option<Warning>,
}

/// Who creates posts, and on which accounts.
#[derive(Clone, Copy)]
pub struct Creator<'a> {
    /// Who.
    pub by: &'a Actor,
    /// The accounts that they see.
    pub accounts: &'a Accounts,
}

pub(super) type JudgedPlatform = (PlatformId, Result<(NewGroup, OutlookBody), Refusal>);

impl App {
    /// Creates a post on every account asked for; accounts that cannot take it fail by themselves.
    pub async fn create_posts(
        self: &Arc<Self>,
        workspace: &Workspace,
        request: CreatePost,
        creator: Creator<'_>,
        kept: &Kept<CreateResults>,
    ) -> Result<CreateResults, AppError> {
        let referred = self.referred_by(workspace.id, &request, creator.accounts).await?;
        let verdicts = self.judge_all(workspace, &request, &referred, &[]).await?;
        let accepted = accepted(&verdicts, creator.by);
        let keep = kept.keep(|groups: &[Group]| results(&verdicts, groups));
        let groups = self.insert_groups(workspace, &request, accepted, keep).await?;
        self.prepare_photos_of(workspace.id, &groups, &referred);
        Ok(results(&verdicts, &groups))
    }

    /// Gets the photos of new groups ready.
    pub(super) fn prepare_photos_of(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        groups: &[Group],
        referred: &Referred,
    ) {
        for root in groups.iter().map(|group| &group.root) {
            if let Some(platform) = referred.platforms.get(&root.platform_id) {
                let media = in_order(&root.media_ids, &referred.media);
                self.prepare_photos(workspace, root, platform, &media);
            }
        }
    }

    /// Returns the results of [`App::create_posts`] without creating anything. The plan's limits are not checked:
    /// they are no property of the post.
    pub async fn validate_posts(
        &self,
        workspace: &Workspace,
        request: &CreatePost,
        accounts: &Accounts,
    ) -> Result<Vec<ValidateResult>, AppError> {
        let referred = self.referred_by(workspace.id, request, accounts).await?;
        let verdicts = self.judge_all(workspace, request, &referred, &[]).await?;
        Ok(validated(verdicts))
    }

    async fn referred_by(
        &self,
        workspace: WorkspaceId,
        request: &CreatePost,
        accounts: &Accounts,
    ) -> Result<Referred, AppError> {
        let media = self.media_named(workspace, named(request)).await?;
        let held = match request.mode {
            Mode::Draft(_) => None,
            Mode::Now | Mode::Schedule(_) => self.held_warning().await?,
        };
        Ok(Referred {
            platforms: self
                .platforms_by_id(workspace, &request.platform_ids, accounts)
                .await?,
            media,
            held,
        })
    }

    /// Those of the accounts that are there and that the caller sees.
    pub(super) async fn platforms_by_id(
        &self,
        workspace: WorkspaceId,
        ids: &[PlatformId],
        accounts: &Accounts,
    ) -> Result<HashMap<PlatformId, Platform>, AppError> {
        let found = self.store.find_platforms(workspace, ids).await?;
        Ok(found
            .into_iter()
            .filter(|platform| accounts.allow(platform.id))
            .map(|platform| (platform.id, platform))
            .collect())
    }

    /// The verdict for each account of a request. `before` are posts that are to be created with this one, which limits count too.
    pub(super) async fn judge_all(
        &self,
        workspace: &Workspace,
        request: &CreatePost,
        referred: &Referred,
        before: &[NewGroup],
    ) -> Result<Vec<JudgedPlatform>, AppError> {
        let Referred {
            platforms,
            media,
            held,
        } = referred;
        let held = held.as_ref().filter(|_| !matches!(request.mode, Mode::Draft(_)));
        let mut verdicts: Vec<JudgedPlatform> = Vec::new();
        for id in &request.platform_ids {
            let judged = self.judge(platforms.get(id).cloned(), request, media);
            let verdict =
                match judged.and_then(|group| refuse_second(platforms, *id, &verdicts).map(|()| group)) {
                    Ok(group) => {
                        let outlook = self.outlook(workspace.id, &platforms[id], request, media, before);
                        let mut outlook = outlook.await?;
                        outlook.warnings.extend(held.cloned().map(WarningBody::from));
                        let unknown = self.without_effect_in(&platforms[id], request)?;
                        outlook
                            .warnings
                            .extend(unknown.into_iter().map(WarningBody::from));
                        Ok((group, outlook))
                    }
                    Err(refusal) => Err(refusal),
                };
            verdicts.push((*id, verdict));
        }
        Ok(verdicts)
    }

    /// When a post that an account takes goes out, and what to know beforehand.
    async fn outlook(
        &self,
        workspace: WorkspaceId,
        platform: &Platform,
        request: &CreatePost,
        media: &MediaById,
        before: &[NewGroup],
    ) -> Result<OutlookBody, AppError> {
        let at = match request.mode {
            Mode::Draft(_) => return Ok(OutlookBody::default()),
            Mode::Now => self.now(),
            Mode::Schedule(at) => at.max(self.now()),
        };
        let planned = Planned {
            provider: self.requested_provider(platform.provider_connection())?,
            platform,
            draft: &draft_of(request, platform, media),
            at,
        };
        let warnings = self.warnings(workspace, &planned, before).await?;
        Ok(OutlookBody {
            will_publish_at: Some(at),
            warnings: warnings.into_iter().map(WarningBody::from).collect(),
        })
    }

    fn without_effect_in(&self, platform: &Platform, request: &CreatePost) -> Result<Vec<Warning>, AppError> {
        let provider = self.requested_provider(platform.provider_connection())?;
        let of_comments = request.comments.iter().map(|comment| &comment.settings);
        let mut warnings = unknown_settings(&**provider, &request.settings, of_comments);
        warnings.extend(ignored_fields(request));
        Ok(warnings)
    }

    fn judge(
        &self,
        platform: Option<Platform>,
        request: &CreatePost,
        media: &MediaById,
    ) -> Result<NewGroup, Refusal> {
        let (platform, provider) = self.ready(platform).ok_or_else(platform_not_found)?;
        let strictness = match request.mode {
            Mode::Draft(_) => Strictness::TypesOnly,
            Mode::Now | Mode::Schedule(_) => Strictness::Full,
        };
        let draft = draft_of(request, &platform, media);
        refuse_problems(provider.problems(&platform, &draft, strictness))?;
        Ok(new_group(request, platform.id, self.now()))
    }

    async fn insert_groups(
        &self,
        workspace: &Workspace,
        request: &CreatePost,
        groups: Vec<NewGroup>,
        keep: Keep<'_, [Group]>,
    ) -> Result<Vec<Group>, AppError> {
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let quota = self.plan_of(&workspace.plan).posts_per_month;
        let quota = quota.map(|limit| MonthlyLimit { limit });
        match self
            .store
            .create_groups_once(workspace.id, groups, quota, keep, self.now())
            .await
        {
            Ok(CreateGroups::Created(groups)) => Ok(groups),
            Ok(CreateGroups::LimitReached(reached)) => Err(limit_reached(reached).into()),
            Err(error) => Err(self.vanished(workspace.id, named(request), error).await),
        }
    }
}

/// The groups of the accounts that accept the post.
pub(super) fn accepted(verdicts: &[JudgedPlatform], by: &Actor) -> Vec<NewGroup> {
    let groups = verdicts.iter().filter_map(|(_, verdict)| verdict.as_ref().ok());
    let author = by.author();
    groups
        .map(|(group, _)| NewGroup {
            created_by: author.clone(),
            ..group.clone()
        })
        .collect()
}

/// What creating the post would return.
pub(super) fn validated(verdicts: Vec<JudgedPlatform>) -> Vec<ValidateResult> {
    let result = |(id, verdict): JudgedPlatform| ValidateResult::new(id, verdict.map(|(_, outlook)| outlook));
    verdicts.into_iter().map(result).collect()
}

pub(super) fn named(request: &CreatePost) -> Named<'_> {
    Named {
        media_ids: &request.media_ids,
        comments: &request.comments,
        comments_first: request.comments_first,
    }
}

fn draft_of(request: &CreatePost, platform: &Platform, media: &MediaById) -> Draft {
    Draft {
        content: request.content.clone(),
        media: in_order(&request.media_ids, media),
        settings: effective_settings(&platform.settings, &request.settings),
        comments: comment_drafts(&request.comments),
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
    NewGroup {
        group_id: chance::id(now),
        platform_id,
        queued: !matches!(request.mode, Mode::Draft(_)),
        scheduled_for: request.mode.scheduled_for(),
        created_by: None,
        root,
        children: new_comments(&request.comments, now),
    }
}

/// Refuses an account that is one of those accepted before it, connected in another way.
fn refuse_second(
    platforms: &HashMap<PlatformId, Platform>,
    id: PlatformId,
    before: &[JudgedPlatform],
) -> Result<(), Refusal> {
    let Some(platform) = platforms.get(&id) else {
        return Ok(());
    };
    let accepted = before.iter().filter(|(_, verdict)| verdict.is_ok());
    let mut accepted = accepted.filter_map(|(other, _)| platforms.get(other));
    match accepted.find(|other| platform.is_other_connection_of(other)) {
        Some(other) => Err(in_another_way(platform, other)),
        None => Ok(()),
    }
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

pub(super) fn results(verdicts: &[JudgedPlatform], groups: &[Group]) -> CreateResults {
    let result = |(platform_id, verdict): &JudgedPlatform| match verdict {
        Err(refusal) => Some(CreateResult::failed(*platform_id, refusal.clone())),
        Ok((_, outlook)) => {
            let mut groups = groups.iter();
            let group = groups.find(|group| group.root.platform_id == *platform_id)?;
            Some(CreateResult::Created {
                platform_id: *platform_id,
                post: Box::new(group.clone().into()),
                outlook: outlook.clone(),
            })
        }
    };
    CreateResults {
        results: verdicts.iter().filter_map(result).collect(),
    }
}
