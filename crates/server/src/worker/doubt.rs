//! A post that a person sends again although nobody could tell whether the try before it went out, or although it lies in the creator's
//! inbox: the engine asks once more before it begins another. What has come out meanwhile is not published twice, and what the
//! provider is still at work on is waited for.

use std::time::Duration;

use playout_domain::explanation::{RESTORED_RECENTLY, STILL_AT_WORK};
use playout_domain::limits::Delivery;
use playout_domain::platform::Platform;
use playout_domain::post::{Verdict, effective_settings};
use playout_domain::provider::{Fate, Grant, Progress, Provider, RecentPost, RecentPosts};
use playout_domain::secret::Secret;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::time::Time;
use playout_store::{HoldMark, Settlement};
use serde_json::{Map, Value};

use super::check::{Among, text_of};
use super::publish::{Run, settle};
use super::verdicts;
use crate::app::AppError;
use crate::app::tokens::{CallError, FailedCall};
use crate::identity::SLACK;

/// How often to ask after a try that is still under way.
const ASK_EVERY: Duration = Duration::from_secs(300);

/// What is known of the try before.
enum Known {
    /// It is out, or where a person finishes it.
    Ended(Verdict),
    /// The account shows it.
    Listed(RecentPost),
    /// It may still come out.
    UnderWay,
    /// It did not come out, as far as anybody can see.
    Nothing,
    /// The account does not show its posts to us, or not all that may be it, or shows several.
    Hidden,
    /// It could not be asked about.
    Unanswered(FailedCall),
}

/// Runs the job of a post whose last try ended in doubt.
pub(super) async fn ask(run: &Run<'_>, doubtful: &Submission) -> Result<(), AppError> {
    run.app.reach("publish.before_doubt");
    let known = match &doubtful.handle {
        Some(handle) => by_handle(run, handle).await?,
        None => {
            by_text(
                run,
                text_of(doubtful, run.post()),
                doubtful.started_at.minus(SLACK),
            )
            .await?
        }
    };
    run.app.reach("publish.after_doubt");
    match known {
        // That it lies there is what the person knew.
        Known::Ended(Verdict::ActionRequired { .. })
            if doubtful.outcome == Some(SubmissionOutcome::InInbox) =>
        {
            run.begin().await
        }
        Known::Ended(verdict) => ended(run, verdict).await,
        Known::Listed(found) => ended(run, published(found)).await,
        // The person's word is all there is.
        Known::Nothing | Known::Hidden => run.begin().await,
        Known::UnderWay => wait(run).await,
        Known::Unanswered(error) => could_not_ask(run, &error).await,
    }
}

/// Runs the job of a post that may have come out without this database's knowledge (`hold.rs`): it is looked for once more before it
/// is handed over. `true` if the run is settled, `false` if it may be handed over.
pub(super) async fn look_first(run: &Run<'_>, mark: &HoldMark) -> Result<bool, AppError> {
    let settings = effective_settings(&run.platform.settings, &run.post().settings);
    let content = mark.content.as_deref().unwrap_or(&run.post().content);
    match by_text(run, content, mark.since).await? {
        Known::Listed(found) => {
            let verdict = match run.may_be_another(&found, mark.since).await? {
                true => verdicts::restored(),
                false => published(found),
            };
            ended(run, verdict).await?;
        }
        Known::Nothing if !is_listed(run.provider.as_ref(), &run.platform, &settings) => {
            ended(run, verdicts::restored()).await?;
        }
        Known::Nothing => return wait_out(run, mark).await,
        Known::Ended(_) | Known::UnderWay | Known::Hidden => ended(run, verdicts::restored()).await?,
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
    }
    Ok(true)
}

/// Whether the account would list a post with these settings if it were out: it is public, and does not wait in the creator's inbox.
pub(super) fn is_listed(provider: &dyn Provider, platform: &Platform, settings: &Map<String, Value>) -> bool {
    provider.expects_link(settings) && provider.delivery(platform, settings) == Delivery::Direct
}

/// Lets the time go by in which the provider may still be at work on a post that was sent just before the hold. Whether there is
/// something to wait for.
async fn wait_out(run: &Run<'_>, mark: &HoldMark) -> Result<bool, AppError> {
    let patience = run.app.config.restore_patience;
    let at = mark.looked_at.map(|looked_at| looked_at.plus(patience));
    let Some(at) = at.filter(|at| *at > run.app.now()) else {
        return Ok(false);
    };
    let error = RESTORED_RECENTLY.error();
    let verdict = Verdict::Again {
        at,
        text: Some(error.message.clone()),
        failed: true,
    };
    settle(
        run.app,
        run.job,
        verdicts::settlement(verdict, verdicts::detail(&error)),
    )
    .await?;
    Ok(true)
}

fn published(found: RecentPost) -> Verdict {
    Verdict::Published {
        release_id: Some(found.release_id),
        release_url: found.release_url,
    }
}

async fn ended(run: &Run<'_>, verdict: Verdict) -> Result<(), AppError> {
    let (follow_link, detail) = (run.follow_up(&verdict), verdicts::detail_of(&verdict));
    let settlement = Settlement {
        follow_link,
        ..verdicts::settlement(verdict, detail)
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

/// Searches the account's posts since `since` for the one with the text `content`.
async fn by_text(run: &Run<'_>, content: &str, since: Time) -> Result<Known, AppError> {
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
    Ok(match run.among(listed.posts, content).await? {
        Among::One(found) => Known::Listed(found),
        Among::None if is_whole => Known::Nothing,
        Among::None | Among::Several => Known::Hidden,
    })
}

/// Without an answer nothing is begun: the question is repeated as a hand-over would be, and after a day it is a person's
/// again.
async fn could_not_ask(run: &Run<'_>, error: &FailedCall) -> Result<(), AppError> {
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
