//! Submissions: the ledger of every try at handing a post to its provider, and the rule that keeps a post
//! from going out twice.
//!
//! The protocol, whose steps are cited by number (the list in `ARCHITECTURE.md` has other numbers). Before it, step 0 judges the post against
//! what the account allows now.
//!
//! 1. commit a submission row without a handle;
//! 2. call the provider's `begin`;
//! 3. commit the handle it answered, before anything else;
//! 4. for an upload: send all but the last chunk, commit `last_byte_at`, send the last chunk; each time it is sent this is committed
//!    first, because the write is fenced and the chunk is not: a run that lost its job may send for as long as a chunk may take;
//! 5. ask the provider what became of it, as often as it takes.
//!
//! A crash leaves a row that shows how far the try came; [`Submission::recovery`] determines what may follow. Only a *new*
//! `begin` can publish a second time: bytes sent again under the same handle cannot. So under a known handle nothing is begun
//! again before the provider was asked what it has, even where the row shows that it cannot have all.
//!
//! A pull that was not fetched has a sixth step, where the post can travel another way:
//!
//! 6. commit that its addresses are revoked, unless a fetch was noted meanwhile; cancel it at the provider; close it, and
//!    begin the other way.
//!
//! A notification from the provider is taken like an answer to step 5: the handler takes the post's job over first, so
//! that a run that holds it can write nothing any more.

use std::time::Duration;

use crate::id::{PlatformId, PostId, SubmissionId};
use crate::post::Post;
use crate::time::Time;

pub use crate::recovery::{AfterChunk, Facts, Recovery, SentChunk};
pub use crate::transfer::{Chunk, Transfer, UploadSession, Way};

/// How a submission ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubmissionOutcome {
    /// The provider published it.
    Published,
    /// It is in the creator's inbox.
    InInbox,
    /// The provider refused it.
    Rejected,
    /// It came to nothing, provably; another may follow.
    Abandoned,
    /// The account must be reconnected.
    Reauthorize,
    /// What became of it is unknown.
    Unknown,
}

impl SubmissionOutcome {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Published,
        Self::InInbox,
        Self::Rejected,
        Self::Abandoned,
        Self::Reauthorize,
        Self::Unknown,
    ];

    /// The word in the database and in `GET /posts/{id}/attempts`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::InInbox => "in_inbox",
            Self::Rejected => "rejected",
            Self::Abandoned => "abandoned",
            Self::Reauthorize => "reauthorize",
            Self::Unknown => "unknown",
        }
    }

    /// The outcome of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word)
    }

    /// Whether the post may still come out of a submission that ended so.
    pub const fn is_in_doubt(self) -> bool {
        matches!(self, Self::Unknown | Self::InInbox)
    }
}

/// One try at handing a post to its provider.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Its identifier.
    pub id: SubmissionId,
    /// The post.
    pub post_id: PostId,
    /// The text that was handed over; `None` in rows of before it was kept.
    pub content: Option<String>,
    /// The account.
    pub platform_id: PlatformId,
    /// How the bytes travel.
    pub transfer: Transfer,
    /// What the provider calls it; `None` until its answer is stored (step 3).
    pub handle: Option<String>,
    /// Where an upload goes; `None` once the submission has ended with nothing in doubt.
    pub upload: Option<UploadSession>,
    /// Bytes of an upload that the provider has acknowledged.
    pub sent_bytes: u64,
    /// When the last chunk was last about to be sent (step 4).
    pub last_byte_at: Option<Time>,
    /// When a single-purpose address of a pull was first fetched.
    pub fetched_at: Option<Time>,
    /// When those addresses were revoked.
    pub revoked_at: Option<Time>,
    /// When the try began (step 1).
    pub started_at: Time,
    /// When it ended.
    pub closed_at: Option<Time>,
    /// How it ended.
    pub outcome: Option<SubmissionOutcome>,
    /// The provider's code, where it gave one. Of an open upload it is set only if the last chunk was refused the only time it was sent.
    pub code: Option<String>,
    /// What happened, for a person.
    pub message: Option<String>,
    /// The provider's log ID.
    pub log_id: Option<String>,
    /// When the post is tried again.
    pub next_retry_at: Option<Time>,
}

impl Submission {
    /// A try that has just begun (step 1).
    pub fn begun(id: SubmissionId, post: &Post, way: Way, now: Time) -> Self {
        Self {
            id,
            post_id: post.id,
            content: Some(post.content.clone()),
            platform_id: post.platform_id,
            transfer: way.transfer,
            handle: None,
            upload: None,
            sent_bytes: 0,
            last_byte_at: None,
            fetched_at: None,
            revoked_at: None,
            started_at: now,
            closed_at: None,
            outcome: None,
            code: None,
            message: None,
            log_id: None,
            next_retry_at: None,
        }
    }
}

/// A try as people see it (`GET /posts/{id}/attempts`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its identifier.
    pub id: SubmissionId,
    /// The provider of the try, whose code `code` is.
    pub provider: String,
    /// When it began.
    pub started_at: Time,
    /// When it ended; `None` while it goes on.
    pub ended_at: Option<Time>,
    /// How it ended.
    pub outcome: Option<SubmissionOutcome>,
    /// How the bytes travelled; `None` where it ended before any did.
    pub transfer: Option<Transfer>,
    /// Why that way, for a person.
    pub transfer_reason: Option<String>,
    /// What the provider calls it.
    pub handle: Option<String>,
    /// The provider's code, or ours where none came.
    pub code: Option<String>,
    /// What happened, for a person.
    pub message: Option<String>,
    /// The provider's log ID.
    pub log_id: Option<String>,
    /// When the post is tried again.
    pub next_retry_at: Option<Time>,
}

impl Submission {
    /// Whether it has not ended.
    pub const fn is_open(&self) -> bool {
        self.closed_at.is_none()
    }

    /// What the rule of [`Recovery`] reads of it.
    pub fn facts(&self) -> Facts {
        Facts {
            transfer: self.transfer,
            has_handle: self.handle.is_some(),
            upload_bytes: self.upload.as_ref().map(|upload| upload.size_bytes),
            sent_bytes: self.sent_bytes,
            is_last_byte_noted: self.last_byte_at.is_some(),
            is_fetched: self.fetched_at.is_some(),
            is_revoked: self.revoked_at.is_some(),
        }
    }

    /// [`Facts::recovery`].
    pub fn recovery(&self) -> Recovery {
        self.facts().recovery()
    }

    /// [`Facts::may_be_out`].
    pub fn may_be_out(&self) -> bool {
        self.facts().may_be_out()
    }

    /// [`Facts::lacks_bytes`].
    pub fn lacks_bytes(&self, received_bytes: Option<u64>) -> bool {
        self.facts().lacks_bytes(received_bytes)
    }

    /// Whether it is a pull that was not fetched from since it began, `patience` ago or longer.
    pub fn lies_unfetched(&self, patience: Duration, now: Time) -> bool {
        self.transfer == Transfer::Pull && self.fetched_at.is_none() && now.since(self.started_at) >= patience
    }

    /// [`Facts::is_taken_back`].
    pub fn is_taken_back(&self) -> bool {
        self.facts().is_taken_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn open(transfer: Transfer) -> Submission {
        Submission {
            id: Uuid::nil().into(),
            post_id: Uuid::nil().into(),
            content: None,
            platform_id: Uuid::nil().into(),
            transfer,
            handle: None,
            upload: None,
            sent_bytes: 0,
            last_byte_at: None,
            fetched_at: None,
            revoked_at: None,
            started_at: Time::from_secs(1),
            closed_at: None,
            outcome: None,
            code: None,
            message: None,
            log_id: None,
            next_retry_at: None,
        }
    }

    #[test]
    fn an_upload_whose_handle_was_lost_may_begin_again() {
        assert_eq!(open(Transfer::Upload).recovery(), Recovery::BeginAgain);
    }

    #[test]
    fn a_pull_without_a_handle_begins_again_only_when_revoked_unfetched() {
        let mut submission = open(Transfer::Pull);
        assert_eq!(submission.recovery(), Recovery::Revoke);
        submission.revoked_at = Some(Time::from_secs(2));
        assert_eq!(submission.recovery(), Recovery::BeginAgain);
        submission.fetched_at = Some(Time::from_secs(2));
        assert_eq!(submission.recovery(), Recovery::Search);
    }

    #[test]
    fn a_pull_is_taken_back_only_unfetched_and_only_a_pull_lies_unfetched() {
        let (patience, late) = (Duration::from_secs(60), Time::from_secs(61));
        let mut submission = open(Transfer::Pull);
        assert!(submission.lies_unfetched(patience, late));
        assert!(!submission.lies_unfetched(patience, Time::from_secs(60)));
        assert!(!submission.is_taken_back());
        submission.revoked_at = Some(late);
        assert!(submission.is_taken_back());
        submission.fetched_at = Some(Time::from_secs(2));
        assert!(!submission.is_taken_back() && !submission.lies_unfetched(patience, late));
        assert!(!open(Transfer::Upload).lies_unfetched(patience, late));
    }

    #[test]
    fn an_upload_lacks_bytes_until_the_provider_has_all_by_either_way_of_counting() {
        let mut submission = open(Transfer::Upload);
        submission.upload = Some(UploadSession {
            url: String::new(),
            content_type: String::new(),
            size_bytes: 10,
            chunk_bytes: 10,
            chunk_count: 1,
        });
        assert!(submission.lacks_bytes(None) && submission.lacks_bytes(Some(8)));
        assert!(!submission.lacks_bytes(Some(9)) && !submission.lacks_bytes(Some(10)));
        assert!(!open(Transfer::Pull).lacks_bytes(None));
        submission.last_byte_at = Some(Time::from_secs(1));
        assert!(!submission.lacks_bytes(None) && submission.lacks_bytes(Some(0)));
    }

    #[test]
    fn a_comment_without_an_answer_is_never_sent_again() {
        assert_eq!(open(Transfer::Text).recovery(), Recovery::Search);
    }

    #[test]
    fn the_last_chunk_carries_the_remainder() {
        let session = UploadSession {
            url: String::new(),
            content_type: String::new(),
            size_bytes: 73_400_321,
            chunk_bytes: 10_000_000,
            chunk_count: 7,
        };
        assert_eq!(
            session.chunk_at(0),
            Some(Chunk {
                offset: 0,
                size_bytes: 10_000_000,
                is_last: false
            })
        );
        let last = Chunk {
            offset: 60_000_000,
            size_bytes: 13_400_321,
            is_last: true,
        };
        assert_eq!(session.chunk_at(60_000_000), Some(last));
        assert_eq!(session.last_chunk_bytes(), last.size_bytes);
        assert_eq!(session.chunk_at(5), None);
        assert_eq!(session.chunk_at(70_000_000), None);
    }
}
