//! The tries of a post on the wire (contract §4, `GET /posts/{id}/attempts`).

use playout_domain::id::SubmissionId;
use playout_domain::submission::{Attempt, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use serde::Serialize;

/// `{ attempts: [...] }`
#[derive(Debug, Serialize)]
pub struct AttemptList {
    /// Oldest first.
    pub attempts: Vec<AttemptBody>,
}

/// One try at handing a post to its provider.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptBody {
    id: SubmissionId,
    started_at: Time,
    ended_at: Option<Time>,
    outcome: Option<&'static str>,
    transfer: Option<&'static str>,
    publish_id: Option<String>,
    code: Option<String>,
    message: Option<String>,
    log_id: Option<String>,
    next_retry_at: Option<Time>,
}

impl From<Attempt> for AttemptBody {
    fn from(attempt: Attempt) -> Self {
        Self {
            id: attempt.id,
            started_at: attempt.started_at,
            ended_at: attempt.ended_at,
            outcome: attempt.outcome.map(SubmissionOutcome::as_str),
            transfer: attempt.transfer.map(Transfer::as_str),
            publish_id: attempt.handle,
            code: attempt.code,
            message: attempt.message,
            log_id: attempt.log_id,
            next_retry_at: attempt.next_retry_at,
        }
    }
}
