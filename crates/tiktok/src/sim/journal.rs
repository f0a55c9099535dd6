//! The requests to the provider, in order.

use std::collections::VecDeque;

use playout_domain::time::Time;
use serde::Serialize;

use super::fault::Endpoint;

/// One request to the provider's interfaces (not to its pages or its control API).
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    /// Position among all requests, from 1.
    pub sequence: u64,
    /// When it arrived.
    pub at: Time,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Which endpoint it was for; `None`: none that exists.
    pub endpoint: Option<Endpoint>,
    /// The account whose token or upload URL it carried (open_id).
    pub account: Option<String>,
    /// HTTP status of the answer; 0 while there is none, and for ever if the connection was dropped.
    pub status: u16,
    /// The error code of the answer; `ok` when it is none.
    pub code: String,
    /// The `log_id` of the answer.
    pub log_id: String,
    /// The request's `Content-Type`.
    pub content_type: String,
    /// The request's body, cut at 8,192 bytes; empty for uploads.
    pub body: String,
}

/// A request that the provider could not make sense of.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Misunderstood {
    /// Its position in the journal.
    pub sequence: u64,
    /// When it arrived.
    pub at: Time,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// What was wrong with it.
    pub why: String,
}

/// The newest requests, bounded, and those that made no sense.
#[derive(Debug)]
pub(super) struct Journal {
    entries: VecDeque<JournalEntry>,
    misunderstood: Vec<Misunderstood>,
    next: u64,
}

/// How many misunderstood requests are kept; later ones are dropped.
const MISUNDERSTOOD_LIMIT: usize = 1_000;

impl Journal {
    pub(super) fn new() -> Self {
        Self {
            entries: VecDeque::new(),
            misunderstood: Vec::new(),
            next: 1,
        }
    }

    /// Records an arrived request and returns its position.
    pub(super) fn arrive(&mut self, mut entry: JournalEntry, limit: usize) -> u64 {
        entry.sequence = self.next;
        self.next += 1;
        self.entries.push_back(entry);
        while self.entries.len() > limit {
            self.entries.pop_front();
        }
        self.next - 1
    }

    /// Fills in the answer to the request at `sequence`, if it is still remembered.
    pub(super) fn answer(&mut self, sequence: u64, fill: impl FnOnce(&mut JournalEntry)) {
        let Some(first) = self.entries.front().map(|entry| entry.sequence) else {
            return;
        };
        let index = sequence
            .checked_sub(first)
            .and_then(|index| usize::try_from(index).ok());
        if let Some(entry) = index.and_then(|index| self.entries.get_mut(index)) {
            fill(entry);
        }
    }

    /// Records that the request at `sequence` made no sense.
    pub(super) fn note_misunderstood(&mut self, mut misunderstood: Misunderstood, sequence: u64) {
        misunderstood.sequence = sequence;
        if self.misunderstood.len() < MISUNDERSTOOD_LIMIT {
            self.misunderstood.push(misunderstood);
        }
    }

    pub(super) fn after(&self, sequence: u64) -> Vec<JournalEntry> {
        self.entries
            .iter()
            .filter(|entry| entry.sequence > sequence)
            .cloned()
            .collect()
    }

    pub(super) fn misunderstood(&self) -> Vec<Misunderstood> {
        self.misunderstood.clone()
    }
}
