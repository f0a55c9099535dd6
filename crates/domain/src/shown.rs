//! What an account shows of its posts, and of the comments under them.

use std::ops::RangeInclusive;

use crate::time::Time;

/// A post as the account shows it to the public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentPost {
    /// Its ID.
    pub release_id: String,
    /// Its public page.
    pub release_url: Option<String>,
    /// Its caption, perhaps shortened.
    pub content: String,
    /// From when to when it may have come out: the provider's clock may differ from ours.
    pub created: RangeInclusive<Time>,
}

/// What an account shows of its recent posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentPosts {
    /// As they were listed: newest first, if the provider keeps that order. None is in it twice.
    pub posts: Vec<RecentPost>,
    /// Nothing that came out from here on is missing: the requested time, or a later one where there was more than was listed. `None`
    /// where the list does not show from when on it is whole.
    pub whole_since: Option<Time>,
}

impl RecentPosts {
    /// Whether nothing is missing that came out since then.
    pub fn is_whole_since(&self, since: Time) -> bool {
        self.whole_since.is_some_and(|whole| whole <= since)
    }
}

/// A comment that the provider took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commented {
    /// Its ID.
    pub release_id: String,
    /// What its author should know of it, such as that no one else sees it.
    pub notice: Option<Notice>,
}

/// Something worth knowing of what went well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// A stable word, in the manner of [`crate::provider::ProviderError::code`].
    pub code: &'static str,
    /// What it is, and what can be done, for the user.
    pub message: String,
}

/// The account's own comments under one of its posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnComments {
    /// Those that were listed, since the time that was asked for.
    pub comments: Vec<OwnComment>,
    /// Whether none is missing.
    pub is_whole: bool,
}

/// A comment of the account's own, as it stands under one of its posts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnComment {
    /// The comment.
    pub comment: Commented,
    /// Its text.
    pub text: String,
}
