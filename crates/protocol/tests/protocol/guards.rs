//! Each guard matters: where it is missing, the checker finds what it guards against.

use playout_domain::submission::Transfer;

use crate::checker::Trace;
use crate::database::Change;
use crate::model::{ENDS, ERROR_IS_NOT_OUT, Fence, Guards, NEVER_TWICE, Plan, Protocol};
use crate::provider::Request;
use crate::state::{Claim, Faults, Question, State, Step, Worker};
use crate::trace::{assert_holds, find_violation, protocol};

/// One worker stalls, and an address expires.
const STALLED: Faults = Faults {
    stalls: 1,
    expiries: 1,
    ..Faults::NONE
};

/// A state of a trace by its name, and how it is recognized.
type Stage<'a> = (&'a str, &'a dyn Fn(&State) -> bool);

/// Asserts that the trace passes through these states in this order.
fn assert_in_order(trace: &Trace, stages: &[Stage<'_>]) {
    let mut states = trace.iter().map(|(_, state)| state);
    for (name, is_so) in stages {
        assert!(states.any(is_so), "the trace lacks: {name}");
    }
}

/// The worker that does not hold the job, or does, is at such a step.
fn is_at(state: &State, is_holder: bool, is_meant: impl Fn(Step) -> bool) -> bool {
    let is_this = |place: usize| (state.holder() == Some(place)) == is_holder;
    (0..state.workers.len()).any(|place| is_this(place) && is_meant(state.workers[place].step))
}

fn is_last_chunk(step: Step) -> bool {
    matches!(step, Step::Wait { request: Request::Chunk { offset, .. }, .. } if offset > 0)
}

/// The double publication of `crash::stalls` in the server's tests: a worker stalls inside its note of the last byte, another one
/// claims, the chunk of the first is taken, and the other one meets an expired address and begins again.
#[test]
fn the_fence_as_it_was_lets_a_stalled_note_of_the_last_byte_through() {
    let guards = Guards {
        fence: Fence::ReadOnly,
        asks_before_beginning_again: false,
        mark_reports_what_was_there: false,
        ..Guards::ALL
    };
    let model = protocol(Transfer::Upload, guards, STALLED);
    let trace = find_violation("the fence as it was", model, NEVER_TWICE);
    let notes = |step| {
        matches!(
            step,
            Step::Write {
                change: Change::MarkLastByte,
                passed: Some(true),
                ..
            }
        )
    };
    assert_in_order(
        &trace,
        &[
            ("the holder is inside its note", &|state| {
                is_at(state, true, notes)
            }),
            ("another one claims meanwhile", &|state| {
                is_at(state, false, notes) && state.holder().is_some()
            }),
            ("the stale one sends the last chunk", &|state| {
                is_at(state, false, is_last_chunk)
            }),
            ("the holder closes", &|state| {
                is_at(state, true, |step| matches!(step, Step::Settle(_)))
            }),
            ("the holder begins again", &|state| {
                is_at(state, true, |step| {
                    matches!(
                        step,
                        Step::Wait {
                            request: Request::Begin { .. },
                            ..
                        }
                    )
                })
            }),
            ("it is out twice", &|state| state.provider.publications() == 2),
        ],
    );
}

#[test]
fn a_fence_that_does_not_lock_lets_a_post_out_twice() {
    let guards = Guards {
        fence: Fence::ReadOnly,
        ..Guards::ALL
    };
    find_violation(
        "no lock",
        protocol(Transfer::Upload, guards, STALLED),
        NEVER_TWICE,
    );
}

#[test]
fn without_attempts_a_post_is_out_twice() {
    let guards = Guards {
        fence: Fence::None,
        ..Guards::ALL
    };
    find_violation(
        "no attempts",
        protocol(Transfer::Upload, guards, STALLED),
        NEVER_TWICE,
    );
}

/// A chunk that a proxy repeats is taken and refused.
#[test]
fn to_begin_again_without_asking_lets_a_post_out_twice() {
    let guards = Guards {
        asks_before_beginning_again: false,
        ..Guards::ALL
    };
    let faults = Faults {
        lost_answers: 1,
        ..Faults::NONE
    };
    find_violation(
        "no question",
        protocol(Transfer::Upload, guards, faults),
        NEVER_TWICE,
    );
}

/// A worker stalls between its claim and its read, and finds the last byte noted by the one that took the job over.
#[test]
fn a_last_chunk_that_is_sent_without_passing_the_fence_lets_a_post_out_twice() {
    let guards = Guards {
        last_chunk_is_fenced: false,
        ..Guards::ALL
    };
    let model = protocol(Transfer::Upload, guards, STALLED);
    let trace = find_violation("last chunk without a fence", model, NEVER_TWICE);
    let asks = |step| matches!(step, Step::Ask(_, Question::NothingCame { .. }));
    assert_in_order(
        &trace,
        &[
            ("a stale worker has not read", &|state| {
                is_at(state, false, |step| step == Step::Read)
            }),
            ("it sends the last chunk", &|state| {
                is_at(state, false, is_last_chunk)
            }),
            ("the holder asks", &|state| is_at(state, true, asks)),
            ("it is out twice", &|state| state.provider.publications() == 2),
        ],
    );
}

/// Under a fence that locks, no one can have noted the last byte after a run has read the submission: what the note returns is a
/// second guard.
#[test]
fn what_was_noted_before_matters_only_where_the_fence_does_not_lock() {
    let guards = Guards {
        mark_reports_what_was_there: false,
        ..Guards::ALL
    };
    let faults = Faults {
        crashes: 1,
        lost_answers: 1,
        ..STALLED
    };
    assert_holds(
        "no report of the note",
        protocol(Transfer::Upload, guards, faults),
    );
}

const RESTORED: Faults = Faults {
    restores: 1,
    ..Faults::NONE
};

#[test]
fn without_a_hold_a_restored_post_is_out_twice() {
    let guards = Guards {
        holds_after_restore: false,
        ..Guards::ALL
    };
    find_violation(
        "no hold",
        protocol(Transfer::Upload, guards, RESTORED),
        NEVER_TWICE,
    );
}

/// The restored database does not know that the addresses of a pull were revoked.
#[test]
fn a_hold_that_serves_pulls_lets_a_restored_post_out_twice() {
    let guards = Guards {
        holds_what_arrives: false,
        ..Guards::ALL
    };
    let faults = Faults {
        lost_answers: 1,
        ..RESTORED
    };
    find_violation(
        "a hold that serves pulls",
        protocol(Transfer::Pull, guards, faults),
        NEVER_TWICE,
    );
}

/// The restored database does not know that another try followed the one that failed.
#[test]
fn a_hold_that_settles_reported_failures_calls_a_post_failed_that_is_out() {
    let guards = Guards {
        holds_what_arrives: false,
        ..Guards::ALL
    };
    let faults = Faults {
        refusals: 1,
        ..RESTORED
    };
    let model = protocol(Transfer::Upload, guards, faults);
    find_violation("a hold that settles failures", model, ERROR_IS_NOT_OUT);
}

/// After the copy was made, a person requested that a planned post be published at once, and the provider is still at work on it when
/// it is looked for. Restored, it has a time in the future, is not found, and stays.
#[test]
fn a_hold_alone_does_not_find_what_the_provider_is_still_at_work_on() {
    let guards = Guards {
        searches_marked_posts: false,
        ..Guards::ALL
    };
    let model = Protocol {
        plan: Plan::LaterOrOnDemand,
        ..protocol(Transfer::Upload, guards, RESTORED)
    };
    find_violation("asked for after the copy", model, NEVER_TWICE);
}

/// A person asked for a planned post at once, and the run is slow; the database goes back to before that, and the person asks again. The
/// slow run has the number that the second claim is given, and passes the fence without having searched for the post.
#[test]
fn without_new_numbers_a_run_of_a_lost_claim_lets_a_post_out_twice() {
    let guards = Guards {
        renumbers_claims: false,
        ..Guards::ALL
    };
    let faults = Faults {
        failovers: 1,
        ..Faults::NONE
    };
    let model = Protocol {
        plan: Plan::LaterOrOnDemand,
        ..protocol(Transfer::Upload, guards, faults)
    };
    let trace = find_violation("claims without new numbers", model, NEVER_TWICE);
    let is_lost = |worker: &Worker| worker.claim == Claim::Lost;
    assert_in_order(
        &trace,
        &[
            ("the database is back before a claim", &|state| {
                state.is_behind && state.workers.iter().any(is_lost)
            }),
            ("two runs pass the fence", &|state| {
                state.workers.iter().all(|worker| worker.claim == Claim::Current)
            }),
            ("it is out twice", &|state| state.provider.publications() == 2),
        ],
    );
}

/// A run stalls past its lease, another one publishes the post, and the database goes back to where the first one holds the job.
#[test]
fn a_run_that_goes_on_in_a_database_that_went_back_lets_a_post_out_twice() {
    let guards = Guards {
        compares_after_writing: false,
        ..Guards::ALL
    };
    let faults = Faults {
        failovers: 1,
        stalls: 1,
        ..Faults::NONE
    };
    let model = protocol(Transfer::Upload, guards, faults);
    find_violation("no comparison", model, NEVER_TWICE);
}

/// The property of outcomes can fail, too: a job that is lost leaves its post in QUEUE.
#[test]
fn a_post_without_a_job_never_has_an_outcome() {
    let model = protocol(Transfer::Upload, Guards::ALL, Faults::NONE);
    let mut state = model.initial();
    assert!(crate::liveness::ends(&model, &state));
    state.database.has_job = false;
    assert!(!crate::liveness::ends(&model, &state), "{ENDS}");
}
