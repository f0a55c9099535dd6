//! A semaphore whose waiters are served by turns: first come, first served within a workspace, and one workspace after the
//! other.
//!
//! A workspace that queues a thousand pictures makes another one wait for one of them, not for all. The waiter whose turn it is
//! waits until there are enough units, and no other one is served before it; otherwise work that needs many would wait forever.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use playout_domain::id::WorkspaceId;
use tokio::sync::oneshot;

use super::error::AppError;

/// A number of units, and the waiters for them.
#[derive(Debug)]
pub(super) struct Turns(Mutex<State>);

#[derive(Debug)]
struct State {
    free: u32,
    /// Those of which something waits; it is the first one's turn. None is empty.
    queues: VecDeque<Queue>,
    next_ticket: u64,
}

/// What waits of one workspace, in the order in which it came.
#[derive(Debug)]
struct Queue {
    workspace: WorkspaceId,
    waiters: VecDeque<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    ticket: u64,
    units: u32,
    served: oneshot::Sender<Units>,
}

/// Units that were taken. Dropped, they are given back, and whose turn it is gets them.
#[derive(Debug)]
#[must_use]
pub(super) struct Units {
    of: Arc<Turns>,
    count: u32,
}

impl Turns {
    /// So many units, all of them free.
    pub(super) fn new(units: u32) -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            free: units,
            queues: VecDeque::new(),
            next_ticket: 0,
        })))
    }

    /// Takes units, of which there must be as many, and waits its turn. A waiter that is dropped leaves the queue.
    ///
    /// # Errors
    /// None: the queue does not end before its waiters.
    pub(super) async fn take(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        units: u32,
    ) -> Result<Units, AppError> {
        if let Some(taken) = self.try_take(units) {
            return Ok(taken);
        }
        let (served, receiver) = oneshot::channel();
        let ticket = self.state().enqueue(workspace, units, served);
        let mut place = Place {
            of: Arc::clone(self),
            ticket,
            receiver,
        };
        // What was free may have become enough since.
        self.serve();
        (&mut place.receiver).await.map_err(|_| AppError::Press)
    }

    /// Takes units that are free right now, if there are no waiters.
    pub(super) fn try_take(self: &Arc<Self>, units: u32) -> Option<Units> {
        let mut state = self.state();
        if !state.queues.is_empty() {
            return None;
        }
        state.free = state.free.checked_sub(units)?;
        Some(Units {
            of: Arc::clone(self),
            count: units,
        })
    }

    fn give_back(self: &Arc<Self>, units: u32) {
        self.state().free += units;
        self.serve();
    }

    fn leave(self: &Arc<Self>, ticket: u64) {
        if self.state().remove(ticket) {
            self.serve();
        }
    }

    /// Serves those whose turn it is, for as long as there is enough. A waiter that has just left gives the units back when
    /// its message is dropped, which locks the state again: so nothing is sent under the lock.
    fn serve(self: &Arc<Self>) {
        loop {
            let Some(Waiter { units, served, .. }) = self.state().next() else {
                return;
            };
            let of = Arc::clone(self);
            drop(served.send(Units { of, count: units }));
        }
    }

    /// The units that are free.
    #[cfg(test)]
    pub(super) fn free(&self) -> u32 {
        self.state().free
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enqueue(&mut self, workspace: WorkspaceId, units: u32, served: oneshot::Sender<Units>) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let waiter = Waiter {
            ticket,
            units,
            served,
        };
        match self.queues.iter_mut().find(|queue| queue.workspace == workspace) {
            Some(queue) => queue.waiters.push_back(waiter),
            None => self.queues.push_back(Queue {
                workspace,
                waiters: VecDeque::from([waiter]),
            }),
        }
        ticket
    }

    /// Takes the units of the waiter whose turn it is, if they are there. Its workspace is the last one then.
    fn next(&mut self) -> Option<Waiter> {
        let first = self.queues.front()?.waiters.front()?;
        self.free = self.free.checked_sub(first.units)?;
        let mut queue = self.queues.pop_front()?;
        let waiter = queue.waiters.pop_front();
        if !queue.waiters.is_empty() {
            self.queues.push_back(queue);
        }
        waiter
    }

    /// Whether this waiter was still there.
    fn remove(&mut self, ticket: u64) -> bool {
        let place = |queue: &Queue| queue.waiters.iter().position(|waiter| waiter.ticket == ticket);
        let found = self.queues.iter().enumerate();
        let found = found.filter_map(|(at, queue)| Some((at, place(queue)?))).next();
        let Some((at, place)) = found else { return false };
        let waiters = &mut self.queues[at].waiters;
        waiters.remove(place);
        if waiters.is_empty() {
            self.queues.remove(at);
        }
        true
    }
}

impl Drop for Units {
    fn drop(&mut self) {
        self.of.give_back(self.count);
    }
}

/// A place in the queue, left when it is dropped. What was sent to it meanwhile is given back by the channel.
struct Place {
    of: Arc<Turns>,
    ticket: u64,
    receiver: oneshot::Receiver<Units>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.of.leave(self.ticket);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::FutureExt;
    use proptest::prelude::*;

    use super::*;
    use crate::chance;
    use playout_domain::time::Time;

    const ALL: u32 = 6;

    type Taking = Pin<Box<dyn Future<Output = Result<Units, AppError>>>>;

    /// A waiter, until it is served.
    struct Someone {
        workspace: usize,
        units: u32,
        taking: Taking,
    }

    struct World {
        turns: Arc<Turns>,
        workspaces: Vec<WorkspaceId>,
        waiting: Vec<Someone>,
        holding: Vec<Units>,
        /// For each workspace that waits, how often each other one was served since it began to.
        since: Vec<Vec<u32>>,
    }

    impl World {
        fn new(workspaces: usize) -> Self {
            Self {
                turns: Turns::new(ALL),
                workspaces: (0..workspaces).map(|_| chance::id(Time::from_secs(0))).collect(),
                waiting: Vec::new(),
                holding: Vec::new(),
                since: vec![vec![0; workspaces]; workspaces],
            }
        }

        fn ask(&mut self, workspace: usize, units: u32) {
            let (turns, id) = (Arc::clone(&self.turns), self.workspaces[workspace]);
            if !self.waits(workspace) {
                self.since[workspace].fill(0);
            }
            let taking: Taking = Box::pin(async move { turns.take(id, units).await });
            self.waiting.push(Someone {
                workspace,
                units,
                taking,
            });
            self.look();
        }

        fn waits(&self, workspace: usize) -> bool {
            self.waiting.iter().any(|someone| someone.workspace == workspace)
        }

        /// Polls all waiters, and notes which were served.
        fn look(&mut self) {
            let mut still = Vec::new();
            let mut served = Vec::new();
            for mut someone in std::mem::take(&mut self.waiting) {
                match someone.taking.as_mut().now_or_never() {
                    Some(units) => {
                        let units = units.unwrap();
                        assert_eq!(units.count, someone.units);
                        self.holding.push(units);
                        served.push(someone.workspace);
                    }
                    None => still.push(someone),
                }
            }
            self.waiting = still;
            for workspace in served {
                self.since[workspace].fill(0);
                for waiting in 0..self.workspaces.len() {
                    if waiting != workspace && self.waits(waiting) {
                        self.since[waiting][workspace] += 1;
                    }
                }
            }
            let held: u32 = self.holding.iter().map(|units| units.count).sum();
            assert_eq!(held + self.turns.free(), ALL, "units are neither lost nor made");
        }
    }

    proptest! {
        #[test]
        fn units_are_kept_and_nobody_is_served_twice_before_another_who_waits(
            steps in prop::collection::vec((0..4_u8, 0..4_usize, 1..=ALL), 1..200)
        ) {
            let mut world = World::new(4);
            for (step, at, units) in steps {
                match step {
                    0 | 1 => world.ask(at, units),
                    2 if at < world.waiting.len() => drop(world.waiting.remove(at)),
                    _ if at < world.holding.len() => drop(world.holding.swap_remove(at)),
                    _ => {}
                }
                world.look();
                for (waiting, since) in world.since.iter().enumerate() {
                    if world.waits(waiting) {
                        // One turn may have been served in the same look in which it began to wait.
                        prop_assert!(since.iter().all(|&served| served <= 2), "{since:?}");
                    }
                }
            }
            // All waiters are served once all units are given back.
            while !world.waiting.is_empty() {
                prop_assert!(!world.holding.is_empty(), "somebody waits for what is free");
                world.holding.clear();
                world.look();
            }
            world.holding.clear();
            prop_assert_eq!(world.turns.free(), ALL);
            prop_assert!(world.turns.state().queues.is_empty());
        }
    }

    #[test]
    fn a_workspace_with_much_to_do_makes_another_wait_for_one_of_it() {
        let mut world = World::new(2);
        for _ in 0..100 {
            world.ask(0, ALL);
        }
        world.ask(1, ALL);
        // What the first one holds, and one of those that were there before.
        for _ in 0..2 {
            assert!(world.waits(1));
            world.holding.clear();
            world.look();
        }
        assert!(!world.waits(1));
        assert_eq!(world.waiting.len(), 98);
    }

    #[test]
    fn who_needs_much_is_not_passed_by_who_needs_little() {
        let mut world = World::new(2);
        world.ask(0, 1);
        world.ask(0, ALL);
        world.ask(1, 1);
        assert_eq!(world.waiting.len(), 2);
        assert!(world.turns.try_take(1).is_none());
        // A waiter that is dropped makes way for the next.
        drop(world.waiting.remove(0));
        world.look();
        assert!(world.waiting.is_empty());
    }

    #[test]
    fn what_was_served_to_one_who_left_is_given_back() {
        let mut world = World::new(1);
        world.ask(0, ALL);
        world.ask(0, ALL);
        // Served, but it has not looked yet.
        world.holding.clear();
        world.waiting.clear();
        assert_eq!(world.turns.free(), ALL);
    }
}
