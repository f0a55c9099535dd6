//! That every post has an outcome once faults end.
//!
//! A worker that polls a provider which is still at work is a cycle of states, so that a search for states without a successor
//! does not suffice. It is an invariant here: from *every* reachable state, runs without faults are executed to
//! their end, and each must reach an outcome within [`LONGEST`] actions. Such a run takes only actions that are possible in the
//! model, so that the outcome is really reachable; the schedules differ in who acts first and whether the provider ever acts.
//! What is proved is that no reachable state is stuck under any of these schedules, not that every unfair schedule ends.

use std::cell::RefCell;

use crate::checker::{Keys, key};
use crate::model::{Action, Protocol};
use crate::state::{Faults, State};

/// The longest run without faults that may be needed.
const LONGEST: usize = 120;
/// From this action on, every wait of a run has reached its time limit.
const LATE: usize = 60;

/// Which actor acts first.
#[derive(Clone, Copy, Hash)]
enum Schedule {
    /// Workers, the first one first; requests that no one waits for never arrive; the provider rests unless there is nothing else.
    WorkersOnly,
    /// Requests, the provider and notifications, then the last worker.
    ProviderFirst,
    /// Workers, the last one first, and no notification.
    LastWorkerFirst,
}

/// Whether every schedule leads from `state` to an outcome.
pub(crate) fn ends(model: &Protocol, state: &State) -> bool {
    let model = Protocol {
        is_reduced: false,
        ..*model
    };
    [
        Schedule::WorkersOnly,
        Schedule::ProviderFirst,
        Schedule::LastWorkerFirst,
    ]
    .into_iter()
    .all(|schedule| has_outcome(&model, *state, schedule))
}

thread_local! {
    /// States from which a schedule has reached an outcome, in the check that the thread is at.
    static REACHED: RefCell<Keys> = RefCell::default();
}

/// Forgets what was reached in another check.
pub(crate) fn start() {
    REACHED.with_borrow_mut(Keys::clear);
}

fn has_outcome(model: &Protocol, mut state: State, schedule: Schedule) -> bool {
    state.faults = Faults::NONE;
    let mut actions = Vec::new();
    let mut visited = Vec::new();
    for taken in 0..LONGEST {
        let key = key(&(state, schedule));
        if state.has_outcome() || REACHED.with_borrow(|reached| reached.contains(&key)) {
            // What follows in the run followed from each of its states.
            REACHED.with_borrow_mut(|reached| reached.extend(visited));
            return true;
        }
        visited.push(key);
        actions.clear();
        model.actions(&state, &mut actions);
        let ranked = actions
            .iter()
            .map(|action| (rank(schedule, *action, taken >= LATE), *action));
        let mut ranked: Vec<_> = ranked.filter(|(rank, _)| rank.0 < NEVER).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let next = ranked
            .iter()
            .find_map(|(_, action)| model.next_state(&state, *action));
        match next {
            Some(next) => state = next,
            None => return false,
        }
    }
    false
}

/// The rank of what a schedule does not do.
const NEVER: usize = usize::MAX;

fn rank(schedule: Schedule, action: Action, is_late: bool) -> (usize, usize) {
    let (kind, worker) = match action {
        Action::Next { worker, late }
        | Action::Commit { worker, late }
        | Action::NotFound { worker, late }
            if late == is_late =>
        {
            (0, worker)
        }
        // Steps that do not depend on the time are offered as `late: false` alone.
        Action::Next { worker, .. } | Action::Commit { worker, .. } | Action::NotFound { worker, .. } => {
            (1, worker)
        }
        Action::Answer { worker, refused, .. } => (usize::from(refused), worker),
        Action::Claim(worker) => (3, worker),
        Action::Notify { worker, .. } => (2, worker),
        Action::Arrive(_) | Action::Publish(_) | Action::Fetch { .. } => (4, 0),
        Action::Compare | Action::LookAfterRestore { .. } | Action::BecomeDue => (5, 0),
        _ => return (NEVER, 0),
    };
    let last_first = 1 - worker.min(1);
    match (schedule, kind) {
        (Schedule::WorkersOnly, 2 | 4) => (NEVER, 0),
        (Schedule::WorkersOnly, kind) => (kind, worker),
        (Schedule::ProviderFirst, 4) => (0, 0),
        (Schedule::ProviderFirst, kind) => (kind + 1, last_first),
        (Schedule::LastWorkerFirst, 2) => (NEVER, 0),
        (Schedule::LastWorkerFirst, kind) => (kind, last_first),
    }
}
