//! Held requests, so that a test can act while one is in progress.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::fault::Endpoint;

/// Where a held request waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldPoint {
    /// Before any work.
    Before,
    /// After the work, before the answer.
    After,
}

/// The endpoints whose requests wait, and how many wait.
#[derive(Debug)]
pub(super) struct Holds {
    closed: watch::Sender<HashMap<Endpoint, HoldPoint>>,
    waiting: watch::Sender<HashMap<Endpoint, usize>>,
}

impl Holds {
    pub(super) fn new() -> Self {
        Self {
            closed: watch::Sender::new(HashMap::new()),
            waiting: watch::Sender::new(HashMap::new()),
        }
    }

    pub(super) fn close(&self, endpoint: Endpoint, point: HoldPoint) {
        self.closed.send_modify(|closed| {
            closed.insert(endpoint, point);
        });
    }

    pub(super) fn open(&self, endpoint: Endpoint) {
        self.closed.send_modify(|closed| {
            closed.remove(&endpoint);
        });
    }

    pub(super) fn open_all(&self) {
        self.closed.send_modify(HashMap::clear);
    }

    /// Waits while requests to `endpoint` are held at `point`.
    pub(super) async fn pass(&self, endpoint: Endpoint, point: HoldPoint) {
        let blocks = |closed: &HashMap<Endpoint, HoldPoint>| {
            closed
                .iter()
                .find(|(rule, at)| rule.covers(endpoint) && **at == point)
                .map(|(rule, _)| *rule)
        };
        let Some(rule) = blocks(&self.closed.borrow()) else {
            return;
        };
        let _waiting = Waiting::enter(&self.waiting, rule);
        let _ = self
            .closed
            .subscribe()
            .wait_for(|closed| blocks(closed).is_none())
            .await;
    }

    /// Completes as soon as `count` requests wait at `endpoint`.
    pub(super) async fn reached(&self, endpoint: Endpoint, count: usize) {
        let enough =
            |waiting: &HashMap<Endpoint, usize>| waiting.get(&endpoint).copied().unwrap_or(0) >= count;
        let _ = self.waiting.subscribe().wait_for(enough).await;
    }
}

/// Counts a request among the waiting ones until it goes on or its client goes away.
struct Waiting<'a>(&'a watch::Sender<HashMap<Endpoint, usize>>, Endpoint);

impl<'a> Waiting<'a> {
    fn enter(counts: &'a watch::Sender<HashMap<Endpoint, usize>>, endpoint: Endpoint) -> Self {
        counts.send_modify(|counts| *counts.entry(endpoint).or_default() += 1);
        Self(counts, endpoint)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0
            .send_modify(|counts| *counts.entry(self.1).or_insert(1) -= 1);
    }
}
