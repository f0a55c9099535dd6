//! When providers were asked for the state of accounts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use playout_domain::id::PlatformId;
use playout_domain::time::Time;

/// How often each process asks a provider for the state of an account, at most.
const ASK_EVERY: Duration = Duration::from_secs(60);

/// When the provider was last asked for each account.
#[derive(Debug, Default)]
pub struct Asked(Mutex<HashMap<PlatformId, Time>>);

impl Asked {
    /// `false` if that was less than a minute ago.
    pub(super) fn take(&self, platform: PlatformId, now: Time) -> bool {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.retain(|_, at| now.since(*at) < ASK_EVERY);
        let is_first = !asked.contains_key(&platform);
        asked.entry(platform).or_insert(now);
        is_first
    }
}
