//! The only source of randomness in the client: idempotency keys, and jitter.

use rand::Rng;

/// Random bytes.
#[expect(clippy::disallowed_methods, reason = "the client's only source of randomness")]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

/// A new idempotency key: 128 random bits as 32 hex digits.
pub fn idempotency_key() -> String {
    hex::encode(bytes::<16>())
}

/// A uniform number in 0..1, for jitter.
pub(crate) fn fraction() -> f64 {
    f64::from(u32::from_le_bytes(bytes())) / (f64::from(u32::MAX) + 1.0)
}
