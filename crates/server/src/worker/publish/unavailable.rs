//! Posts that are due while their account is disabled or removed: a person decides what becomes of them
//! (`docs/contract.md#action-required`). Nothing is begun any more. The provider is asked for the status of what it may have
//! already, for as long as there is access; what it cannot have is given up.

use playout_domain::explanation::{ACCOUNT_REMOVED_MEANWHILE, ACCOUNT_UNAVAILABLE};
use playout_domain::id::PostId;
use playout_domain::job::Job;
use playout_domain::submission::{Recovery, Submission, SubmissionOutcome};
use playout_store::Settlement;

use crate::app::{App, AppError};
use crate::worker::earlier_tries::as_earlier_tries_are;
use crate::worker::job_end::JobEnd;
use crate::worker::verdicts;

/// The account is gone, and its access with it: the provider cannot be asked.
pub(super) async fn removed(app: &App, job: &Job, post: PostId) -> Result<JobEnd, AppError> {
    let Some(submission) = app.store.open_submission_of(post).await? else {
        let end = given_up(None);
        let verdict = as_earlier_tries_are(app, job, post, end.verdict, None).await?;
        let detail = verdicts::detail_after(&verdict, end.detail);
        return Ok(verdicts::settlement(verdict, detail).into());
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
            verdicts::detail(&ACCOUNT_REMOVED_MEANWHILE.error()),
        ),
        false => given_up(Some(&submission)),
    };
    Ok(settlement.into())
}

/// The post waits for its account. Nothing can come of the submission, if there is one.
pub(super) fn given_up(submission: Option<&Submission>) -> Settlement {
    let verdict = verdicts::account_unavailable();
    let detail = verdicts::detail(&ACCOUNT_UNAVAILABLE.error());
    match submission {
        Some(submission) => verdicts::closing(submission.id, SubmissionOutcome::Abandoned, verdict, detail),
        None => verdicts::settlement(verdict, detail),
    }
}
