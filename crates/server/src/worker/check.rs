//! Step 5: what became of a submission. Asking changes nothing at the provider and may be repeated freely; where there
//! is no handle to ask by, the account's own posts are searched.

use std::time::Duration;

use playout_domain::explanation::{GRANTED_AGAIN, UNANSWERED, UNCONFIRMED};
use playout_domain::id::{PlatformId, PostId};
use playout_domain::post::{Post, Verdict};
use playout_domain::provider::{Fate, Grant, Progress, ProviderError, RecentPost};
use playout_domain::secret::Secret;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::text::is_listed_as;
use playout_domain::time::Time;
use playout_store::{AttemptDetail, MayBeOut};

use super::publish::{Run, settle};
use super::verdicts;
use crate::app::tokens::{CallError, FailedCall};
use crate::app::{App, AppError};
use crate::identity::SLACK;

/// How often, and how far apart, to look for a post that may have come out without our knowing its handle.
const LOOKS: u32 = 4;
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Which of an account's listed posts may be a post here.
pub(super) enum Among {
    /// None of them.
    None,
    /// This one alone.
    One(RecentPost),
    /// Two or more, which nothing tells apart.
    Several,
}

impl Run<'_> {
    /// Step 5: ask what became of it.
    pub(super) async fn check(&self, submission: &Submission) -> Result<(), AppError> {
        let Some(handle) = submission.handle.as_deref() else {
            return self.look(submission).await;
        };
        match self.ask(handle).await {
            Ok(progress) => self.learned(submission, progress).await,
            Err(CallError::Provider(error)) => self.could_not_ask(submission, &error).await,
            Err(CallError::Internal(error)) => Err(error),
        }
    }

    async fn ask(&self, handle: &str) -> Result<Progress, CallError> {
        self.app.reach("publish.before_check");
        let (provider, platform) = (&self.provider, &self.platform);
        let ask = |access: Secret| async move {
            provider
                .check(
                    Grant {
                        platform,
                        access: &access,
                    },
                    handle,
                )
                .await
        };
        let progress = self.app.with_token(provider, platform, ask).await;
        self.app.reach("publish.after_check");
        progress
    }

    /// Asks what the provider has of an upload that does not go on. `true` if nothing can come of it: it may be closed, and another
    /// begun. Else the run is settled by what the provider said, or asks again later; where it does not answer in the time for
    /// retries, only a person can tell.
    pub(super) async fn nothing_came(&self, submission: &Submission) -> Result<bool, AppError> {
        let Some(handle) = submission.handle.as_deref() else {
            return Ok(true);
        };
        match self.ask(handle).await {
            Ok(Progress::Pending { received_bytes }) if submission.lacks_bytes(received_bytes) => {
                return Ok(true);
            }
            Ok(Progress::Pending { .. }) => self.has_all_bytes(submission).await?,
            Ok(told) => self.learned(submission, told).await?,
            // The provider knows nothing of it, or calls it another account's.
            Err(CallError::Provider(error)) if error.fate == Fate::Rejected => return Ok(true),
            Err(CallError::Provider(error)) => match error.fate {
                Fate::Unavailable | Fate::Unknown | Fate::Repeatable | Fate::Rejected => {
                    self.ask_of_incomplete_later(submission, &error).await?;
                }
                Fate::Reauthorize | Fate::StaleToken | Fate::Throttled(_) | Fate::Capped(_) => {
                    self.could_not_ask(submission, &error).await?;
                }
            },
            Err(CallError::Internal(error)) => return Err(error),
        }
        Ok(false)
    }

    /// The provider has more of an upload than the ledger says: from now on it is only asked after.
    async fn has_all_bytes(&self, submission: &Submission) -> Result<(), AppError> {
        let (store, size) = (
            &self.app.store,
            submission.upload.as_ref().map_or(0, |upload| upload.size_bytes),
        );
        store
            .mark_last_byte(self.job, submission.id, self.app.now())
            .await?;
        store.record_sent(self.job, submission.id, size).await?;
        self.ask_later(submission).await
    }

    async fn ask_of_incomplete_later(
        &self,
        submission: &Submission,
        error: &ProviderError,
    ) -> Result<(), AppError> {
        let detail = verdicts::detail(error);
        let settlement = match verdicts::retry(self.job, error, self.app.now()) {
            again @ Verdict::Again { .. } => verdicts::settlement(again, detail),
            _ => verdicts::closing(
                submission.id,
                SubmissionOutcome::Unknown,
                verdicts::unconfirmed(),
                detail,
            ),
        };
        settle(self.app, self.job, settlement).await
    }

    /// Settles what the provider said of a submission, asked or unasked.
    pub(super) async fn learned(&self, submission: &Submission, progress: Progress) -> Result<(), AppError> {
        let (outcome, verdict) = match progress {
            Progress::Pending { .. } => return self.ask_later(submission).await,
            Progress::Failed(error) => return self.given_up(submission, error).await,
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
        let end = (verdict, AttemptDetail::default());
        self.close(submission, outcome, end).await
    }

    /// The provider's final no. It says nothing of the post where we had taken the media back ourselves, nor of the
    /// account where its access was given again meanwhile.
    async fn given_up(&self, submission: &Submission, error: ProviderError) -> Result<(), AppError> {
        match error.fate {
            _ if submission.is_taken_back() => self.close_taken_back(submission).await,
            Fate::Reauthorize | Fate::StaleToken if !self.platform.refresh_needed => {
                self.close_failed(submission, &taken_and_given_again(error)).await
            }
            _ => self.close_failed(submission, &error).await,
        }
    }

    /// An unanswered question changes nothing: the submission stays open, and asking goes on.
    async fn could_not_ask(&self, submission: &Submission, error: &FailedCall) -> Result<(), AppError> {
        match error.fate {
            Fate::Reauthorize | Fate::StaleToken => {
                self.note_revoked(error).await?;
                let settlement = verdicts::settlement(verdicts::reconnect(error), verdicts::detail(error));
                settle(self.app, self.job, settlement).await
            }
            Fate::Throttled(after) | Fate::Capped(after) => self.ask_again_after(submission, after).await,
            Fate::Rejected | Fate::Repeatable | Fate::Unavailable | Fate::Unknown => {
                self.ask_later(submission).await
            }
        }
    }

    async fn ask_later(&self, submission: &Submission) -> Result<(), AppError> {
        let pauses = self.provider.check_policy(submission.transfer).pauses;
        let index = usize::try_from(self.job.checks)
            .unwrap_or(usize::MAX)
            .min(pauses.len().saturating_sub(1));
        self.ask_again_after(submission, pauses.get(index).copied().unwrap_or(LOOK_EVERY))
            .await
    }

    async fn ask_again_after(&self, submission: &Submission, pause: Duration) -> Result<(), AppError> {
        match self.should_be_taken_back(submission).await? {
            true => self.take_back(submission, pause).await,
            false => self.wait(submission, pause).await,
        }
    }

    /// Asks again after `pause`, until the window is over.
    pub(super) async fn wait(&self, submission: &Submission, pause: Duration) -> Result<(), AppError> {
        let window = self.provider.check_policy(submission.transfer).window;
        let now = self.app.now();
        if now
            > submission
                .last_byte_at
                .unwrap_or(submission.started_at)
                .plus(window)
        {
            if submission.is_taken_back() {
                return self.close_taken_back(submission).await;
            }
            let end = (verdicts::unconfirmed(), verdicts::detail(&UNCONFIRMED.error()));
            return self.close(submission, SubmissionOutcome::Unknown, end).await;
        }
        self.release_for_check(pause, self.job.checks + 1).await
    }

    /// The provider may have it, and there is no handle to ask by: search the account's posts; the provider's own
    /// notification may bring the handle meanwhile. After a few looks a person must tell.
    pub(super) async fn look(&self, submission: &Submission) -> Result<(), AppError> {
        let (provider, platform) = (&self.provider, &self.platform);
        let since = submission.started_at.minus(SLACK);
        let ask = |access: Secret| async move {
            provider
                .recent_posts(
                    Grant {
                        platform,
                        access: &access,
                    },
                    since,
                )
                .await
        };
        let posts = match self.app.with_token(provider, platform, ask).await {
            Ok(listed) => listed.map(|listed| listed.posts).unwrap_or_default(),
            Err(CallError::Provider(_)) => Vec::new(),
            Err(CallError::Internal(error)) => return Err(error),
        };
        match self.among(posts, text_of(submission, self.post())).await? {
            Among::One(found) if !self.may_be_another(&found, since).await? => {
                let verdict = Verdict::Published {
                    release_id: Some(found.release_id),
                    release_url: found.release_url,
                };
                self.close(
                    submission,
                    SubmissionOutcome::Published,
                    (verdict, AttemptDetail::default()),
                )
                .await
            }
            _ if self.job.checks < LOOKS => self.release_for_check(LOOK_EVERY, self.job.checks + 1).await,
            _ => {
                let end = (verdicts::unconfirmed(), verdicts::detail(&UNANSWERED.error()));
                self.close(submission, SubmissionOutcome::Unknown, end).await
            }
        }
    }

    /// Whether a listed post with this post's text may be another post of the account.
    pub(super) async fn may_be_another(&self, listed: &RecentPost, since: Time) -> Result<bool, AppError> {
        may_be_another(self.app, self.platform.id, self.post().id, listed, since).await
    }

    /// Looks for the listed post with the text `content` that no other post here is known to be.
    pub(super) async fn among(&self, listed: Vec<RecentPost>, content: &str) -> Result<Among, AppError> {
        let mut found = Among::None;
        for post in listed
            .into_iter()
            .filter(|post| is_listed_as(content, &post.content))
        {
            if self
                .app
                .store
                .has_release(self.platform.id, &post.release_id)
                .await?
            {
                continue;
            }
            found = match found {
                Among::None => Among::One(post),
                Among::One(_) | Among::Several => return Ok(Among::Several),
            };
        }
        Ok(found)
    }
}

/// Whether a listed post with the text of `post` may be another post of the account, one that is out since `since` or may be.
pub(super) async fn may_be_another(
    app: &App,
    platform: PlatformId,
    post: PostId,
    listed: &RecentPost,
    since: Time,
) -> Result<bool, AppError> {
    let others = app.store.posts_that_may_be_out(platform, since).await?;
    let is_rival = |other: &MayBeOut| other.post != Some(post) && other.is_listed_as(&listed.content);
    Ok(others.iter().any(is_rival))
}

/// The text that a submission of the post was begun with.
pub(super) fn text_of<'a>(submission: &'a Submission, post: &'a Post) -> &'a str {
    submission.content.as_deref().unwrap_or(&post.content)
}

/// A submission that died with the account's permission, while there is one: that it is a new one shows when the post is
/// begun again.
fn taken_and_given_again(error: ProviderError) -> ProviderError {
    ProviderError {
        log_id: error.log_id,
        ..GRANTED_AGAIN.error()
    }
}
