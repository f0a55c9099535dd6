//! The store's one source of chance: the random parts of new identifiers and the vault's nonces.

use std::sync::atomic::{AtomicU32, Ordering};

use playout_domain::id::uuid_v7;
use playout_domain::time::Time;
use uuid::Uuid;

/// Counts the identifiers made by this process.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A new identifier. Those made by one process within one millisecond are in the order of their making: the
/// leading 18 random bits are a counter (RFC 9562 §6.2, method 1); 56 bits stay random.
pub(crate) fn new_id<T: From<Uuid>>(now: Time) -> T {
    let count = MADE.fetch_add(1, Ordering::Relaxed);
    let mut random: [u8; 10] = random_bytes();
    random[0] = (count >> 14) as u8 & 0x0f;
    random[1] = (count >> 6) as u8;
    random[2] = count as u8 & 0x3f;
    T::from(uuid_v7(now, random))
}

/// Bytes from the operating system's generator.
#[expect(clippy::disallowed_methods, reason = "the store's one source of chance")]
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    rand::random()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_made_in_one_millisecond_are_in_order() {
        let ids: Vec<Uuid> = (0..100).map(|_| new_id(Time::from_secs(1))).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
