//! By which way a copy of the database is made and put back, and what one that was put back may have forgotten.

use super::chance::Chance;

/// How a copy is made and put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// `playoutd backup`, while posts go out. Everything is thrown away before `playoutd restore`.
    Backup,
    /// A copy made while posts go out, put at another place: an SQLite file with another inode, a dump that is loaded into a
    /// new database. Data directory and media stay.
    NewPlace,
    /// Files copied while no node runs, written over the old ones: the place is the same, and only the pulse in the data
    /// directory and the storage is ahead.
    SamePlace,
    /// As `SamePlace`, but the pulse goes back too, so that nothing shows it: `playoutd admin engine hold` before the start.
    Snapshot,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Backup, Self::NewPlace, Self::SamePlace, Self::Snapshot];

    /// Any of them; half are backups.
    pub fn any(chance: &mut Chance) -> Self {
        match chance.happens(40) {
            true => Self::Backup,
            false => chance.one_of(&Self::ALL),
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Backup => "backup",
            Self::NewPlace => "copy at another place",
            Self::SamePlace => "files at the same place",
            Self::Snapshot => "snapshot, held by hand",
        }
    }
}

/// A copy that was put back.
#[derive(Debug, Clone, Copy)]
pub struct Restored {
    /// How.
    pub way: Way,
    /// When copying began, in microseconds since the epoch: what was answered before is in the copy.
    pub copied_at: i64,
    /// When the last node was killed.
    pub ended_at: i64,
}

/// Whether what was answered at this time may be missing in one of the copies.
pub fn may_be_forgotten(restored: &[Restored], at: i64) -> bool {
    restored
        .iter()
        .any(|one| (one.copied_at..=one.ended_at).contains(&at))
}

/// How often each way was taken.
pub fn ways(restored: &[Restored]) -> String {
    let count = |way: Way| restored.iter().filter(|one| one.way == way).count();
    Way::ALL
        .map(|way| format!("{} {}", count(way), way.name()))
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_taken() {
        let mut chance = Chance::seeded(1);
        let mut taken: Vec<Way> = (0..100).map(|_| Way::any(&mut chance)).collect();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken, Way::ALL);
    }

    #[test]
    fn only_what_was_answered_between_the_copy_and_the_restore_may_be_forgotten() {
        let restored = [Restored {
            way: Way::Backup,
            copied_at: 100,
            ended_at: 200,
        }];
        assert!(!may_be_forgotten(&restored, 99));
        assert!(may_be_forgotten(&restored, 100) && may_be_forgotten(&restored, 200));
        assert!(!may_be_forgotten(&restored, 201));
        assert!(!may_be_forgotten(&[], 150));
    }
}
