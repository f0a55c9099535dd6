//! What the business connection allows an account, known before it rejects anything.

use std::time::Duration;

use playout_domain::limits::{AccountLimits, Delivery, ScopeUse, Window};

use super::comments::{READ, WRITE};
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
    ScopeUse {
        scope: "user.info.basic",
        meaning: "read the profile's name and picture",
        without: "The account cannot be recognised when it is connected again.",
        needed_for: None,
    },
    ScopeUse {
        scope: "user.info.username",
        meaning: "read the profile's handle",
        without: "The handle may be missing, and with it the public addresses of posts.",
        needed_for: None,
    },
    ScopeUse {
        scope: "video.publish",
        meaning: "post content to the account",
        without: "Nothing can be published directly; posts can only go to the creator's inbox.",
        needed_for: Some(Delivery::Direct),
    },
    ScopeUse {
        scope: "video.upload",
        meaning: "send drafts to the account's inbox",
        without: "Posts cannot be sent to the creator's inbox.",
        needed_for: Some(Delivery::Inbox),
    },
    ScopeUse {
        scope: "video.list",
        meaning: "read the account's public posts",
        without: "After an interruption we cannot look whether a post came out: a person has to.",
        needed_for: None,
    },
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
