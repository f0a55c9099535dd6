//! How the bytes of a post travel, and in which pieces.

use serde::{Deserialize, Serialize};

/// How the bytes travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// We send them; nothing can be published before the last byte is sent.
    Upload,
    /// The provider fetches them from single-purpose addresses of this submission.
    Pull,
    /// There are none: a comment.
    Text,
}

impl Transfer {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Upload, Self::Pull, Self::Text];

    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Pull => "pull",
            Self::Text => "text",
        }
    }

    /// The transfer of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|transfer| transfer.as_str() == word)
    }
}

/// How a post travels, and why that way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// How.
    pub transfer: Transfer,
    /// Why, in a sentence for people; `None` where there is nothing to explain.
    pub reason: Option<&'static str>,
}

impl Way {
    /// A way that needs no explanation.
    pub const fn plain(transfer: Transfer) -> Self {
        Self {
            transfer,
            reason: None,
        }
    }
}

/// Where and how the provider wants the bytes of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadSession {
    /// The address, used verbatim. A secret for as long as it lives.
    pub url: String,
    /// The content type to declare.
    pub content_type: String,
    /// Bytes in all.
    pub size_bytes: u64,
    /// Bytes in every chunk but the last, which also carries the remainder.
    pub chunk_bytes: u64,
    /// How many chunks.
    pub chunk_count: u64,
}

impl UploadSession {
    /// Bytes of the last chunk.
    pub const fn last_chunk_bytes(&self) -> u64 {
        let before = self
            .chunk_bytes
            .saturating_mul(self.chunk_count.saturating_sub(1));
        self.size_bytes.saturating_sub(before)
    }

    /// The chunk that starts at `offset`: its length, and whether it is the last. `None` where no chunk starts.
    pub fn chunk_at(&self, offset: u64) -> Option<Chunk> {
        let index = offset.checked_div(self.chunk_bytes)?;
        if index >= self.chunk_count || index * self.chunk_bytes != offset {
            return None;
        }
        let is_last = index + 1 == self.chunk_count;
        let size_bytes = if is_last {
            self.size_bytes - offset
        } else {
            self.chunk_bytes
        };
        Some(Chunk {
            offset,
            size_bytes,
            is_last,
        })
    }
}

/// A piece of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// Its first byte.
    pub offset: u64,
    /// How many bytes.
    pub size_bytes: u64,
    /// Whether the file ends with it.
    pub is_last: bool,
}

/// A provider's answer to a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkAnswer {
    /// Stored; more is expected.
    Stored,
    /// All is there.
    Complete,
    /// Another offset was expected: this one, if the provider returned it.
    Expected(Option<u64>),
    /// The address has expired or is unknown.
    Gone,
}
