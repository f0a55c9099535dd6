//! The checker: goes through every reachable state, breadth first, so that the first trace found is a shortest one.
//!
//! A state is remembered by a hash of 64 bits, as model checkers do. That two of 4 million states share one has a chance of less than
//! one in a million, and the hash has no seed, so that a run is repeatable.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use crate::liveness;
use crate::model::{Action, PROPERTIES, Protocol};
use crate::state::State;

/// The actions that lead from the initial state to another, each with the state after it.
pub(crate) type Trace = Vec<(Action, State)>;

/// What was found.
#[derive(Default)]
pub(crate) struct Findings {
    /// How many states were checked.
    pub(crate) states: usize,
    /// How many actions lead to the last one.
    pub(crate) depth: usize,
    /// Whether a post was published, and whether one was left to a person.
    pub(crate) has_published: bool,
    pub(crate) has_asked_a_person: bool,
    /// The first property that does not hold, and how to get there.
    pub(crate) violation: Option<(&'static str, Trace)>,
}

/// Checks every reachable state, or until one of `properties` does not hold.
pub(crate) fn check(model: &Protocol, properties: &[&'static str]) -> Findings {
    liveness::start();
    let mut findings = Findings::default();
    let mut parents: Parents = HashMap::default();
    let mut actions = Vec::new();
    let first = model.initial();
    parents.insert(key(&first), None);
    let mut queue = VecDeque::from([(first, 0)]);
    while let Some((state, depth)) = queue.pop_front() {
        findings.states += 1;
        findings.depth = depth;
        findings.has_published |= state.is_published();
        findings.has_asked_a_person |= state.is_with_a_person();
        let wanted = PROPERTIES.iter().filter(|(name, _)| properties.contains(name));
        if let Some((name, _)) = wanted.into_iter().find(|(_, holds)| !holds(model, &state)) {
            findings.violation = Some((name, trace(model, &parents, &state)));
            return findings;
        }
        actions.clear();
        model.actions(&state, &mut actions);
        for action in &actions {
            let Some(next) = model.next_state(&state, *action) else {
                continue;
            };
            if let Entry::Vacant(vacant) = parents.entry(key(&next)) {
                vacant.insert(Some(key(&state)));
                queue.push_back((next, depth + 1));
            }
        }
    }
    findings
}

/// The actions that lead to `last`, found by going there again along its ancestors.
fn trace(model: &Protocol, parents: &Parents, last: &State) -> Trace {
    let mut keys = vec![key(last)];
    while let Some(Some(parent)) = keys.last().and_then(|key| parents.get(key)) {
        keys.push(*parent);
    }
    let mut trace = Trace::new();
    let mut state = model.initial();
    let mut actions = Vec::new();
    for wanted in keys.iter().rev().skip(1) {
        actions.clear();
        model.actions(&state, &mut actions);
        let mut steps = actions
            .iter()
            .filter_map(|action| Some((*action, model.next_state(&state, *action)?)));
        let step = steps
            .find(|(_, next)| key(next) == *wanted)
            .expect("a step of the trace");
        state = step.1;
        trace.push(step);
    }
    trace
}

/// What stands for a state.
pub(crate) fn key(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// The state from which each state was reached first.
type Parents = HashMap<u64, Option<u64>, BuildHasherDefault<IsHash>>;

/// States that are remembered without how they were reached.
pub(crate) type Keys = HashSet<u64, BuildHasherDefault<IsHash>>;

/// The hash of a number that is a hash.
#[derive(Default)]
pub(crate) struct IsHash(u64);

impl Hasher for IsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole hashes are hashed");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
