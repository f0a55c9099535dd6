//! What happens when, made from the seed alone: kills, stalls, troubles of the provider, of the database, of the disk.
//!
//! Times are milliseconds from the moment at which the first post is due.

use super::act::{Act, Start};
use super::bucket_plan::BucketPlan;
use super::chance::Chance;
use super::copies::Way;
use super::options::{Db, Storage};
use super::surroundings::Surroundings;
use super::trouble;

/// The failpoints at which a process can be made to end, from the document that names them.
const POINTS: &str = include_str!("../../../docs/failpoints.md");
/// Points that lie in uploads. Those of the posts' media are made before the first kill, and others happen with several nodes only.
const NOT_OURS: [&str; 2] = ["media.", "upload."];
/// Of a hundred kills so many happen at a named point, and so many are stalls.
const AT_POINTS: u64 = 20;
const STALLS: u64 = 6;
/// Of a hundred kills so many come with some trouble of the provider.
const TROUBLES: u64 = 45;
/// One restart of the database, one full disk, and one round of reconnecting accounts, in so many kills.
const RESTART_EVERY: usize = 60;
const RECONNECT_EVERY: usize = 100;
const FULL_EVERY: usize = 130;
/// One restore in so many kills.
const PUT_BACK_EVERY: usize = 140;

/// What a run is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// How often a process ends.
    pub kills: usize,
    /// How many run at the same time.
    pub nodes: usize,
    /// Accounts that posts go to.
    pub accounts: usize,
    /// Where the posts are kept.
    pub db: Db,
    /// Where the media are kept.
    pub storage: Storage,
}

/// Something that is done at its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// When.
    pub at_ms: u64,
    /// What.
    pub act: Act,
}

/// Everything that will happen.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In order of time.
    pub steps: Vec<Step>,
    /// When the last kill happens.
    pub length_ms: u64,
}

/// The named points that the laboratory uses, in the document's order.
pub fn points() -> Vec<&'static str> {
    let named = POINTS
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    named
        .filter(|point| NOT_OURS.iter().all(|other| !point.starts_with(other)))
        .collect()
}

impl Plan {
    /// The plan that `seed` makes.
    pub fn new(seed: u64, size: Size) -> Self {
        let mut chance = Chance::seeded(seed);
        let mut plan = Self {
            steps: Vec::new(),
            length_ms: 0,
        };
        let points = points();
        let mut surroundings = Surroundings::seeded(seed, size.db);
        let mut bucket = (size.storage == Storage::S3).then(|| BucketPlan::seeded(seed));
        let mut next_point = chance.below(points.len() as u64);
        for number in 0..size.kills {
            let mut start = Start {
                transfer: chance.one_of(&[Some("upload"), Some("pull"), None]),
                ..Start::default()
            };
            if chance.happens(AT_POINTS) {
                next_point += 1;
                start.failpoint = points
                    .get(usize::try_from(next_point).unwrap_or(0) % points.len())
                    .copied();
            }
            start.clock_offset_ms = surroundings.clock_offset_ms(start);
            plan.kill(&mut chance, (number, size.nodes), start);
            plan.troubles(&mut chance, size, start.failpoint);
            plan.machine(&mut chance, number);
            let bucket = bucket.iter_mut().flat_map(|bucket| bucket.after_kill(number));
            for later in surroundings.after_kill(number).into_iter().chain(bucket) {
                plan.add(later.after_ms, later.act);
            }
            // A process that is to end at a failpoint needs time to reach it.
            let (least, most) = match start.failpoint {
                Some(point) if trouble::is_remote(point) => (800, 2500),
                Some(_) => (300, 1000),
                None => (0, 450),
            };
            plan.length_ms += chance.between(least, most);
        }
        plan.steps.sort_by_key(|step| step.at_ms);
        plan
    }

    fn add(&mut self, after_ms: u64, act: Act) {
        self.steps.push(Step {
            at_ms: self.length_ms + after_ms,
            act,
        });
    }

    fn kill(&mut self, chance: &mut Chance, (number, nodes): (usize, usize), next: Start) {
        let node = usize::try_from(chance.below(nodes as u64)).unwrap_or(0);
        if !chance.happens(STALLS) {
            return self.add(0, Act::Kill { node, next });
        }
        // Longer than the lease, most of the time.
        let (asleep, awake) = (chance.between(1500, 5000), chance.between(0, 1500));
        self.add(0, Act::Stall { node, next, number });
        self.add(asleep, Act::Wake { number });
        self.add(asleep + awake, Act::Bury { number });
    }

    fn troubles(&mut self, chance: &mut Chance, size: Size, failpoint: Option<&'static str>) {
        if let Some(point) = failpoint {
            for trouble in trouble::that_lead_to(point, size.accounts) {
                self.add(0, Act::Trouble(trouble));
            }
        }
        if chance.happens(TROUBLES) {
            let after = chance.below(300);
            for (later, trouble) in trouble::any(chance, size.accounts) {
                self.add(after + later, Act::Trouble(trouble));
            }
        }
    }

    fn machine(&mut self, chance: &mut Chance, number: usize) {
        if number % RESTART_EVERY == RESTART_EVERY / 2 {
            self.add(chance.below(300), Act::RestartDatabase);
        }
        if number % RECONNECT_EVERY == RECONNECT_EVERY - 1 {
            self.add(0, Act::Reconnect);
        }
        if number % FULL_EVERY == FULL_EVERY / 3 {
            let lasts = chance.between(1000, 4000);
            self.add(0, Act::FillDisk);
            self.add(lasts, Act::FreeDisk);
        }
        if number % PUT_BACK_EVERY == PUT_BACK_EVERY * 5 / 7 {
            let (copied, lasts) = (chance.below(300), chance.between(200, 8000));
            self.add(copied, Act::Copy(Way::any(chance)));
            self.add(copied + lasts, Act::PutBack);
            // The first time they look, and once they have waited long enough to decide.
            for later in [5000, 20_000] {
                self.add(copied + lasts + later, Act::Attend);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        kills: 400,
        nodes: 2,
        accounts: 40,
        db: Db::Postgres,
        storage: Storage::Folder,
    };

    #[test]
    fn a_bucket_adds_its_faults_to_a_plan_and_changes_nothing_else() {
        let with_bucket = Size {
            storage: Storage::S3,
            ..SIZE
        };
        let mut steps = Plan::new(11, with_bucket).steps;
        steps.retain(|step| {
            !matches!(
                step.act,
                Act::DisturbBucket(_) | Act::StopBucket | Act::StartBucket
            )
        });
        assert!(steps.len() < Plan::new(11, with_bucket).steps.len());
        assert_eq!(steps, Plan::new(11, SIZE).steps);
    }

    #[test]
    fn a_seed_plans_the_same_again_and_another_plans_something_else() {
        assert_eq!(Plan::new(11, SIZE), Plan::new(11, SIZE));
        assert_ne!(Plan::new(11, SIZE), Plan::new(12, SIZE));
    }

    #[test]
    fn every_kill_is_planned_and_every_named_point_has_its_turn() {
        let plan = Plan::new(3, SIZE);
        let next = |step: &Step| match step.act {
            Act::Kill { next, .. } | Act::Stall { next, .. } => Some(next),
            _ => None,
        };
        let starts: Vec<Start> = plan.steps.iter().filter_map(next).collect();
        assert_eq!(starts.len(), SIZE.kills);
        for point in points() {
            assert!(
                starts.iter().any(|start| start.failpoint == Some(point)),
                "{point}"
            );
        }
        assert!(points().contains(&"publish.after_begin") && points().contains(&"comment.after_call"));
        assert!(!points().contains(&"upload.after_note"));
    }

    #[test]
    fn whatever_is_stopped_goes_on_and_is_killed_and_whatever_is_filled_is_freed() {
        let plan = Plan::new(5, SIZE);
        let count = |is: fn(&Act) -> bool| plan.steps.iter().filter(|step| is(&step.act)).count();
        let stalls = count(|act| matches!(act, Act::Stall { .. }));
        assert!(stalls > 0);
        assert_eq!(count(|act| matches!(act, Act::Wake { .. })), stalls);
        assert_eq!(count(|act| matches!(act, Act::Bury { .. })), stalls);
        let filled = count(|act| matches!(act, Act::FillDisk));
        assert!(filled > 0);
        assert_eq!(count(|act| matches!(act, Act::FreeDisk)), filled);
        assert!(plan.steps.is_sorted_by_key(|step| step.at_ms));
    }

    #[test]
    fn every_copy_is_put_back_before_the_next_is_made() {
        let plan = Plan::new(5, SIZE);
        let acts = plan.steps.iter().map(|step| &step.act);
        let copies: Vec<bool> = acts
            .filter_map(|act| match act {
                Act::Copy(_) => Some(true),
                Act::PutBack => Some(false),
                _ => None,
            })
            .collect();
        assert!(copies.len() >= 2 * SIZE.kills / PUT_BACK_EVERY);
        assert!(copies.chunks(2).all(|pair| pair == [true, false]), "{copies:?}");
    }
}
