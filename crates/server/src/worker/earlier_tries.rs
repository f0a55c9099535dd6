//! What earlier tries of a post change about how it ends: one that may be out, or can still be published, keeps it from ERROR, and from
//! waiting for its account as if nothing had been handed over.

use playout_domain::id::{PostId, SubmissionId};
use playout_domain::job::Job;
use playout_domain::submission::{Recovery, Submission, SubmissionOutcome};
use playout_domain::verdict::Verdict;

use super::verdicts;
use crate::app::{App, AppError};

/// The verdict; but ERROR, and that the account is unavailable, are replaced where an earlier try may be out or may still be published: its
/// outcome is unknown, or it is in the creator's inbox. `but` is the present try. Where a hold has marked the post, a try that the database
/// does not know may be out.
///
/// # Errors
/// When the database fails, or a try of the post cannot be read.
pub(super) async fn as_earlier_tries_are(
    app: &App,
    job: &Job,
    post: PostId,
    verdict: Verdict,
    but: Option<SubmissionId>,
) -> Result<Verdict, AppError> {
    if !may_change(&verdict) {
        return Ok(verdict);
    }
    let tries = app.store.submissions_of(job.workspace_id, post).await?;
    let ended_in = |outcome: SubmissionOutcome| {
        let is_meant = |earlier: &Submission| earlier.outcome == Some(outcome) && Some(earlier.id) != but;
        tries.iter().any(is_meant)
    };
    Ok(if ended_in(SubmissionOutcome::Unknown) {
        verdicts::unconfirmed()
    } else if ended_in(SubmissionOutcome::InInbox) {
        match &verdict {
            Verdict::Error { text } => verdicts::still_in_inbox(text),
            _ => verdicts::in_inbox(),
        }
    } else if verdict == verdicts::account_unavailable() && app.store.is_marked(post).await? {
        verdicts::restored_unsearched()
    } else {
        verdict
    })
}

/// Whether something may come of a submission that is open. A pull that was not fetched is taken back.
///
/// # Errors
/// When the database fails.
pub(super) async fn may_come_out(app: &App, open: &Submission) -> Result<bool, AppError> {
    Ok(match open.recovery() {
        Recovery::Revoke => app.store.revoke_pull(open.id, app.now()).await?.is_some(),
        _ => open.may_be_out(),
    })
}

/// Whether earlier tries may change this verdict.
pub(super) fn may_change(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Error { .. }) || *verdict == verdicts::account_unavailable()
}
