//! The only source of randomness in the server: identifiers and tokens.

use playout_domain::id::uuid_v7;
use playout_domain::time::Time;
use rand::Rng;
use uuid::Uuid;

/// `N` unpredictable bytes.
#[expect(clippy::disallowed_methods, reason = "the one home of chance in the server")]
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

/// A new identifier.
pub fn id<T: From<Uuid>>(now: Time) -> T {
    uuid_v7(now, bytes()).into()
}

/// A token of 128 random bits as 32 hex digits, for addresses that cannot be guessed.
pub fn token() -> String {
    hex::encode(bytes::<16>())
}

/// A number uniform in 0..1, for jitter.
pub fn fraction() -> f64 {
    f64::from(u32::from_le_bytes(bytes())) / (f64::from(u32::MAX) + 1.0)
}
