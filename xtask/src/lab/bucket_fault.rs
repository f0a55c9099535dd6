//! What happens to all connections between the nodes and the bucket for a while, as planned.

use std::time::Duration;

use super::chance::Chance;

/// How long a fault lasts, in milliseconds. The service tries again for a minute.
const LASTS_MS: (u64, u64) = (500, 6000);
/// By how much each 64 KiB are delayed, at most: a part of 5 MiB then takes five seconds.
const MOST_DELAY_MS: u64 = 60;
/// Of a connection that is cut fewer bytes pass before. Half of the connections end within the first kilobyte, in the head of a
/// request or of its answer.
pub const MOST_BEFORE_CUT: usize = 2_000_000;
const FEW_BYTES: u64 = 1000;

/// One fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketFault {
    /// The seed of what differs between connections.
    pub choice: u64,
    /// For how long.
    pub lasts: Duration,
    /// What happens.
    pub effect: BucketEffect,
}

/// What can happen to all connections to the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BucketEffect {
    /// Bytes come later.
    Slow {
        /// By how much each 64 KiB are delayed.
        each: Duration,
    },
    /// Connections end in the middle of requests and answers.
    Cut,
    /// Each request is answered with 503 Slow Down.
    Refuse,
}

impl BucketFault {
    /// The bucket is slow.
    pub fn slow(chance: &mut Chance) -> Self {
        let each = Duration::from_millis(chance.between(1, MOST_DELAY_MS + 1));
        Self::of(chance, BucketEffect::Slow { each })
    }

    /// Connections are cut.
    pub fn cut(chance: &mut Chance) -> Self {
        Self::of(chance, BucketEffect::Cut)
    }

    /// Requests are refused.
    pub fn refuse(chance: &mut Chance) -> Self {
        Self::of(chance, BucketEffect::Refuse)
    }

    /// How many bytes the connection with this number passes before it is cut.
    pub fn bytes_before_cut(&self, connection: u64) -> usize {
        let mut chance = Chance::seeded(self.choice ^ connection);
        let most = match chance.happens(50) {
            true => FEW_BYTES,
            false => MOST_BEFORE_CUT as u64,
        };
        usize::try_from(chance.below(most)).unwrap_or(0)
    }

    fn of(chance: &mut Chance, effect: BucketEffect) -> Self {
        Self {
            choice: chance.below(u64::MAX),
            lasts: Duration::from_millis(chance.between(LASTS_MS.0, LASTS_MS.1)),
            effect,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_cut_in_heads_and_in_bodies_and_a_seed_cuts_them_the_same_again() {
        let fault = BucketFault::cut(&mut Chance::seeded(1));
        let bytes: Vec<usize> = (0..200)
            .map(|connection| fault.bytes_before_cut(connection))
            .collect();
        let few = bytes.iter().filter(|bytes| **bytes < 1000).count();
        assert!((60..140).contains(&few), "{few}");
        assert!(bytes.iter().any(|bytes| *bytes > 1_000_000));
        assert!(bytes.iter().all(|bytes| *bytes < MOST_BEFORE_CUT));
        assert_eq!(bytes[7], fault.bytes_before_cut(7));
    }
}
