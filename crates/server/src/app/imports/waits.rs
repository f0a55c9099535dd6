//! How often the addresses of imports have failed that wait until they are asked again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::MediaId;
use playout_domain::time::Time;

/// An import that has not ended by then is removed.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// What is known of an import whose address has failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tries {
    /// How often in a row.
    pub(super) failures: usize,
    /// How long it may still take, from the next try on.
    pub(super) left: Duration,
}

impl Tries {
    pub(super) const fn lasting(left: Duration) -> Self {
        Self { failures: 0, left }
    }
}

/// The imports that wait, and were tried by this process.
///
/// Where another process takes one over, it begins to count when it first asks the address.
#[derive(Debug, Default)]
pub struct Waits(Mutex<HashMap<MediaId, (Tries, Time)>>);

impl Waits {
    /// Takes what is known of an import that is tried again.
    pub(super) fn take(&self, id: MediaId) -> Option<Tries> {
        self.waiting().remove(&id).map(|(tries, _)| tries)
    }

    /// Keeps what is known of an import that is tried again at `at`; forgets those that no import can still be.
    pub(super) fn keep(&self, id: MediaId, tries: Tries, at: Time) {
        let mut waiting = self.waiting();
        waiting.retain(|_, (_, then)| at.since(*then) < KEPT);
        waiting.insert(id, (tries, at));
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<MediaId, (Tries, Time)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
