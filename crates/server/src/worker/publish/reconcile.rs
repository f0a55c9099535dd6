//! Posts that are due although it is unknown whether they are out already: a person sent one again after a try with an unknown outcome, or
//! after it was delivered to the creator's inbox. The provider is asked once more before anything is begun.
//! What has come out meanwhile is not published twice, and what the provider is still processing is waited for.

use std::time::Duration;

use playout_domain::explanation::STILL_AT_WORK;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{HoldMark, Settlement};

use super::context::Run;
use super::endings::at_work_until;
use super::evidence::{
    Between, Known, ONE_OF_SEVERAL, by_handle, by_text, could_not_ask, ended, look_again, one_of_several,
    published, was_rejected,
};
use super::listed::{doubts_of, may_be_another, text_of};
use super::step::{Next, Step};
use crate::app::AppError;
use crate::app::tokens::FailedCall;
use crate::identity::SLACK;
use crate::worker::verdicts;

/// How often to ask for the status of a try that is still under way.
const ASK_EVERY: Duration = Duration::from_secs(300);

/// Of how many earlier drafts to ask at most: fewer than the questions that a provider answers in a minute.
const MOST_DRAFTS: usize = 20;

/// What is known of several tries.
struct Seen {
    known: Known,
    /// By when the provider must have ended those that it shows nothing of.
    ended_by: Option<Time>,
}

impl From<Known> for Seen {
    fn from(known: Known) -> Self {
        Self {
            known,
            ended_by: None,
        }
    }
}

/// Asks for the status of every try whose outcome is unknown, and of every draft that the creator may have published from the inbox.
pub(super) async fn reconcile(
    run: &Run<'_>,
    doubtful: &Submission,
    mark: Option<HoldMark>,
) -> Result<Next, AppError> {
    run.app.failpoint("publish.before_doubt");
    run.looks_at_others();
    let mut tries = doubts_of(run, doubtful).await?;
    tries.extend(other_drafts_of(run, doubtful).await?);
    let Seen { known, ended_by } = known_of(run, &tries).await?;
    run.app.failpoint("publish.after_doubt");
    let was_in_inbox = doubtful.outcome == Some(SubmissionOutcome::InInbox);
    let may_go_on = is_said_in_time(run, ended_by).await?;
    Ok(match known {
        // The person already knew that the post is in the inbox.
        Known::Ended(Verdict::ActionRequired { .. }) if was_in_inbox => go_on(mark).into(),
        Known::Ended(Verdict::ActionRequired { .. }) if mark.is_some() => {
            ended(run, verdicts::in_inbox_after_hold()).into()
        }
        Known::Ended(verdict) => ended(run, verdict).into(),
        Known::Listed { found, since } => {
            let (platform, post) = (run.platform.id, run.post().id);
            // The person was asked whether the listed post may be another one. Sending this one again confirms that it is.
            let was_told = doubtful.message.as_deref() == Some(ONE_OF_SEVERAL);
            let is_rival = may_be_another(run.app, platform, post, &found, since).await?;
            let has_twin = mark.is_some() && run.app.store.has_twin(platform, post, &found.content).await?;
            match is_rival || has_twin {
                false => ended(run, published(found)).into(),
                true if ended_by.is_some_and(|ended_by| ended_by > run.app.now()) => wait(run).into(),
                true if was_told && may_go_on => go_on(mark).into(),
                true => one_of_several(run).into(),
            }
        }
        Known::Refused(error) if let Some(again) = look_again(run, &error).await? => again.into(),
        // No evidence but the person's request.
        Known::Nothing | Known::Hidden | Known::Refused(_) if may_go_on => go_on(mark).into(),
        Known::Nothing | Known::Hidden | Known::Refused(_) => ended(run, verdicts::unconfirmed()).into(),
        Known::UnderWay => wait(run).into(),
        Known::Unanswered(error) => could_not_ask(run, &error).await?,
    })
}

/// The other tries that arrived in the creator's inbox, or that the provider has reported as published since, the last one first.
async fn other_drafts_of(run: &Run<'_>, last: &Submission) -> Result<Vec<Submission>, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let is_draft = |outcome: SubmissionOutcome| {
        matches!(outcome, SubmissionOutcome::InInbox | SubmissionOutcome::Published)
    };
    let is_other_draft = |draft: &Submission| draft.id != last.id && draft.outcome.is_some_and(is_draft);
    let drafts = tries.into_iter().rev().filter(is_other_draft);
    Ok(drafts.take(MOST_DRAFTS).collect())
}

/// What the provider shows of these tries: by their handles, and by their texts where it knows no handle. Of several answers the first in
/// this order counts: published, under way, in the inbox, nothing.
async fn known_of(run: &Run<'_>, tries: &[Submission]) -> Result<Seen, AppError> {
    let (mut open, mut unnamed, mut refusal) = (Known::Nothing, Vec::new(), None);
    for tried in tries {
        let Some(handle) = &tried.handle else {
            unnamed.push(tried);
            continue;
        };
        match by_handle(run, tried, handle).await? {
            known @ (Known::Ended(Verdict::Published { .. }) | Known::Unanswered(_)) => {
                return Ok(known.into());
            }
            Known::UnderWay => open = Known::UnderWay,
            Known::Ended(verdict) if is_unknown(tried) && matches!(open, Known::Nothing) => {
                open = Known::Ended(verdict);
            }
            Known::Refused(error) => {
                unnamed.push(tried);
                refusal = Some(error);
            }
            Known::Ended(_) | Known::Nothing | Known::Hidden | Known::Listed { .. } => {}
        }
    }
    let began = unnamed.iter().map(|tried| tried.started_at).min();
    let Some(began) = began.filter(|_| !matches!(open, Known::UnderWay)) else {
        return Ok(open.into());
    };
    let ended_by = unnamed.iter().filter_map(|tried| at_work_until(run, tried)).max();
    let text = |tried: &&Submission| text_of(tried, run.post(), &run.platform).into_owned();
    let texts: Vec<String> = unnamed.iter().map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    // The clock is read before the request: the list is only as new as that.
    let asked_at = run.app.now();
    let listed = by_text(run, &texts, Between::since(began.minus(SLACK))).await?;
    if !matches!(listed, Known::Nothing | Known::Hidden | Known::Refused(_)) {
        return Ok(Seen {
            known: listed,
            ended_by,
        });
    }
    let known = match (open, listed, refusal) {
        _ if ended_by.is_some_and(|ended_by| ended_by > asked_at) => Known::UnderWay,
        (open @ Known::Ended(_), _, None) => open,
        // That one try is in the inbox says nothing of another, about which the question was rejected.
        (open @ Known::Ended(_), _, Some(error)) => match is_rejected_for_good(run, &error).await? {
            true => open,
            false => Known::Refused(error),
        },
        (_, Known::Nothing | Known::Hidden, Some(error)) => Known::Refused(error),
        (_, listed, _) => listed,
    };
    Ok(Seen { known, ended_by })
}

/// Whether this rejection was repeated until it counts.
async fn is_rejected_for_good(run: &Run<'_>, error: &FailedCall) -> Result<bool, AppError> {
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    Ok(was_rejected(&tries, error, run.app.now()))
}

/// Whether a person who says that nothing came out can be believed: they were asked, or have sent the post again, after the provider must
/// have ended the tries that it shows nothing of. A post that goes on by itself, because its account was connected again, is not sent again
/// by a person.
async fn is_said_in_time(run: &Run<'_>, ended_by: Option<Time>) -> Result<bool, AppError> {
    let Some(ended_by) = ended_by else {
        return Ok(true);
    };
    let (store, workspace) = (&run.app.store, run.job.workspace_id);
    let tries = store.submissions_of(workspace, run.post().id).await?;
    let was_asked = |tried: &Submission| {
        tried.outcome == Some(SubmissionOutcome::Unknown)
            && tried.closed_at.is_some_and(|asked_at| asked_at >= ended_by)
    };
    let is_sent_since = run.job.asked_at.is_some_and(|asked_at| asked_at >= ended_by);
    Ok(is_sent_since || tries.iter().any(was_asked))
}

/// Whether the outcome of a try was not known before: of the others it is known that they are in the creator's inbox.
fn is_unknown(tried: &Submission) -> bool {
    tried.outcome == Some(SubmissionOutcome::Unknown)
}

/// Goes on with the post after the earlier try. Where a hold has marked the post, another try may have followed that this
/// database does not know.
fn go_on(mark: Option<HoldMark>) -> Step {
    mark.map_or(Step::Begin, Step::SearchFirst)
}

/// In QUEUE until the provider has ended it, for a day at most; then it is left to a person again.
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
