//! Step 5 of a submission: what became of it. Asking changes nothing at the provider and may be repeated freely.

use std::time::Duration;

use playout_domain::explanation::{PERMISSION_GIVEN_AGAIN, UPLOAD_EXPIRED};
use playout_domain::provider::{Fate, Progress, ProviderError};
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::verdict::Verdict;
use playout_store::AttemptDetail;

use super::context::Run;
use super::decide::should_cancel_pull;
use super::last_chunk;
use super::step::{Abandoned, Next, Step};
use crate::app::AppError;
use crate::app::tokens::{CallError, FailedCall};
use crate::worker::job_end::JobEnd;
use crate::worker::verdicts;

/// The pause before the next question where the provider names none.
const ASK_EVERY: Duration = Duration::from_secs(30);

/// How long after each answer that lacks the last byte to ask again whether it was taken.
const BEFORE_CLOSING: [Duration; 3] = [
    Duration::from_secs(10),
    Duration::from_secs(30),
    Duration::from_secs(80),
];

/// Asks what became of it; without a handle the account's posts are searched.
pub(super) async fn check(run: &Run<'_>, submission: &Submission) -> Result<Next, AppError> {
    let Some(handle) = submission.handle.as_deref() else {
        return Ok(Step::Search(submission.clone()).into());
    };
    match ask(run, handle).await {
        Ok(progress) => learn(run, submission, progress).await,
        Err(CallError::Provider(error)) => could_not_ask(run, submission, &error).await,
        Err(CallError::Internal(error)) => Err(error),
    }
}

async fn ask(run: &Run<'_>, handle: &str) -> Result<Progress, CallError> {
    run.app.failpoint("publish.before_check");
    let progress = run.account().check(handle).await;
    run.app.failpoint("publish.after_check");
    progress
}

/// Closes an upload whose last byte was not taken, unless the provider's status shows that something can come of it.
pub(super) async fn abandon(
    run: &Run<'_>,
    submission: &Submission,
    why: Abandoned,
) -> Result<Next, AppError> {
    let mut submission = submission.clone();
    // Recorded before the provider is asked: nothing is sent under this handle any more.
    if let (Abandoned::Failed(error), Some(_)) = (&why, submission.last_byte_at) {
        let (store, id) = (&run.app.store, submission.id);
        if !store.record_refusal(run.job, id, &error.code).await? {
            return Ok(JobEnd::TakenOver.into());
        }
        submission.code = Some(error.code.clone());
    }
    // Since the chunk was refused, a question is counted only if its answer lacked the last byte (`ask_once_more`).
    let lacked = match (&why, &submission.code) {
        (Abandoned::CutShort, Some(_)) => run.job.checks.saturating_sub(1),
        (Abandoned::CutShort, None) | (Abandoned::Failed(_) | Abandoned::Disabled, _) => 0,
    };
    let next = incomplete(run, &submission, lacked).await?;
    match (next, why) {
        (Some(next), _) => Ok(next),
        (None, Abandoned::Failed(error)) => Ok(Step::Close(submission, error).into()),
        (None, Abandoned::CutShort) => {
            let refusal = submission.code.as_deref().map(|code| run.provider.recall(code));
            let error = refusal.unwrap_or_else(|| UPLOAD_EXPIRED.error());
            Ok(Step::Close(submission, error).into())
        }
        (None, Abandoned::Disabled) => Ok(Step::GiveUp(Some(submission)).into()),
    }
}

/// Asks what the provider has of an upload that does not go on. `lacked` is how many earlier answers did not include the last byte. `None`
/// if nothing can come of it: it may be closed, and another begun. Else what follows from the provider's answer; where it does not answer
/// in time, the outcome is left to a person.
pub(super) async fn incomplete(
    run: &Run<'_>,
    submission: &Submission,
    lacked: u32,
) -> Result<Option<Next>, AppError> {
    let Some(handle) = submission.handle.as_deref() else {
        return Ok(None);
    };
    let next = match ask(run, handle).await {
        Ok(Progress::Pending { received_bytes }) if submission.lacks_bytes(received_bytes) => {
            return Ok(ask_before_closing(run, submission, lacked));
        }
        // It shows nothing of the last byte, which may have been taken.
        Ok(Progress::Pending { received_bytes: None }) => ask_once_more(run, submission, ASK_EVERY, lacked),
        Ok(Progress::Pending { .. }) => has_all_bytes(run, submission).await?,
        Ok(progress) => learn(run, submission, progress).await?,
        Err(CallError::Provider(error)) => match (error.fate, submission.last_byte_at) {
            (Fate::Reauthorize | Fate::StaleToken, _) => could_not_ask(run, submission, &error).await?,
            (Fate::Throttled(after) | Fate::Capped(after), _) => {
                ask_once_more(run, submission, after, lacked)
            }
            // The provider knows nothing of it, or calls it another account's. Once the last byte may have been taken that is no
            // proof.
            (Fate::Rejected, None) => return Ok(None),
            (Fate::Unavailable | Fate::Unknown | Fate::Repeatable, None) => {
                ask_of_incomplete_later(run, submission, &error)
            }
            (Fate::Rejected | Fate::Unavailable | Fate::Unknown | Fate::Repeatable, Some(_)) => {
                ask_once_more(run, submission, ASK_EVERY, lacked)
            }
        },
        Err(CallError::Internal(error)) => return Err(error),
    };
    Ok(Some(next))
}

/// `None` once an answer that lacks the last byte shows that it was not taken and never will be. The status of an upload may lag behind
/// its bytes: where the last chunk was refused, only the same answer over two minutes shows that. Without a response to it, a run that
/// lost its job may still be sending it, and no answer shows anything until that request must have timed out.
fn ask_before_closing(run: &Run<'_>, submission: &Submission, lacked: u32) -> Option<Next> {
    submission.last_byte_at?;
    if submission.code.is_none() {
        let may_arrive = last_chunk::may_arrive(run, submission);
        return may_arrive.then(|| ask_once_more(run, submission, ASK_EVERY, lacked));
    }
    let pause = usize::try_from(lacked)
        .ok()
        .and_then(|lacked| BEFORE_CLOSING.get(lacked))?;
    Some(run.check_in(*pause, lacked + 2).into())
}

/// Asks again after an answer that does not show what the provider has, and is not counted. `Job::checks` of such an upload is:
///
/// | The last chunk | `checks` |
/// |---|---|
/// | was not sent | 0 |
/// | was sent | 1 + the answers since its refusal that lacked the last byte |
fn ask_once_more(run: &Run<'_>, submission: &Submission, pause: Duration, lacked: u32) -> Next {
    let checks = submission.last_byte_at.map_or(0, |_| lacked + 1);
    run.ask_until_the_window_ends(submission, pause, checks).into()
}

/// The provider has more of an upload than the ledger: from now on only its status is requested.
async fn has_all_bytes(run: &Run<'_>, submission: &Submission) -> Result<Next, AppError> {
    let (store, now) = (&run.app.store, run.app.now());
    let size = submission.upload.as_ref().map_or(0, |upload| upload.size_bytes);
    let (known, at) = (submission.last_byte_at, submission.last_byte_at.unwrap_or(now));
    store.mark_last_byte(run.job, submission.id, known, at).await?;
    store.record_sent(run.job, submission.id, size).await?;
    Ok(ask_later(run, submission))
}

fn ask_of_incomplete_later(run: &Run<'_>, submission: &Submission, error: &ProviderError) -> Next {
    match verdicts::retry(run.job, error, run.app.now()) {
        again @ Verdict::Again { .. } => verdicts::settlement(again, verdicts::detail(error)).into(),
        _ => run.close_unknown(submission, error).into(),
    }
}

/// What follows from the provider's status of a submission, from a request or a notification.
pub(super) async fn learn(
    run: &Run<'_>,
    submission: &Submission,
    progress: Progress,
) -> Result<Next, AppError> {
    let (outcome, verdict) = match progress {
        Progress::Pending { .. } => return Ok(ask_later(run, submission)),
        Progress::Failed(error) => return Ok(given_up(run, submission, error)),
        Progress::InInbox => (SubmissionOutcome::InInbox, verdicts::in_inbox()),
        Progress::Published {
            release_id,
            release_url,
        } => (
            SubmissionOutcome::Published,
            Verdict::Published {
                release_id,
                release_url,
            },
        ),
    };
    let detail = AttemptDetail::default();
    Ok(run.close(submission, outcome, verdict, detail).into())
}

/// The provider reports a final failure. It does not count against the post where its addresses had been revoked here, nor
/// against the account where its access was granted again meanwhile.
fn given_up(run: &Run<'_>, submission: &Submission, error: ProviderError) -> Next {
    let error = match error.fate {
        _ if submission.is_taken_back() => return run.close_revoked(submission).into(),
        Fate::Reauthorize | Fate::StaleToken if !run.platform.refresh_needed => granted_again(error),
        _ => error,
    };
    Step::Close(submission.clone(), error).into()
}

/// The error of a submission that failed because the account's permission had ended, although there is one again: whether that is
/// enough is seen when the post is submitted again.
fn granted_again(error: ProviderError) -> ProviderError {
    ProviderError {
        log_id: error.log_id,
        ..PERMISSION_GIVEN_AGAIN.error()
    }
}

/// An unanswered question changes nothing: the submission stays open, and asking goes on.
async fn could_not_ask(run: &Run<'_>, submission: &Submission, error: &FailedCall) -> Result<Next, AppError> {
    Ok(match error.fate {
        Fate::Reauthorize | Fate::StaleToken => {
            run.note_revoked(error).await?;
            verdicts::settlement(verdicts::reconnect(error), verdicts::detail(error)).into()
        }
        Fate::Throttled(after) | Fate::Capped(after) => ask_in(run, submission, after),
        Fate::Rejected | Fate::Repeatable | Fate::Unavailable | Fate::Unknown => ask_later(run, submission),
    })
}

fn ask_later(run: &Run<'_>, submission: &Submission) -> Next {
    let pauses = run.provider.check_policy(submission.transfer).pauses;
    let index = usize::try_from(run.job.checks)
        .unwrap_or(usize::MAX)
        .min(pauses.len().saturating_sub(1));
    ask_in(run, submission, pauses.get(index).copied().unwrap_or(ASK_EVERY))
}

fn ask_in(run: &Run<'_>, submission: &Submission, pause: Duration) -> Next {
    match should_cancel_pull(run, submission) {
        true => Step::CancelPull(submission.clone(), pause).into(),
        false => run.ask_again(submission, pause).into(),
    }
}
