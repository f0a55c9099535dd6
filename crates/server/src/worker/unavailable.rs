//! Posts that are due while their account is switched off or removed: a person decides what becomes of them
//! (`docs/contract.md#action-required`). Nothing is begun any more. What the provider may have already is asked after
//! for as long as there is access; what it cannot have is given up.

use std::sync::Arc;

use playout_domain::explanation::{ACCOUNT_UNAVAILABLE, REMOVED_MEANWHILE};
use playout_domain::id::PostId;
use playout_domain::job::Job;
use playout_domain::submission::{Recovery, Submission, SubmissionOutcome};
use playout_store::Settlement;

use super::publish::{Run, settle};
use super::verdicts;
use crate::app::{App, AppError};

/// Runs the job of a post whose account is disabled.
pub async fn disabled(run: &Run<'_>, open: Option<Submission>) -> Result<(), AppError> {
    let Some(submission) = open else {
        return settle(run.app, run.job, nothing_begun()).await;
    };
    match submission.recovery() {
        Recovery::BeginAgain => settle(run.app, run.job, given_up(&submission)).await,
        Recovery::ResumeUpload if submission.last_byte_at.is_none() => {
            match run.nothing_came(&submission).await? {
                true => settle(run.app, run.job, given_up(&submission)).await,
                false => Ok(()),
            }
        }
        Recovery::ResumeUpload | Recovery::Check => run.check(&submission).await,
        Recovery::Revoke => run.revoke(&submission).await,
        Recovery::Look => run.look(&submission).await,
    }
}

/// Runs the job of a post whose account is gone, and its access with it.
pub async fn removed(app: &Arc<App>, job: &Job, post: PostId) -> Result<(), AppError> {
    let Some(submission) = app.store.open_submission_of(post).await? else {
        return settle(app, job, nothing_begun()).await;
    };
    let may_be_out = match submission.recovery() {
        Recovery::Revoke => app.store.revoke_pull(submission.id, app.now()).await?.is_some(),
        _ => submission.may_be_out(),
    };
    let settlement = match may_be_out {
        true => verdicts::closing(
            submission.id,
            SubmissionOutcome::Unknown,
            verdicts::unconfirmed(),
            verdicts::detail(&REMOVED_MEANWHILE.error()),
        ),
        false => given_up(&submission),
    };
    settle(app, job, settlement).await
}

fn nothing_begun() -> Settlement {
    verdicts::settlement(
        verdicts::account_unavailable(),
        verdicts::detail(&ACCOUNT_UNAVAILABLE.error()),
    )
}

fn given_up(submission: &Submission) -> Settlement {
    verdicts::closing(
        submission.id,
        SubmissionOutcome::Abandoned,
        verdicts::account_unavailable(),
        verdicts::detail(&ACCOUNT_UNAVAILABLE.error()),
    )
}
