//! The tries of a post on the wire (contract §4, `GET /posts/{id}/attempts`).

use playout_domain::id::SubmissionId;
use playout_domain::submission::{Attempt, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::schema::word_or_null;

/// `{ attempts: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptList {
    /// Oldest first.
    pub attempts: Vec<AttemptBody>,
}

/// One try at handing a post to its provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attempt)]
pub struct AttemptBody {
    /// Names it.
    #[schema(value_type = Uuid)]
    id: SubmissionId,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Time,
    /// When its outcome was known.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Time>,
    /// How it ended; null while it goes on.
    #[schema(schema_with = outcomes, required)]
    outcome: Option<&'static str>,
    /// How the media travel: `upload` sends them, `pull` lets the provider fetch them, `text` has none; null
    /// where it ended before that was decided.
    #[schema(schema_with = transfers, required)]
    transfer: Option<&'static str>,
    /// Why they travel that way, for people.
    #[schema(required)]
    transfer_reason: Option<String>,
    /// What the provider calls the try.
    #[schema(required)]
    publish_id: Option<String>,
    /// The provider's or our code of what went wrong.
    #[schema(required)]
    code: Option<String>,
    /// What went wrong, for people.
    #[schema(required)]
    message: Option<String>,
    /// What the provider's support asks for.
    #[schema(required)]
    log_id: Option<String>,
    /// When the next try is, if one is planned.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_retry_at: Option<Time>,
}

fn outcomes() -> Object {
    let outcomes = [
        SubmissionOutcome::Published,
        SubmissionOutcome::InInbox,
        SubmissionOutcome::Rejected,
        SubmissionOutcome::Abandoned,
        SubmissionOutcome::Reauthorize,
        SubmissionOutcome::Unknown,
    ];
    word_or_null(&outcomes.map(SubmissionOutcome::as_str))
}

fn transfers() -> Object {
    word_or_null(&[Transfer::Upload, Transfer::Pull, Transfer::Text].map(Transfer::as_str))
}

impl From<Attempt> for AttemptBody {
    fn from(attempt: Attempt) -> Self {
        Self {
            id: attempt.id,
            started_at: attempt.started_at,
            ended_at: attempt.ended_at,
            outcome: attempt.outcome.map(SubmissionOutcome::as_str),
            transfer: attempt.transfer.map(Transfer::as_str),
            transfer_reason: attempt.transfer_reason,
            publish_id: attempt.handle,
            code: attempt.code,
            message: attempt.message,
            log_id: attempt.log_id,
            next_retry_at: attempt.next_retry_at,
        }
    }
}
