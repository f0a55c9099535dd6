//! What may follow a submission, and a chunk of it. The rule reads a few facts only, so that the model in `crates/protocol` checks the
//! rule itself and not a copy of it.

use crate::fate::Fate;
use crate::transfer::{Chunk, ChunkAnswer, Transfer};

/// What may follow an open submission that this run did not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing can have been published: close it and begin another.
    BeginAgain,
    /// The handle is known and bytes are missing: go on sending from `sent_bytes`.
    ResumeUpload,
    /// The handle is known and the bytes are the provider's business: only ask.
    Check,
    /// A pull without a handle: revoke its addresses, then decide by whether one was fetched.
    Revoke,
    /// The provider may have it, and there is nothing to ask by: search for it, else a person must look.
    Search,
}

/// What the ledger holds of an open submission, as far as the rule reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Facts {
    /// How the bytes travel.
    pub transfer: Transfer,
    /// Whether the provider's handle is stored (step 3).
    pub has_handle: bool,
    /// The size of an upload whose address is stored.
    pub upload_bytes: Option<u64>,
    /// Bytes of an upload that the provider has acknowledged.
    pub sent_bytes: u64,
    /// Whether the note is stored that the last chunk is about to be sent (step 4).
    pub is_last_byte_noted: bool,
    /// Whether a single-purpose address of a pull was fetched.
    pub is_fetched: bool,
    /// Whether those addresses were revoked.
    pub is_revoked: bool,
}

impl Facts {
    /// What is stored of a submission that has just begun (step 1).
    pub const fn begun(transfer: Transfer) -> Self {
        Self {
            transfer,
            has_handle: false,
            upload_bytes: None,
            sent_bytes: 0,
            is_last_byte_noted: false,
            is_fetched: false,
            is_revoked: false,
        }
    }

    /// What may follow, from what is stored alone.
    pub fn recovery(self) -> Recovery {
        match (self.transfer, self.has_handle) {
            // Bytes are sent under a handle alone: one that is not stored was lost, as by a database that went back.
            (Transfer::Upload, false) if self.is_last_byte_noted => Recovery::Search,
            (Transfer::Upload, false) => Recovery::BeginAgain,
            (Transfer::Upload, true) if self.sent_bytes < self.size_bytes() => Recovery::ResumeUpload,
            (Transfer::Upload | Transfer::Pull | Transfer::Text, true) => Recovery::Check,
            (Transfer::Text, false) => Recovery::Search,
            (Transfer::Pull, false) => match (self.is_fetched, self.is_revoked) {
                (true, _) => Recovery::Search,
                (false, true) => Recovery::BeginAgain,
                (false, false) => Recovery::Revoke,
            },
        }
    }

    /// Whether something may have been published or may yet be, from what is stored alone. A pull whose addresses still work may
    /// be fetched at any moment.
    pub fn may_be_out(self) -> bool {
        match self.recovery() {
            Recovery::BeginAgain => false,
            Recovery::ResumeUpload => self.is_last_byte_noted,
            Recovery::Check | Recovery::Revoke | Recovery::Search => true,
        }
    }

    /// Whether the provider certainly does not have the whole file of an upload, so that nothing can come of it, if the answer to its
    /// last chunk was clear, or that was not sent. The provider's number may be the count of bytes or the position of the last one: one less than
    /// all may be all. Once the last chunk may have been sent, a status without a number shows nothing.
    pub fn lacks_bytes(self, received_bytes: Option<u64>) -> bool {
        let lacks = match received_bytes {
            Some(received) => received.saturating_add(1) < self.size_bytes(),
            None => !self.is_last_byte_noted,
        };
        self.transfer == Transfer::Upload && lacks
    }

    /// Whether it is a pull whose addresses were revoked before any fetch from them: nothing can come of it, under any
    /// outcome that the provider reports.
    pub fn is_taken_back(self) -> bool {
        self.transfer == Transfer::Pull && self.is_revoked && !self.is_fetched
    }

    fn size_bytes(self) -> u64 {
        self.upload_bytes.unwrap_or(0)
    }
}

/// A chunk that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentChunk {
    /// Which one.
    pub chunk: Chunk,
    /// Bytes of the upload in all.
    pub size_bytes: u64,
    /// Whether an earlier run may have sent the last chunk.
    pub may_be_complete: bool,
    /// Whether the provider may still correct the offset in this run.
    pub may_be_corrected: bool,
}

/// What follows the provider's answer to a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterChunk {
    /// The provider has so many bytes: go on from there.
    Sent(u64),
    /// The same, where it expected another offset.
    Corrected(u64),
    /// The provider took neither this chunk nor the last one in an earlier run: close the submission once the provider was asked.
    BreakOff,
    /// Whether the bytes were taken is not known: a later run sends them again under the same handle.
    Unclear,
}

impl SentChunk {
    /// What follows this answer, or an error of this fate.
    pub fn follow(self, answer: Result<ChunkAnswer, Fate>) -> AfterChunk {
        match answer {
            Ok(ChunkAnswer::Stored) if !self.chunk.is_last => {
                AfterChunk::Sent(self.chunk.offset + self.chunk.size_bytes)
            }
            Ok(ChunkAnswer::Complete | ChunkAnswer::Stored) => AfterChunk::Sent(self.size_bytes),
            Ok(ChunkAnswer::Expected(Some(offset))) if self.may_be_corrected => {
                AfterChunk::Corrected(offset.min(self.size_bytes))
            }
            Ok(ChunkAnswer::Expected(_) | ChunkAnswer::Gone) if !self.may_be_complete => AfterChunk::BreakOff,
            // The last byte may have arrived: only the provider knows now.
            Ok(ChunkAnswer::Expected(_) | ChunkAnswer::Gone) => AfterChunk::Sent(self.size_bytes),
            // A clear refusal: the bytes were not taken.
            Err(Fate::Rejected | Fate::Reauthorize | Fate::StaleToken) if !self.may_be_complete => {
                AfterChunk::BreakOff
            }
            Err(_) => AfterChunk::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(may_be_complete: bool) -> SentChunk {
        SentChunk {
            chunk: Chunk {
                offset: 10,
                size_bytes: 10,
                is_last: true,
            },
            size_bytes: 20,
            may_be_complete,
            may_be_corrected: true,
        }
    }

    #[test]
    fn an_upload_whose_last_byte_was_to_be_sent_is_not_begun_again_although_its_handle_is_missing() {
        let begun = Facts::begun(Transfer::Upload);
        assert_eq!(
            (begun.recovery(), begun.may_be_out()),
            (Recovery::BeginAgain, false)
        );
        let noted = Facts {
            is_last_byte_noted: true,
            ..begun
        };
        assert_eq!((noted.recovery(), noted.may_be_out()), (Recovery::Search, true));
    }

    #[test]
    fn an_expired_address_ends_an_upload_only_where_no_last_byte_can_have_arrived() {
        let gone = Ok(ChunkAnswer::Gone);
        assert_eq!(last(false).follow(gone), AfterChunk::BreakOff);
        assert_eq!(last(true).follow(gone), AfterChunk::Sent(20));
    }

    #[test]
    fn an_unclear_answer_is_repeated_and_a_refusal_is_final_where_the_last_chunk_was_not_sent_before() {
        for may_be_complete in [false, true] {
            assert_eq!(
                last(may_be_complete).follow(Err(Fate::Unknown)),
                AfterChunk::Unclear
            );
        }
        assert_eq!(last(false).follow(Err(Fate::Rejected)), AfterChunk::BreakOff);
        assert_eq!(last(true).follow(Err(Fate::Rejected)), AfterChunk::Unclear);
    }

    #[test]
    fn a_corrected_offset_is_followed_as_often_as_allowed() {
        let expected = Ok(ChunkAnswer::Expected(Some(99)));
        assert_eq!(last(false).follow(expected), AfterChunk::Corrected(20));
        let no_more = SentChunk {
            may_be_corrected: false,
            ..last(false)
        };
        assert_eq!(no_more.follow(expected), AfterChunk::BreakOff);
    }
}
