//! A provider's notification about a submission. It is treated like a response to a status request (step 5), by the
//! node that received it: the node takes the post's job over, so that a run that holds it changes nothing any more,
//! and settles.

use std::sync::Arc;

use playout_domain::provider::Progress;
use playout_domain::submission::Submission;
use playout_store::TakeOver;

use super::publish;
use crate::app::{App, AppError};

/// Settles the post of `submission` by the progress reported for it. `false`, and nothing changed, where the post does
/// not wait for that any more: it was settled before, or another try of it is under way.
pub async fn settle(app: &Arc<App>, submission: &Submission, progress: &Progress) -> Result<bool, AppError> {
    // During a hold a failure decides nothing: another try may have followed after the copy was made.
    let is_out = matches!(progress, Progress::Published { .. } | Progress::InInbox);
    if !is_out && app.store.find_hold().await?.is_some() {
        return Ok(false);
    }
    let by = TakeOver {
        owner: &app.node.name,
        lease: app.config.worker_lease,
    };
    let Some(job) = app.store.take_over(submission, by, app.now()).await? else {
        return Ok(false);
    };
    app.failpoint("news.after_take_over");
    let end = publish::learn(app, &job, submission, progress.clone()).await?;
    end.write(app, &job).await?;
    Ok(true)
}
