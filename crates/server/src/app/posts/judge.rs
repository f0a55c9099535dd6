//! Builds the draft of a post, with its media looked up, in the form in which providers judge it.

use std::collections::HashMap;

use playout_domain::error::{Issue, IssueCode, PathStep, Refusal};
use playout_domain::id::{MediaId, WorkspaceId};
use playout_domain::media::{Media, MediaStatus, MediaType};
use playout_domain::platform::Platform;
use playout_domain::post::{CommentDraft, Draft, Group, Post, PostState, effective_settings};
use playout_store::{NewPost, StoreError};
use playout_wire::posts::Comment;
use std::sync::Arc;

use crate::app::{App, AppError};
use crate::chance;
use playout_domain::time::Time;

/// The media that a request names, and whether its document names those of the comments first.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) media_ids: &'a [MediaId],
    pub(super) comments: &'a [Comment],
    pub(super) comments_first: bool,
}

/// Media by their identifiers.
pub(super) type MediaById = HashMap<MediaId, Media>;

/// A stored group as a provider judges it, with its media among these.
pub(crate) fn drafted(group: &Group, platform: &Platform, media: &[Media]) -> Draft {
    let by_id: MediaById = media.iter().map(|media| (media.id, media.clone())).collect();
    let children = group.children.iter();
    Draft {
        content: group.root.content.clone(),
        media: in_order(&group.root.media_ids, &by_id),
        settings: effective_settings(&platform.settings, &group.root.settings),
        comments: children
            .filter(|child| child.state != PostState::Published)
            .map(comment_of)
            .collect(),
    }
}

impl App {
    /// The media that a request names; all must be there and READY (`docs/contract.md#creating-posts`).
    pub(super) async fn media_named(
        &self,
        workspace: WorkspaceId,
        named: Named<'_>,
    ) -> Result<MediaById, AppError> {
        let of_comments = named.comments.iter().flat_map(|comment| &comment.media_ids);
        let ids: Vec<MediaId> = named.media_ids.iter().chain(of_comments).copied().collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.store.find_media_many(workspace, &ids).await?;
        let media: MediaById = found.into_iter().map(|media| (media.id, media)).collect();
        let issues = missing_media(named, &media);
        if issues.is_empty() {
            Ok(media)
        } else {
            Err(Refusal::invalid(issues).into())
        }
    }

    /// What to answer when the store met a concurrent change: media that were there when the request was judged, and
    /// were deleted before it was stored, are named as if they had never been.
    pub(super) async fn vanished(
        &self,
        workspace: WorkspaceId,
        named: Named<'_>,
        error: StoreError,
    ) -> AppError {
        match error {
            StoreError::Conflict { .. } => match self.media_named(workspace, named).await {
                Err(refusal) => refusal,
                Ok(_) => error.into(),
            },
            other => other.into(),
        }
    }

    /// The draft of a stored group, in the form in which providers judge it.
    pub(crate) async fn stored_draft(
        &self,
        workspace: WorkspaceId,
        group: &Group,
        platform: &Platform,
    ) -> Result<Draft, AppError> {
        let found = self
            .store
            .find_media_many(workspace, &group.root.media_ids)
            .await?;
        Ok(drafted(group, platform, &found))
    }

    /// Gets the photos of a post that will go out ready for its provider, so that publishing need not wait for it.
    pub(super) fn prepare_photos(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        root: &Post,
        platform: &Platform,
        media: &[Media],
    ) {
        let provider = self.provider_of(platform);
        let Some(provider) = provider.filter(|_| root.state == PostState::Queue) else {
            return;
        };
        let images: Vec<Media> = media
            .iter()
            .filter(|media| media.mime.media_type() == MediaType::Image)
            .cloned()
            .collect();
        if !images.is_empty() {
            self.prepare_renditions_later(workspace, images, provider.photo_limits());
        }
    }
}

/// The media with these identifiers that were found, in this order.
pub(super) fn in_order(ids: &[MediaId], media: &MediaById) -> Vec<Media> {
    ids.iter().filter_map(|id| media.get(id).cloned()).collect()
}

/// The comments of a request, as providers judge them.
pub(super) fn comment_drafts(comments: &[Comment]) -> Vec<CommentDraft> {
    let draft = |comment: &Comment| CommentDraft {
        content: comment.content.clone(),
        delay_minutes: comment.delay_minutes,
        settings: comment.settings.clone(),
        media: comment.media_ids.clone(),
    };
    comments.iter().map(draft).collect()
}

/// The comments of a request, as they are stored.
pub(super) fn new_comments(comments: &[Comment], now: Time) -> Vec<NewPost> {
    let new = |comment: &Comment| NewPost {
        id: chance::id(now),
        content: comment.content.clone(),
        settings: comment.settings.clone(),
        media_ids: comment.media_ids.clone(),
        delay_minutes: comment.delay_minutes,
    };
    comments.iter().map(new).collect()
}

fn comment_of(child: &Post) -> CommentDraft {
    CommentDraft {
        content: child.content.clone(),
        delay_minutes: child.delay_minutes,
        settings: child.settings.clone(),
        media: child.media_ids.clone(),
    }
}

pub(super) fn missing_media(named: Named<'_>, media: &MediaById) -> Vec<Issue> {
    let ready = |id: &MediaId| {
        media
            .get(id)
            .is_some_and(|media| media.status == MediaStatus::Ready)
    };
    let message = "names no READY media of this workspace";
    let issue = |mut path: Vec<PathStep>, index: usize| {
        path.extend([PathStep::from("mediaIds"), index.into()]);
        Issue::at(path, IssueCode::NotFound.with(message))
    };
    let of_root = named.media_ids.iter().enumerate().filter(|(_, id)| !ready(id));
    let of_comments = named.comments.iter().enumerate().flat_map(|(position, comment)| {
        let missing = comment.media_ids.iter().enumerate().filter(|(_, id)| !ready(id));
        missing.map(move |(index, _)| (position, index))
    });
    let mut issues: Vec<Issue> = of_root.map(|(index, _)| issue(Vec::new(), index)).collect();
    let under = of_comments.map(|(position, index)| issue(vec!["comments".into(), position.into()], index));
    if named.comments_first {
        issues.splice(0..0, under);
    } else {
        issues.extend(under);
    }
    issues
}
