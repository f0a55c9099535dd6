//! API keys: made once, stored as a hash, looked up on every request through a small cache.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_domain::id::{KeyId, UserId, WorkspaceId};
use playout_domain::key::{KeyRecord, is_well_formed, make_key};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_store::FoundKey;
use sha2::{Digest, Sha256};

use super::{App, AppError};
use crate::chance;

/// How long another node may go on taking a key after it was revoked here. On this node it ends at once.
const CACHE_FOR: Duration = Duration::from_secs(10);
/// `lastUsedAt` is kept to the minute.
const TOUCH_EVERY: Duration = Duration::from_secs(60);
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

/// A key just made: the only time it is seen.
pub struct NewKey {
    /// What is stored.
    pub record: KeyRecord,
    /// The key itself.
    pub key: Secret,
}

impl App {
    /// Makes a key of a workspace.
    pub async fn create_key(
        &self,
        workspace: WorkspaceId,
        name: &str,
        created_by: Option<UserId>,
        expires_at: Option<Time>,
    ) -> Result<NewKey, AppError> {
        let key = make_key(chance::bytes());
        let now = self.now();
        let record = KeyRecord {
            id: chance::id(now),
            name: name.to_owned(),
            last_four: key.expose()[key.expose().len() - 4..].to_owned(),
            created_by,
            created_at: now,
            last_used_at: None,
            expires_at,
        };
        self.store
            .create_key(workspace, &record, hash(key.expose()))
            .await?;
        Ok(NewKey { record, key })
    }

    /// Ends a key, on this node at once.
    pub async fn revoke_key(&self, workspace: WorkspaceId, key: KeyId) -> Result<bool, AppError> {
        let revoked = self.store.revoke_key(workspace, key, self.now()).await?;
        self.keys.lock().retain(|_, cached| cached.found.key.id != key);
        Ok(revoked)
    }

    /// Who a presented key belongs to (seed, "Authentication").
    pub async fn authenticate(&self, presented: &str) -> Result<Arc<FoundKey>, AppError> {
        if !is_well_formed(presented) {
            return Err(invalid_key().into());
        }
        let (hash, now) = (hash(presented), self.now());
        let (found, touch) = match self.keys.get(&hash, now) {
            Some(hit) => hit,
            None => {
                let found = self.store.find_key(hash, now).await?.ok_or_else(invalid_key)?;
                let touch = found
                    .key
                    .last_used_at
                    .is_none_or(|used| now.since(used) >= TOUCH_EVERY);
                (self.keys.put(hash, found, now), touch)
            }
        };
        if touch {
            self.store.touch_key(found.key.id, now).await?;
        }
        Ok(found)
    }
}

impl KeyCache {
    /// The key, and whether its last use should be noted now.
    fn get(&self, hash: &[u8; 32], now: Time) -> Option<(Arc<FoundKey>, bool)> {
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

    fn put(&self, hash: [u8; 32], found: FoundKey, now: Time) -> Arc<FoundKey> {
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

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], Cached>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn invalid_key() -> Refusal {
    Refusal::new(Code::InvalidApiKey, "The API key is invalid.")
}
