//! Posts that a hold has marked: each may have come out without this database's knowledge, and is searched for before it is handed over.

use std::time::Duration;

use playout_domain::explanation::UNCONFIRMED;
use playout_domain::listing::{has_title_of_account, is_listed, under_any_title};
use playout_domain::post::effective_settings;
use playout_domain::submission::{Submission, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{HoldMark, Settlement};

use super::context::Run;
use super::evidence::{Between, Known, by_text, could_not_ask, ended, look_again, one_of_several, published};
use super::listed::may_be_another;
use super::step::{Next, Step};
use crate::app::AppError;
use crate::identity::SLACK;
use crate::worker::verdicts;

/// Searches for a post that may have come out without this database's knowledge (`worker/hold.rs`). Where the search decides nothing
/// and a person was asked already to look at the account, their sending it again decides. Of a listed post with its text:
///
/// | May it be another post of this database? | Was a person asked to look? | Then |
/// |---|---|---|
/// | no | either | it is this post: PUBLISHED |
/// | yes, or another post here has the same text | no | a person is asked |
/// | yes | yes, but not whether it is the listed one | a person is asked that |
/// | yes, or another post here has the same text | yes | the person has decided: it goes out |
pub(super) async fn search_first(run: &Run<'_>, mark: &HoldMark) -> Result<Next, AppError> {
    let post = run.post();
    let present = post.sent_text(&run.platform.settings);
    let titled =
        has_title_of_account(&post.settings, run.media_type()).then(|| under_any_title(&post.content));
    let earlier = mark.content.as_deref().into_iter();
    let texts: Vec<&str> = earlier
        .chain([present.as_str()])
        .chain(titled.as_deref())
        .collect();
    let between = Between {
        since: mark.since,
        until: forgotten_until(run, mark),
    };
    let was_asked_to_look =
        was_asked(run, mark, verdicts::is_left_to_look_for).await? && !was_left_unsearched(run, mark).await?;
    // The clock is read before the request: the list is only as new as that.
    let still_at_work = still_at_work_until(run, mark);
    let known = by_text(run, &texts, between).await?;
    if let Known::Refused(error) = &known
        && let Some(again) = look_again(run, error).await?
    {
        return Ok(again.into());
    }
    // That the post is not listed proves that it is not out only if the account lists such posts.
    let is_proven = matches!(known, Known::Nothing) && would_be_listed(run, mark);
    Ok(match known {
        Known::Listed { found, since } => {
            let (platform, post) = (run.platform.id, run.post());
            let is_rival = may_be_another(run.app, platform, post.id, &found, since).await?;
            let is_one_of_many =
                is_rival || run.app.store.has_twin(platform, post.id, &found.content).await?;
            match (is_one_of_many, was_asked_to_look) {
                (false, _) => ended(run, published(found)).into(),
                (true, false) => ended(run, verdicts::restored()).into(),
                // Sending it again then confirms that the listed post is another one.
                (true, true) if is_rival && !was_asked(run, mark, is_unconfirmed).await? => {
                    one_of_several(run).into()
                }
                (true, true) => sent_after_look(run, mark, still_at_work, is_proven).await?,
            }
        }
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
        _ if was_asked_to_look => sent_after_look(run, mark, still_at_work, is_proven).await?,
        Known::Nothing if is_proven => not_listed(run, mark, still_at_work).await?,
        Known::Nothing | Known::Ended(_) | Known::UnderWay | Known::Hidden | Known::Refused(_) => {
            ended(run, verdicts::restored()).into()
        }
    })
}

/// What follows where a person was asked to look at the account, has sent the post again, and it is not found: it goes out, unless they may
/// have looked too early.
async fn sent_after_look(
    run: &Run<'_>,
    mark: &HoldMark,
    still_at_work: Option<Time>,
    is_proven: bool,
) -> Result<Next, AppError> {
    Ok(match still_at_work {
        Some(at) => wait_until(at, !is_proven).into(),
        None if is_proven || !was_sent_early(run, mark).await? => Step::JudgeLateness.into(),
        None => ended(run, verdicts::restored()).into(),
    })
}

/// Whether the account would list the post if it were out, also with the settings that it had when it was looked for.
fn would_be_listed(run: &Run<'_>, mark: &HoldMark) -> bool {
    let settings = effective_settings(&run.platform.settings, &run.post().settings);
    !mark.was_hidden && is_listed(run.provider.as_ref(), &run.platform, run.media_type(), &settings)
}

/// The latest time at which a try that this database does not know can have been published: a later post is another one. A try can be at
/// the provider for as long as any kind of transfer is asked about, 90 minutes for a pull, or for the patience that is configured if that
/// is longer.
fn forgotten_until(run: &Run<'_>, mark: &HoldMark) -> Option<Time> {
    let windows =
        [Transfer::Upload, Transfer::Pull].map(|transfer| run.provider.check_policy(transfer).window);
    let at_work = windows
        .into_iter()
        .fold(run.app.config.restore_patience, Duration::max);
    mark.looked_at
        .map(|looked_at| looked_at.plus(at_work).plus(SLACK))
}

/// Whether a person was asked about the post since the hold marked it, by an attempt whose code `is_meant`.
async fn was_asked(
    run: &Run<'_>,
    mark: &HoldMark,
    is_meant: impl Fn(Option<&str>) -> bool,
) -> Result<bool, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let since = mark.looked_at.unwrap_or(mark.since);
    let asks = |submission: &Submission| {
        is_meant(submission.code.as_deref())
            && submission.closed_at.is_some_and(|closed_at| closed_at >= since)
    };
    Ok(tries.iter().any(asks))
}

/// Whether a person was asked about the post last because its account could not be searched, by this hold or an earlier one that had
/// marked the post.
async fn was_left_unsearched(run: &Run<'_>, mark: &HoldMark) -> Result<bool, AppError> {
    let tries = run
        .app
        .store
        .submissions_of(run.job.workspace_id, run.post().id)
        .await?;
    let asks = |tried: &&Submission| {
        let code = tried.code.as_deref();
        let is_asked = verdicts::is_left_unsearched(code) || verdicts::is_left_to_look_for(code);
        is_asked && tried.closed_at.is_some_and(|closed_at| closed_at >= mark.since)
    };
    let asked = tries.iter().rev().find(asks);
    Ok(asked.is_some_and(|tried| verdicts::is_left_unsearched(tried.code.as_deref())))
}

fn is_unconfirmed(code: Option<&str>) -> bool {
    code == Some(UNCONFIRMED.code)
}

/// A post that the account would list, and does not. The provider may still be at work on it if it was sent just before the hold: the
/// post waits until that has ended. Then it goes out; but one that was due while its account could not be searched is a person's to look
/// for, as where the hold itself found nothing.
async fn not_listed(run: &Run<'_>, mark: &HoldMark, still_at_work: Option<Time>) -> Result<Next, AppError> {
    let was_unsearched = was_left_unsearched(run, mark).await?;
    Ok(match still_at_work {
        Some(at) => wait_until(at, was_unsearched).into(),
        None if was_unsearched => ended(run, verdicts::restored()).into(),
        None => Step::JudgeLateness.into(),
    })
}

/// The time by which the provider has ended what was sent before the hold, if it has not come yet.
fn still_at_work_until(run: &Run<'_>, mark: &HoldMark) -> Option<Time> {
    ended_by_after_hold(run, mark).filter(|at| *at > run.app.now())
}

/// The time by which the provider has ended what was sent before the hold, in the past or in the future.
fn ended_by_after_hold(run: &Run<'_>, mark: &HoldMark) -> Option<Time> {
    let patience = run.app.config.restore_patience;
    mark.looked_at.map(|looked_at| looked_at.plus(patience))
}

/// Whether a person who was asked to look may have looked too early, while the provider could still be at work: they sent the post again
/// before that must have ended, so that it has waited since. A post that goes on by itself, because its account was connected again,
/// counts as sent too early.
async fn was_sent_early(run: &Run<'_>, mark: &HoldMark) -> Result<bool, AppError> {
    let Some(ended_by) = ended_by_after_hold(run, mark) else {
        return Ok(false);
    };
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let is_meant = |tried: &&Submission| {
        let code = tried.code.as_deref();
        verdicts::is_left_to_look_for(code) || verdicts::is_waited_for(code)
    };
    let last = tries.iter().rev().find(is_meant);
    let has_waited = last.is_some_and(|tried| verdicts::is_waited_for(tried.code.as_deref()));
    Ok(has_waited || run.job.asked_at.is_none_or(|asked_at| asked_at < ended_by))
}

fn wait_until(at: Time, is_a_persons_then: bool) -> Settlement {
    let error = verdicts::restored_recently(at, is_a_persons_then);
    let verdict = Verdict::Again {
        at,
        text: Some(error.message.clone()),
        failed: true,
    };
    verdicts::settlement(verdict, verdicts::detail(&error))
}
