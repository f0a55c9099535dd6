//! How long the database may keep a request waiting, all its statements together.
//!
//! Each statement has a limit of its own; a request makes several, and its client gives up after some seconds. What counts is the time
//! that the request waits for the database and for its turn, not how long its body takes to come in.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

/// A longer wait is that of a database that is away. One that is busy answers each statement in less.
const SLOW: Duration = Duration::from_secs(2);
/// As long as no wait was slow, each statement has at least so long: a request with many statements is not cut off by a busy database.
const FLOOR: Duration = Duration::from_secs(3);

#[derive(Clone, Copy)]
struct Budget {
    left: Duration,
    was_slow: bool,
}

tokio::task_local! {
    static BUDGET: Cell<Budget>;
}

/// Runs a request that the database may keep waiting for so long in total; after that its statements fail as unavailable. Tasks that
/// it spawns have no budget, unless they [inherit](inherit_time_budget) it.
pub async fn with_time_budget<T>(budget: Duration, request: impl Future<Output = T>) -> T {
    let budget = Budget {
        left: budget,
        was_slow: false,
    };
    BUDGET.scope(Cell::new(budget), request).await
}

/// Gives work that is to be spawned what is left of the present budget.
pub fn inherit_time_budget<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let budget = BUDGET.try_with(Cell::get).ok();
    async move {
        match budget {
            Some(budget) => BUDGET.scope(Cell::new(budget), work).await,
            None => work.await,
        }
    }
}

/// Waits for something else at the expense of the budget.
pub async fn spend_time<T>(waiting: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let ended = waiting.await;
    spend(begun.elapsed());
    ended
}

/// Takes a wait from the budget.
pub(crate) fn spend(waited: Duration) {
    let take = |budget: &Cell<Budget>| {
        let Budget { left, was_slow } = budget.get();
        budget.set(Budget {
            left: left.saturating_sub(waited),
            was_slow: was_slow || waited >= SLOW,
        });
    };
    // Outside of a request there is no budget.
    let _ = BUDGET.try_with(take);
}

/// How long the next statement of the present request may take, if it has a budget.
pub(crate) fn left() -> Option<Duration> {
    let left = |budget: &Cell<Budget>| match budget.get() {
        Budget { left, was_slow: true } => left,
        Budget { left, .. } => left.max(FLOOR),
    };
    BUDGET.try_with(left).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTAL: Duration = Duration::from_millis(4500);

    #[tokio::test]
    async fn short_waits_leave_each_statement_its_time_and_a_slow_one_does_not() {
        with_time_budget(TOTAL, async {
            spend(SLOW / 2);
            assert_eq!(left(), Some(TOTAL - SLOW / 2));
            (0..10).for_each(|_| spend(SLOW / 2));
            assert_eq!(left(), Some(FLOOR));
            spend(SLOW);
            assert_eq!(left(), Some(Duration::ZERO));
        })
        .await;
        assert_eq!(left(), None);
    }

    #[tokio::test]
    async fn work_that_is_spawned_has_a_budget_only_if_it_inherits_it() {
        with_time_budget(TOTAL, async {
            spend_time(tokio::task::yield_now()).await;
            spend(SLOW);
            let spent = left();
            let (plain, inheriting) = (async { left() }, inherit_time_budget(async { left() }));
            assert_eq!(tokio::spawn(plain).await.unwrap(), None);
            assert_eq!(tokio::spawn(inheriting).await.unwrap(), spent);
            assert!(spent.is_some_and(|left| left <= TOTAL - SLOW));
        })
        .await;
    }
}
