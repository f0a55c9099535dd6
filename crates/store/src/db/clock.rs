//! How far the clock of a node is from the database's, which all nodes of one PostgreSQL share.

use std::time::Duration;

use playout_domain::time::{Clock, Time};

use super::error::{Result, StoreError};
use super::postgres::{SIGN_OF_LIFE, answered};
use super::store::{Pools, Store};

/// How often the database's clock is read for one [`ClockDifference`]; the quickest answer counts.
const READINGS: usize = 3;
/// An answer that took longer gives too wide a range.
const SLOWEST: Duration = Duration::from_millis(250);

/// By how many microseconds the database's clock is ahead of a node's, corrections included; negative if it is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockDifference {
    /// At least this many: a node that corrects its clock by it is never ahead of the database.
    pub least: i64,
    /// At most this many.
    pub most: i64,
}

impl ClockDifference {
    /// From the database's clock, read between two readings of the node's. `None` if the answer took too long, or the node's clock was
    /// set back meanwhile.
    fn between(before: Time, database: Time, after: Time) -> Option<Self> {
        let is_useful = before <= after && after.since(before) <= SLOWEST;
        is_useful.then(|| Self {
            least: database.as_micros() - after.as_micros(),
            most: database.as_micros() - before.as_micros(),
        })
    }

    /// What a node that went by the database's clock before must correct its own by now; 0 if what it goes by may still be right.
    pub fn correction(self) -> i64 {
        match self.least <= 0 && 0 <= self.most {
            true => 0,
            false => self.least,
        }
    }
}

impl Store {
    /// How far `clock` is from the database's; `None` on SQLite, which has no clock of its own.
    ///
    /// # Errors
    /// When the database fails, or answers too slowly for a comparison.
    pub async fn clock_difference(&self, clock: &dyn Clock) -> Result<Option<ClockDifference>> {
        let Pools::Postgres(postgres) = &self.0.pools else {
            return Ok(None);
        };
        let asked = async {
            let mut connection = postgres.watch.acquire().await?;
            let mut best: Option<ClockDifference> = None;
            for _ in 0..READINGS {
                let before = clock.now();
                let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";
                let micros: i64 = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
                let read = ClockDifference::between(before, Time::from_micros(micros), clock.now());
                let width = |found: &ClockDifference| found.most - found.least;
                best = best.into_iter().chain(read).min_by_key(width);
            }
            Ok(best)
        };
        match answered(SIGN_OF_LIFE, asked).await? {
            Some(best) => Ok(Some(best)),
            None => Err(StoreError::Unavailable(
                "it answers too slowly to compare clocks".into(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(before: i64, database: i64, after: i64) -> Option<ClockDifference> {
        ClockDifference::between(
            Time::from_millis(before),
            Time::from_millis(database),
            Time::from_millis(after),
        )
    }

    #[test]
    fn a_node_is_corrected_to_be_behind_the_database_by_no_more_than_an_answer_takes() {
        let fast = between(20_000, 1000, 20_004).unwrap();
        assert_eq!(fast.correction(), -19_004_000);
        let slow = between(1000, 20_000, 1004).unwrap();
        assert_eq!(slow.correction(), 18_996_000);
    }

    #[test]
    fn a_clock_that_may_be_right_is_left_alone() {
        assert_eq!(between(1000, 1002, 1004).unwrap().correction(), 0);
        assert_eq!(between(1000, 1000, 1000).unwrap().correction(), 0);
        assert_eq!(between(1000, 1005, 1004).unwrap().correction(), 1000);
        assert_eq!(between(1000, 999, 1004).unwrap().correction(), -5000);
    }

    #[test]
    fn a_slow_answer_and_a_clock_that_was_set_back_say_nothing() {
        assert_eq!(between(1000, 1100, 1251), None);
        assert_eq!(between(1000, 1000, 999), None);
    }
}
