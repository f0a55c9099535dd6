//! A post that a hold has marked, with all that is known of it.

use std::sync::Arc;

use playout_domain::listing::{
    has_title_of_account, is_certainly_listed_as, is_listed, is_listed_as, under_any_title,
};
use playout_domain::media::MediaType;
use playout_domain::platform::Platform;
use playout_domain::post::{Post, PostState, Waiting, effective_settings};
use playout_domain::provider::{Provider, RecentPost};
use playout_domain::submission::Submission;
use playout_domain::time::Time;
use playout_store::{Hold, MarkedPost, Start};
use serde_json::Map;

use super::unreadable::leave_unreadable;
use crate::app::{App, AppError};
use crate::identity::SLACK;

/// A marked post with all that is known of it.
pub(super) struct Candidate {
    pub(super) marked: MarkedPost,
    pub(super) post: Post,
    /// Photos or a video; `None` where the file is missing.
    pub(super) media_type: Option<MediaType>,
    /// Whether its account would not have listed it before it was changed.
    was_hidden: bool,
    /// The texts that it may be out with, as they were sent.
    texts: Vec<String>,
    /// The provider's handle of its last try, if that was not settled.
    pub(super) handle: Option<String>,
    /// The handles of the tries before that one that were not settled.
    pub(super) earlier_handles: Vec<String>,
}

impl Candidate {
    /// The candidate, and its account where that is known.
    pub(super) fn of(marked: MarkedPost, start: Start) -> (Self, Option<Platform>) {
        // One without a handle can be looked for by its text alone.
        let (named, unnamed): (Vec<Submission>, Vec<Submission>) = start
            .earlier_unsettled
            .into_iter()
            .partition(|earlier| earlier.handle.is_some());
        let by_text = start.unsettled.iter().chain(&unnamed);
        let began = by_text.map(|submission| submission.started_at).min();
        let marked = MarkedPost {
            since: began.map_or(marked.since, |began| began.minus(SLACK).min(marked.since)),
            ..marked
        };
        let (sent, handle) = match start.unsettled {
            Some(submission) => (submission.content, submission.handle),
            None => (None, None),
        };
        let post = start.group.root;
        let first = post.media_ids.first();
        let source = start.media.iter().find(|media| Some(&media.id) == first);
        let media_type = source.map(|media| media.mime.media_type());
        let no_defaults = Map::new();
        let defaults = start
            .platform
            .as_ref()
            .map_or(&no_defaults, |platform| &platform.settings);
        let was_hidden = start.mark.as_ref().is_some_and(|mark| mark.was_hidden);
        let earlier = start.mark.and_then(|mark| mark.content);
        let unnamed = unnamed.into_iter().filter_map(|submission| submission.content);
        let mut texts: Vec<String> = sent.into_iter().chain(unnamed).chain(earlier).collect();
        texts.push(post.sent_text(defaults));
        // The defaults may be older than the post's last try.
        if has_title_of_account(&post.settings, media_type) {
            texts.push(under_any_title(&post.content));
        }
        let candidate = Self {
            marked,
            was_hidden,
            texts,
            post,
            media_type,
            handle,
            earlier_handles: named.into_iter().filter_map(|earlier| earlier.handle).collect(),
        };
        (candidate, start.platform)
    }

    /// Whether it may be this listed post, by the text and the time.
    pub(super) fn may_be(&self, listed: &RecentPost) -> bool {
        *listed.created.end() >= self.marked.since
            && self.texts.iter().any(|text| is_listed_as(text, &listed.content))
    }

    /// Whether its text is the listed one, and not the whole text of another post with which it begins.
    pub(super) fn has_text(&self, listed: &RecentPost) -> bool {
        let mut texts = self.texts.iter();
        texts.any(|text| is_certainly_listed_as(text, &listed.content))
    }

    /// Whether the account would list it if it were out.
    pub(super) fn is_listed(&self, platform: &Platform, provider: &dyn Provider) -> bool {
        let settings = effective_settings(&platform.settings, &self.post.settings);
        !self.was_hidden && is_listed(provider, platform, self.media_type, &settings)
    }

    /// Whether it is published without a person who asks for that: in the queue, or once its account is back.
    pub(super) fn goes_out_by_itself(&self) -> bool {
        match self.post.state {
            PostState::Queue => true,
            // Of an overdue one its text says that nothing was handed over.
            PostState::ActionRequired => matches!(
                self.post.waiting,
                Some(Waiting::Reconnect | Waiting::AccountUnavailable | Waiting::Overdue)
            ),
            _ => false,
        }
    }

    /// Whether it is in the queue and due.
    pub(super) fn is_due(&self, now: Time) -> bool {
        self.post.state == PostState::Queue && self.marked.due_at.is_some_and(|due| due <= now)
    }
}

/// What is known of marked posts. One whose rows cannot be read is left to a person.
pub(super) async fn starts_of(
    app: &Arc<App>,
    hold: &Hold,
    together: &[MarkedPost],
) -> Result<Vec<(MarkedPost, Start)>, AppError> {
    let ids: Vec<_> = together.iter().map(|marked| marked.id).collect();
    let mut starts = match app.store.find_starts(&ids).await {
        Ok(starts) => starts,
        Err(error) if error.is_bad_row() => match together {
            [alone] => {
                leave_unreadable(app, hold, alone.id, &error).await?;
                return Ok(Vec::new());
            }
            _ => {
                let mut found = Vec::new();
                for alone in together {
                    found.extend(Box::pin(starts_of(app, hold, std::slice::from_ref(alone))).await?);
                }
                return Ok(found);
            }
        },
        Err(error) => return Err(error.into()),
    };
    let known = |marked: &MarkedPost| starts.remove(&marked.id).map(|start| (*marked, start));
    Ok(together.iter().filter_map(known).collect())
}
