//! The other tries of a post, looked at once more right before the request with which the present one can come out: a creator may have
//! published a draft since the run asked about it.

use std::time::Duration;

use futures_util::future::try_join_all;
use playout_domain::job::{JobQueue, Release};
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::verdict::Verdict;
use playout_store::{AttemptDetail, Settlement};

use super::context::Run;
use super::evidence::{Known, by_handle, was_rejected};
use super::step::Next;
use crate::app::AppError;
use crate::worker::job_end::JobEnd;
use crate::worker::verdicts;

/// How long the answers about the other tries count as fresh.
const KNOWN_FOR: Duration = Duration::from_secs(5);
/// How often to look where the provider is slow.
const MOST_LOOKS: u32 = 3;
/// When to look again where the provider does not say.
const AGAIN: Duration = Duration::from_secs(30);

/// What a post waits for meanwhile.
const NOT_SAID_IN_TIME: &str = "The provider does not say in time what became of an earlier try of this post, such as a draft in the creator's inbox. \
    The post waits until it does.";

/// What is known of the other tries of a post.
pub(super) enum Others {
    /// None is published, as far as is known.
    AreNotOut,
    /// One is, such as a draft in the creator's inbox: nothing is sent for the present one any more.
    OneIsOut,
    /// The provider does not say, or one may still come out: nothing is sent until that is known.
    CouldNotBeAsked,
}

/// Whether this run has looked at the other tries so lately that it need not again.
pub(super) fn are_known(run: &Run<'_>) -> bool {
    let looked_at = run.known_at.get();
    looked_at.is_some_and(|looked_at| run.app.now().since(*looked_at) <= KNOWN_FOR)
}

/// Looks at every other try that the creator may have published since. `present` is the submission that is about to be sent, if it has
/// begun. Answers that took long are old, and are asked for again.
pub(super) async fn look(run: &Run<'_>, present: Option<&Submission>) -> Result<Others, AppError> {
    for _ in 0..MOST_LOOKS {
        let began = run.app.now();
        let others = look_once(run, present).await?;
        if !matches!(others, Others::AreNotOut) || run.app.now().since(began) <= KNOWN_FOR {
            return Ok(others);
        }
    }
    Ok(Others::CouldNotBeAsked)
}

/// Asks about all of them at once, so that the first answer is not old when the last arrives.
async fn look_once(run: &Run<'_>, present: Option<&Submission>) -> Result<Others, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let mut tries = store.submissions_of(workspace, run.post().id).await?;
    tries.retain(|tried| present.is_none_or(|present| tried.id != present.id));
    let is_out = |tried: &Submission| tried.outcome == Some(SubmissionOutcome::Published);
    if tries.iter().any(is_out) {
        return Ok(Others::OneIsOut);
    }
    let in_doubt = tries
        .iter()
        .filter_map(|tried| match (tried.outcome, &tried.handle) {
            (Some(SubmissionOutcome::InInbox | SubmissionOutcome::Unknown), Some(handle)) => {
                Some((tried, handle))
            }
            _ => None,
        });
    let known = try_join_all(in_doubt.map(|(tried, handle)| by_handle(run, tried, handle))).await?;
    let is_published = |known: &Known| matches!(known, Known::Ended(Verdict::Published { .. }));
    let began = present.map_or(run.app.now(), |present| present.started_at);
    let is_unclear = |known: &Known| match known {
        Known::Unanswered(_) | Known::UnderWay => true,
        // Before the present submission began, the same rejection had been repeated until it counted.
        Known::Refused(error) => !was_rejected(&tries, error, began),
        Known::Ended(_) | Known::Listed { .. } | Known::Nothing | Known::Hidden => false,
    };
    Ok(match known {
        known if known.iter().any(is_published) => Others::OneIsOut,
        known if known.iter().any(is_unclear) => Others::CouldNotBeAsked,
        _ => Others::AreNotOut,
    })
}

/// Where the provider was slow since the run asked about the other tries, they are looked at again before the post is handed over.
/// `None` if that may happen; else a run decides anew, at once or later, for a day at most.
pub(super) async fn hold_back(run: &Run<'_>) -> Result<Option<Next>, AppError> {
    if are_known(run) {
        return Ok(None);
    }
    Ok(match look(run, None).await? {
        Others::AreNotOut => None,
        // The next run asks itself. Should it not find what was found here, it must not circle at full speed.
        Others::OneIsOut => Some(decide_anew(run, KNOWN_FOR).into()),
        Others::CouldNotBeAsked => {
            let is_over = || verdicts::settlement(verdicts::unconfirmed(), AttemptDetail::default());
            Some(wait_for_an_answer(run).unwrap_or_else(is_over).into())
        }
    })
}

/// The post waits until the provider says what became of the other tries; `None` once it has waited for a day.
pub(super) fn wait_for_an_answer(run: &Run<'_>) -> Option<Settlement> {
    let at = run.app.now().plus(AGAIN);
    let waits = || Verdict::Again {
        at,
        text: Some(NOT_SAID_IN_TIME.to_owned()),
        failed: false,
    };
    (at <= run.job.deadline_at).then(|| verdicts::settlement(waits(), AttemptDetail::default()))
}

/// Gives the job back before anything was handed over: the next run decides from what is known then.
pub(super) fn decide_anew(run: &Run<'_>, after: Duration) -> JobEnd {
    JobEnd::Release(Release {
        run_at: run.app.now().plus(after),
        failures: run.job.failures,
        checks: run.job.checks,
        queue: JobQueue::Start,
    })
}
