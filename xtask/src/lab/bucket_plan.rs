//! When the bucket is at fault. Planned from the same seed as the kills, but from numbers of its own: the rest of a plan does not depend
//! on it, and a run without a bucket has the same plan.

use super::act::Act;
use super::bucket_fault::BucketFault;
use super::chance::Chance;
use super::surroundings::Later;

/// One fault of each kind in so many kills; that the bucket is frozen is planned with the surroundings.
const EACH_EVERY: usize = 45;
/// For how long its process is gone, in milliseconds.
const STOPPED_MS: (u64, u64) = (300, 5000);

/// The plan's faults of the bucket.
#[derive(Debug)]
pub struct BucketPlan {
    chance: Chance,
    stop_at: usize,
    slow_at: usize,
    cut_at: usize,
    refuse_at: usize,
}

impl BucketPlan {
    /// The faults that `seed` makes.
    pub fn seeded(seed: u64) -> Self {
        let mut chance = Chance::seeded(seed ^ 0x0062_7563_6b65_7473);
        let mut turn = || usize::try_from(chance.below(EACH_EVERY as u64)).unwrap_or(0);
        Self {
            stop_at: turn(),
            slow_at: turn(),
            cut_at: turn(),
            refuse_at: turn(),
            chance,
        }
    }

    /// What happens after the kill with this number.
    pub fn after_kill(&mut self, number: usize) -> Vec<Later> {
        let mut all = Vec::new();
        let (turn, chance) = (number % EACH_EVERY, &mut self.chance);
        for (at, fault) in [
            (self.slow_at, BucketFault::slow as fn(&mut Chance) -> BucketFault),
            (self.cut_at, BucketFault::cut),
            (self.refuse_at, BucketFault::refuse),
        ] {
            if at == turn {
                all.push(Later {
                    after_ms: chance.below(400),
                    act: Act::DisturbBucket(fault(chance)),
                });
            }
        }
        if turn == self.stop_at {
            let begins = chance.below(400);
            all.push(Later {
                after_ms: begins,
                act: Act::StopBucket,
            });
            all.push(Later {
                after_ms: begins + chance.between(STOPPED_MS.0, STOPPED_MS.1),
                act: Act::StartBucket,
            });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::bucket_fault::BucketEffect;

    fn acts(kills: usize, seed: u64) -> Vec<Act> {
        let mut plan = BucketPlan::seeded(seed);
        (0..kills)
            .flat_map(|number| plan.after_kill(number))
            .map(|later| later.act)
            .collect()
    }

    fn count(acts: &[Act], is: fn(&Act) -> bool) -> usize {
        acts.iter().filter(|act| is(act)).count()
    }

    const KINDS: [fn(&Act) -> bool; 5] = [
        |act| matches!(act, Act::DisturbBucket(fault) if matches!(fault.effect, BucketEffect::Slow { .. })),
        |act| matches!(act, Act::DisturbBucket(fault) if fault.effect == BucketEffect::Cut),
        |act| matches!(act, Act::DisturbBucket(fault) if fault.effect == BucketEffect::Refuse),
        |act| *act == Act::StopBucket,
        |act| *act == Act::StartBucket,
    ];

    #[test]
    fn ninety_kills_have_two_faults_of_each_kind_and_a_thousand_have_a_score() {
        for seed in 0..20 {
            let (short, long) = (acts(90, seed), acts(1000, seed));
            for kind in KINDS {
                assert_eq!(count(&short, kind), 2, "seed {seed}");
                assert!((22..=23).contains(&count(&long, kind)), "seed {seed}");
            }
        }
    }

    #[test]
    fn a_bucket_that_is_stopped_starts_later() {
        let mut plan = BucketPlan::seeded(4);
        let stops = (0..400).map(|number| plan.after_kill(number));
        let mut seen = 0;
        for all in stops {
            let at = |act: Act| all.iter().find(|later| later.act == act);
            if let Some(stop) = at(Act::StopBucket) {
                assert!(at(Act::StartBucket).unwrap().after_ms >= stop.after_ms + STOPPED_MS.0);
                seen += 1;
            }
        }
        assert!(seen > 5, "{seen}");
    }
}
