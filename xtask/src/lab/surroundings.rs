//! When the connections to PostgreSQL, the folder of the media, the clocks and the keys of nodes are at fault. Planned from
//! the same seed as the kills, but from numbers of its own: the rest of a plan does not depend on it.

use super::act::{Act, Start};
use super::chance::Chance;
use super::connection_fault::ConnectionFault;
use super::options::Db;

/// One of each in so many kills.
const FREEZE_EVERY: usize = 30;
const CUT_EVERY: usize = 45;
const DELAY_EVERY: usize = 45;
const MEDIA_EVERY: usize = 45;
const WRONG_KEY_EVERY: usize = 45;
/// How far a clock is from the right time, at most.
const CLOCK_MS: i64 = 20_000;

/// The plan's faults of the surroundings.
#[derive(Debug)]
pub struct Surroundings {
    chance: Chance,
    db: Db,
    freeze_at: usize,
    cut_at: usize,
    delay_at: usize,
    media_at: usize,
    wrong_key_at: usize,
}

/// Something that is done so long after a kill.
#[derive(Debug, Clone, PartialEq)]
pub struct Later {
    /// How long.
    pub after_ms: u64,
    /// What.
    pub act: Act,
}

impl Surroundings {
    /// The faults that `seed` makes on such a database.
    pub fn seeded(seed: u64, db: Db) -> Self {
        let mut chance = Chance::seeded(seed ^ 0x0073_7572_726f_756e);
        let mut turn = |every: usize| usize::try_from(chance.below(every as u64)).unwrap_or(0);
        Self {
            freeze_at: turn(FREEZE_EVERY),
            cut_at: turn(CUT_EVERY),
            delay_at: turn(DELAY_EVERY),
            media_at: turn(MEDIA_EVERY),
            wrong_key_at: turn(WRONG_KEY_EVERY),
            chance,
            db,
        }
    }

    /// What happens after the kill with this number.
    pub fn after_kill(&mut self, number: usize) -> Vec<Later> {
        let mut all = Vec::new();
        let chance = &mut self.chance;
        if number % FREEZE_EVERY == self.freeze_at {
            let act = Act::DisturbConnections(ConnectionFault::freeze(chance));
            all.push(later(chance.below(400), act));
        }
        if number % CUT_EVERY == self.cut_at {
            let act = Act::DisturbConnections(ConnectionFault::cut(chance));
            all.push(later(chance.below(400), act));
        }
        if number % DELAY_EVERY == self.delay_at {
            let act = Act::DisturbConnections(ConnectionFault::delay(chance));
            all.push(later(chance.below(400), act));
        }
        if number % MEDIA_EVERY == self.media_at {
            let begins = chance.below(400);
            all.push(later(begins, Act::TakeMediaAway));
            all.push(later(begins + chance.between(500, 4001), Act::BringMediaBack));
        }
        if number % WRONG_KEY_EVERY == self.wrong_key_at {
            let begins = chance.below(400);
            all.push(later(begins, Act::StartWithWrongKey { number }));
            let ends = begins + chance.between(1000, 5001);
            all.push(later(ends, Act::EndWithWrongKey { number }));
        }
        all
    }

    /// By how much the clock of a process differs, in milliseconds. On PostgreSQL all nodes go by the clock of the
    /// database. On SQLite a post goes out early by as much as a clock is fast (`docs/reliability.md`, Clocks), so none is
    /// fast; and there a process with a slow clock finds nothing due as long as it runs, so two in three, and all that are
    /// to end at a named point, have the right time.
    pub fn clock_offset_ms(&mut self, start: Start) -> i64 {
        let drawn = i64::try_from(self.chance.below(CLOCK_MS.unsigned_abs() + 1)).unwrap_or(0);
        let (is_slow, is_right) = (self.chance.happens(50), self.chance.happens(67));
        match self.db {
            Db::Postgres if is_slow => -drawn,
            Db::Postgres => drawn,
            Db::Sqlite if is_right || start.failpoint.is_some() => 0,
            Db::Sqlite => -drawn,
        }
    }
}

fn later(after_ms: u64, act: Act) -> Later {
    Later { after_ms, act }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::connection_fault::Effect;

    fn acts(kills: usize, seed: u64) -> Vec<Act> {
        let mut surroundings = Surroundings::seeded(seed, Db::Postgres);
        (0..kills)
            .flat_map(|number| surroundings.after_kill(number))
            .map(|later| later.act)
            .collect()
    }

    fn count(acts: &[Act], is: fn(&Act) -> bool) -> usize {
        acts.iter().filter(|act| is(act)).count()
    }

    const KINDS: [fn(&Act) -> bool; 5] = [
        |act| matches!(act, Act::DisturbConnections(fault) if matches!(fault.effect, Effect::Freeze { .. } | Effect::FreezeThenCut { .. })),
        |act| matches!(act, Act::DisturbConnections(fault) if fault.effect == Effect::Cut),
        |act| matches!(act, Act::DisturbConnections(fault) if matches!(fault.effect, Effect::Delay { .. })),
        |act| matches!(act, Act::TakeMediaAway),
        |act| matches!(act, Act::StartWithWrongKey { .. }),
    ];

    #[test]
    fn a_short_run_has_one_to_three_faults_of_each_kind_and_a_long_one_dozens() {
        for seed in 0..20 {
            let (short, long) = (acts(90, seed), acts(2000, seed));
            for kind in KINDS {
                assert!((1..=3).contains(&count(&short, kind)), "seed {seed}");
                assert!((24..100).contains(&count(&long, kind)), "seed {seed}");
            }
        }
    }

    #[test]
    fn media_that_are_taken_away_come_back_and_nodes_with_the_wrong_key_end() {
        let acts = acts(400, 3);
        let taken = count(&acts, |act| matches!(act, Act::TakeMediaAway));
        assert_eq!(count(&acts, |act| matches!(act, Act::BringMediaBack)), taken);
        let started = count(&acts, |act| matches!(act, Act::StartWithWrongKey { .. }));
        assert_eq!(
            count(&acts, |act| matches!(act, Act::EndWithWrongKey { .. })),
            started
        );
    }

    fn offsets(db: Db, start: Start) -> Vec<i64> {
        let mut surroundings = Surroundings::seeded(9, db);
        (0..200).map(|_| surroundings.clock_offset_ms(start)).collect()
    }

    #[test]
    fn clocks_on_postgres_are_fast_and_slow_by_up_to_twenty_seconds() {
        let offsets = offsets(Db::Postgres, Start::default());
        assert!(offsets.iter().all(|offset| offset.abs() <= 20_000));
        assert!(offsets.iter().any(|offset| *offset > 15_000));
        assert!(offsets.iter().any(|offset| *offset < -15_000));
    }

    #[test]
    fn clocks_on_sqlite_are_never_fast_and_right_for_most_processes() {
        let all = offsets(Db::Sqlite, Start::default());
        assert!(all.iter().all(|offset| (-20_000..=0).contains(offset)));
        assert!(all.iter().any(|offset| *offset < -15_000));
        let right = all.iter().filter(|offset| **offset == 0).count();
        assert!((110..160).contains(&right), "{right}");
        let start = Start {
            failpoint: Some("publish.after_begin"),
            ..Start::default()
        };
        assert!(offsets(Db::Sqlite, start).iter().all(|offset| *offset == 0));
    }
}
