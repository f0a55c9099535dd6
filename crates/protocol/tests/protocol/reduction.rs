//! Fewer states for the same protocol: merges states that differ only in what no later action reads.
//!
//! Each rule here leaves out a difference that no later action reads, so that every property holds in the reduced space exactly if it
//! holds in the whole. Traces are looked for without them, because they exchange workers and give numbers a second time.

use playout_domain::submission::Transfer;

use crate::checker::key;
use crate::database::{Change, Database, Submission};
use crate::model::{Fence, Guards};
use crate::provider::{Request, Stage, Try};
use crate::state::{Claim, Faults, State, Step, Worker};

pub(crate) fn reduce(guards: Guards, state: &mut State) {
    forget_faults(state);
    if guards.fence == Fence::Locking && guards.last_chunk_is_fenced {
        free_stale_workers(state);
    }
    forget_requests(state);
    forget_tries(state);
    order_workers(state);
}

/// Once the post has its outcome, and no restore can take it away, no one claims it again. Faults then only keep requests from
/// arriving and workers from acting, which each may omit anyway.
fn forget_faults(state: &mut State) {
    if state.has_outcome() && !state.faults.go_back() {
        state.faults = Faults::NONE;
    }
}

/// A claim that is stale stays so unless the database goes back to when it was not, and the fence stops every write under it. A worker that has nothing but such writes before it does
/// as much as one that is idle; the request that it waits for is as good as one for which no one waits. What is left: a worker that
/// has not read yet, and one that may change the addresses of a pull, which is not fenced.
fn free_stale_workers(state: &mut State) {
    for worker in 0..state.workers.len() {
        let Worker {
            claim: Claim::Stale,
            is_in_copy: false,
            step,
        } = state.workers[worker]
        else {
            continue;
        };
        let is_free = match step {
            Step::Read | Step::Revoke(..) | Step::Cancel(_) => false,
            Step::Ask(submission, _) | Step::Wait { submission, .. } => {
                submission.facts.transfer != Transfer::Pull
            }
            Step::Idle
            | Step::Open(_)
            | Step::Write { .. }
            | Step::Look(_)
            | Step::LookFirst(_)
            | Step::Settle(_)
            | Step::Release => true,
        };
        if !is_free {
            continue;
        }
        if let Step::Wait { request, .. } = step {
            state.provider.abandon(request);
        }
        state.workers[worker] = Worker::IDLE;
    }
}

/// Requests that change nothing at the provider, whenever they arrive.
fn forget_requests(state: &mut State) {
    for place in (0..state.provider.orphans.len()).rev() {
        let Some(request) = state.provider.orphans[place] else {
            continue;
        };
        let can_change = match request {
            Request::Begin { submission, .. } => {
                is_open(state, |open| open.id == submission && !open.facts.is_revoked)
            }
            Request::Chunk {
                handle,
                offset,
                is_admitted,
            } => {
                let this = state.provider.of(handle);
                let is_open = is_admitted || !this.is_expired;
                this.stage == Stage::Waiting && is_open && offset >= this.received_bytes
            }
        };
        if !can_change {
            state.provider.forget(place);
        }
    }
}

/// A try of which nothing can come and by whose handle no one asks is forgotten, and its handle may be given again; so are IDs of
/// submissions that no one names.
fn forget_tries(state: &mut State) {
    for handle in 0..state.provider.tries.len() {
        let Some(this) = state.provider.tries[handle] else {
            continue;
        };
        let number = u8::try_from(handle).unwrap_or(u8::MAX);
        if !can_matter(state, number, this) {
            state.provider.tries[handle] = None;
            state.database.closed_handles &= !(1 << number);
            if let Some(backup) = &mut state.backup {
                backup.closed_handles &= !(1 << number);
            }
        }
    }
    let is_named = |id: u8| {
        let in_step = state
            .workers
            .iter()
            .any(|worker| submission_of(worker.step) == Some(id));
        let in_request = state
            .provider
            .orphans
            .iter()
            .flatten()
            .any(|request| match request {
                Request::Begin { submission, .. } => *submission == id,
                Request::Chunk { .. } => false,
            });
        let at_provider = state.provider.handles().any(|(_, this)| this.submission == id);
        in_step || in_request || at_provider || is_open(state, |open| open.id == id)
    };
    state.next_submission = (0..u8::MAX).find(|id| !is_named(*id)).unwrap_or(u8::MAX);
}

fn can_matter(state: &State, handle: u8, this: Try) -> bool {
    let is_asked_by = is_open(state, |open| open.handle == Some(handle))
        || state
            .workers
            .iter()
            .any(|worker| handle_of(worker.step) == Some(handle))
        || state
            .provider
            .orphans
            .iter()
            .flatten()
            .any(|request| handle_in(*request) == Some(handle));
    match (this.stage, this.transfer) {
        (Stage::Processing | Stage::Published, _) => true,
        (Stage::Waiting, Transfer::Pull) => {
            is_asked_by || is_open(state, |open| open.id == this.submission && !open.facts.is_revoked)
        }
        (Stage::Waiting | Stage::Failed(_), _) => is_asked_by,
    }
}

/// Whether such a submission is open in the database or in its copy.
fn is_open(state: &State, is_meant: impl Fn(Submission) -> bool) -> bool {
    let open = |database: &Database| database.open.is_some_and(&is_meant);
    open(&state.database) || state.backup.as_ref().is_some_and(open)
}

fn remembered(step: Step) -> Option<Submission> {
    match step {
        Step::Wait { submission, .. } | Step::Write { submission, .. } => Some(submission),
        Step::Ask(submission, _) | Step::Revoke(submission, _) => Some(submission),
        Step::Cancel(submission) | Step::Look(submission) => Some(submission),
        Step::Idle | Step::Read | Step::Open(_) | Step::LookFirst(_) | Step::Settle(_) | Step::Release => {
            None
        }
    }
}

fn submission_of(step: Step) -> Option<u8> {
    match step {
        Step::Settle(settlement) => settlement.closed.map(|(id, _)| id),
        step => remembered(step).map(|submission| submission.id),
    }
}

fn handle_of(step: Step) -> Option<u8> {
    match step {
        Step::Write {
            change: Change::SaveHandle(handle),
            ..
        } => Some(handle),
        step => remembered(step).and_then(|submission| submission.handle),
    }
}

fn handle_in(request: Request) -> Option<u8> {
    match request {
        Request::Chunk { handle, .. } => Some(handle),
        Request::Begin { .. } => None,
    }
}

/// Both workers run the same program, so that exchanging them changes nothing: of the two states one is kept.
fn order_workers(state: &mut State) {
    if key(&state.workers[0]) > key(&state.workers[1]) {
        state.workers.swap(0, 1);
    }
}
