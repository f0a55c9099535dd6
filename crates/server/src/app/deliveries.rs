//! Sending a delivery to its webhook.
//!
//! 1. It is claimed (`worker/webhooks.rs`), signed for this moment, and posted; the receiver has 15 seconds.
//! 2. The answer is stored with what follows from it: done, again later, given up. Only then it is certain: a process that dies
//!    before leaves a lease, and the same delivery is sent again under the same `webhook-id`.
//! 3. A webhook whose receiver is gone, or took nothing for as long as a delivery is tried, is disabled, and the members who
//!    may change webhooks get a mail.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::time::Time;
use playout_domain::webhook::{Answer, Disabled, Verdict, next_try};
use playout_domain::workspace::Role;
use playout_store::{Outcome, Outgoing, SwitchedOff};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::mail_notices::About;
use super::{App, AppError};
use crate::chance;
use crate::egress::retry_after;
use crate::mail::Mail;
use crate::standard_webhooks::signature;

/// How long a receiver may take to answer.
pub const TIME_LIMIT: Duration = Duration::from_secs(15);

/// The result of a try, and when the receiver asks for the next.
struct Tried {
    answer: Answer,
    asked: Option<Duration>,
}

impl App {
    /// Sends a delivery once, and stores the result.
    pub async fn deliver(self: &Arc<Self>, delivery: Outgoing) -> Result<(), AppError> {
        self.failpoint("webhooks.before_send");
        let tried = self.send_signed(&delivery).await;
        self.failpoint("webhooks.after_send");
        let now = self.now();
        let outcome = outcome_of(&delivery, &tried, now);
        let settled = self.store.settle_delivery(&delivery, &tried.answer, outcome, now);
        if let Some(off) = settled.await? {
            self.tell_switched_off(off).await?;
        }
        Ok(())
    }

    async fn send_signed(&self, delivery: &Outgoing) -> Tried {
        let at = self.now();
        let Some(headers) = headers_of(delivery, at) else {
            return no_answer(
                "The secret cannot be read, so nothing can be signed: give the webhook another secret.",
            );
        };
        let posted = self.egress.post(&delivery.url, headers, delivery.body.clone());
        let received = tokio::select! {
            biased;
            received = posted => received,
            () = self.clock.sleep_until(at.plus(TIME_LIMIT)) => {
                return no_answer("There was no answer within 15 seconds.");
            }
        };
        match received {
            Ok(received) => Tried {
                asked: retry_after(&received.headers, self.now()),
                answer: Answer {
                    status: Some(received.status),
                    text: Some(received.text),
                    problem: None,
                },
            },
            Err(problem) => no_answer(problem),
        }
    }

    /// Mails the members who may change webhooks.
    async fn tell_switched_off(self: &Arc<Self>, off: SwitchedOff) -> Result<(), AppError> {
        let why = match off.reason {
            Disabled::Gone => "its receiver answered that it is gone (410)",
            Disabled::Failing | Disabled::Paused => "its receiver took nothing for three days",
        };
        tracing::warn!(
            "the webhook to {} of {} was switched off: {why}",
            off.url,
            off.workspace
        );
        let members = self.store.list_members(off.workspace).await?;
        for member in members
            .into_iter()
            .filter(|member| member.role.covers(Role::Admin))
        {
            let Some(found) = self.store.find_user(member.user_id).await? else {
                continue;
            };
            let mail = Mail {
                to: found.user.email.clone(),
                subject: "A webhook was switched off".to_owned(),
                text: format!(
                    "Nothing is sent to this webhook any more, because {why}:\n\n{}\n\nMend its receiver, switch the \
                     webhook on again, and send again what it missed:\n\n{}/settings/webhooks\n",
                    off.url, self.config.base_url
                ),
            };
            self.notify(&found.user, About::Other, mail);
        }
        Ok(())
    }
}

fn no_answer(problem: impl Into<String>) -> Tried {
    Tried {
        answer: Answer {
            problem: Some(problem.into()),
            ..Answer::default()
        },
        asked: None,
    }
}

/// The headers of a try; `None` where there is nothing to sign with.
fn headers_of(delivery: &Outgoing, at: Time) -> Option<HeaderMap> {
    let id = delivery.event_id.to_string();
    let signature = signature(&delivery.secrets, &id, at, &delivery.body)?;
    let named = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (HeaderName::from_static("webhook-id"), id),
        (
            HeaderName::from_static("webhook-timestamp"),
            at.as_secs().to_string(),
        ),
        (HeaderName::from_static("webhook-signature"), signature),
    ];
    let valued = named
        .into_iter()
        .map(|(name, value)| Some((name, HeaderValue::try_from(value).ok()?)));
    valued.collect()
}

/// What follows from a try. A webhook that is disabled gets one.
fn outcome_of(delivery: &Outgoing, tried: &Tried, now: Time) -> Outcome {
    let again = |delivery: &Outgoing| {
        let (failures, chance) = (delivery.failures + 1, chance::fraction());
        next_try(now, failures, delivery.deadline_at, tried.asked, chance)
    };
    match tried.answer.verdict() {
        Verdict::Taken => Outcome::Delivered,
        Verdict::Gone => Outcome::Gone,
        Verdict::Refused if delivery.is_disabled => Outcome::GivenUp,
        Verdict::Refused => again(delivery).map_or(Outcome::GivenUp, Outcome::Again),
    }
}
