//! The processes: started, killed, stopped (`SIGSTOP`) and continued.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use super::act::Start;
use super::stage::Stage;
use super::wrong_key::WrongKeyNodes;
use crate::bench::process::Process;
use crate::failure::Outcome;
use crate::machine::free_port;

/// All processes of a run.
#[derive(Debug)]
pub struct Nodes<'a> {
    stage: &'a Stage,
    running: Vec<Option<Node>>,
    stalled: BTreeMap<usize, Node>,
    /// What happened to them.
    pub tally: Tally,
    /// Processes beside them that have the wrong secret key.
    pub wrong_key: WrongKeyNodes<'a>,
}

/// How processes ended.
#[derive(Debug, Default)]
pub struct Tally {
    /// Killed from outside, at whatever instant.
    pub killed: usize,
    /// Stopped, and killed after they went on.
    pub stalled: usize,
    /// Ended at the failpoint they were started with, by point.
    pub at_points: BTreeMap<&'static str, usize>,
    /// Ended by themselves: at a start without a database, or on a full disk.
    pub by_themselves: usize,
    /// How many had a clock that was wrong.
    pub skewed: usize,
}

#[derive(Debug)]
struct Node {
    process: Process,
    address: SocketAddr,
    start: Start,
}

impl<'a> Nodes<'a> {
    /// None yet, with room for so many.
    pub fn none(stage: &'a Stage, count: usize) -> Self {
        let running = (0..count).map(|_| None).collect();
        Self {
            stage,
            running,
            stalled: BTreeMap::new(),
            tally: Tally::default(),
            wrong_key: WrongKeyNodes::none(stage),
        }
    }

    /// Starts one for every place that has none, as configured by default.
    ///
    /// # Errors
    /// When one does not start.
    pub fn fill(&mut self) -> Outcome<()> {
        for place in 0..self.running.len() {
            let is_alive = self.running[place]
                .as_mut()
                .is_some_and(|node| !node.process.has_ended());
            if !is_alive {
                self.replace(place, Start::default())?;
            }
        }
        Ok(())
    }

    /// Kills the process of a place, if it has not died by itself, and starts the next on the same port.
    ///
    /// # Errors
    /// When the next does not start.
    pub fn replace(&mut self, place: usize, next: Start) -> Outcome<()> {
        let address = match self.running[place].take() {
            Some(node) => self.kill(node),
            None => SocketAddr::from(([127, 0, 0, 1], free_port()?)),
        };
        self.start(place, address, next)
    }

    /// Stops the process of a place in the middle of what it does, and starts the next on another port.
    ///
    /// # Errors
    /// When the next does not start.
    pub fn stall(&mut self, place: usize, number: usize, next: Start) -> Outcome<()> {
        if let Some(node) = self.running[place].take() {
            node.process.signal("STOP");
            self.stage.proxy.remove(node.address);
            self.stage.note(&format!("node {place} stalls"));
            self.stalled.insert(number, node);
        }
        self.start(place, SocketAddr::from(([127, 0, 0, 1], free_port()?)), next)
    }

    /// Lets a stopped one go on.
    pub fn wake(&mut self, number: usize) {
        if let Some(node) = self.stalled.get(&number) {
            self.stage.note(&format!("{} goes on", node.address));
            node.process.signal("CONT");
        }
    }

    /// Kills a stopped one that went on.
    pub fn bury(&mut self, number: usize) {
        if let Some(node) = self.stalled.remove(&number) {
            self.tally.stalled += 1;
            node.process.kill();
        }
    }

    /// Starts a process with the wrong secret key beside the nodes.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start_with_wrong_key(&mut self, number: usize) -> Outcome<()> {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        self.wrong_key.start(number, address)
    }

    /// Kills every process, stopped ones too, and starts none.
    pub fn end_all(&mut self) {
        self.bury_all();
        for place in 0..self.running.len() {
            if let Some(node) = self.running[place].take() {
                self.kill(node);
            }
        }
    }

    /// Kills every stopped process, whether it went on or not.
    pub fn bury_all(&mut self) {
        while let Some((number, _)) = self.stalled.first_key_value() {
            self.bury(*number);
        }
    }

    /// Kills everything, and starts one process for every place as configured by default.
    ///
    /// # Errors
    /// When one does not start.
    pub fn renew(&mut self) -> Outcome<()> {
        self.bury_all();
        self.wrong_key.end_all();
        (0..self.running.len()).try_for_each(|place| self.replace(place, Start::default()))
    }

    /// The points of `points` at which no process ended.
    pub fn not_reached(&self, points: &[&'static str]) -> Vec<&'static str> {
        let reached: BTreeSet<_> = self.tally.at_points.keys().copied().collect();
        points
            .iter()
            .filter(|point| !reached.contains(*point))
            .copied()
            .collect()
    }

    fn start(&mut self, place: usize, address: SocketAddr, start: Start) -> Outcome<()> {
        let process = self.stage.node(address, start)?;
        self.tally.skewed += usize::from(start.clock_offset_ms != 0);
        self.stage.proxy.add(address);
        self.running[place] = Some(Node {
            process,
            address,
            start,
        });
        Ok(())
    }

    fn kill(&mut self, mut node: Node) -> SocketAddr {
        self.stage.proxy.remove(node.address);
        match (node.process.has_ended(), node.start.failpoint) {
            (false, _) => self.tally.killed += 1,
            (true, Some(point)) if node.process.was_killed() => {
                *self.tally.at_points.entry(point).or_default() += 1;
            }
            (true, _) => self.tally.by_themselves += 1,
        }
        self.stage.note(&format!(
            "{} is killed {}",
            node.address,
            node.start.failpoint.unwrap_or_default()
        ));
        node.process.kill();
        node.address
    }
}
