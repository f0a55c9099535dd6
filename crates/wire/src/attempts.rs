//! The tries of a post on the wire (`docs/contract.md#reading-posts`).

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
    /// The code in plain words; null where nothing went wrong.
    #[schema(required)]
    explanation: Option<ExplanationBody>,
    /// What the provider's support asks for.
    #[schema(required)]
    log_id: Option<String>,
    /// When the next try is, if one is planned.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_retry_at: Option<Time>,
}

/// A failure in plain words.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Explanation)]
pub struct ExplanationBody {
    /// What happened.
    what_happened: Cow<'static, str>,
    /// Who must act: whoever owns the post and the account, whoever runs this service, or nobody.
    #[schema(schema_with = who_acts, required)]
    who_acts: &'static str,
    /// What they should do, or what happens by itself.
    next_step: Cow<'static, str>,
    /// Whether failures of this kind are tried again without anybody doing anything, for a day at most. Of this attempt,
    /// `nextRetryAt` tells.
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
    /// An attempt, with its code in plain words.
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
