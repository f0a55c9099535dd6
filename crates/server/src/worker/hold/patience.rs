//! For how long a hold searches an account again that cannot be searched.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use playout_domain::id::PlatformId;
use playout_domain::time::Time;
use playout_store::Hold;

/// For how long a provider that does not answer, or is still at work on a post, is asked again.
const PATIENCE: Duration = Duration::from_secs(600);

/// When this process first searched each account in the hold that is on. The age of the hold does not count: a database that was
/// restored long before its engine starts, as when its accounts are connected first, is searched for as long as any other.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Which hold the searches are of.
    held_at: Option<Time>,
    first_searches: Mutex<HashMap<PlatformId, Time>>,
    /// Since when the searches of an account have failed inside, one after another.
    failing_since: Mutex<HashMap<PlatformId, Time>>,
}

/// One search of an account in a hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    /// Until when it is searched again if it cannot be searched now.
    pub(super) until: Time,
    /// Whether that is over: nothing is waited for any more.
    pub(super) is_last: bool,
}

impl Patience {
    /// Forgets the searches of an earlier hold.
    pub(super) fn begin(&mut self, hold: &Hold) {
        if self.held_at != Some(hold.held_at) {
            *self = Self {
                held_at: Some(hold.held_at),
                ..Self::default()
            };
        }
    }

    /// The search of this account that begins at `now`. The first one is never the last.
    pub(super) fn round(&self, platform: PlatformId, now: Time) -> Round {
        let mut first_searches = self.first_searches.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *first_searches.entry(platform).or_insert(now);
        Round {
            until: first.plus(PATIENCE),
            is_last: now.since(first) > PATIENCE,
        }
    }

    /// Notes that a search of this account has failed inside. Returns whether all have failed for longer than [`PATIENCE`].
    pub(super) fn fails_too_long(&self, platform: PlatformId, now: Time) -> bool {
        let mut failing_since = self.failing_since.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *failing_since.entry(platform).or_insert(now);
        now.since(first) > PATIENCE
    }

    /// Notes that a search of this account has not failed inside.
    pub(super) fn succeeded(&self, platform: PlatformId) {
        let mut failing_since = self.failing_since.lock().unwrap_or_else(PoisonError::into_inner);
        failing_since.remove(&platform);
    }
}
