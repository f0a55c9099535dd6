//! Tokens without a meaning of their own, of sessions, invitations and mails: random, and stored as a hash.

use playout_domain::secret::Secret;
use sha2::{Digest, Sha256};

use crate::chance;

/// A random token of 32 bytes, in hexadecimal.
pub(super) fn new_token() -> Secret {
    Secret::new(hex::encode(chance::bytes::<32>()))
}

/// What is stored of a token.
pub(super) fn hash_of(token: &Secret) -> [u8; 32] {
    Sha256::digest(token.expose().as_bytes()).into()
}
