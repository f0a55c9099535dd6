//! What an API key may do (`docs/contract.md#scopes`): its scopes, and the accounts that it sees.

use crate::id::PlatformId;

/// A kind of operation that a key may be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Reading everything, validating and previewing.
    Read,
    /// Uploading, importing, changing and deleting media, and making slides.
    Media,
    /// Creating, editing and deleting drafts.
    Drafts,
    /// Everything about posts: scheduling, publishing, editing and deleting them in any state.
    Publish,
    /// Changing accounts.
    Platforms,
    /// Everything about webhooks.
    Webhooks,
}

impl Scope {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 6] = [
        Self::Read,
        Self::Media,
        Self::Drafts,
        Self::Publish,
        Self::Platforms,
        Self::Webhooks,
    ];

    /// The scope as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Media => "media",
            Self::Drafts => "drafts",
            Self::Publish => "publish",
            Self::Platforms => "platforms",
            Self::Webhooks => "webhooks",
        }
    }

    /// The scope with that name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == word)
    }

    /// What it allows, in words for the person who grants it.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Read => "See posts, media, accounts and usage; validate and preview.",
            Self::Media => "Upload, import, change and delete media, and make slides.",
            Self::Drafts => "Create, edit and delete drafts. Other posts stay as they are.",
            Self::Publish => "Publish and schedule posts; edit and delete them in every state.",
            Self::Platforms => "Change accounts. No operation needs it yet.",
            Self::Webhooks => {
                "Create, change and delete webhooks, which report on everything in the workspace."
            }
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// It, and the scopes that it includes.
    const fn with_included(self) -> u8 {
        match self {
            Self::Publish => self.bit() | Self::Drafts.bit() | Self::Read.bit(),
            Self::Drafts | Self::Media => self.bit() | Self::Read.bit(),
            Self::Read | Self::Platforms | Self::Webhooks => self.bit(),
        }
    }
}

/// A set of scopes that has, with each, those that it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// Every scope.
    pub const ALL: Self = Self((1 << Scope::ALL.len()) - 1);
    /// No scope.
    pub const NONE: Self = Self(0);

    /// Whether `scope` is among them.
    pub const fn allow(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether all of `others` are among them.
    pub const fn cover(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }

    /// These without `scope`, where no other one includes it.
    #[must_use]
    pub fn without(self, scope: Scope) -> Self {
        self.iter().filter(|kept| *kept != scope).collect()
    }

    /// Those that are in the set, in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.allow(*scope))
    }

    /// Their names, separated by spaces (RFC 6749 §3.3).
    pub fn words(self) -> String {
        let words: Vec<&str> = self.iter().map(Scope::as_str).collect();
        words.join(" ")
    }

    /// Reads names that are separated by spaces. `None`: one of them is no scope.
    pub fn parse(words: &str) -> Option<Self> {
        words.split_ascii_whitespace().map(Scope::parse).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(
            scopes
                .into_iter()
                .fold(0, |bits, scope| bits | scope.with_included()),
        )
    }
}

/// The accounts that a key sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accounts {
    /// All of the workspace, also those that are connected later.
    All,
    /// These alone, with their posts.
    Only(Vec<PlatformId>),
}

impl Accounts {
    /// Whether the key sees this account.
    pub fn allow(&self, account: PlatformId) -> bool {
        match self {
            Self::All => true,
            Self::Only(accounts) => accounts.contains(&account),
        }
    }

    /// The accounts, where not all are seen.
    pub fn only(&self) -> Option<&[PlatformId]> {
        match self {
            Self::All => None,
            Self::Only(accounts) => Some(accounts),
        }
    }
}

/// What a key may do. [`Scope::Webhooks`] does not go together with [`Accounts::Only`]: a webhook reports on every account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAccess {
    /// The operations.
    pub scopes: Scopes,
    /// The accounts.
    pub accounts: Accounts,
}

impl KeyAccess {
    /// Everything in the workspace.
    pub const FULL: Self = Self {
        scopes: Scopes::ALL,
        accounts: Accounts::All,
    };

    /// Whether it is less than everything.
    pub fn is_restricted(&self) -> bool {
        *self != Self::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_includes_what_it_needs_and_no_more() {
        for (word, all) in [
            ("read", "read"),
            ("media", "read media"),
            ("drafts", "read drafts"),
            ("publish", "read drafts publish"),
            ("platforms", "platforms"),
            ("webhooks", "webhooks"),
            ("webhooks publish media", "read media drafts publish webhooks"),
            ("", ""),
        ] {
            assert_eq!(Scopes::parse(word).unwrap().words(), all, "{word}");
        }
        assert_eq!(Scopes::parse("read write"), None);
        assert_eq!(Scope::ALL.into_iter().collect::<Scopes>(), Scopes::ALL);
    }

    #[test]
    fn a_scope_that_another_includes_is_not_taken_away() {
        let scopes = Scopes::parse("publish webhooks").unwrap();
        assert_eq!(scopes.without(Scope::Webhooks).words(), "read drafts publish");
        assert_eq!(scopes.without(Scope::Read), scopes);
    }

    #[test]
    fn less_is_covered_by_more() {
        let drafts = Scopes::parse("drafts").unwrap();
        assert!(Scopes::ALL.cover(drafts) && drafts.cover(Scopes::NONE) && drafts.cover(drafts));
        assert!(!drafts.cover(Scopes::ALL));
    }
}
