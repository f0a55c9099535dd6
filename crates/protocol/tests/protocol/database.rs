//! The rows of one post: its state, its job, its open submission, and what is remembered of closed ones.

use playout_domain::post::PostState;
use playout_domain::submission::{Facts, Transfer};

/// The bytes of the upload; it has two chunks.
pub(crate) const SIZE: u64 = 20;
/// The bytes of each chunk.
pub(crate) const CHUNK: u64 = 10;

/// A submission, as it is stored and as a worker remembers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Submission {
    pub(crate) id: u8,
    pub(crate) handle: Option<u8>,
    pub(crate) facts: Facts,
}

impl Submission {
    pub(crate) const fn begun(id: u8, transfer: Transfer) -> Self {
        Self {
            id,
            handle: None,
            facts: Facts::begun(transfer),
        }
    }

    /// With the provider's answer to `begin`.
    pub(crate) fn accepted(self, handle: u8) -> Self {
        let upload_bytes = (self.facts.transfer == Transfer::Upload).then_some(SIZE);
        let facts = Facts {
            has_handle: true,
            upload_bytes,
            ..self.facts
        };
        Self {
            handle: Some(handle),
            facts,
            ..self
        }
    }

    pub(crate) fn sent(mut self, bytes: u64) -> Self {
        self.facts.sent_bytes = bytes;
        self
    }
}

/// A change of the open submission: one fenced statement each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    /// `save_handle`.
    SaveHandle(u8),
    /// `record_sent`.
    RecordSent(u64),
    /// `mark_last_byte`.
    MarkLastByte,
    /// `mark_last_byte` and `record_sent` in turn, for an upload of which the provider has everything.
    HasAllBytes,
}

/// What is committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Database {
    pub(crate) post: PostState,
    /// A person asked for the post to go out before its time.
    pub(crate) is_asked_for_now: bool,
    /// Whether the job's row exists.
    pub(crate) has_job: bool,
    /// Whether a lease is noted in it.
    pub(crate) is_leased: bool,
    pub(crate) open: Option<Submission>,
    /// The handles of closed submissions, a bit each.
    pub(crate) closed_handles: u8,
    /// Whether a pull that was fetched is closed without a handle.
    pub(crate) has_lost_pull: bool,
    /// Whether a pull was taken back, so that the next submission is an upload.
    pub(crate) is_uploaded_next: bool,
    /// The hold after a restore.
    pub(crate) is_held: bool,
    /// The hold has not found the post and left it to go out: before it does it is searched for once more.
    pub(crate) is_marked: bool,
}

impl Database {
    /// A post in QUEUE with its job.
    pub(crate) const fn queued() -> Self {
        Self {
            post: PostState::Queue,
            is_asked_for_now: false,
            has_job: true,
            is_leased: false,
            open: None,
            closed_handles: 0,
            has_lost_pull: false,
            is_uploaded_next: false,
            is_held: false,
            is_marked: false,
        }
    }

    /// The open submission, if it is this one.
    pub(crate) fn open_as(&mut self, id: u8) -> Option<&mut Submission> {
        self.open.as_mut().filter(|open| open.id == id)
    }

    /// Applies a change to submission `id` if it is open; returns whether the last byte was noted before. Its `WHERE` clause is
    /// evaluated again on the row as it is when the change commits.
    pub(crate) fn change(&mut self, id: u8, change: Change) -> Option<bool> {
        let open = self.open_as(id)?;
        let was_noted = open.facts.is_last_byte_noted;
        match change {
            Change::SaveHandle(handle) => *open = open.accepted(handle),
            Change::RecordSent(bytes) => open.facts.sent_bytes = bytes,
            Change::MarkLastByte => open.facts.is_last_byte_noted = true,
            Change::HasAllBytes => {
                open.facts.is_last_byte_noted = true;
                open.facts.sent_bytes = SIZE;
            }
        }
        Some(was_noted)
    }

    /// Closes submission `id` if it is open.
    pub(crate) fn close(&mut self, id: u8) {
        let Some(closed) = self.open_as(id).copied() else {
            return;
        };
        self.open = None;
        match closed.handle {
            Some(handle) => self.closed_handles |= 1 << handle,
            None => self.has_lost_pull |= closed.facts.is_fetched,
        }
    }

    /// The post has its outcome: its job is deleted.
    pub(crate) fn conclude(&mut self, post: PostState) {
        self.post = post;
        self.has_job = false;
        self.is_leased = false;
    }
}
