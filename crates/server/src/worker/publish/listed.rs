//! Which of the posts that an account lists is the one that is searched for.

use std::borrow::Cow;

use playout_domain::id::{PlatformId, PostId};
use playout_domain::listing::{is_certainly_listed_as, is_listed_as};
use playout_domain::platform::Platform;
use playout_domain::post::Post;
use playout_domain::provider::RecentPost;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::time::Time;
use playout_store::ReleaseOwner;

use super::context::Run;
use crate::app::{App, AppError};
use crate::identity::SLACK;

/// Which of an account's listed posts may be the one that is searched for.
pub enum Match {
    /// None of them.
    None,
    /// This one alone.
    One(RecentPost),
    /// Two or more, which cannot be told apart, or one whose text may be the whole of another post's.
    Unclear,
}

/// The listed post with one of these texts, as they were sent, that no other post here is known to be.
///
/// # Errors
/// When the database fails.
pub async fn the_match(
    app: &App,
    platform: PlatformId,
    listed: Vec<RecentPost>,
    sent: &[&str],
) -> Result<Match, AppError> {
    let mut found = Match::None;
    let same_text = |post: &RecentPost| sent.iter().any(|text| is_listed_as(text, &post.content));
    for post in listed.into_iter().filter(same_text) {
        if app.store.find_release(platform, &post.release_id).await? == ReleaseOwner::Known {
            continue;
        }
        found = match found {
            Match::None
                if sent
                    .iter()
                    .any(|text| is_certainly_listed_as(text, &post.content)) =>
            {
                Match::One(post)
            }
            Match::None | Match::One(_) | Match::Unclear => return Ok(Match::Unclear),
        };
    }
    Ok(found)
}

/// Whether a listed post with the text of `post` may be another post of the account: one that is out since `since` or may be, or one that
/// was marked as published under its ID.
///
/// # Errors
/// When the database fails.
pub async fn may_be_another(
    app: &App,
    platform: PlatformId,
    post: PostId,
    listed: &RecentPost,
    since: Time,
) -> Result<bool, AppError> {
    if app.store.find_release(platform, &listed.release_id).await? != ReleaseOwner::Unknown {
        return Ok(true);
    }
    // What the account lists is dated by the provider's clock, and ours by our own.
    let since = since.min(*listed.created.start()).minus(SLACK);
    let has_rival = app.store.has_rival(platform, post, &listed.content, since);
    Ok(has_rival.await?)
}

/// The tries of the post of which it is unknown whether they are out, the last one first.
pub(super) async fn doubts_of(run: &Run<'_>, last: &Submission) -> Result<Vec<Submission>, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let mut doubts = store.submissions_of(workspace, run.post().id).await?;
    doubts.retain(|earlier| earlier.id != last.id && earlier.outcome == Some(SubmissionOutcome::Unknown));
    doubts.push(last.clone());
    doubts.reverse();
    Ok(doubts)
}

/// The text that a submission of the post was begun with.
pub fn text_of<'a>(submission: &'a Submission, post: &Post, platform: &Platform) -> Cow<'a, str> {
    match &submission.content {
        Some(sent) => Cow::Borrowed(sent),
        None => Cow::Owned(post.sent_text(&platform.settings)),
    }
}
