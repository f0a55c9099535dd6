//! Fills parts and hashes what it fills in.

use bytes::{Buf, Bytes, BytesMut};
use sha2::{Digest, Sha256};

use crate::direct::BLOCK_BYTES;
use crate::parts::Parts;

/// Copied and then hashed at once: little enough to be still in the nearest cache.
const STEP_BYTES: usize = 8 << 10;

/// The part that is being filled, and what it is filled from.
#[derive(Debug)]
pub(crate) struct Filler {
    pub(crate) parts: Box<dyn Parts>,
    pub(crate) part_bytes: usize,
    hash: Sha256,
    pub(crate) piece: Bytes,
    /// Without capacity while it has no memory.
    pub(crate) filling: BytesMut,
}

impl Filler {
    pub(crate) fn new(parts: Box<dyn Parts>, part_bytes: usize) -> Self {
        Self {
            parts,
            part_bytes,
            hash: Sha256::new(),
            piece: Bytes::new(),
            filling: BytesMut::new(),
        }
    }

    /// The hash of all that was filled in.
    pub(crate) fn sha256(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }

    /// Whether nothing is left to be written.
    pub(crate) fn is_empty(&self) -> bool {
        self.piece.is_empty() && self.filling.is_empty()
    }

    /// Copies and hashes as much of the piece as the part has room for; whether the part is now full.
    pub(crate) fn fill(&mut self) -> bool {
        while !self.piece.is_empty() && self.filling.len() < self.part_bytes {
            let from = self.filling.len();
            let step = self.piece.len().min(self.part_bytes - from).min(STEP_BYTES);
            self.filling.extend_from_slice(&self.piece[..step]);
            self.hash.update(&self.filling[from..]);
            self.piece.advance(step);
        }
        if self.piece.is_empty() {
            // An empty piece may still hold the memory it was cut from.
            self.piece = Bytes::new();
        }
        self.filling.len() == self.part_bytes
    }
}

/// Empty memory for a part that begins where a disk's block may begin, so that it can be written without a copy.
pub(crate) fn aligned(part_bytes: usize) -> BytesMut {
    let mut memory = BytesMut::with_capacity(part_bytes + BLOCK_BYTES);
    let before = memory.as_ptr().align_offset(BLOCK_BYTES).min(BLOCK_BYTES);
    memory.resize(before, 0);
    memory.advance(before);
    memory
}
