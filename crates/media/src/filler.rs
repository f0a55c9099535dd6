//! Fills parts and hashes what it fills in.

use bytes::{Buf, Bytes};
use sha2::{Digest, Sha256};

use crate::pages::Pages;
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
    /// `None` while it has no memory.
    pub(crate) filling: Option<Pages>,
}

impl Filler {
    pub(crate) fn new(parts: Box<dyn Parts>, part_bytes: usize) -> Self {
        Self {
            parts,
            part_bytes,
            hash: Sha256::new(),
            piece: Bytes::new(),
            filling: None,
        }
    }

    /// The hash of all that was filled in.
    pub(crate) fn sha256(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }

    /// Whether nothing is left to be written.
    pub(crate) fn is_empty(&self) -> bool {
        self.piece.is_empty() && self.filling.is_none()
    }

    /// Copies and hashes as much of the piece as the part has room for; whether the part is now full.
    pub(crate) fn fill(&mut self) -> bool {
        let Some(filling) = &mut self.filling else {
            return false;
        };
        while !self.piece.is_empty() && !filling.is_full() {
            let step = self.piece.len().min(STEP_BYTES);
            let taken = filling.append(&self.piece[..step]);
            self.hash.update(taken);
            let taken = taken.len();
            self.piece.advance(taken);
        }
        if self.piece.is_empty() {
            // An empty piece may still hold the memory it was cut from.
            self.piece = Bytes::new();
        }
        filling.is_full()
    }
}
