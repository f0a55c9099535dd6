//! Posts that are found long after they were due, because the service was down or the account had to be connected again. Their
//! workspace sets how late they may go out by themselves (`latenessPolicy`); a person decides about later ones, and until then
//! nothing is handed over. A post that was begun since it was found is never asked about.

use std::time::Duration;

use playout_domain::explanation::OVERDUE;
use playout_domain::lateness::{LatenessPolicy, in_words};
use playout_domain::post::Waiting;
use playout_domain::verdict::Verdict;

use super::context::Run;
use super::step::{Next, Step};
use crate::app::AppError;
use crate::worker::verdicts;

/// Leaves the post to a person if it is overdue.
pub(super) async fn judge(run: &Run<'_>) -> Result<Next, AppError> {
    let Some(late) = lateness_to_ask_about(run).await? else {
        return Ok(Step::Begin.into());
    };
    let error = OVERDUE.error_saying(&format!(
        "This post was due at {} and was found {} later. Nothing was handed over.",
        run.job.planned_at,
        in_words(late)
    ));
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Overdue,
        text: error.message.clone(),
    };
    Ok(verdicts::settlement(verdict, verdicts::detail(&error)).into())
}

/// How late the post is, if that is so late that a person decides.
async fn lateness_to_ask_about(run: &Run<'_>) -> Result<Option<Duration>, AppError> {
    let (job, store) = (run.job, &run.app.store);
    let found_at = job.found_at(run.app.now());
    if found_at.since(job.planned_at) <= LatenessPolicy::SHORTEST {
        return Ok(None);
    }
    let Some(workspace) = store.find_workspace(job.workspace_id).await? else {
        return Ok(None);
    };
    let Some(late) = workspace.lateness_policy.asks_about(job.planned_at, found_at) else {
        return Ok(None);
    };
    if let Some(first) = job.first_claimed_at
        && store.has_begun_since(run.post().id, first).await?
    {
        return Ok(None);
    }
    // A person has sent it again after a hold, and something was handed over before.
    let unsettled = store.unsettled_submission_of(run.post().id).await?;
    Ok(unsettled.is_none().then_some(late))
}
