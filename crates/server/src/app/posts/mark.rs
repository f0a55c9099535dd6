//! Marking as published: a person states that a post is out, and where, when the provider reports neither. The statement is
//! checked as far as the provider's API allows, and recorded.

use std::sync::Arc;

use playout_domain::error::{Code, Issue, IssueCode, Refusal, Violation};
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::media::MediaType;
use playout_domain::platform::Platform;
use playout_domain::post::{Group, Post, PostState, effective_settings};
use playout_domain::provider::{NamedPost, Provider, Sighting, Whereabouts};
use playout_domain::time::Time;
use playout_store::{Mark, MarkPublished, Released};
use playout_wire::posts::MarkPublished as Request;

use super::Asked;
use super::refusals::post_not_found;
use crate::app::account::Account;
use crate::app::once::Kept;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};

/// Where a post is, and how that is known.
#[derive(Default)]
struct Place {
    release_id: Option<String>,
    release_url: Option<String>,
    /// Whether the provider confirmed it.
    is_seen: bool,
}

impl App {
    /// Marks a post that waits for a person as published, by its own ID.
    pub async fn mark_published(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        id: PostId,
        request: &Request,
        asked: Asked<'_>,
        kept: &Kept<Group>,
    ) -> Result<Group, AppError> {
        let found = self.find_group(workspace, id).await?;
        self.check_expected(asked.expected, &found.group).await?;
        let group = &found.group;
        let posts = || std::iter::once(&group.root).chain(&group.children);
        let post = posts().find(|post| post.id == id).ok_or_else(post_not_found)?;
        if post.state != PostState::ActionRequired {
            return Err(not_waiting().into());
        }
        let place = self.place_of(workspace, post, request).await?;
        let is_seen = |marked: &Group| marked == group;
        let mark = Mark {
            released: Released {
                release_id: place.release_id.as_deref(),
                release_url: place.release_url.as_deref(),
            },
            is_seen: place.is_seen,
            follow_link: self.page_follows(workspace, post, &place).await?,
            by: asked.by,
            only_if: asked.expected.only_if(&is_seen),
        };
        let keep = kept.keep(Group::clone);
        match self
            .store
            .mark_published(workspace, id, mark, keep, self.now())
            .await?
        {
            MarkPublished::Marked(group) => Ok(*group),
            MarkPublished::NotWaiting => Err(not_waiting().into()),
            MarkPublished::OfAnother => Err(is_another(request).into()),
        }
    }

    /// When to look for the public page of a marked post: its comments need its ID. Those of an account that is not connected now, or
    /// whose provider is not configured here, may follow later.
    async fn page_follows(
        &self,
        workspace: WorkspaceId,
        post: &Post,
        place: &Place,
    ) -> Result<Option<Time>, AppError> {
        if !post.is_root() || place.release_id.is_some() {
            return Ok(None);
        }
        let platform = self.store.find_platform(workspace, post.platform_id).await?;
        let known = platform.as_ref().and_then(|platform| self.provider_of(platform));
        let expects_link = match (&platform, known) {
            (Some(platform), Some(provider)) => {
                let settings = effective_settings(&platform.settings, &post.settings);
                provider.expects_link(self.media_type_of(workspace, post).await?, &settings)
            }
            _ => true,
        };
        Ok(expects_link.then(|| self.now()))
    }

    /// Reads and checks where the request places the post.
    async fn place_of(
        &self,
        workspace: WorkspaceId,
        post: &Post,
        request: &Request,
    ) -> Result<Place, AppError> {
        let said = Whereabouts {
            release_id: request.release_id.as_deref(),
            release_url: request.release_url.as_deref(),
        };
        if said == Whereabouts::default() {
            return Ok(Place::default());
        }
        let platform = self.store.find_platform(workspace, post.platform_id).await?;
        let known = platform.as_ref().and_then(|platform| self.provider_of(platform));
        let (Some(platform), Some(provider)) = (&platform, known) else {
            return Err(unreadable().into());
        };
        if !post.is_root() {
            return Err(a_comment_has_no_page().into());
        }
        let named = provider
            .read_whereabouts(platform, said)
            .map_err(Refusal::invalid)?;
        let named = named.ok_or_else(unreadable)?;
        if self
            .store
            .has_release_in(workspace, platform.id, &named.release_id)
            .await?
        {
            return Err(is_another(request).into());
        }
        let sighting = self.sight(provider, platform, &named).await?;
        let media_type = self.media_type_of(workspace, post).await?;
        let settings = effective_settings(&platform.settings, &post.settings);
        let is_public = provider.expects_link(media_type, &settings);
        judge(sighting, named, is_public).map_err(|violation| about(request, violation).into())
    }

    async fn media_type_of(
        &self,
        workspace: WorkspaceId,
        post: &Post,
    ) -> Result<Option<MediaType>, AppError> {
        let Some(first) = post.media_ids.first() else {
            return Ok(None);
        };
        let media = self.store.find_media(workspace, *first).await?;
        Ok(media.map(|media| media.mime.media_type()))
    }

    /// Asks the provider. A provider that gives no answer does not keep a person from marking the post.
    async fn sight(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        named: &NamedPost,
    ) -> Result<Sighting, AppError> {
        let account = Account::new(self, provider, platform);
        match account.sight(&named.release_id).await {
            Ok(sighting) => Ok(sighting),
            Err(CallError::Provider(_)) => Ok(Sighting::CannotLook),
            Err(CallError::Internal(error)) => Err(error),
        }
    }
}

/// What to record of a post that the provider shows, or does not show although it is to be public, or not.
fn judge(sighting: Sighting, named: NamedPost, is_public: bool) -> Result<Place, Violation> {
    let (page, is_seen) = match sighting {
        Sighting::Shown(page) => (page.or(named.release_url), true),
        Sighting::NotShown if is_public => {
            return Err(IssueCode::NotFound.with("is not among the public posts of this account"));
        }
        _ if named.other_account.is_some() => {
            return Err(IssueCode::Conflict.with("is a page of another account"));
        }
        // Only the public ones are shown, and this one is not to be public.
        Sighting::NotShown | Sighting::CannotLook => (named.release_url, false),
    };
    Ok(Place {
        release_id: Some(named.release_id),
        release_url: page,
        is_seen,
    })
}

/// A problem of the post's ID or address, at the field that has it.
fn about(request: &Request, violation: Violation) -> Refusal {
    let field = match request.release_id {
        Some(_) => "releaseId",
        None => "releaseUrl",
    };
    Refusal::invalid(vec![Issue::field(field, violation)])
}

fn is_another(request: &Request) -> Refusal {
    about(
        request,
        IssueCode::Duplicate.with("is another post of this workspace"),
    )
}

fn not_waiting() -> Refusal {
    Refusal::new(
        Code::PostNotMarkable,
        "Only a post in ACTION_REQUIRED can be marked as published. One that is in QUEUE after a try that may be out is looked for first, and is \
         left to you again if that does not show what became of it.",
    )
}

fn unreadable() -> Refusal {
    let message = "cannot be checked, because the account is no longer connected; leave it out";
    Refusal::invalid(vec![Issue::field(
        "releaseUrl",
        IssueCode::NotFound.with(message),
    )])
}

fn a_comment_has_no_page() -> Refusal {
    let message = "is for posts: a comment has no page of its own";
    Refusal::invalid(vec![Issue::field(
        "releaseUrl",
        IssueCode::NotSupported.with(message),
    )])
}
