//! The checksum of one request's bytes, computed as they come.

use playout_domain::error::{Code, Refusal};
use playout_wire::tus::{Algorithm, Checksum};
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// A checksum in the making.
pub(super) struct Summing {
    sum: Sum,
    expected: Vec<u8>,
}

enum Sum {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Summing {
    pub(super) fn new(checksum: Checksum) -> Self {
        Self {
            sum: match checksum.algorithm {
                Algorithm::Sha1 => Sum::Sha1(Sha1::new()),
                Algorithm::Sha256 => Sum::Sha256(Sha256::new()),
            },
            expected: checksum.expected,
        }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        match &mut self.sum {
            Sum::Sha1(sum) => sum.update(bytes),
            Sum::Sha256(sum) => sum.update(bytes),
        }
    }

    /// Refuses bytes that are not those which were sent.
    pub(super) fn verify(self) -> Result<(), Refusal> {
        let found = match self.sum {
            Sum::Sha1(sum) => sum.finalize().to_vec(),
            Sum::Sha256(sum) => sum.finalize().to_vec(),
        };
        if found == self.expected {
            return Ok(());
        }
        let message = "The bytes do not have the checksum in Upload-Checksum; none of them were kept.";
        Err(Refusal::new(Code::ChecksumMismatch, message))
    }
}
