//! The model: which actions are possible in a state, and what must hold.

use playout_domain::post::PostState;
use playout_domain::submission::Transfer;

use crate::database::{Change, Database};
use crate::provider::{Provider, Request, Stage};
use crate::state::{Claim, Faults, State, Step, Worker};
use crate::{liveness, reduction, transition};

/// How a write of a worker is kept from going through after its job was claimed by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fence {
    /// The statement locks the job's row and reads its attempt under the lock (`crates/store/src/delivery/fence.rs`).
    Locking,
    /// The statement reads the attempt as it was when the statement began.
    ReadOnly,
    /// The attempt is not read.
    None,
}

/// What keeps a post from going out twice. Each may be taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guards {
    pub(crate) fence: Fence,
    /// Under a known handle, nothing is begun again before the provider was asked what it has.
    pub(crate) asks_before_beginning_again: bool,
    /// The note of the last byte returns whether it was there before. The store refuses a note where another run has made one since,
    /// and the run stops.
    pub(crate) mark_reports_what_was_there: bool,
    /// The note of the last byte is written by each run that sends the last chunk, also where it is there: the chunk is sent only by
    /// a run that passed the fence.
    pub(crate) last_chunk_is_fenced: bool,
    /// A restored database is held until its posts were looked for.
    pub(crate) holds_after_restore: bool,
    /// While the database is held, nothing of the provider's is taken in but that a post is out: the addresses of pulls, which may
    /// have been revoked after the copy, answer nothing, and a reported failure, which may be of a try that another one followed,
    /// is passed over.
    pub(crate) holds_what_arrives: bool,
    /// A post that a hold left to go out is searched for once more before anything is begun, when all that was under way before has
    /// arrived and the provider is at nothing.
    pub(crate) searches_marked_posts: bool,
    /// Where the database went back, all claims get new numbers before anything is claimed.
    pub(crate) renumbers_claims: bool,
    /// In a database that went back nothing is done after a write before it was compared, and the job is still held then.
    pub(crate) compares_after_writing: bool,
}

impl Guards {
    /// The protocol as it is.
    pub(crate) const ALL: Self = Self {
        fence: Fence::Locking,
        asks_before_beginning_again: true,
        mark_reports_what_was_there: true,
        last_chunk_is_fenced: true,
        holds_after_restore: true,
        holds_what_arrives: true,
        searches_marked_posts: true,
        renumbers_claims: true,
        compares_after_writing: true,
    };
}

/// When the post is to go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    Now,
    Later,
    /// Later, but a person may ask for it to go out at once.
    LaterOrOnDemand,
}

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Protocol {
    pub(crate) guards: Guards,
    /// How the first submission travels.
    pub(crate) transfer: Transfer,
    pub(crate) faults: Faults,
    pub(crate) plan: Plan,
    /// Whether states that differ in nothing that can matter are one (`reduction.rs`).
    pub(crate) is_reduced: bool,
}

/// What may happen next. `late`: the time is over for whatever the run would wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// A worker claims the job.
    Claim(usize),
    /// A worker claims the job after its holder has stalled for longer than the lease.
    TakeOver(usize),
    /// A worker claims the job, and is given the number of the claims that were lost when the database went back.
    ClaimAsBefore(usize),
    /// A worker takes its next step; a statement begins.
    Next {
        worker: usize,
        late: bool,
    },
    /// The statement that a worker has begun is committed.
    Commit {
        worker: usize,
        late: bool,
    },
    /// The request of a worker arrives and is answered, in one of the ways in which it may be refused if `refused`.
    Answer {
        worker: usize,
        refused: bool,
        late: bool,
    },
    /// A chunk arrives twice, as when a proxy repeats a PUT, and the second answer is returned. Counts as a lost answer.
    AnswerTwice {
        worker: usize,
        late: bool,
    },
    /// A worker does not find the post among those of the account.
    NotFound {
        worker: usize,
        late: bool,
    },
    LoseAnswer {
        worker: usize,
        late: bool,
    },
    Crash(usize),
    FailInside {
        worker: usize,
        late: bool,
    },
    FindMediaMissing(usize),
    /// A request arrives whose sender does not wait for it any more.
    Arrive(usize),
    Expire(u8),
    /// The provider gives up; another try may succeed if `repeatable`.
    Refuse {
        handle: u8,
        repeatable: bool,
    },
    Publish(u8),
    /// The provider fetches; the process that serves it dies before it does unless `served`.
    Fetch {
        handle: u8,
        served: bool,
    },
    /// The provider notifies of what became of a handle.
    Notify {
        worker: usize,
        handle: u8,
        late: bool,
    },
    Copy,
    Restore,
    /// The database goes back to the copy, and the workers go on.
    FailOver,
    /// The database is compared with what is noted outside, and found to have gone back.
    Compare,
    /// The post is looked for after a restore, among recent posts that are all listed or not.
    LookAfterRestore {
        listed: bool,
    },
    /// The time for which the post was planned comes.
    BecomeDue,
    AskForNow,
}

impl Protocol {
    pub(crate) fn initial(&self) -> State {
        State {
            database: Database::queued(),
            backup: None,
            is_behind: false,
            provider: Provider::new(),
            workers: [Worker::IDLE; 2],
            next_submission: 0,
            is_time_over: self.plan == Plan::Now,
            faults: self.faults,
        }
    }

    /// Adds what may happen in a state.
    pub(crate) fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for worker in 0..state.workers.len() {
            claims(state, worker, actions);
            self.steps(state, worker, actions);
            faults_of_worker(state, worker, actions);
            notifications(state, worker, actions);
        }
        of_provider(state, actions);
        self.of_operator(state, actions);
    }

    /// What follows; `None` if nothing changes.
    pub(crate) fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = *state;
        transition::apply(self, &mut next, action);
        if self.is_reduced {
            reduction::reduce(self.guards, &mut next);
        }
        (next != *state).then_some(next)
    }
}

/// A property, and whether it holds in a state.
pub(crate) type Property = (&'static str, fn(&Protocol, &State) -> bool);

/// What must hold in every state.
pub(crate) const PROPERTIES: [Property; 4] = [
    (NEVER_TWICE, |_, state| state.provider.publications() <= 1),
    (ERROR_IS_NOT_OUT, |_, state| {
        state.database.post != PostState::Error || state.provider.publications() == 0
    }),
    (PUBLISHED_IS_OUT, |_, state| {
        !state.is_published() || state.provider.publications() > 0
    }),
    (ENDS, liveness::ends),
];

pub(crate) const NEVER_TWICE: &str = "never out twice";
/// Holds in every state that follows, too: so the post is not out, and cannot come out later.
pub(crate) const ERROR_IS_NOT_OUT: &str = "a post in ERROR is not out and does not come out";
pub(crate) const PUBLISHED_IS_OUT: &str = "a post that is PUBLISHED is out";
pub(crate) const ENDS: &str = "without further faults every post has an outcome";

fn claims(state: &State, worker: usize, actions: &mut Vec<Action>) {
    let database = &state.database;
    let is_idle = state.workers[worker].step == Step::Idle;
    if !is_idle || !database.has_job || database.is_held || state.is_behind || !state.is_due() {
        return;
    }
    // A holder that lives renews its lease, so that only one that stalls loses it. It may go on at any time, as slowly as it likes.
    match database.is_leased && state.holder().is_some() {
        false => {
            actions.push(Action::Claim(worker));
            if state.workers.iter().any(|worker| worker.claim == Claim::Lost) {
                actions.push(Action::ClaimAsBefore(worker));
            }
        }
        true if state.faults.stalls > 0 => actions.push(Action::TakeOver(worker)),
        true => {}
    }
}

impl Protocol {
    fn steps(&self, state: &State, worker: usize, actions: &mut Vec<Action>) {
        let can_lose = state.faults.lost_answers > 0;
        let lates: &[bool] = &[false, true];
        match state.workers[worker].step {
            Step::Idle => {}
            // Waits for the comparison.
            Step::Open(_) | Step::Settle(_) if state.is_behind => {}
            Step::Open(_) | Step::Settle(_) | Step::Release => {
                actions.push(Action::Next { worker, late: false });
            }
            // Under a fence that locks, what was so when the statement began is never read: it may have begun at any time before.
            Step::Write { passed: None, .. } if self.guards.fence != Fence::Locking => {
                actions.push(Action::Next { worker, late: false });
            }
            Step::Write { change, .. } => {
                let count = if change == Change::HasAllBytes { 2 } else { 1 };
                actions.extend(
                    lates[..count]
                        .iter()
                        .map(|late| Action::Commit { worker, late: *late }),
                );
            }
            Step::Read | Step::Revoke(..) => {
                actions.extend(lates.iter().map(|late| Action::Next { worker, late: *late }));
            }
            Step::LookFirst(_) => {
                actions.extend(lates.iter().map(|late| Action::Next { worker, late: *late }));
            }
            Step::Look(_) => {
                actions.push(Action::Next { worker, late: false });
                actions.extend(lates.iter().map(|late| Action::NotFound { worker, late: *late }));
            }
            Step::Ask(..) | Step::Cancel(_) => {
                actions.extend(lates.iter().map(|late| Action::Next { worker, late: *late }));
                if can_lose {
                    actions.extend(
                        lates
                            .iter()
                            .map(|late| Action::LoseAnswer { worker, late: *late }),
                    );
                }
            }
            Step::Wait { request, .. } => self.answers(worker, request, can_lose, actions),
        }
    }

    /// What may become of the request that a worker waits for.
    fn answers(&self, worker: usize, request: Request, can_lose: bool, actions: &mut Vec<Action>) {
        let lates = [false, true];
        let is_chunk = matches!(request, Request::Chunk { .. });
        for late in &lates[..if self.guards.asks_before_beginning_again {
            1
        } else {
            2
        }] {
            actions.extend([false, true].map(|refused| Action::Answer {
                worker,
                refused,
                late: *late,
            }));
        }
        if can_lose {
            actions.extend(
                lates
                    .iter()
                    .map(|late| Action::LoseAnswer { worker, late: *late }),
            );
        }
        if can_lose && is_chunk {
            actions.extend(
                lates
                    .iter()
                    .map(|late| Action::AnswerTwice { worker, late: *late }),
            );
        }
    }
}

fn faults_of_worker(state: &State, worker: usize, actions: &mut Vec<Action>) {
    if state.workers[worker].step == Step::Idle {
        return;
    }
    if state.faults.crashes > 0 {
        actions.push(Action::Crash(worker));
    }
    if state.faults.failures > 0 {
        actions.extend([false, true].map(|late| Action::FailInside { worker, late }));
    }
    if state.faults.missing_media > 0 && state.workers[worker].step == Step::Read {
        actions.push(Action::FindMediaMissing(worker));
    }
}

/// A notification may come late, more than once, and in any order.
fn notifications(state: &State, worker: usize, actions: &mut Vec<Action>) {
    let waits = matches!(state.database.post, PostState::Queue | PostState::ActionRequired);
    if !waits || state.workers[worker].step != Step::Idle {
        return;
    }
    for (handle, this) in state.provider.handles() {
        match this.stage {
            Stage::Waiting | Stage::Processing => {}
            Stage::Published => actions.push(Action::Notify {
                worker,
                handle,
                late: false,
            }),
            Stage::Failed(_) => {
                actions.extend([false, true].map(|late| Action::Notify { worker, handle, late }));
            }
        }
    }
}

fn of_provider(state: &State, actions: &mut Vec<Action>) {
    let orphans = state.provider.orphans.iter().flatten().count();
    actions.extend((0..orphans).map(Action::Arrive));
    for (handle, this) in state.provider.handles() {
        let is_under_way = matches!(this.stage, Stage::Waiting | Stage::Processing);
        if this.stage == Stage::Processing {
            actions.push(Action::Publish(handle));
        }
        if this.stage == Stage::Waiting && this.transfer == Transfer::Pull {
            actions.push(Action::Fetch { handle, served: true });
            if state.faults.crashes > 0 {
                actions.push(Action::Fetch {
                    handle,
                    served: false,
                });
            }
        }
        if state.faults.expiries > 0 && this.transfer == Transfer::Upload && is_under_way && !this.is_expired
        {
            actions.push(Action::Expire(handle));
        }
        if state.faults.refusals > 0 && is_under_way {
            actions.extend([false, true].map(|repeatable| Action::Refuse { handle, repeatable }));
        }
    }
}

impl Protocol {
    fn of_operator(&self, state: &State, actions: &mut Vec<Action>) {
        match (state.faults, state.backup) {
            (faults, None) if faults.go_back() => actions.push(Action::Copy),
            (Faults { restores: 1.., .. }, Some(_)) => actions.push(Action::Restore),
            (Faults { failovers: 1.., .. }, Some(_)) => actions.push(Action::FailOver),
            _ => {}
        }
        if state.is_behind {
            actions.push(Action::Compare);
        } else if state.database.is_held {
            actions.extend([true, false].map(|listed| Action::LookAfterRestore { listed }));
        }
        if !state.is_time_over {
            actions.push(Action::BecomeDue);
            let is_asked = state.database.is_asked_for_now;
            if self.plan == Plan::LaterOrOnDemand && !is_asked && state.database.post == PostState::Queue {
                actions.push(Action::AskForNow);
            }
        }
    }
}
