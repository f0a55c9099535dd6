//! When an account's tokens are bought anew: hours before they end, and spread over time, so that not all accounts are
//! due in the same hour.

use std::time::Duration;

use crate::time::Time;

/// The last moment to begin, for tokens that live for a day or longer: hours of faults leave the present ones in use.
const LATEST: Duration = Duration::from_secs(4 * 3600);
/// The first.
const EARLIEST: Duration = Duration::from_secs(8 * 3600);

/// When tokens that were bought at `from` and end at `ends` are to be replaced: uniformly, by `chance` in 0..1, between 8
/// and 4 hours before their end; for shorter lives between a third and a sixth of them. Never before `from`.
pub fn refresh_at(from: Time, ends: Time, chance: f64) -> Time {
    let life = ends.since(from);
    let (first, last) = (EARLIEST.min(life / 3), LATEST.min(life / 6));
    let spread = first.saturating_sub(last).mul_f64(chance.clamp(0.0, 1.0));
    ends.minus(first).plus(spread).max(from)
}

/// A number in 0..1 that looks like chance, and is always the same for an account and the end of its tokens (FNV-1a,
/// mixed as splitmix64 does).
pub fn place_of(account: &str, ends: Time) -> f64 {
    let bytes = account.bytes().chain(ends.as_micros().to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DAY: Duration = Duration::from_secs(86_400);
    const HOUR: i64 = 3600;

    proptest! {
        #[test]
        fn tokens_are_replaced_within_their_life_and_hours_before_its_end(
            life in 0u64..400 * 86_400, chance in 0.0f64..1.0
        ) {
            let (from, life) = (Time::from_secs(1_795_000_000), Duration::from_secs(life));
            let ends = from.plus(life);
            let at = refresh_at(from, ends, chance);
            prop_assert!(at >= from && at <= ends);
            prop_assert!(ends.since(at) <= EARLIEST);
            prop_assert!(ends.since(at) + Duration::from_secs(1) >= LATEST.min(life / 6));
        }

        #[test]
        fn ten_thousand_accounts_of_one_hour_are_not_renewed_in_one(seed in any::<u64>()) {
            const ACCOUNTS: i64 = 10_000;
            let mut minutes = std::collections::HashMap::new();
            for account in 0..ACCOUNTS {
                let from = Time::from_micros(account * HOUR * 1_000_000 / ACCOUNTS);
                let ends = from.plus(DAY);
                let at = refresh_at(from, ends, place_of(&format!("-000{seed}{account}"), ends));
                *minutes.entry(at.as_micros() / 60_000_000).or_insert(0) += 1;
            }
            // Evenly spread over four hours and a bit they would be about 40 a minute.
            prop_assert!(minutes.len() > 4 * 60);
            prop_assert!(minutes.values().all(|count| *count <= 90), "{:?}", minutes.values().max());
        }
    }
}
