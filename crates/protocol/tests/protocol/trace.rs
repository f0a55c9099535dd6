//! Runs the checker, and prints the traces that it finds.

use std::fmt::Write as _;

use playout_domain::submission::Transfer;

use crate::checker::{Trace, check};
use crate::model::{Guards, PROPERTIES, Plan, Protocol};
use crate::state::{Faults, Step};

/// A protocol with one post that is due.
pub(crate) fn protocol(transfer: Transfer, guards: Guards, faults: Faults) -> Protocol {
    Protocol {
        guards,
        transfer,
        faults,
        plan: Plan::Now,
        is_reduced: true,
    }
}

/// Checks every reachable state; prints how many there are.
///
/// # Panics
/// When a property does not hold, with a trace that leads there, or when no post is ever published or left to a person.
#[expect(
    clippy::print_stdout,
    reason = "the number of states is what a reader of the test wants to know"
)]
#[expect(
    clippy::disallowed_methods,
    reason = "how long the check took, of no consequence to it"
)]
pub(crate) fn assert_holds(name: &str, model: Protocol) {
    let begun = std::time::Instant::now();
    let found = check(&model, &PROPERTIES.map(|(property, _)| property));
    let (states, seconds) = (found.states, begun.elapsed().as_secs_f32());
    println!("{name}: {states} states in {seconds:.1} s, depth {}", found.depth);
    if let Some((property, trace)) = found.violation {
        panic!("{name}: not so: {property}\n{}", shown(&trace));
    }
    assert!(found.has_published, "{name}: no post is ever published");
    assert!(
        found.has_asked_a_person,
        "{name}: no post is ever left to a person"
    );
}

/// Finds a shortest trace after which `property` does not hold; prints it.
///
/// # Panics
/// When there is none.
#[expect(
    clippy::print_stdout,
    reason = "the trace is what a reader of the test wants to see"
)]
pub(crate) fn find_violation(name: &str, model: Protocol, property: &'static str) -> Trace {
    let model = Protocol {
        is_reduced: false,
        ..model
    };
    let found = check(&model, &[property]);
    let states = found.states;
    let Some((_, trace)) = found.violation else {
        panic!("{name}: in all {states} states: {property}");
    };
    println!(
        "{name}: not so after {states} states: {property}\n{}",
        shown(&trace)
    );
    trace
}

/// The actions of a trace, a line each, with what the workers do after each.
fn shown(trace: &Trace) -> String {
    let mut lines = String::new();
    for (action, state) in trace {
        let workers = state
            .workers
            .map(|worker| format!("{:?} {}", worker.claim, brief(worker.step)));
        let _ = writeln!(lines, "  {action:?}: {}", workers.join(" | "));
    }
    lines
}

fn brief(step: Step) -> String {
    match step {
        Step::Wait { request, memory, .. } => format!("{request:?}, {memory:?}"),
        Step::Write { change, passed, .. } => format!("{change:?}, begun: {}", passed.is_some()),
        Step::Ask(submission, question) => format!("Ask {:?} {question:?}", submission.handle),
        Step::Revoke(submission, revocation) => format!("Revoke {} {revocation:?}", submission.id),
        Step::Cancel(submission) | Step::Look(submission) => format!("Cancel or look {}", submission.id),
        step => format!("{step:?}"),
    }
}
