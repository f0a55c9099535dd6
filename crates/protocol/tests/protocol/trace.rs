//! Runs the checker, and writes down what it finds.

use playout_domain::submission::Transfer;
use stateright::{Checker, HasDiscoveries, Model, Path};

use crate::model::{Action, Guards, Plan, Protocol, SOME_ARE_PUBLISHED, SOME_ARE_WITH_A_PERSON};
use crate::state::{Faults, State, Step};

/// Both cores of the smallest machine that the tests run on.
const THREADS: usize = 2;

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
    let checker = model.checker().threads(THREADS).spawn_bfs().join();
    let seconds = begun.elapsed().as_secs_f32();
    println!(
        "{name}: {} states in {seconds:.1} s, depth {}",
        checker.unique_state_count(),
        checker.max_depth()
    );
    assert!(checker.is_done(), "{name}: not every state was checked");
    let mut found = checker.discoveries();
    for reached in [SOME_ARE_PUBLISHED, SOME_ARE_WITH_A_PERSON] {
        assert!(
            found.remove(reached).is_some(),
            "{name}: never reached: {reached}"
        );
    }
    if let Some((property, path)) = found.into_iter().next() {
        panic!("{name}: not so: {property}\n{}", shown(path));
    }
}

/// Finds a shortest trace after which `property` does not hold; prints it.
///
/// # Panics
/// When there is none.
#[expect(
    clippy::print_stdout,
    reason = "the trace is what a reader of the test wants to see"
)]
pub(crate) fn find_violation(
    name: &str,
    model: Protocol,
    property: &'static str,
) -> Vec<(State, Option<Action>)> {
    let model = Protocol {
        is_reduced: false,
        ..model
    };
    // One thread goes through the states in order, so that the trace is the same each time.
    let wanted = HasDiscoveries::AnyOf([property].into_iter().collect());
    let checker = model.checker().threads(1).finish_when(wanted).spawn_bfs().join();
    let path = checker.discovery(property);
    let path = path.unwrap_or_else(|| {
        panic!(
            "{name}: \"{property}\" holds in {} states",
            checker.unique_state_count()
        )
    });
    println!(
        "{name}: not so after {} states: {property}\n{}",
        checker.unique_state_count(),
        shown(path.clone())
    );
    path.into_vec()
}

/// The actions of a path, a line each, with what the worker that acts does next.
fn shown(path: Path<State, Action>) -> String {
    let mut lines = String::new();
    let mut action = None;
    for (state, next) in path.into_vec() {
        if let Some(action) = action {
            let workers = state
                .workers
                .map(|worker| format!("{:?} {}", worker.claim, brief(worker.step)));
            lines.push_str(&format!("  {action:?}: {}\n", workers.join(" | ")));
        }
        action = next;
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
