//! How runs end: what several steps conclude alike.

use std::time::Duration;

use playout_domain::explanation::{PULL_UNFETCHED, RESTARTED_WHILE_FETCHED, UNCONFIRMED};
use playout_domain::job::{JobQueue, RETRY_WINDOW, Release};
use playout_domain::post::{Waiting, effective_settings};
use playout_domain::provider::{Fate, ProviderError};
use playout_domain::submission::{Submission, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{AttemptDetail, Settlement};

use super::context::Run;
use super::decide::may_have_been_followed;
use super::step::Next;
use crate::app::AppError;
use crate::app::tokens::FailedCall;
use crate::identity::SLACK;
use crate::worker::earlier_tries;
use crate::worker::job_end::JobEnd;
use crate::worker::verdicts::{self, Ending, FOLLOW_AFTER};

impl Run<'_> {
    /// Waits for room that is known not to be there yet: the provider was not asked.
    pub(super) fn put_off(&self, error: &ProviderError) -> Settlement {
        let ending = verdicts::ending(self.job, error, self.app.now());
        verdicts::settlement(ending.verdict, verdicts::detail(error))
    }

    /// Ends a try that failed before anything was handed over.
    pub(super) async fn refused(&self, error: &ProviderError) -> Result<Next, AppError> {
        self.note_limits(error).await?;
        Ok(self.put_off(error).into())
    }

    /// Ends a try whose call failed before anything was handed over.
    pub(super) async fn refused_call(&self, failed: &FailedCall) -> Result<Next, AppError> {
        self.app.note_dead_access(&self.platform, failed).await?;
        self.refused(failed).await
    }

    /// Ends a submission of which it is certain that nothing came out.
    pub(super) async fn close_failed(
        &self,
        submission: &Submission,
        error: &ProviderError,
    ) -> Result<Next, AppError> {
        self.note_limits(error).await?;
        let (error, ending) = match error.fate {
            Fate::Repeatable => self.lost_by_provider(submission, error).await?,
            _ => (error.clone(), verdicts::ending(self.job, error, self.app.now())),
        };
        let detail = verdicts::detail(&error);
        let verdict = match ending.verdict {
            Verdict::Error { .. } if self.is_before_hold(submission) => self.run_again_now(),
            verdict => verdict,
        };
        Ok(self.close(submission, ending.outcome, verdict, detail).into())
    }

    /// The end of a run, with another verdict where an earlier try changes it.
    pub(super) async fn as_earlier_tries_are(&self, end: Settlement) -> Result<Settlement, AppError> {
        if !earlier_tries::may_change(&end.verdict) {
            return Ok(end);
        }
        let (post, but) = (self.post().id, end.submission.map(|(id, _)| id));
        let verdict = earlier_tries::as_earlier_tries_are(self.app, self.job, post, end.verdict, but).await?;
        Ok(Settlement {
            follow_link: self.follow_up(&verdict),
            detail: verdicts::detail_after(&verdict, end.detail),
            verdict,
            ..end
        })
    }

    fn is_before_hold(&self, submission: &Submission) -> bool {
        let mark = self.mark.as_ref();
        mark.is_some_and(|mark| may_have_been_followed(mark, submission))
    }

    /// The next run searches for the post.
    fn run_again_now(&self) -> Verdict {
        Verdict::Again {
            at: self.app.now(),
            text: None,
            failed: false,
        }
    }

    /// The provider took it and lost it: another submission follows, sooner or later.
    async fn lost_by_provider(
        &self,
        submission: &Submission,
        error: &ProviderError,
    ) -> Result<(ProviderError, Ending), AppError> {
        if self.was_away(submission) {
            let error = ProviderError {
                log_id: error.log_id.clone(),
                ..RESTARTED_WHILE_FETCHED.error()
            };
            let ending = verdicts::ending(self.job, &error, self.app.now());
            return Ok((error, ending));
        }
        let since = self.job.deadline_at.minus(RETRY_WINDOW);
        let tries = self
            .app
            .store
            .submissions_of(self.job.workspace_id, self.post().id)
            .await?;
        let lost = tries.iter().filter(|submission| {
            submission.outcome == Some(SubmissionOutcome::Abandoned)
                && submission.code.as_deref() == Some(error.code.as_str())
                && submission.started_at >= since
        });
        let losses = u32::try_from(lost.count()).unwrap_or(u32::MAX);
        let ending = verdicts::lost(self.job, error, losses.saturating_add(1), self.app.now());
        Ok((error.clone(), ending))
    }

    /// Whether this process began after the submission did: then the provider may have found no service to fetch from, and the
    /// failed fetch is not the provider's fault.
    fn was_away(&self, submission: &Submission) -> bool {
        submission.transfer == Transfer::Pull && self.app.started_at > submission.started_at
    }

    /// Closes a submission with the verdict on its post.
    pub(super) fn close(
        &self,
        submission: &Submission,
        outcome: SubmissionOutcome,
        verdict: Verdict,
        detail: AttemptDetail,
    ) -> Settlement {
        Settlement {
            follow_link: self.follow_up(&verdict),
            ..verdicts::closing(submission.id, outcome, verdict, detail)
        }
    }

    /// Closes a submission whose outcome only a person can find out.
    pub(super) fn close_unknown(&self, submission: &Submission, error: &ProviderError) -> Settlement {
        let (outcome, detail) = (SubmissionOutcome::Unknown, verdicts::detail(error));
        self.close(submission, outcome, verdicts::unconfirmed(), detail)
    }

    /// Closes a pull whose addresses were revoked unfetched: nothing can have come of it, and the post goes out another way, at once.
    pub(super) fn close_revoked(&self, submission: &Submission) -> Settlement {
        let error = PULL_UNFETCHED.error();
        let verdict = Verdict::Again {
            at: self.app.now(),
            text: Some(error.message.clone()),
            failed: false,
        };
        let detail = verdicts::detail(&error);
        self.close(submission, SubmissionOutcome::Abandoned, verdict, detail)
    }

    /// When to ask for the public address, for posts that will have one, or for the state of a post in an inbox.
    pub(super) fn follow_up(&self, verdict: &Verdict) -> Option<Time> {
        let settings = effective_settings(&self.platform.settings, &self.post().settings);
        let follow = match verdict {
            Verdict::Published { release_id: None, .. } => {
                self.provider.expects_link(self.media_type(), &settings)
            }
            Verdict::ActionRequired { waiting, .. } => *waiting == Waiting::Inbox,
            _ => false,
        };
        follow.then(|| self.app.now().plus(FOLLOW_AFTER))
    }

    /// Stores what a failed call reports about the account: that it must be reconnected, and its limits.
    pub(super) async fn note_revoked(&self, failed: &FailedCall) -> Result<(), AppError> {
        self.app.note_dead_access(&self.platform, failed).await?;
        self.note_limits(failed).await
    }

    async fn note_limits(&self, error: &ProviderError) -> Result<(), AppError> {
        self.app.note_limits(&self.provider, &self.platform, error).await
    }

    /// Asks again after `pause`, until the provider's window is over; then the outcome is left to a person.
    pub(super) fn ask_again(&self, submission: &Submission, pause: Duration) -> JobEnd {
        self.ask_until_the_window_ends(submission, pause, self.job.checks + 1)
    }

    /// Asks again after `pause` as question number `checks`, until the provider's window is over; then the outcome is left to a person.
    pub(super) fn ask_until_the_window_ends(
        &self,
        submission: &Submission,
        pause: Duration,
        checks: u32,
    ) -> JobEnd {
        let window = self.provider.check_policy(submission.transfer).window;
        let began = submission.last_byte_at.unwrap_or(submission.started_at);
        if self.app.now() <= began.plus(window) {
            return self.check_in(pause, checks);
        }
        match submission.is_taken_back() {
            true => self.close_revoked(submission).into(),
            false => self.close_unknown(submission, &UNCONFIRMED.error()).into(),
        }
    }

    /// Lets the job run again after `pause`, as question number `checks`.
    pub(super) fn check_in(&self, pause: Duration, checks: u32) -> JobEnd {
        JobEnd::Release(self.question(pause, checks))
    }

    /// When the job runs again for the first question after a submission that was just handed over.
    pub(super) fn first_check(&self, transfer: Transfer) -> Release {
        let pauses = self.provider.check_policy(transfer).pauses;
        let pause = pauses.first().copied().unwrap_or(Duration::from_secs(5));
        self.question(pause, 1)
    }

    fn question(&self, pause: Duration, checks: u32) -> Release {
        Release {
            run_at: self.app.now().plus(pause),
            failures: self.job.failures,
            checks,
            queue: JobQueue::Check,
        }
    }
}

/// By when the provider must have ended a try that it shows nothing of: it fetches and processes media, and clocks may differ. Media that it
/// fetched late may take as long after that as those of an upload. `None` for a try that transfers no media.
pub(super) fn at_work_until(run: &Run<'_>, tried: &Submission) -> Option<Time> {
    let after = |began: Time, transfer: Transfer| {
        let window = run.provider.check_policy(transfer).window;
        began.plus((window + SLACK).min(run.app.config.provider_patience))
    };
    let began = tried.last_byte_at.unwrap_or(tried.started_at);
    let processed = tried
        .fetched_at
        .map(|fetched_at| after(fetched_at, Transfer::Upload));
    (tried.transfer != Transfer::Text).then(|| {
        processed
            .into_iter()
            .fold(after(began, tried.transfer), Time::max)
    })
}
