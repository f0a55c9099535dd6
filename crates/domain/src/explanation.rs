//! Failures in plain words: what happened, who must act, what to do next, and whether it is tried again by itself.
//!
//! Each code of a provider has a row in its crate's table, each of the engine's own codes one here. The API shows them
//! with attempts, and `docs/errors.md` is made from both tables.

use std::borrow::Cow;

use crate::fate::{Fate, ProviderError};

/// Who can do something about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WhoActs {
    /// The person who owns the post and the account.
    User,
    /// The operator, who runs this service and registered its app at the provider.
    Operator,
    /// No one: it is tried again, or it was wanted.
    Nobody,
}

impl WhoActs {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::User, Self::Operator, Self::Nobody];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Operator => "operator",
            Self::Nobody => "nobody",
        }
    }
}

/// A failure in plain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What happened: one sentence.
    pub what_happened: Cow<'static, str>,
    /// Who must act.
    pub who_acts: WhoActs,
    /// What they should do, or what happens by itself.
    pub next_step: Cow<'static, str>,
    /// Whether the engine tries again without any action of a person.
    pub retries: bool,
}

impl Explanation {
    /// Both sentences, as `errorText` and an attempt's `message` have them.
    pub fn message(&self) -> String {
        format!("{} {}", self.what_happened, self.next_step)
    }
}

/// One row of a table of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The code, as attempts show it.
    pub code: &'static str,
    /// What it means for the request.
    pub fate: Fate,
    /// Who must act.
    pub who_acts: WhoActs,
    /// What happened.
    pub what_happened: &'static str,
    /// What next.
    pub next_step: &'static str,
}

impl Row {
    /// The row in plain words.
    pub fn explanation(&self) -> Explanation {
        Explanation {
            what_happened: self.what_happened.into(),
            who_acts: self.who_acts,
            next_step: self.next_step.into(),
            retries: match self.fate {
                // What a request to the provider can settle goes on by itself; the rest a person must settle.
                Fate::Unknown => self.who_acts == WhoActs::Nobody,
                fate => fate.is_retried(),
            },
        }
    }

    /// The failure of that row, where the provider returned no text.
    pub fn error(&self) -> ProviderError {
        self.error_saying(self.what_happened)
    }

    /// The same where more is known of what happened: `what` is one or more sentences.
    pub fn error_saying(&self, what: &str) -> ProviderError {
        ProviderError {
            fate: self.fate,
            code: self.code.to_owned(),
            message: format!("{what} {}", self.next_step),
            next_step: self.next_step.into(),
            log_id: None,
        }
    }
}

/// The row of `code` among the engine's own.
pub fn own(code: &str) -> Option<&'static Row> {
    OWN.iter().copied().find(|row| row.code == code)
}

macro_rules! own {
    ($($name:ident = $code:literal: $fate:expr, $who:ident => $what:literal, $next:literal;)*) => {
        $(#[doc = $what]
        pub const $name: Row = Row {
            code: $code,
            fate: $fate,
            who_acts: WhoActs::$who,
            what_happened: $what,
            next_step: $next,
        };)*

        /// Every failure that the engine finds by itself.
        pub const OWN: &[&Row] = &[$(&$name),*];
    };
}

own! {
    RECONNECT_NEEDED = "reconnect_needed": Fate::Reauthorize, User =>
        "The account's access ended before this post was due.",
        "Reconnect the account; the post then goes on by itself.";
    REFRESH_TOKEN_MISSING = "refresh_token_missing": Fate::Reauthorize, User =>
        "The account's access has ended, and nothing is stored to renew it with.",
        "Reconnect the account; posts that wait for it then go on by themselves.";
    REFRESH_IN_PROGRESS = "refresh_in_progress": Fate::Throttled(std::time::Duration::from_secs(1)), Nobody =>
        "Another node is renewing the account's access.",
        "The post waits for a second and is tried again by itself.";
    HAND_OVER_WINDOW_FULL = "hand_over_window_full": Fate::Throttled(std::time::Duration::from_secs(60)), Nobody =>
        "The provider takes no more posts of this account within a minute.",
        "The post follows by itself when there is room.";
    ACCOUNT_UNAVAILABLE = "account_unavailable": Fate::Rejected, User =>
        "The account was disabled or removed before this post was handed over.",
        "Enable the account or connect it again, then schedule the post again.";
    OVERDUE = "overdue": Fate::Rejected, User =>
        "The post was found due later than its workspace publishes without asking, and nothing was handed over.",
        "Publish it now, give it another time, or delete it.";
    NOT_ALLOWED_NOW = "not_allowed_now": Fate::Rejected, User =>
        "The account no longer takes this post as it is.",
        "Create the post again with that changed, and delete this one.";
    MEDIA_GONE = "media_gone": Fate::Rejected, User =>
        "The post's video is no longer stored.",
        "Upload it again, create the post again with it, and delete this one.";
    PHOTO_UNUSABLE = "photo_unusable": Fate::Rejected, User =>
        "A photo of this post cannot be made into one that the provider takes.",
        "Create the post again with another photo, and delete this one.";
    INTERRUPTED = "interrupted": Fate::Unavailable, Nobody =>
        "The try was interrupted before the provider had everything, and nothing was published.",
        "The post is submitted again by itself.";
    RESTARTED_WHILE_FETCHED = "restarted_while_fetched": Fate::Repeatable, Nobody =>
        "This service was restarted while the provider fetched the media, and nothing was published.",
        "The post is submitted again by itself.";
    UPLOAD_EXPIRED = "upload_expired": Fate::Unavailable, Nobody =>
        "The provider dropped the upload half-way, and nothing was published.",
        "The post is submitted again by itself.";
    PULL_UNFETCHED = "pull_unfetched": Fate::Unavailable, Nobody =>
        "The provider did not come to fetch the video in time; it was taken back unfetched, and nothing was published.",
        "The video is uploaded instead, by itself.";
    PERMISSION_GIVEN_AGAIN = "permission_given_again": Fate::Unavailable, Nobody =>
        "The account's permission was taken back while the post was on its way, and given again since; nothing was published.",
        "The post is submitted again by itself.";
    UNANSWERED = "unanswered": Fate::Unknown, User =>
        "The try was interrupted after the provider may have taken the post, and the account does not show it.",
        "Look at the account, and for a draft at the creator's inbox: if the post is there, mark it as published; if it is not, publish it again.";
    UNCONFIRMED = "unconfirmed": Fate::Unknown, User =>
        "The provider did not say in time what became of the post.",
        "Look at the account, and for a draft at the creator's inbox: if the post is there, mark it as published; if it is not, publish it again.";
    HELD = "held": Fate::Unavailable, Nobody =>
        "Publications are held while the posts of this service are looked for at their providers, as after a restore.",
        "What is due before that has ended goes out afterwards; a post that may have gone out before is left to a person.";
    RESTORED = "restored": Fate::Unknown, User =>
        "Publications were held, as after a restore, and this post may have gone out before.",
        "Look at the account, and for a draft at the creator's inbox: if the post is there, mark it as published; if it is not, publish it, or schedule it if it is not due yet. The provider may still have been processing the post when the account was searched: if you publish it soon after that search, it waits until that time is over, and is searched for once more.";
    RESTORED_UNSEARCHED = "restored_unsearched": Fate::Unknown, User =>
        "Publications were held, as after a restore, and this post may have gone out before; its account could not be searched, because it is disabled or removed, or its access has ended.",
        "Enable the account or connect it again first, then publish it, or schedule it if it is not due yet: the account is searched before anything is submitted, and if the post is not found you are asked to look for it. If you see the post there, mark it as published.";
    RESTORED_RECENTLY = "restored_recently": Fate::Unknown, Nobody =>
        "Publications were held, as after a restore, and the provider may still be at work on this post if it was sent before.",
        "The post waits until that time is over and is looked for once more. If it is not found then, it goes out; if it was due while its account could not be searched, you are asked to look for it.";
    INTERNAL_FAILURE = "internal_failure": Fate::Unavailable, Operator =>
        "Something failed inside this service while it worked on the post.",
        "The post is tried again by itself; if that goes on, whoever runs the service finds the cause in its log.";
    STILL_AT_WORK = "still_at_work": Fate::Unknown, Nobody =>
        "The provider may still be at work on an earlier try of this post, which may yet come out.",
        "The post waits until that has ended, up to 95 minutes, and is then looked for. It is sent again if the account would list it and does not; else you are asked.";
    ACCOUNT_REMOVED_MEANWHILE = "account_removed_meanwhile": Fate::Unknown, User =>
        "The account was removed before the provider said what became of the post.",
        "Look at the account: if the post is there, mark it as published; if it is not, connect the account and publish it again.";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_row_has_a_code_of_its_own_and_two_sentences() {
        let mut seen = HashSet::new();
        for row in OWN {
            assert!(seen.insert(row.code), "{} is there twice", row.code);
            for sentence in [row.what_happened, row.next_step] {
                assert!(
                    sentence.ends_with('.') && sentence.len() >= 30,
                    "{}: {sentence}",
                    row.code
                );
                assert!(!sentence.contains("  "), "{}", row.code);
            }
        }
        assert_eq!(own("interrupted"), Some(&INTERRUPTED));
        assert_eq!(own("interrupt"), None);
    }
}
