//! What the provider shows of a post that may be out: by the handle of a try, or by its text among what the account lists. Nothing that it
//! does not say is taken for an answer.

use std::time::Duration;

use playout_domain::explanation::UNCONFIRMED;
use playout_domain::post::Waiting;
use playout_domain::provider::{Fate, Progress, ProviderError, RecentPost, RecentPosts};
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::Settlement;

use super::context::Run;
use super::last_chunk;
use super::listed::{Match, the_match};
use super::step::Next;
use crate::app::AppError;
use crate::app::tokens::{CallError, FailedCall};
use crate::worker::verdicts;

/// How often, and how far apart, to look where the provider does not say what it has: such an answer may be temporary.
const LOOKS: u32 = 4;
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// What a person is asked where the account lists a post that may be this one or another.
pub(super) const ONE_OF_SEVERAL: &str = "The account shows a post with this text: this post, or another one with an unknown outcome. If it is this post, \
    mark it as published. If it is the other one, mark that one as published, and publish this one again.";

/// What is known of the try before.
pub(super) enum Known {
    /// It is published, or in the creator's inbox.
    Ended(Verdict),
    /// The account lists it, among its posts since then.
    Listed { found: RecentPost, since: Time },
    /// It may still come out.
    UnderWay,
    /// It did not come out, as far as can be seen.
    Nothing,
    /// The account does not list its posts, or not all that may be it, or lists several.
    Hidden,
    /// The provider rejects the question, or does not know the handle.
    Refused(FailedCall),
    /// It could not be asked about.
    Unanswered(FailedCall),
}

/// The question is repeated, for a day at most, unless the last ones were all rejected like this, one soon after the other.
pub(super) async fn look_again(run: &Run<'_>, error: &FailedCall) -> Result<Option<Settlement>, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    if was_rejected(&tries, error, run.app.now()) {
        return Ok(None);
    }
    let at = run.app.now().plus(LOOK_EVERY);
    let verdict = match at <= run.job.deadline_at {
        true => verdicts::again(at, error),
        false => verdicts::unconfirmed(),
    };
    Ok(Some(verdicts::settlement(verdict, verdicts::detail(error))))
}

/// Whether the questions that `tries` ends with were all rejected like this, at least [`LOOKS`] of them until `now`, [`LOOK_EVERY`] apart or
/// more: then the rejection is not temporary.
pub(super) fn was_rejected(tries: &[Submission], error: &FailedCall, now: Time) -> bool {
    let since = now.minus(2 * LOOKS * LOOK_EVERY);
    let is_like_this = |before: &&Submission| {
        before.outcome == Some(SubmissionOutcome::Abandoned)
            && before.code.as_deref() == Some(error.code.as_str())
            && before.started_at >= since
    };
    // A person who asks for the post again and again brings each question forward.
    let (mut looks, mut last) = (1, now);
    for before in tries.iter().rev().take_while(is_like_this) {
        if before.started_at <= last.minus(LOOK_EVERY) {
            (looks, last) = (looks + 1, before.started_at);
        }
    }
    looks >= LOOKS
}

/// The account lists a post with this text, and it may be another post with an unknown outcome.
pub(super) fn one_of_several(run: &Run<'_>) -> Settlement {
    let error = ProviderError {
        message: ONE_OF_SEVERAL.to_owned(),
        ..UNCONFIRMED.error()
    };
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: error.message.clone(),
    };
    let detail = verdicts::detail(&error);
    Settlement {
        follow_link: run.follow_up(&verdict),
        ..verdicts::settlement(verdict, detail)
    }
}

pub(super) fn published(found: RecentPost) -> Verdict {
    Verdict::Published {
        release_id: Some(found.release_id),
        release_url: found.release_url,
    }
}

pub(super) fn ended(run: &Run<'_>, verdict: Verdict) -> Settlement {
    let (follow_link, detail) = (run.follow_up(&verdict), verdicts::detail_of(&verdict));
    Settlement {
        follow_link,
        ..verdicts::settlement(verdict, detail)
    }
}

/// [`Known::Refused`] where the provider does not know the try any more, which leaves its outcome open.
pub(super) async fn by_handle(run: &Run<'_>, doubt: &Submission, handle: &str) -> Result<Known, AppError> {
    Ok(match run.account().check(handle).await {
        Ok(Progress::Published {
            release_id,
            release_url,
        }) => Known::Ended(Verdict::Published {
            release_id,
            release_url,
        }),
        Ok(Progress::InInbox) => Known::Ended(verdicts::in_inbox()),
        // Nothing is sent any more, so that its bytes never come.
        Ok(Progress::Pending { received_bytes })
            if doubt.lacks_bytes(received_bytes) && !last_chunk::may_arrive(run, doubt) =>
        {
            Known::Nothing
        }
        Ok(Progress::Pending { .. }) => Known::UnderWay,
        Ok(Progress::Failed(_)) => Known::Nothing,
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => Known::Refused(error),
        Err(CallError::Provider(error)) => Known::Unanswered(error),
        Err(CallError::Internal(error)) => return Err(error),
    })
}

/// When a post may have come out.
pub(super) struct Between {
    pub(super) since: Time,
    pub(super) until: Option<Time>,
}

impl Between {
    pub(super) const fn since(since: Time) -> Self {
        Self { since, until: None }
    }
}

/// Searches the account's posts for the one with one of these texts.
pub(super) async fn by_text(run: &Run<'_>, texts: &[&str], between: Between) -> Result<Known, AppError> {
    let mut listed: RecentPosts = match run.account().recent_posts(between.since).await {
        Ok(Some(listed)) => listed,
        Ok(None) => return Ok(Known::Hidden),
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => return Ok(Known::Refused(error)),
        Err(CallError::Provider(error)) => return Ok(Known::Unanswered(error)),
        Err(CallError::Internal(error)) => return Err(error),
    };
    let is_whole = listed.is_whole_since(between.since);
    if let Some(until) = between.until {
        listed.posts.retain(|post| *post.created.start() <= until);
    }
    let found = the_match(run.app, run.platform.id, listed.posts, texts).await?;
    Ok(match found {
        Match::One(found) => Known::Listed {
            found,
            since: between.since,
        },
        Match::None if is_whole => Known::Nothing,
        Match::None | Match::Unclear => Known::Hidden,
    })
}

/// Without an answer nothing is begun: the request is repeated as a hand-over would be, and after a day the post is left to a
/// person again.
pub(super) async fn could_not_ask(run: &Run<'_>, error: &FailedCall) -> Result<Next, AppError> {
    run.note_revoked(error).await?;
    let ending = verdicts::ending(run.job, error, run.app.now());
    let verdict = match ending.verdict {
        Verdict::Error { .. } => verdicts::unconfirmed(),
        verdict => verdict,
    };
    Ok(verdicts::settlement(verdict, verdicts::detail(error)).into())
}
