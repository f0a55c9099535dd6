//! Step 6: a pull that nobody comes to fetch is taken back, where the post can travel another way. Its addresses are
//! revoked first, and only if none was fetched: from then on nothing can come of it. Then it is cancelled at the
//! provider, so that two tries are never alive there at the same time.

use std::time::Duration;

use playout_domain::explanation::PULL_UNFETCHED;
use playout_domain::post::Verdict;
use playout_domain::provider::Grant;
use playout_domain::secret::Secret;
use playout_domain::submission::{Submission, SubmissionOutcome, Transfer};

use super::publish::Run;
use super::{submit, verdicts};
use crate::app::AppError;
use crate::app::tokens::CallError;

impl Run<'_> {
    /// Whether a pull has waited for long enough, and the post could travel another way.
    pub(super) async fn should_be_taken_back(&self, submission: &Submission) -> Result<bool, AppError> {
        if submission.handle.is_none()
            || !submission.lies_unfetched(self.app.config.pull_patience, self.app.now())
        {
            return Ok(false);
        }
        let Some(media) = submit::source(self) else {
            return Ok(false);
        };
        let as_unfetched = Submission {
            code: Some(PULL_UNFETCHED.code.to_owned()),
            ..submission.clone()
        };
        let way = self.provider.way(media.mime.media_type(), &[as_unfetched]);
        Ok(way.transfer != Transfer::Pull)
    }

    /// Takes the pull back; asks again after `pause` where it was fetched meanwhile, or the provider does not say that
    /// it dropped it.
    pub(super) async fn take_back(&self, submission: &Submission, pause: Duration) -> Result<(), AppError> {
        self.app.reach("publish.before_take_back");
        let now = self.app.now();
        let is_revoked = self.app.store.revoke_unfetched(submission.id, now).await?;
        self.app.reach("publish.after_take_back");
        if !is_revoked {
            return self.wait(submission, pause).await;
        }
        match self.cancel(submission).await {
            Ok(()) => self.close_taken_back(submission).await,
            Err(CallError::Provider(error)) => {
                tracing::info!(post = %self.post().id, "an unfetched pull was not cancelled: {error}");
                self.wait(submission, pause).await
            }
            Err(CallError::Internal(error)) => Err(error),
        }
    }

    async fn cancel(&self, submission: &Submission) -> Result<(), CallError> {
        let (provider, platform) = (&self.provider, &self.platform);
        let handle = submission.handle.as_deref().unwrap_or_default();
        let ask = |access: Secret| async move {
            let access = &access;
            provider.cancel(Grant { platform, access }, handle).await
        };
        let answer = self.app.with_token(provider, platform, ask).await;
        self.app.reach("publish.after_cancel");
        answer
    }

    /// Nothing can have come of it: the post goes out another way, at once.
    pub(super) async fn close_taken_back(&self, submission: &Submission) -> Result<(), AppError> {
        let error = PULL_UNFETCHED.error();
        let verdict = Verdict::Again {
            at: self.app.now(),
            text: Some(error.message.clone()),
            failed: false,
        };
        let end = (verdict, verdicts::detail(&error));
        self.close(submission, SubmissionOutcome::Abandoned, end).await
    }
}
