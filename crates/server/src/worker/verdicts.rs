//! Maps the fate of a provider's error to how a try ends, and the texts of posts that a person must act on.

use std::time::Duration;

use playout_domain::explanation::{
    ACCOUNT_UNAVAILABLE, RESTORED, RESTORED_RECENTLY, RESTORED_UNSEARCHED, Row, UNCONFIRMED,
};
use playout_domain::id::SubmissionId;
use playout_domain::job::{Job, JobKind, repeat_at, retry_at};
use playout_domain::post::Waiting;
use playout_domain::provider::{Fate, ProviderError};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{AttemptDetail, Settlement};

use crate::chance;

/// The first question after the address of a post that is out, or after a draft in the creator's inbox.
pub const FOLLOW_AFTER: Duration = Duration::from_secs(10);

/// How a refused or failed try ends, when it is certain that nothing was published.
pub struct Ending {
    /// How the submission is closed.
    pub outcome: SubmissionOutcome,
    /// What becomes of the post.
    pub verdict: Verdict,
}

/// The ending for an error after which nothing can have been published.
pub fn ending(job: &Job, error: &ProviderError, now: Time) -> Ending {
    let (outcome, verdict) = match error.fate {
        Fate::Rejected => (SubmissionOutcome::Rejected, failed(error)),
        Fate::Reauthorize | Fate::StaleToken => (SubmissionOutcome::Reauthorize, reconnect(error)),
        Fate::Repeatable | Fate::Unavailable | Fate::Unknown => {
            (SubmissionOutcome::Abandoned, retry(job, error, now))
        }
        Fate::Throttled(after) | Fate::Capped(after) => {
            let at = now.plus(after.mul_f64(1.0 + chance::fraction() * 0.1));
            let verdict = match at <= job.deadline_at {
                true => Verdict::Again {
                    at,
                    text: Some(text_until(error, at)),
                    failed: false,
                },
                false => gave_up(job, error),
            };
            (SubmissionOutcome::Abandoned, verdict)
        }
    };
    Ending { outcome, verdict }
}

/// The ending of a try that the provider took and then lost, as it did `losses` times by now.
pub fn lost(job: &Job, error: &ProviderError, losses: u32, now: Time) -> Ending {
    let at = repeat_at(now, losses, job.deadline_at, chance::fraction());
    Ending {
        outcome: SubmissionOutcome::Abandoned,
        verdict: again_at(job, at, error),
    }
}

/// The same job again with backoff, or the end of the 24 hours.
pub fn retry(job: &Job, error: &ProviderError, now: Time) -> Verdict {
    let at = retry_at(now, job.failures + 1, job.deadline_at, chance::fraction());
    again_at(job, at, error)
}

fn again_at(job: &Job, at: Option<Time>, error: &ProviderError) -> Verdict {
    at.map_or_else(|| gave_up(job, error), |at| again(at, error))
}

/// The same job again at `at`, after a failed try.
pub fn again(at: Time, error: &ProviderError) -> Verdict {
    Verdict::Again {
        at,
        text: Some(text(error)),
        failed: true,
    }
}

/// The outcome is unknown and left to a person.
pub fn unconfirmed() -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: format!(
            "It is unknown whether the provider published this post. {}",
            UNCONFIRMED.next_step
        ),
    }
}

/// The outcome is unknown and left to a person, because a hold did not find it: the database may be a copy.
pub fn restored() -> Verdict {
    because_restored(&RESTORED)
}

/// The same, where the account could not be searched, as it must be reconnected.
pub fn restored_unsearched() -> Verdict {
    because_restored(&RESTORED_UNSEARCHED)
}

fn because_restored(row: &Row) -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: row.explanation().message(),
    }
}

/// What the ledger keeps of an end whose verdict earlier tries have changed: what a person is asked after a restore, else what it was.
pub fn detail_after(verdict: &Verdict, detail: AttemptDetail) -> AttemptDetail {
    match *verdict == restored_unsearched() {
        true => detail_of(verdict),
        false => detail,
    }
}

/// What the ledger keeps of a verdict to which nothing that failed has led.
pub fn detail_of(verdict: &Verdict) -> AttemptDetail {
    let row = [RESTORED, RESTORED_UNSEARCHED]
        .into_iter()
        .find(|row| *verdict == because_restored(row));
    row.map_or_else(AttemptDetail::default, |row| detail(&row.error()))
}

/// A post waits until `at`, because the provider may be at work on it since before the database was restored. What follows if it is not
/// found then: a person looks for it, or it goes out.
pub fn restored_recently(at: Time, is_a_persons_then: bool) -> ProviderError {
    let then = match is_a_persons_then {
        true => "if it is not found, you are asked to look for it",
        false => "goes out if it is not found",
    };
    ProviderError {
        message: format!(
            "{} The post waits until {at}, is looked for once more, and {then}.",
            RESTORED_RECENTLY.what_happened
        ),
        ..RESTORED_RECENTLY.error()
    }
}

/// Whether a try with this code in the ledger was left to a person who was asked to look at the account, because the database was
/// restored.
pub fn is_left_to_look_for(code: Option<&str>) -> bool {
    code == Some(RESTORED.code)
}

/// Whether one waits until the provider must have ended what it may be at since before a restore.
pub fn is_waited_for(code: Option<&str>) -> bool {
    code == Some(RESTORED_RECENTLY.code)
}

/// Whether one was left to a person because the account could not be searched before it is connected again.
pub fn is_left_unsearched(code: Option<&str>) -> bool {
    code == Some(RESTORED_UNSEARCHED.code)
}

/// The account must be reconnected.
pub fn reconnect(error: &ProviderError) -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Reconnect,
        text: text(error),
    }
}

/// The account is disabled or gone.
pub fn account_unavailable() -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::AccountUnavailable,
        text: ACCOUNT_UNAVAILABLE.explanation().message(),
    }
}

/// The post waits in the creator's inbox.
pub fn in_inbox() -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: "The post is in the creator's inbox. Open the notification in the provider's app and publish it there."
            .to_owned(),
    }
}

/// The same after a hold: another draft may have followed that this database does not know, and be published.
pub fn in_inbox_after_hold() -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: "A draft of this post is in the creator's inbox. Publications were held, as after a restore, so that the post may be published \
               already: look at the account first. If the post is there, mark it as published. If it is not, open the notification in the \
               provider's app and publish it there."
            .to_owned(),
    }
}

/// The same, and a later try was refused for good.
pub fn still_in_inbox(refusal: &str) -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: format!(
            "An earlier draft of this post is in the creator's inbox. Open the notification in the provider's app and publish it there. \
             Sending the post again failed: {refusal}"
        ),
    }
}

/// Refused for good.
pub fn failed(error: &ProviderError) -> Verdict {
    Verdict::Error { text: text(error) }
}

/// The end of the 24 hours. What the error says to do next was about a post that is tried again.
fn gave_up(job: &Job, error: &ProviderError) -> Verdict {
    let next_step = match job.kind {
        JobKind::PublishComment => "Write the comment in the provider's app.",
        _ => {
            "To send it as it is, publish it, or give it a new time; to change it, create it again with other contents, and delete this one."
        }
    };
    Verdict::Error {
        text: format!(
            "Not published within 24 hours of the first try; the service does not try again. The last answer was: {} ({}) {next_step}",
            error.what_happened(),
            error.code
        ),
    }
}

fn text(error: &ProviderError) -> String {
    format!("{} ({})", error.message, error.code)
}

fn text_until(error: &ProviderError, at: Time) -> String {
    format!("{} The next try is at {at}. ({})", error.message, error.code)
}

/// What the ledger keeps of an error.
pub fn detail(error: &ProviderError) -> AttemptDetail {
    AttemptDetail {
        code: Some(error.code.clone()),
        message: Some(error.message.clone()),
        log_id: error.log_id.clone(),
    }
}

/// A settlement that closes no submission: none was open, or the open one stays.
pub fn settlement(verdict: Verdict, detail: AttemptDetail) -> Settlement {
    Settlement {
        verdict,
        submission: None,
        detail,
        follow_link: None,
    }
}

/// A settlement that closes a submission.
pub fn closing(
    id: SubmissionId,
    outcome: SubmissionOutcome,
    verdict: Verdict,
    detail: AttemptDetail,
) -> Settlement {
    Settlement {
        verdict,
        submission: Some((id, outcome)),
        detail,
        follow_link: None,
    }
}
