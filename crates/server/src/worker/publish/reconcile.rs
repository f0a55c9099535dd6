//! Posts of which nobody knows whether they are out, and that are due all the same: a person sent one again after a try without a known
//! end, or after it was laid into the creator's inbox; or the database was restored. The provider is asked once more before anything is
//! begun. What has come out meanwhile is not published twice, and what the provider is still at work on is waited for.

use std::time::Duration;

use playout_domain::explanation::{RESTORED_RECENTLY, STILL_AT_WORK};
use playout_domain::post::effective_settings;
use playout_domain::provider::{Fate, Progress, RecentPost, RecentPosts};
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{HoldMark, Settlement};

use super::listed::{Match, is_listed, may_be_another, text_of, the_match};
use super::{Next, Run, Step};
use crate::app::AppError;
use crate::app::tokens::{CallError, FailedCall};
use crate::identity::SLACK;
use crate::worker::verdicts;

/// How often to ask after a try that is still under way.
const ASK_EVERY: Duration = Duration::from_secs(300);

/// What is known of the try before.
enum Known {
    /// It is out, or where a person finishes it.
    Ended(Verdict),
    /// The account lists it.
    Listed(RecentPost),
    /// It may still come out.
    UnderWay,
    /// It did not come out, as far as can be seen.
    Nothing,
    /// The account does not list its posts, or not all that may be it, or lists several.
    Hidden,
    /// It could not be asked about.
    Unanswered(FailedCall),
}

/// Asks after the last try, which ended in doubt.
pub(super) async fn reconcile(run: &Run<'_>, doubtful: &Submission) -> Result<Next, AppError> {
    run.app.reach("publish.before_doubt");
    let known = match &doubtful.handle {
        Some(handle) => by_handle(run, handle).await?,
        None => {
            let since = doubtful.started_at.minus(SLACK);
            by_text(run, text_of(doubtful, run.post()), since).await?
        }
    };
    run.app.reach("publish.after_doubt");
    let was_in_inbox = doubtful.outcome == Some(SubmissionOutcome::InInbox);
    Ok(match known {
        // That it lies there is what the person knew.
        Known::Ended(Verdict::ActionRequired { .. }) if was_in_inbox => Step::Begin.into(),
        Known::Ended(verdict) => ended(run, verdict).into(),
        Known::Listed(found) => ended(run, published(found)).into(),
        // The person's word is all there is.
        Known::Nothing | Known::Hidden => Step::Begin.into(),
        Known::UnderWay => wait(run).into(),
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
    })
}

/// Searches for a post that may have come out without this database's knowledge (`worker/hold.rs`).
pub(super) async fn search_first(run: &Run<'_>, mark: &HoldMark) -> Result<Next, AppError> {
    let settings = effective_settings(&run.platform.settings, &run.post().settings);
    let content = mark.content.as_deref().unwrap_or(&run.post().content);
    Ok(match by_text(run, content, mark.since).await? {
        Known::Listed(found) => {
            let (platform, post) = (run.platform.id, run.post().id);
            let verdict = match may_be_another(run.app, platform, post, &found, mark.since).await? {
                true => verdicts::restored(),
                false => published(found),
            };
            ended(run, verdict).into()
        }
        Known::Nothing if is_listed(run.provider.as_ref(), &run.platform, &settings) => wait_out(run, mark),
        Known::Nothing | Known::Ended(_) | Known::UnderWay | Known::Hidden => {
            ended(run, verdicts::restored()).into()
        }
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
    })
}

/// Lets the time go by in which the provider may still be at work on a post that was sent just before the hold.
fn wait_out(run: &Run<'_>, mark: &HoldMark) -> Next {
    let patience = run.app.config.restore_patience;
    let at = mark.looked_at.map(|looked_at| looked_at.plus(patience));
    let Some(at) = at.filter(|at| *at > run.app.now()) else {
        return Step::JudgeLateness.into();
    };
    let error = RESTORED_RECENTLY.error();
    let verdict = Verdict::Again {
        at,
        text: Some(error.message.clone()),
        failed: true,
    };
    verdicts::settlement(verdict, verdicts::detail(&error)).into()
}

fn published(found: RecentPost) -> Verdict {
    Verdict::Published {
        release_id: Some(found.release_id),
        release_url: found.release_url,
    }
}

fn ended(run: &Run<'_>, verdict: Verdict) -> Settlement {
    let (follow_link, detail) = (run.follow_up(&verdict), verdicts::detail_of(&verdict));
    Settlement {
        follow_link,
        ..verdicts::settlement(verdict, detail)
    }
}

async fn by_handle(run: &Run<'_>, handle: &str) -> Result<Known, AppError> {
    Ok(match run.account().check(handle).await {
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
    let listed: RecentPosts = match run.account().recent_posts(since).await {
        Ok(Some(listed)) => listed,
        Ok(None) => return Ok(Known::Hidden),
        Err(CallError::Provider(error)) if error.fate == Fate::Rejected => return Ok(Known::Hidden),
        Err(CallError::Provider(error)) => return Ok(Known::Unanswered(error)),
        Err(CallError::Internal(error)) => return Err(error),
    };
    let is_whole = listed.whole_since <= since;
    let found = the_match(run.app, run.platform.id, listed.posts, content).await?;
    Ok(match found {
        Match::One(found) => Known::Listed(found),
        Match::None if is_whole => Known::Nothing,
        Match::None | Match::Several => Known::Hidden,
    })
}

/// Without an answer nothing is begun: the question is repeated as a hand-over would be, and after a day it is a person's again.
async fn could_not_ask(run: &Run<'_>, error: &FailedCall) -> Result<Next, AppError> {
    run.note_revoked(error).await?;
    let ending = verdicts::ending(run.job, error, run.app.now());
    let verdict = match ending.verdict {
        Verdict::Error { .. } => verdicts::unconfirmed(),
        verdict => verdict,
    };
    Ok(verdicts::settlement(verdict, verdicts::detail(error)).into())
}

/// In QUEUE until the provider has ended it, for a day at most; then it is a person's again.
fn wait(run: &Run<'_>) -> Settlement {
    let at = run.app.now().plus(ASK_EVERY);
    let verdict = match at <= run.job.deadline_at {
        true => Verdict::Again {
            at,
            text: Some(STILL_AT_WORK.explanation().message()),
            failed: false,
        },
        false => verdicts::unconfirmed(),
    };
    verdicts::settlement(verdict, verdicts::detail(&STILL_AT_WORK.error()))
}
