//! How many connections and requests met the faults of a proxy.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The counts of a proxy so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Affected {
    /// Frozen connections, including those that were cut afterwards.
    pub frozen: usize,
    /// Connections that were cut: at once, after a freeze, or in the middle of what they carried.
    pub cut: usize,
    /// Delayed connections.
    pub delayed: usize,
    /// Requests that were answered with 503.
    pub refused: usize,
}

/// The same while they grow.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) frozen: AtomicUsize,
    pub(super) cut: AtomicUsize,
    pub(super) delayed: AtomicUsize,
    pub(super) refused: AtomicUsize,
}

impl Counts {
    /// As they are now.
    pub(super) fn read(&self) -> Affected {
        Affected {
            frozen: self.frozen.load(Ordering::Relaxed),
            cut: self.cut.load(Ordering::Relaxed),
            delayed: self.delayed.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
        }
    }
}

/// Counts one more.
pub(super) fn add(count: &AtomicUsize) {
    count.fetch_add(1, Ordering::Relaxed);
}
