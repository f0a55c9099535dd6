//! Until when the last chunk of an upload may arrive at the provider, and its status may not show it yet. A run that lost its job cannot be
//! stopped while it sends: it is waited for as long as the HTTP client lets it send.

use std::time::Duration;

use playout_domain::submission::Submission;

use super::context::Run;

/// How long the status of an upload may lag behind its bytes.
const STATUS_LAG: Duration = Duration::from_secs(600);

/// Whether the last chunk may still be on its way, or be taken although the status lacks it.
pub(super) fn may_arrive(run: &Run<'_>, submission: &Submission) -> bool {
    let began = submission.last_byte_at.unwrap_or(submission.started_at);
    began.plus(sending(run, submission)).plus(STATUS_LAG) > run.app.now()
}

/// How long a run may take to send the last chunk; nothing if none has begun to.
fn sending(run: &Run<'_>, submission: &Submission) -> Duration {
    match (submission.last_byte_at, &submission.upload) {
        (Some(_), Some(session)) => run.provider.send_limit(session.last_chunk_bytes()),
        (None, _) | (_, None) => Duration::ZERO,
    }
}
