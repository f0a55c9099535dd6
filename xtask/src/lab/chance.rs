//! Repeatable random numbers: the same seed makes the same plan.

/// A small generator (splitmix64).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// From a seed.
    pub fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// A number from `from` up to but without `to`.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to - from)
    }

    /// Whether something happens that does so `of_a_hundred` times out of a hundred.
    pub fn happens(&mut self, of_a_hundred: u64) -> bool {
        self.below(100) < of_a_hundred
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        let index = self.below(choices.len() as u64);
        choices[usize::try_from(index).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_numbers_again_and_another_makes_others() {
        let numbers = |seed| {
            let mut chance = Chance::seeded(seed);
            (0..20).map(|_| chance.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }

    #[test]
    fn numbers_keep_their_bounds() {
        let mut chance = Chance::seeded(1);
        assert!((0..1000).all(|_| (10..20).contains(&chance.between(10, 20))));
        assert!((0..100).all(|_| chance.happens(100) && !chance.happens(0)));
    }
}
