//! What a provider allows an account: numbers that are known beforehand, and restrictions that it has reported.
//!
//! The numbers of a day (`direct_posts`, `inbox_shares`) are for foresight alone: warnings, usage, the health of an account. A post is
//! held back only by the window of hand-overs and by a [`Restriction`].

use std::time::Duration;

use crate::error::PathStep;
use crate::time::Time;

/// A sliding window: so many in any stretch of that length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// How many.
    pub count: u32,
    /// In how long.
    pub length: Duration,
}

impl Window {
    /// When there is room for another, given the times of those before, newest first; `None`: now.
    pub fn next_room(self, newest_first: &[Time], now: Time) -> Option<Time> {
        let oldest_that_counts = usize::try_from(self.count).unwrap_or(usize::MAX).checked_sub(1)?;
        let room = newest_first.get(oldest_that_counts)?.plus(self.length);
        (room > now).then_some(room)
    }
}

/// What a provider is known to allow every account; `None` where nothing is known, or nothing is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccountLimits {
    /// Hand-overs, which we keep to by ourselves.
    pub hand_overs: Option<Window>,
    /// Posts published without the creator's help. About so many: the provider varies it, and counts what other apps
    /// post, so this is for foresight alone.
    pub direct_posts: Option<Window>,
    /// Unfinished posts in the creator's inbox; for foresight alone, too.
    pub inbox_shares: Option<Window>,
}

/// How a post reaches an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// Published without the creator's help.
    Direct,
    /// Laid into the creator's inbox.
    Inbox,
}

/// What keeps an account from posting for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RestrictionKind {
    /// The day's direct posts are used up.
    DirectPosts,
    /// Too many unfinished posts are in the inbox.
    InboxShares,
    /// Too many accounts post through this app today, and this one is not among them.
    ActiveUsers,
    /// Too many requests within a minute.
    Requests,
    /// The provider lets the account post nothing.
    Banned,
}

impl RestrictionKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::DirectPosts,
        Self::InboxShares,
        Self::ActiveUsers,
        Self::Requests,
        Self::Banned,
    ];

    /// The word in the database and in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DirectPosts => "direct_posts",
            Self::InboxShares => "inbox_shares",
            Self::ActiveUsers => "active_users",
            Self::Requests => "requests",
            Self::Banned => "banned",
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Whether it concerns posts that travel like this.
    pub const fn concerns(self, delivery: Delivery) -> bool {
        match (self, delivery) {
            (Self::Requests | Self::Banned, _)
            | (Self::DirectPosts | Self::ActiveUsers, Delivery::Direct)
            | (Self::InboxShares, Delivery::Inbox) => true,
            (Self::DirectPosts | Self::ActiveUsers, Delivery::Inbox)
            | (Self::InboxShares, Delivery::Direct) => false,
        }
    }

    /// Whether it ends at a known time, rather than when a try shows that it has.
    pub const fn ends_by_itself(self) -> bool {
        matches!(self, Self::Requests)
    }

    /// Whether posts wait for its end. A banned account's posts are refused one by one: only a person can help them.
    pub const fn is_waited_for(self) -> bool {
        !matches!(self, Self::Banned)
    }
}

/// A restriction that the provider has reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// Which.
    pub kind: RestrictionKind,
    /// The provider's code.
    pub code: String,
    /// What happened, who must act, and what next.
    pub message: String,
    /// When it was first reported.
    pub since: Time,
    /// When it was last reported.
    pub said_at: Time,
    /// When one post tries whether it still holds; the others wait for the outcome of that try.
    pub next_try_at: Time,
}

impl Restriction {
    /// Whether it is still to be reckoned with.
    pub fn holds(&self, now: Time) -> bool {
        !self.kind.ends_by_itself() || self.next_try_at > now
    }
}

/// What may go otherwise than hoped, returned before it does. Changes nothing about whether a post is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable code.
    pub code: &'static str,
    /// What, and what can be done.
    pub message: String,
    /// Where in the request, if it is about one place.
    pub path: Option<Vec<PathStep>>,
    /// What was probably meant there.
    pub suggestion: Option<&'static str>,
}

impl Warning {
    /// A warning about the whole request.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: None,
            suggestion: None,
        }
    }
}

/// A scope that an account may have granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeUse {
    /// The provider's word for it.
    pub scope: &'static str,
    /// What it lets us do: "post content to the account".
    pub meaning: &'static str,
    /// What does not work without it, as a sentence.
    pub without: &'static str,
    /// The delivery that needs it.
    pub needed_for: Option<Delivery>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MINUTE: Window = Window {
        count: 6,
        length: Duration::from_secs(60),
    };

    proptest! {
        #[test]
        fn whoever_waits_for_room_never_has_more_than_the_window_allows_in_any_stretch(
            wishes in prop::collection::vec(0i64..20, 1..80)
        ) {
            let mut now = Time::from_secs(0);
            let mut taken: Vec<Time> = Vec::new();
            for wish in wishes {
                now = now.plus(Duration::from_secs(wish.unsigned_abs()));
                if let Some(room) = MINUTE.next_room(&taken, now) {
                    prop_assert!(room > now);
                    now = room;
                }
                prop_assert_eq!(MINUTE.next_room(&taken, now), None);
                taken.insert(0, now);
            }
            for (index, last) in taken.iter().enumerate() {
                if let Some(first) = taken.get(index + 6) {
                    prop_assert!(last.since(*first) >= MINUTE.length);
                }
            }
        }
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for kind in RestrictionKind::ALL {
            assert_eq!(RestrictionKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(RestrictionKind::parse("else"), None);
    }
}
