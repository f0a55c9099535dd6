//! The attempts of a post on the wire (`docs/contract.md#reading-posts`).

use std::borrow::Cow;

use playout_domain::explanation::{Explanation, WhoActs};
use playout_domain::id::SubmissionId;
use playout_domain::submission::{Attempt, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::schema::{word_of, word_or_null};

/// `{ attempts: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptList {
    /// Oldest first.
    pub attempts: Vec<AttemptBody>,
}

/// One attempt at submitting a post to its provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attempt)]
pub struct AttemptBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: SubmissionId,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Time,
    /// When its outcome was known.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Time>,
    /// Its outcome; null while it is in progress.
    #[schema(schema_with = outcomes, required)]
    outcome: Option<&'static str>,
    /// How the media are transferred: `upload` sends them, `pull` lets the provider fetch them, `text` has none; null if it ended
    /// before that was decided.
    #[schema(schema_with = transfers, required)]
    transfer: Option<&'static str>,
    /// Why that transfer was chosen, for people.
    #[schema(required)]
    transfer_reason: Option<String>,
    /// The provider's ID of the attempt.
    #[schema(required)]
    publish_id: Option<String>,
    /// The error code, of the provider or of this service.
    #[schema(required)]
    code: Option<String>,
    /// The error message, for people.
    #[schema(required)]
    message: Option<String>,
    /// The explanation of the code; null if there is no error.
    #[schema(required)]
    explanation: Option<ExplanationBody>,
    /// The log ID that the provider's support needs.
    #[schema(required)]
    log_id: Option<String>,
    /// The time of the next attempt, if one is planned.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_retry_at: Option<Time>,
}

/// The explanation of a failure.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Explanation)]
pub struct ExplanationBody {
    /// What happened.
    what_happened: Cow<'static, str>,
    /// Who must act: `user` (the owner of the post and the account), `operator` (of this service), or `nobody`.
    #[schema(schema_with = who_acts, required)]
    who_acts: &'static str,
    /// What they should do, or what happens automatically.
    next_step: Cow<'static, str>,
    /// Whether failures of this kind are retried automatically, for a day at most. For this attempt, see `nextRetryAt`.
    retries: bool,
}

impl From<Explanation> for ExplanationBody {
    fn from(explanation: Explanation) -> Self {
        Self {
            what_happened: explanation.what_happened,
            who_acts: explanation.who_acts.as_str(),
            next_step: explanation.next_step,
            retries: explanation.retries,
        }
    }
}

fn who_acts() -> Object {
    word_of(&WhoActs::ALL.map(WhoActs::as_str))
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

impl AttemptBody {
    /// An attempt, with the explanation of its code.
    pub fn new(attempt: Attempt, explanation: Option<Explanation>) -> Self {
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
            explanation: explanation.map(ExplanationBody::from),
            log_id: attempt.log_id,
            next_retry_at: attempt.next_retry_at,
        }
    }
}
