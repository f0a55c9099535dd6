//! What no worker does to a state: the provider, the operator, time.

use playout_domain::post::PostState;

use super::{drop_request, go};
use crate::model::{Action, Protocol};
use crate::provider::{Stage, Try};
use crate::state::{Claim, Faults, State, Step};

pub(super) fn apply(model: &Protocol, state: &mut State, action: Action) {
    match action {
        Action::Arrive(orphan) => state.provider.arrive(orphan),
        Action::Expire(handle) => {
            state.faults.expiries -= 1;
            state.provider.of(handle).is_expired = true;
        }
        Action::Refuse { handle, repeatable } => {
            state.faults.refusals -= 1;
            state.provider.of(handle).stage = Stage::Failed(repeatable);
        }
        Action::Publish(handle) => state.provider.of(handle).stage = Stage::Published,
        Action::Fetch { handle, served } => fetch(model, state, handle, served),
        Action::Copy => {
            state.backup = Some(state.database);
            for worker in &mut state.workers {
                worker.is_in_copy = state.faults.failovers > 0 && worker.claim == Claim::Current;
            }
        }
        Action::Restore => restore(model, state),
        Action::FailOver => fail_over(state),
        Action::Compare => compare(model, state),
        Action::LookAfterRestore { listed } => look_after_restore(state, listed),
        Action::BecomeDue => state.is_time_over = true,
        Action::AskForNow => state.database.is_asked_for_now = true,
        _ => unreachable!("{action:?} is of a worker"),
    }
}

/// The provider fetches from the addresses of a pull: it is noted before a byte is served, and refused where that cannot be noted.
fn fetch(model: &Protocol, state: &mut State, handle: u8, served: bool) {
    if state.is_behind || state.database.is_held && model.guards.holds_what_arrives {
        return;
    }
    let this = state.provider.of(handle);
    let Some(open) = state.database.open_as(this.submission) else {
        return;
    };
    if open.facts.is_revoked {
        return;
    }
    open.facts.is_fetched = true;
    match served {
        true => this.stage = Stage::Processing,
        false => state.faults.crashes -= 1,
    }
}

/// Everything later than the copy is gone, and no worker of before works on. The provider keeps what it has, and requests to it stay
/// under way.
fn restore(model: &Protocol, state: &mut State) {
    let Some(backup) = state.backup.take() else {
        return;
    };
    state.faults.restores = Faults::NONE.restores;
    for worker in 0..state.workers.len() {
        drop_request(state, worker);
        go(state, worker, Step::Idle);
    }
    let waits = matches!(backup.post, PostState::Queue | PostState::ActionRequired);
    state.database = backup;
    state.database.is_held = waits && model.guards.holds_after_restore;
}

/// Everything later than the copy is gone, and the workers do not know.
fn fail_over(state: &mut State) {
    let Some(backup) = state.backup.take() else {
        return;
    };
    state.faults.failovers = Faults::NONE.failovers;
    state.database = backup;
    state.is_behind = true;
    for worker in &mut state.workers {
        worker.claim = match (worker.claim, worker.is_in_copy) {
            (Claim::None, _) => Claim::None,
            (_, true) => Claim::Current,
            (_, false) => Claim::Lost,
        };
        worker.is_in_copy = false;
    }
}

/// The hold begins; claims are numbered as none was before.
fn compare(model: &Protocol, state: &mut State) {
    state.is_behind = false;
    let waits = matches!(state.database.post, PostState::Queue | PostState::ActionRequired);
    state.database.is_held = waits && model.guards.holds_after_restore;
    if !model.guards.renumbers_claims {
        return;
    }
    for worker in &mut state.workers {
        if worker.claim != Claim::None {
            worker.claim = Claim::Stale;
        }
    }
}

/// The hold: the post is looked for by the handles that the restored database knows, then among the account's recent posts. Found, it
/// is PUBLISHED; due and not found, or where not all posts are listed, a person must look; in the future and not found, it stays.
fn look_after_restore(state: &mut State, listed: bool) {
    let database = &mut state.database;
    database.is_held = false;
    let is_known = |handle: u8| {
        let open = database.open.and_then(|open| open.handle);
        open == Some(handle) || database.closed_handles & (1 << handle) != 0
    };
    let by_handle = |(handle, this): (u8, Try)| is_known(handle) && this.stage == Stage::Published;
    let is_found = state.provider.handles().any(by_handle) || (listed && state.provider.publications() == 1);
    let is_due = state.is_time_over || database.is_asked_for_now;
    let post = match (is_found, is_due || !listed) {
        (true, _) => PostState::Published,
        (false, true) => PostState::ActionRequired,
        (false, false) => {
            database.is_marked = true;
            return;
        }
    };
    if let Some(open) = database.open {
        database.close(open.id);
    }
    database.conclude(post);
}
