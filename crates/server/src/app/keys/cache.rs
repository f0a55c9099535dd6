//! The keys seen lately.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::time::Time;
use playout_store::FoundKey;

/// How long another node may go on taking a key after it was revoked here. On this node it ends at once.
const CACHE_FOR: Duration = Duration::from_secs(2);
/// `lastUsedAt` is kept to the minute.
pub(super) const TOUCH_EVERY: Duration = Duration::from_secs(60);
/// Beyond so many keys in use the cache starts anew.
const CACHE_KEYS: usize = 10_000;

/// The keys seen lately, by hash.
#[derive(Default)]
pub struct KeyCache(Mutex<HashMap<[u8; 32], Cached>>);

struct Cached {
    found: Arc<FoundKey>,
    until: Time,
    touch_at: Time,
}

impl KeyCache {
    /// The key, and whether its last use should be noted now.
    pub(super) fn get(&self, hash: &[u8; 32], now: Time) -> Option<(Arc<FoundKey>, bool)> {
        let mut keys = self.lock();
        let cached = keys.get_mut(hash).filter(|cached| now < cached.until)?;
        let expired = cached
            .found
            .key
            .expires_at
            .is_some_and(|expires_at| expires_at <= now);
        if expired {
            return None;
        }
        let touch = now >= cached.touch_at;
        if touch {
            cached.touch_at = now.plus(TOUCH_EVERY);
        }
        Some((Arc::clone(&cached.found), touch))
    }

    pub(super) fn put(&self, hash: [u8; 32], found: FoundKey, now: Time) -> Arc<FoundKey> {
        let found = Arc::new(found);
        let mut keys = self.lock();
        if keys.len() >= CACHE_KEYS {
            keys.clear();
        }
        let (until, touch_at) = (now.plus(CACHE_FOR), now.plus(TOUCH_EVERY));
        keys.insert(
            hash,
            Cached {
                found: Arc::clone(&found),
                until,
                touch_at,
            },
        );
        found
    }

    /// Forgets the keys for which this holds.
    pub(super) fn forget(&self, is_over: impl Fn(&FoundKey) -> bool) {
        self.lock().retain(|_, cached| !is_over(&cached.found));
    }

    /// Forgets the key of this hash.
    pub(super) fn forget_hash(&self, hash: &[u8; 32]) {
        self.lock().remove(hash);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 32], Cached>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
