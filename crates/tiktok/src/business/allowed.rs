//! What the business connection allows an account, known before it rejects anything.

use std::time::Duration;

use playout_domain::limits::{AccountLimits, ScopeUse, Window};

use super::comments::{READ, WRITE};
use crate::allowed::{BASIC, HANDLE, LIST, PUBLISH, UPLOAD};
use crate::config::TikTokConfig;

/// 40 calls a minute for each endpoint; the daily caps are the account's own, shared by all who post to it.
pub(super) fn limits(base: AccountLimits, config: &TikTokConfig) -> AccountLimits {
    let hand_overs = Window {
        count: 40,
        length: Duration::from_secs(60),
    };
    AccountLimits {
        hand_overs: config.rate_limits.then_some(hand_overs),
        ..base
    }
}

/// What is asked for when an account is connected, and what fails without it.
pub(super) const SCOPES: &[ScopeUse] = &[
    BASIC,
    ScopeUse {
        scope: "user.info.username",
        ..HANDLE
    },
    PUBLISH,
    UPLOAD,
    LIST,
    ScopeUse {
        scope: READ,
        meaning: "read the comments under the account's posts",
        without: "After an interruption we cannot look whether a comment was written: a person has to.",
        needed_for: None,
    },
    ScopeUse {
        scope: WRITE,
        meaning: "comment under the account's own posts",
        without: "Posts cannot have comments.",
        needed_for: None,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_that_is_asked_for_is_explained() {
        let explained: Vec<&str> = SCOPES.iter().map(|scope| scope.scope).collect();
        assert_eq!(explained, super::super::oauth::SCOPES);
    }
}
