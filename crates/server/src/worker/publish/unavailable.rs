//! Posts that are due while their account is disabled or removed: a person decides what becomes of them
//! (`docs/contract.md#action-required`). Nothing is begun any more. The provider is asked for the status of what it may have
//! already, for as long as there is access; what it cannot have is given up.

use playout_domain::explanation::{ACCOUNT_REMOVED_MEANWHILE, ACCOUNT_UNAVAILABLE};
use playout_domain::id::PostId;
use playout_domain::job::Job;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_store::Settlement;

use crate::app::{App, AppError};
use crate::worker::earlier_tries::{as_earlier_tries_are, may_come_out};
use crate::worker::job_end::JobEnd;
use crate::worker::verdicts;

/// The account is gone, and its access with it: the provider cannot be asked.
pub(super) async fn removed(app: &App, job: &Job, post: PostId) -> Result<JobEnd, AppError> {
    let open = app.store.open_submission_of(post).await?;
    if let Some(open) = &open
        && may_come_out(app, open).await?
    {
        let detail = verdicts::detail(&ACCOUNT_REMOVED_MEANWHILE.error());
        let (outcome, verdict) = (SubmissionOutcome::Unknown, verdicts::unconfirmed());
        return Ok(verdicts::closing(open.id, outcome, verdict, detail).into());
    }
    let end = given_up(open.as_ref());
    let but = open.map(|open| open.id);
    let verdict = as_earlier_tries_are(app, job, post, end.verdict, but).await?;
    let detail = verdicts::detail_after(&verdict, end.detail);
    Ok(Settlement {
        verdict,
        detail,
        ..end
    }
    .into())
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
