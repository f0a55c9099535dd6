//! What an action does to a state.

mod outside;

use playout_domain::post::PostState;
use playout_domain::provider::Fate;
use playout_domain::submission::{Recovery, SubmissionOutcome, Transfer};

use crate::database::{Change, Submission};
use crate::model::{Action, Fence, Protocol};
use crate::provider::{Chunk, Request, Stage, Try};
use crate::state::{Claim, Ending, Memory, Question, Revocation, Settlement, State, Step, Worker};
use crate::worker::{Run, close, settle_as, taken_back, write};

/// A worker that goes on. `late`: the time is over for whatever its run would wait for.
#[derive(Clone, Copy)]
struct Turn {
    worker: usize,
    late: bool,
}

pub(crate) fn apply(model: &Protocol, state: &mut State, action: Action) {
    match action {
        Action::Claim(worker) => claim(state, worker),
        Action::TakeOver(worker) => {
            state.faults.stalls -= 1;
            claim(state, worker);
        }
        Action::ClaimAsBefore(worker) => {
            claim(state, worker);
            for other in &mut state.workers {
                if other.claim == Claim::Lost {
                    other.claim = Claim::Current;
                }
            }
        }
        Action::Next { worker, late } => next(model, state, Turn { worker, late }),
        Action::Commit { worker, late } => commit(model, state, Turn { worker, late }),
        Action::Answer {
            worker,
            refused,
            late,
        } => answer(model, state, Turn { worker, late }, refused),
        Action::AnswerTwice { worker, late } => {
            state.faults.lost_answers -= 1;
            if let Step::Wait { request, .. } = state.workers[worker].step {
                state.provider.abandon(request);
                let first = state
                    .provider
                    .orphans
                    .iter()
                    .position(|orphan| *orphan == Some(request));
                first.into_iter().for_each(|first| state.provider.arrive(first));
            }
            answer(model, state, Turn { worker, late }, true);
        }
        Action::NotFound { worker, late } => not_found(state, Turn { worker, late }),
        Action::LoseAnswer { worker, late } => lose_answer(model, state, Turn { worker, late }),
        Action::Crash(worker) => {
            state.faults.crashes -= 1;
            drop_request(state, worker);
            go(state, worker, Step::Idle);
        }
        Action::FailInside { worker, late } => {
            state.faults.failures -= 1;
            drop_request(state, worker);
            let step = run(model, state, late).failed_inside(state.database.open);
            go(state, worker, step);
        }
        Action::FindMediaMissing(worker) => {
            state.faults.missing_media -= 1;
            let open = state.database.open;
            if let Some(open) = open.filter(|open| open.facts.recovery() == Recovery::ResumeUpload) {
                let step = run(model, state, false).media_missing(open);
                go(state, worker, step);
            }
        }
        Action::Notify { worker, handle, late } => notify(model, state, Turn { worker, late }, handle),
        action => outside::apply(model, state, action),
    }
}

fn run<'a>(model: &Protocol, state: &'a State, is_late: bool) -> Run<'a> {
    Run {
        provider: &state.provider,
        guards: model.guards,
        is_late,
    }
}

fn go(state: &mut State, worker: usize, step: Step) {
    state.workers[worker].step = step;
    if step == Step::Idle {
        state.workers[worker] = Worker::IDLE;
    }
}

fn claim(state: &mut State, worker: usize) {
    state.outdate();
    state.database.is_leased = true;
    state.workers[worker] = Worker::claimed(Step::Read);
}

/// Whether a write passes the fence that is evaluated as it commits: of transactions, and of changes of the job's own row, which
/// lock it in any case.
fn holds(model: &Protocol, state: &State, worker: usize) -> bool {
    match model.guards.fence {
        Fence::Locking | Fence::ReadOnly => state.workers[worker].claim == Claim::Current,
        Fence::None => state.database.has_job,
    }
}

fn next(model: &Protocol, state: &mut State, turn: Turn) {
    let Turn { worker, late } = turn;
    let step = match state.workers[worker].step {
        Step::Read => run(model, state, late).read(&state.database, model.transfer),
        Step::Open(transfer) => open(model, state, worker, transfer),
        Step::Write {
            change,
            submission,
            memory,
            passed: None,
        } => Step::Write {
            change,
            submission,
            memory,
            passed: Some(holds(model, state, worker)),
        },
        Step::Ask(submission, question) => run(model, state, late).learned(submission, question),
        Step::Revoke(submission, revocation) => revoke(model, state, submission, revocation, late),
        Step::Cancel(submission) => cancel(model, state, submission, late),
        Step::Look(submission) if state.provider.publications() > 0 => {
            close(submission, SubmissionOutcome::Published, Ending::Published)
        }
        Step::LookFirst(transfer) => look_first(state, worker, transfer, late),
        Step::Settle(settlement) => {
            settle(model, state, worker, settlement);
            Step::Idle
        }
        Step::Release => {
            if holds(model, state, worker) {
                state.database.is_leased = false;
            }
            Step::Idle
        }
        step @ (Step::Idle | Step::Look(_) | Step::Wait { .. } | Step::Write { .. }) => step,
    };
    go(state, worker, step);
}

fn open(model: &Protocol, state: &mut State, worker: usize, transfer: Transfer) -> Step {
    let database = &state.database;
    let is_free = database.post == PostState::Queue && database.open.is_none();
    if !is_free || !holds(model, state, worker) {
        return Step::Idle;
    }
    let submission = Submission::begun(state.next_submission, transfer);
    state.next_submission += 1;
    state.database.open = Some(submission);
    state.database.is_marked = false;
    Step::Wait {
        request: Request::Begin {
            submission: submission.id,
            transfer,
        },
        submission,
        memory: Memory::default(),
    }
}

fn commit(model: &Protocol, state: &mut State, turn: Turn) {
    let Turn { worker, late } = turn;
    let Step::Write {
        change,
        submission,
        memory,
        passed,
    } = state.workers[worker].step
    else {
        return;
    };
    let passes = match model.guards.fence {
        Fence::Locking => holds(model, state, worker),
        Fence::ReadOnly | Fence::None => passed == Some(true),
    };
    let changed = passes
        .then(|| state.database.change(submission.id, change))
        .flatten();
    let step = match changed {
        // The change is there; the run stops, because its claim has another number by then.
        Some(_) if state.is_behind && model.guards.compares_after_writing => Step::Idle,
        Some(was_noted) => run(model, state, late).written(submission, change, was_noted, memory),
        None => Step::Idle,
    };
    go(state, worker, step);
}

fn answer(model: &Protocol, state: &mut State, turn: Turn, refused: bool) {
    let Turn { worker, late } = turn;
    let Step::Wait {
        request,
        submission,
        memory,
    } = state.workers[worker].step
    else {
        return;
    };
    let step = match request {
        Request::Begin {
            submission: id,
            transfer,
        } => {
            let handle = state.provider.begin(id, transfer);
            write(Change::SaveHandle(handle), submission, Memory::default())
        }
        Request::Chunk {
            handle,
            offset,
            is_admitted,
        } => {
            let chunk = Chunk {
                handle,
                offset,
                is_admitted,
            };
            let answer = state.provider.put(chunk, refused);
            run(model, state, late).answered(submission, memory, Ok(answer))
        }
    };
    go(state, worker, step);
}

/// Searches the account's posts when the provider can have ended whatever it was at: requests of before have arrived or never will, and
/// no one waits for them any more. Where it is still at something after that time, a person must look.
fn look_first(state: &mut State, worker: usize, transfer: Transfer, late: bool) -> Step {
    if state.provider.publications() > 0 {
        return settle_as(Ending::Published);
    }
    let is_at_work = |(_, this): (u8, Try)| this.stage == Stage::Processing;
    if state.provider.handles().any(is_at_work) {
        return if late {
            settle_as(Ending::Person)
        } else {
            Step::Release
        };
    }
    for other in (0..state.workers.len()).filter(|other| *other != worker) {
        if matches!(state.workers[other].step, Step::Wait { .. }) {
            go(state, other, Step::Idle);
        }
    }
    for orphan in (0..state.provider.orphans.len()).rev() {
        state.provider.forget(orphan);
    }
    Step::Open(transfer)
}

fn not_found(state: &mut State, turn: Turn) {
    let Turn { worker, late } = turn;
    let Step::Look(submission) = state.workers[worker].step else {
        return;
    };
    let step = match late {
        false => Step::Release,
        true => close(submission, SubmissionOutcome::Unknown, Ending::Person),
    };
    go(state, worker, step);
}

fn lose_answer(model: &Protocol, state: &mut State, turn: Turn) {
    let Turn { worker, late } = turn;
    state.faults.lost_answers -= 1;
    drop_request(state, worker);
    let run = run(model, state, late);
    let step = match state.workers[worker].step {
        Step::Wait {
            request: Request::Begin { .. },
            submission,
            ..
        } => run.not_accepted(submission),
        Step::Wait {
            submission, memory, ..
        } => run.answered(submission, memory, Err(Fate::Unknown)),
        Step::Ask(submission, question) => run.unanswered(submission, question),
        Step::Cancel(submission) => run.wait(submission),
        step => step,
    };
    go(state, worker, step);
}

/// The request of a worker stays under way, and the worker does not wait for it.
fn drop_request(state: &mut State, worker: usize) {
    if let Step::Wait { request, .. } = state.workers[worker].step {
        state.provider.abandon(request);
    }
}

/// `revoke_pull` and `revoke_unfetched`: not fenced, and decided on the submission's own row.
fn revoke(
    model: &Protocol,
    state: &mut State,
    submission: Submission,
    revocation: Revocation,
    late: bool,
) -> Step {
    let was_fetched = match state.database.open_as(submission.id) {
        Some(open) => {
            open.facts.is_revoked |= revocation != Revocation::TakeBack || !open.facts.is_fetched;
            open.facts.is_fetched
        }
        // Closed: what is written under it now changes nothing any more.
        None => false,
    };
    run(model, state, late).revoked(submission, revocation, was_fetched)
}

/// The provider drops what it has not fetched; what it has, it does not drop.
fn cancel(model: &Protocol, state: &mut State, submission: Submission, late: bool) -> Step {
    let handle = submission.handle.expect("a handle to cancel by");
    let this = state.provider.of(handle);
    match this.stage {
        Stage::Waiting => this.stage = Stage::Failed(true),
        Stage::Failed(_) => {}
        Stage::Processing | Stage::Published => return run(model, state, late).wait(submission),
    }
    taken_back(submission)
}

fn settle(model: &Protocol, state: &mut State, worker: usize, settlement: Settlement) {
    if state.database.post != PostState::Queue || !holds(model, state, worker) {
        return;
    }
    let database = &mut state.database;
    if let Some((id, _)) = settlement.closed {
        database.close(id);
    }
    database.is_uploaded_next |= settlement.is_uploaded_next;
    match settlement.ending {
        Ending::Again => database.is_leased = false,
        Ending::Published => database.conclude(PostState::Published),
        Ending::Error => database.conclude(PostState::Error),
        Ending::Person => database.conclude(PostState::ActionRequired),
    }
    if !database.has_job {
        state.outdate();
    }
}

/// `App::take_event`: finds the submission, takes the job over, and settles what was reported; a post that is left to a person is
/// marked.
fn notify(model: &Protocol, state: &mut State, turn: Turn, handle: u8) {
    let Turn { worker, late } = turn;
    let is_out = state.provider.of(handle).stage == Stage::Published;
    let is_held = state.database.is_held && model.guards.holds_what_arrives;
    if state.is_behind || !is_out && is_held {
        return;
    }
    let is_closed = state.database.closed_handles & (1 << handle) != 0;
    let mut open = state.database.open;
    if !is_closed && is_out && !state.database.has_lost_pull {
        // `adopt_handle`; the handle may be another's.
        if let Some(lost) = open
            .as_mut()
            .filter(|open| open.handle.is_none() && open.facts.is_fetched)
        {
            *lost = lost.accepted(handle);
        }
    }
    let this = open.filter(|open| open.handle == Some(handle));
    state.database.open = open;
    let step = match this {
        Some(submission) => run(model, state, late).learned(submission, Question::Check),
        None if is_closed && is_out && open.is_none() => settle_as(Ending::Published),
        None => return,
    };
    match state.database.post {
        PostState::Queue if state.database.has_job => {
            state.outdate();
            state.database.is_leased = true;
            state.workers[worker] = Worker::claimed(step);
        }
        PostState::ActionRequired if is_out => {
            state.database.open = None;
            state.database.post = PostState::Published;
        }
        _ => {}
    }
}
