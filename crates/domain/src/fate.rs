//! What a failed call to a provider means.

use std::borrow::Cow;
use std::time::Duration;

/// What a failed call to a provider means for the request. The one table from codes to fates is the provider
/// crate's `errors.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Refused for good; the post or its media must change.
    Rejected,
    /// The provider failed on its side after accepting; a new submission cannot duplicate and may succeed.
    Repeatable,
    /// The access token is not taken; refresh it once and repeat the call.
    StaleToken,
    /// The user must reconnect the account, or grant more.
    Reauthorize,
    /// Not now; not before this long.
    Throttled(Duration),
    /// The account's or the app's daily cap is used up; worth another look after this long, for a day at most.
    Capped(Duration),
    /// Certainly not accepted: the request never reached the provider. Repeat with backoff.
    Unavailable,
    /// Sent, and no clear answer came: it may or may not have happened.
    Unknown,
}

impl Fate {
    /// Whether the engine goes on by itself after it. [`Fate::Unknown`] does where a question can settle it.
    pub const fn is_retried(self) -> bool {
        match self {
            Self::Rejected | Self::Reauthorize => false,
            Self::Repeatable
            | Self::StaleToken
            | Self::Throttled(_)
            | Self::Capped(_)
            | Self::Unavailable
            | Self::Unknown => true,
        }
    }
}

/// A failed call: its fate, and the texts for the user and the provider's support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ProviderError {
    /// What it means.
    pub fate: Fate,
    /// The provider's own code, or ours where none came (`network_error`, `unreadable_answer`).
    pub code: String,
    /// What happened and what to do, for the user.
    pub message: String,
    /// The part of the message that says what to do, or what happens by itself; empty if no part does that alone.
    pub next_step: Cow<'static, str>,
    /// The provider's log ID, for its support.
    pub log_id: Option<String>,
}

impl ProviderError {
    /// What happened, without what to do.
    pub fn what_happened(&self) -> String {
        match self.next_step.is_empty() {
            true => self.message.clone(),
            false => self.message.replacen(&format!(" {}", self.next_step), "", 1),
        }
    }
}
