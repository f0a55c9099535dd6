//! API keys: made once, stored as a hash, looked up on every request through a small cache.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{KeyId, UserId, WorkspaceId};
use playout_domain::key::{KeyRecord, MAX_KEYS, is_well_formed, make_key};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_store::{FoundKey, InsertKey};
use playout_wire::keys::CreateKey;
use sha2::{Digest, Sha256};

use super::organizations::role_too_low;
use super::{App, AppError};
use crate::chance;

/// How long another node may go on taking a key after it was revoked here. On this node it ends at once.
const CACHE_FOR: Duration = Duration::from_secs(2);
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

/// A key that is not stored yet.
pub(super) struct FreshKey {
    pub(super) id: KeyId,
    pub(super) hash: [u8; 32],
    pub(super) last_four: String,
    pub(super) key: Secret,
}

impl App {
    /// Makes a key of a workspace for the operator.
    pub async fn create_key(
        &self,
        workspace: WorkspaceId,
        name: &str,
        created_by: Option<UserId>,
        expires_at: Option<Time>,
    ) -> Result<NewKey, AppError> {
        let request = CreateKey {
            name: name.to_owned(),
            expires_at,
        };
        self.store_key(workspace, request, created_by, &Actor::operator())
            .await
    }

    /// Creates a key of a workspace for one of its members.
    pub async fn create_key_for(
        &self,
        workspace: WorkspaceId,
        request: CreateKey,
        actor: &Actor,
    ) -> Result<NewKey, AppError> {
        self.require_verified(actor).await?;
        let created_by = actor.id.map(UserId);
        self.store_key(workspace, request, created_by, actor).await
    }

    async fn store_key(
        &self,
        workspace: WorkspaceId,
        request: CreateKey,
        created_by: Option<UserId>,
        actor: &Actor,
    ) -> Result<NewKey, AppError> {
        let fresh = self.fresh_key();
        let record = KeyRecord {
            id: fresh.id,
            name: request.name,
            last_four: fresh.last_four,
            created_by,
            created_at: self.now(),
            last_used_at: None,
            expires_at: request.expires_at,
        };
        let key = fresh.key;
        match self
            .store
            .create_key(workspace, &record, fresh.hash, actor)
            .await?
        {
            InsertKey::Inserted => Ok(NewKey { record, key }),
            InsertKey::NotAllowed => Err(role_too_low().into()),
            InsertKey::TooMany => {
                let message = format!("A workspace has {MAX_KEYS} API keys at most. Revoke one first.");
                Err(Refusal::new(Code::InvalidRequest, message).into())
            }
        }
    }

    /// Makes a key that opens nothing yet.
    pub(super) fn fresh_key(&self) -> FreshKey {
        let key = make_key(chance::bytes());
        FreshKey {
            id: chance::id(self.now()),
            hash: hash(key.expose()),
            last_four: key.expose()[key.expose().len() - 4..].to_owned(),
            key,
        }
    }

    /// Revokes a key for the operator, on this node at once.
    pub async fn revoke_key(&self, workspace: WorkspaceId, key: KeyId) -> Result<bool, AppError> {
        self.revoke_key_for(workspace, key, &Actor::operator()).await
    }

    /// Revokes a key for one of the workspace's members, on this node at once.
    pub async fn revoke_key_for(
        &self,
        workspace: WorkspaceId,
        key: KeyId,
        actor: &Actor,
    ) -> Result<bool, AppError> {
        let revoked = self.store.revoke_key(workspace, key, actor, self.now()).await?;
        self.keys.lock().retain(|_, cached| cached.found.key.id != key);
        Ok(revoked)
    }

    /// Revokes the presented key, on this node at once. A key that does not exist, or no longer, counts as revoked.
    pub async fn revoke_own_key(&self, presented: &Secret, from: Option<IpAddr>) -> Result<(), AppError> {
        if !is_well_formed(presented.expose()) {
            return Ok(());
        }
        let (hash, address) = (hash(presented.expose()), from.map(|address| address.to_string()));
        self.store.revoke_own_key(hash, address, self.now()).await?;
        self.keys.lock().remove(&hash);
        Ok(())
    }

    /// Removes a workspace's keys from this node's cache, as some may have been revoked.
    pub(super) fn forget_keys_of(&self, workspace: WorkspaceId) {
        let mut keys = self.keys.lock();
        keys.retain(|_, cached| cached.found.workspace.id != workspace);
    }

    /// Looks up a presented key (`docs/contract.md#authentication-errors`).
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
