//! The notification of open pages that something changed: a hint to read again.

use crate::id::WorkspaceId;

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Noun {
    /// Posts and their comments.
    Post,
    /// Media and folders.
    Media,
    /// Connected accounts.
    Platform,
    /// API keys.
    Key,
    /// The people of a workspace, and its name.
    Member,
    /// Webhooks and what is sent to them.
    Webhook,
}

impl Noun {
    /// Every noun, in order.
    pub const ALL: [Self; 6] = [
        Self::Post,
        Self::Media,
        Self::Platform,
        Self::Key,
        Self::Member,
        Self::Webhook,
    ];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Media => "media",
            Self::Platform => "platform",
            Self::Key => "key",
            Self::Member => "member",
            Self::Webhook => "webhook",
        }
    }

    /// The noun of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|noun| noun.as_str() == word)
    }
}

/// Something of a kind changed in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Change {
    /// Where.
    pub workspace: WorkspaceId,
    /// Of which kind.
    pub noun: Noun,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_numbered_in_the_order_of_the_list_and_read_again() {
        for (number, noun) in Noun::ALL.into_iter().enumerate() {
            assert_eq!(noun as usize, number);
            assert_eq!(Noun::parse(noun.as_str()), Some(noun));
        }
        assert_eq!(Noun::parse("star"), None);
    }
}
