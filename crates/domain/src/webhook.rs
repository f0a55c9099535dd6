//! Webhooks: which events of the log are sent to addresses outside, under which names, and when a delivery is tried again.
//!
//! A delivery is one event for one webhook. It is made in the transaction of the event, with the body that it keeps for ever,
//! and is sent until the receiver takes it, its three days are over, or the webhook is switched off.

use std::time::Duration;

use serde_json::{Value, json};

use crate::event::EventKind;
use crate::id::{DeliveryId, EventId, WebhookId};
use crate::time::Time;

/// For how long a delivery is tried, from its first try (`docs/contract.md#webhooks`).
pub const DELIVERY_WINDOW: Duration = Duration::from_secs(3 * 86_400);
/// How long a secret that was replaced goes on signing beside the new one.
pub const OLD_SECRET_LIFETIME: Duration = Duration::from_secs(86_400);
/// How many webhooks a workspace may have: every event looks at all of them.
pub const MAX_WEBHOOKS: u32 = 20;
/// The name of a trial delivery. Every webhook gets it, even if it subscribes to other events only.
pub const TEST_EVENT: &str = "webhook.test";

/// The pauses after the first failed try and those that follow, in seconds; the last is repeated.
const PAUSES: [u64; 9] = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 57_600];
/// The longest wait that a receiver may request.
const LONGEST_ASKED: Duration = Duration::from_secs(86_400);

macro_rules! events {
    ($($name:ident = $word:literal: $meaning:literal;)*) => {
        /// An event that is sent to webhooks (`docs/contract.md#webhooks`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum WebhookEvent {
            $(#[doc = $meaning] $name,)*
        }

        impl WebhookEvent {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// When it comes.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }
        }
    };
}

events! {
    PostCreated = "post.created": "A post was created, as a draft or in QUEUE; `post.queued` follows for one in QUEUE.";
    PostUpdated = "post.updated": "A post got new contents, a draft another planned time, or a published post its `releaseId` and `releaseUrl`.";
    PostQueued = "post.queued": "A post or a comment entered QUEUE.";
    PostUnscheduled = "post.unscheduled": "A post went from QUEUE back to DRAFT.";
    PostPublished = "post.published": "A post or a comment is out.";
    PostFailed = "post.failed": "A post or a comment ended in ERROR.";
    PostActionRequired = "post.action_required": "A post or a comment needs a person.";
    PostDeleted = "post.deleted": "A post was deleted with its comments; the payload is the post as it was.";
    PlatformConnected = "platform.connected": "An account was connected or reconnected.";
    PlatformRefreshNeeded = "platform.refresh_needed": "An account must be connected again.";
    PlatformDisconnected = "platform.disconnected": "An account was removed from the workspace.";
    MediaReady = "media.ready": "A file can be used in posts.";
    MediaFailed = "media.failed": "A file could not be processed; its `failure` says why.";
}

impl WebhookEvent {
    /// The event of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|event| event.as_str() == word)
    }

    /// The events of these words. One that only another version of the program knows is left out.
    pub fn parse_known(words: &[String]) -> Vec<Self> {
        words.iter().filter_map(|word| Self::parse(word)).collect()
    }

    /// The event that webhooks get for an entry of the log, if any.
    pub const fn of(kind: EventKind) -> Option<Self> {
        match kind {
            EventKind::PostCreated => Some(Self::PostCreated),
            EventKind::PostUpdated => Some(Self::PostUpdated),
            EventKind::PostUnscheduled => Some(Self::PostUnscheduled),
            EventKind::PostDeleted => Some(Self::PostDeleted),
            EventKind::PlatformDisconnected => Some(Self::PlatformDisconnected),
            EventKind::PostQueued => Some(Self::PostQueued),
            EventKind::PostPublished => Some(Self::PostPublished),
            EventKind::PostFailed => Some(Self::PostFailed),
            EventKind::PostActionRequired => Some(Self::PostActionRequired),
            EventKind::PlatformConnected => Some(Self::PlatformConnected),
            EventKind::PlatformRefreshNeeded => Some(Self::PlatformRefreshNeeded),
            EventKind::MediaReady => Some(Self::MediaReady),
            EventKind::MediaFailed => Some(Self::MediaFailed),
            EventKind::PostNoLongerPublic => None,
        }
    }
}

/// Why nothing is sent to a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disabled {
    /// A person switched it off.
    Paused,
    /// Its receiver took nothing for three days.
    Failing,
    /// Its receiver answered that it is gone for good (410).
    Gone,
}

impl Disabled {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Paused, Self::Failing, Self::Gone];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paused => "paused",
            Self::Failing => "failing",
            Self::Gone => "gone",
        }
    }

    /// The reason of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// An address that events are sent to. Its secrets are no part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its identifier.
    pub id: WebhookId,
    /// Where events are sent.
    pub url: String,
    /// Which events; at least one, none twice.
    pub events: Vec<WebhookEvent>,
    /// Why it is switched off, if it is.
    pub disabled: Option<Disabled>,
    /// When it was made.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// To be sent, or sent again.
    Pending,
    /// The receiver took it.
    Delivered,
    /// It is not tried any more.
    Failed,
}

impl DeliveryState {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    /// The state of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// One event for one webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its identifier.
    pub id: DeliveryId,
    /// To which webhook.
    pub webhook_id: WebhookId,
    /// Of which event: the `webhook-id` of every try.
    pub event_id: EventId,
    /// What the event is called.
    pub event: String,
    /// What is sent, to the byte.
    pub body: String,
    /// Where it stands.
    pub state: DeliveryState,
    /// How often it was sent.
    pub attempts: u32,
    /// When it was last sent.
    pub attempted_at: Option<Time>,
    /// When it is sent next, while it waits for that.
    pub next_attempt_at: Option<Time>,
    /// What the receiver answered last.
    pub answer: Answer,
    /// When it was made.
    pub created_at: Time,
    /// When it came to an end.
    pub finished_at: Option<Time>,
}

/// What came of a try.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// The beginning of the answer's body.
    pub text: Option<String>,
    /// What was wrong, where there was no answer.
    pub problem: Option<String>,
}

/// What an answer means for a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver took it.
    Taken,
    /// It did not, and may later.
    Refused,
    /// It never will.
    Gone,
}

impl Answer {
    /// 2xx takes the event and 410 ends the webhook; anything else, a redirect too, is a failed try.
    pub fn verdict(&self) -> Verdict {
        match self.status {
            Some(200..=299) => Verdict::Taken,
            Some(410) => Verdict::Gone,
            _ => Verdict::Refused,
        }
    }
}

/// What is sent of an event: `data` is what the API shows of the thing that it is about.
pub fn body_of(event: &str, at: Time, data: &Value) -> String {
    json!({ "type": event, "timestamp": at, "data": data }).to_string()
}

/// When to send again after `failures` failed tries (from 1): 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, then every
/// 16 h, each ±10 %, and not before the time that the receiver requested. `chance` is uniform in 0..1. `None` when that
/// would be past the deadline.
pub fn next_try(
    now: Time,
    failures: u32,
    deadline: Time,
    asked: Option<Duration>,
    chance: f64,
) -> Option<Time> {
    let index = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    let base = Duration::from_secs(PAUSES[index.min(PAUSES.len() - 1)]);
    let pause = base.mul_f64(0.9 + 0.2 * chance.clamp(0.0, 1.0));
    let asked = asked.unwrap_or_default().min(LONGEST_ASKED);
    let at = now.plus(pause.max(asked));
    (at <= deadline).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn every_word_is_read_again() {
        for event in WebhookEvent::ALL {
            assert_eq!(WebhookEvent::parse(event.as_str()), Some(*event));
        }
        for reason in Disabled::ALL {
            assert_eq!(Disabled::parse(reason.as_str()), Some(reason));
        }
        for state in DeliveryState::ALL {
            assert_eq!(DeliveryState::parse(state.as_str()), Some(state));
        }
        assert_eq!(WebhookEvent::parse(TEST_EVENT), None);
    }

    #[test]
    fn an_entry_of_the_log_is_told_under_its_own_name_or_not_at_all() {
        let told = EventKind::ALL.iter().filter_map(|kind| {
            let event = WebhookEvent::of(*kind)?;
            assert_eq!(event.as_str(), kind.as_str());
            Some(event)
        });
        let told: Vec<WebhookEvent> = told.collect();
        assert_eq!(told.len(), WebhookEvent::ALL.len());
        assert!(WebhookEvent::ALL.iter().all(|event| told.contains(event)));
    }

    #[test]
    fn only_2xx_takes_an_event_and_only_410_ends_a_webhook() {
        let verdict = |status| {
            Answer {
                status,
                ..Answer::default()
            }
            .verdict()
        };
        for status in 100..600u16 {
            let expected = match status {
                200..=299 => Verdict::Taken,
                410 => Verdict::Gone,
                _ => Verdict::Refused,
            };
            assert_eq!(verdict(Some(status)), expected, "{status}");
        }
        assert_eq!(verdict(None), Verdict::Refused);
    }

    #[test]
    fn a_delivery_is_tried_eleven_or_twelve_times_in_three_days() {
        let start = Time::from_secs(0);
        let deadline = start.plus(DELIVERY_WINDOW);
        for chance in [0.0, 0.5, 1.0] {
            let tries: Vec<Time> = std::iter::successors(Some((start, 1)), |(now, failures)| {
                next_try(*now, *failures, deadline, None, chance).map(|at| (at, failures + 1))
            })
            .map(|(at, _)| at)
            .collect();
            assert!((11..=12).contains(&tries.len()), "{chance}: {tries:?}");
            assert!(tries[3].since(start) < HOUR, "{chance}: {tries:?}");
            assert!(
                tries[tries.len() - 1].since(start) > 50 * HOUR,
                "{chance}: {tries:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn the_next_try_is_later_than_was_asked_for_and_before_the_deadline(
            failures in 1u32.., asked in 0u64..200_000, chance in 0.0f64..1.0, left in 0u64..300_000
        ) {
            let now = Time::from_secs(1_000_000);
            let deadline = now.plus(Duration::from_secs(left));
            let asked = Duration::from_secs(asked);
            if let Some(at) = next_try(now, failures, deadline, Some(asked), chance) {
                prop_assert!(at >= now.plus(Duration::from_millis(4_500)));
                prop_assert!(at >= now.plus(asked.min(LONGEST_ASKED)));
                prop_assert!(at <= deadline);
            }
        }
    }
}
