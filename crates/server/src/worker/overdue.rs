//! Posts that are found long after they were due, because the service was down or the account had to be connected again. Their
//! workspace says how late they may go out by themselves (`latenessPolicy`); of later ones a person decides, and until then nothing
//! is handed over. A post that was begun since it was found is never asked about.

use playout_domain::explanation::OVERDUE;
use playout_domain::lateness::{LatenessPolicy, in_words};
use playout_domain::post::{Verdict, Waiting};

use super::publish::{Run, settle};
use super::verdicts;
use crate::app::AppError;

/// Leaves the post to a person if it is overdue; `false` if it is to go out. For posts of which no try is unsettled.
pub(super) async fn ask(run: &Run<'_>) -> Result<bool, AppError> {
    let (job, store) = (run.job, &run.app.store);
    let found_at = job.found_at(run.app.now());
    if found_at.since(job.planned_at) <= LatenessPolicy::SHORTEST {
        return Ok(false);
    }
    let Some(workspace) = store.find_workspace(job.workspace_id).await? else {
        return Ok(false);
    };
    let Some(late) = workspace.lateness_policy.asks_about(job.planned_at, found_at) else {
        return Ok(false);
    };
    if let Some(first) = job.first_claimed_at
        && store.has_begun_since(run.post().id, first).await?
    {
        return Ok(false);
    }
    let error = OVERDUE.error_saying(&format!(
        "This post was due at {} and was found {} later. Nothing was handed over.",
        job.planned_at,
        in_words(late)
    ));
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Overdue,
        text: error.message.clone(),
    };
    settle(
        run.app,
        job,
        verdicts::settlement(verdict, verdicts::detail(&error)),
    )
    .await?;
    Ok(true)
}
