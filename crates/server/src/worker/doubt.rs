//! A post that a person sends again although nobody could tell whether the try before it went out: the engine asks once more
//! before it begins another. What has come out meanwhile is not published twice, and what the provider is still at work on
//! is waited for.

use std::time::Duration;

use playout_domain::explanation::STILL_AT_WORK;
use playout_domain::post::Verdict;
use playout_domain::provider::{Fate, Grant, Progress, ProviderError, RecentPosts};
use playout_domain::secret::Secret;
use playout_domain::submission::Submission;
use playout_domain::time::Time;
use playout_store::{AttemptDetail, Settlement};

use super::check::Among;
use super::publish::{Run, settle};
use super::verdicts;
use crate::app::AppError;
use crate::app::tokens::CallError;

/// How often to ask after a try that is still under way.
const ASK_EVERY: Duration = Duration::from_secs(300);

/// What is known of the try before.
enum Known {
    /// It is out, or where a person finishes it.
    Ended(Verdict),
    /// It may still come out.
    UnderWay,
    /// It did not come out, as far as anybody can see.
    Nothing,
    /// The account does not show its posts to us, or not all that may be it, or shows several.
    Hidden,
    /// It could not be asked about.
    Unanswered(ProviderError),
}

/// Runs the job of a post whose last try ended in doubt.
pub(super) async fn ask(run: &Run<'_>, doubtful: &Submission) -> Result<(), AppError> {
    run.app.reach("publish.before_doubt");
    let known = match &doubtful.handle {
        Some(handle) => by_handle(run, handle).await?,
        None => by_text(run, doubtful.started_at).await?,
    };
    run.app.reach("publish.after_doubt");
    match known {
        Known::Ended(verdict) => ended(run, verdict).await,
        // The person's word is all there is.
        Known::Nothing | Known::Hidden => run.begin().await,
        Known::UnderWay => wait(run).await,
        Known::Unanswered(error) => could_not_ask(run, &error).await,
    }
}

/// Runs the job of a post that may have come out without this database's knowledge since `since` (`hold.rs`): it is looked for once
/// more before it is handed over. `true` if the run is settled, `false` if it may be handed over.
pub(super) async fn look_first(run: &Run<'_>, since: Time) -> Result<bool, AppError> {
    match by_text(run, since).await? {
        Known::Ended(_) if run.has_marked_twin().await? => ended(run, verdicts::restored()).await?,
        Known::Ended(verdict) => ended(run, verdict).await?,
        Known::Nothing | Known::UnderWay => return Ok(false),
        Known::Hidden => ended(run, verdicts::restored()).await?,
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
    }
    Ok(true)
}

impl Run<'_> {
    /// Whether another post of this text and account may be the one that was found.
    async fn has_marked_twin(&self) -> Result<bool, AppError> {
        let (post, platform) = (self.post(), self.platform.id);
        Ok(self
            .app
            .store
            .has_marked_twin(post.id, platform, &post.content)
            .await?)
    }
}

async fn ended(run: &Run<'_>, verdict: Verdict) -> Result<(), AppError> {
    let follow_link = run.follow_up(&verdict);
    let settlement = Settlement {
        follow_link,
        ..verdicts::settlement(verdict, AttemptDetail::default())
    };
    settle(run.app, run.job, settlement).await
}

async fn by_handle(run: &Run<'_>, handle: &str) -> Result<Known, AppError> {
    let (provider, platform) = (&run.provider, &run.platform);
    let check = |access: Secret| async move {
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
    Ok(match run.app.with_token(provider, platform, check).await {
        Ok(Progress::Published {
            release_id,
            release_url,
        }) => Known::Ended(Verdict::Published {
            release_id,
            release_url,
        }),
        Ok(Progress::InInbox) => Known::Ended(verdicts::in_inbox()),
        Ok(Progress::Pending { .. }) => Known::UnderWay,
        Ok(Progress::Failed(_)) => Known::Nothing,
        // The provider knows the try no more: the person's word is all there is.
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => Known::Nothing,
        Err(CallError::Provider(error)) => Known::Unanswered(error),
        Err(CallError::Internal(error)) => return Err(error),
    })
}

async fn by_text(run: &Run<'_>, since: Time) -> Result<Known, AppError> {
    let (provider, platform) = (&run.provider, &run.platform);
    let list = |access: Secret| async move {
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
    let listed: RecentPosts = match run.app.with_token(provider, platform, list).await {
        Ok(Some(listed)) => listed,
        Ok(None) => return Ok(Known::Hidden),
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => return Ok(Known::Hidden),
        Err(CallError::Provider(error)) => return Ok(Known::Unanswered(error)),
        Err(CallError::Internal(error)) => return Err(error),
    };
    let is_whole = listed.whole_since <= since;
    Ok(match run.among(listed.posts).await? {
        Among::One(found) => Known::Ended(Verdict::Published {
            release_id: Some(found.release_id),
            release_url: found.release_url,
        }),
        Among::None if is_whole => Known::Nothing,
        Among::None | Among::Several => Known::Hidden,
    })
}

/// Without an answer nothing is begun: the question is repeated as a hand-over would be, and after a day it is a person's
/// again.
async fn could_not_ask(run: &Run<'_>, error: &ProviderError) -> Result<(), AppError> {
    run.note_revoked(error).await?;
    let ending = verdicts::ending(run.job, error, run.app.now());
    let verdict = match ending.verdict {
        Verdict::Error { .. } => verdicts::unconfirmed(),
        verdict => verdict,
    };
    let settlement = verdicts::settlement(verdict, verdicts::detail(error));
    settle(run.app, run.job, settlement).await
}

/// In QUEUE until the provider has ended it, for a day at most; then it is a person's again.
async fn wait(run: &Run<'_>) -> Result<(), AppError> {
    let at = run.app.now().plus(ASK_EVERY);
    let verdict = match at <= run.job.deadline_at {
        true => Verdict::Again {
            at,
            text: Some(STILL_AT_WORK.explanation().message()),
            failed: false,
        },
        false => verdicts::unconfirmed(),
    };
    let detail = verdicts::detail(&STILL_AT_WORK.error());
    settle(run.app, run.job, verdicts::settlement(verdict, detail)).await
}
