//! Pulls whose addresses are revoked: because the answer is missing, or because the provider does not fetch (step 6 of a submission).
//! Only if none was fetched before can nothing have been published.

use std::time::Duration;

use playout_domain::explanation::INTERRUPTED;
use playout_domain::submission::Submission;

use super::context::Run;
use super::step::{Next, Step};
use crate::app::AppError;
use crate::app::tokens::CallError;

/// A pull whose answer is missing: from here on its addresses answer 404.
pub(super) async fn revoke(run: &Run<'_>, submission: Submission) -> Result<Next, AppError> {
    run.app.failpoint("publish.before_revoke");
    let fetched_at = run.app.store.revoke_pull(submission.id, run.app.now()).await?;
    run.app.failpoint("publish.after_revoke");
    Ok(match fetched_at {
        None => Step::Close(submission, INTERRUPTED.error()).into(),
        Some(_) => Step::Search(submission).into(),
    })
}

/// A pull that the provider does not fetch, where the post can be transferred in another way. Its addresses are revoked first,
/// and only if none was fetched; then it is cancelled at the provider, so that two tries are never alive there at the same time.
/// Asks again after `pause` where it was fetched meanwhile, or the provider does not confirm that it dropped it.
pub(super) async fn cancel(
    run: &Run<'_>,
    submission: &Submission,
    pause: Duration,
) -> Result<Next, AppError> {
    run.app.failpoint("publish.before_take_back");
    let now = run.app.now();
    let is_revoked = run.app.store.revoke_unfetched(submission.id, now).await?;
    run.app.failpoint("publish.after_take_back");
    if !is_revoked {
        return Ok(run.ask_again(submission, pause).into());
    }
    let answer = run
        .account()
        .cancel(submission.handle.as_deref().unwrap_or_default())
        .await;
    run.app.failpoint("publish.after_cancel");
    match answer {
        Ok(()) => Ok(run.close_revoked(submission).into()),
        Err(CallError::Provider(error)) => {
            tracing::info!(post = %run.post().id, "an unfetched pull was not cancelled: {error}");
            Ok(run.ask_again(submission, pause).into())
        }
        Err(CallError::Internal(error)) => Err(error),
    }
}
