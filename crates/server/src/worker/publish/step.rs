//! The steps of a run.

use std::time::Duration;

use playout_domain::provider::{Progress, ProviderError};
use playout_domain::submission::Submission;
use playout_store::{HoldMark, Settlement};

use crate::worker::job_end::JobEnd;

/// What a run does next.
pub(super) enum Step {
    /// Leave the post to a person if it is overdue.
    JudgeLateness,
    /// Judge the post once more against what the account allows now, and hand it over (steps 0 to 3 of a submission).
    Begin,
    /// Send what is missing of an upload (step 4).
    Upload(Submission),
    /// Ask what became of a submission (step 5).
    Check(Submission),
    /// Apply the provider's status of a submission, from a request or a notification.
    Learn(Submission, Progress),
    /// Close an upload that does not go on with this, unless the provider's status shows that something can come of it.
    Abandon(Submission, Abandoned),
    /// Search the account's posts for a submission that has no handle.
    Search(Submission),
    /// Revoke the addresses of a pull whose answer is missing.
    RevokePull(Submission),
    /// Cancel a pull that the provider does not fetch; ask again after the pause if it was fetched meanwhile (step 6).
    CancelPull(Submission, Duration),
    /// Close a submission of which it is certain that nothing came out.
    Close(Submission, ProviderError),
    /// Ask about a try with an unknown outcome before another is begun; then search, where a hold has marked the post.
    Reconcile(Submission, Option<HoldMark>),
    /// Search for a post that may have come out without this database's knowledge, before it is handed over.
    SearchFirst(HoldMark),
    /// Leave the post to a person because its account is disabled; nothing can come of the submission, if there is one.
    GiveUp(Option<Submission>),
}

/// Why an upload does not go on.
pub(super) enum Abandoned {
    /// The provider refused it, something that it needs is missing here, or a restored database may not know of a later submission.
    Failed(ProviderError),
    /// Its last chunk was sent in an earlier run, and is not known to have been taken: it was refused, or is not sent again, because the
    /// account is disabled or the file cannot be read.
    CutShort,
    /// Its account is disabled, and its last chunk was not sent.
    Disabled,
}

/// What follows a step.
pub(super) enum Next {
    Step(Box<Step>),
    End(JobEnd),
}

impl From<Step> for Next {
    fn from(step: Step) -> Self {
        Self::Step(Box::new(step))
    }
}

impl From<JobEnd> for Next {
    fn from(end: JobEnd) -> Self {
        Self::End(end)
    }
}

impl From<Settlement> for Next {
    fn from(settlement: Settlement) -> Self {
        Self::End(settlement.into())
    }
}
