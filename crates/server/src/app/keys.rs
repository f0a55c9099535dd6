//! API keys: made once, stored as a hash, looked up on every request through a small cache.

pub mod cache;

use std::net::IpAddr;
use std::sync::Arc;

use playout_domain::access::Scopes;
use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, PathStep, Refusal};
use playout_domain::id::{KeyId, PlatformId, UserId, WorkspaceId};
use playout_domain::key::{KeyRecord, is_well_formed, make_key};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_store::{FoundKey, InsertKey, KeyHashes};
use playout_wire::keys::{CreateKey, GrantFields};
use sha2::{Digest, Sha256};

use self::cache::TOUCH_EVERY;
use super::refusals::{role_too_low, too_many_keys};
use super::{App, AppError};
use crate::chance;

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
    pub(super) hashes: KeyHashes,
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
            grant: GrantFields {
                expires_at,
                ..GrantFields::NONE
            },
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
        self.check_accounts(workspace, &request.grant).await?;
        let created_by = actor.id.map(UserId);
        self.store_key(workspace, request, created_by, actor).await
    }

    /// Refuses a grant that names accounts which are not the workspace's.
    pub(super) async fn check_accounts(
        &self,
        workspace: WorkspaceId,
        grant: &GrantFields,
    ) -> Result<(), AppError> {
        let named = grant.platform_ids.as_deref().unwrap_or_default();
        let found = self.store.find_platforms(workspace, named).await?;
        let is_missing = |id: &PlatformId| found.iter().all(|platform| platform.id != *id);
        let missing = named.iter().enumerate().filter(|(_, id)| is_missing(id));
        let issue = |(index, _): (usize, &PlatformId)| {
            let path: Vec<PathStep> = vec!["platformIds".into(), index.into()];
            Issue::at(
                path,
                IssueCode::NotFound.with("names no account of this workspace"),
            )
        };
        let issues: Vec<Issue> = missing.map(issue).collect();
        match issues.is_empty() {
            true => Ok(()),
            false => Err(Refusal::invalid(issues).into()),
        }
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
            expires_at: request.grant.expires_at,
            access: request.grant.access(Scopes::ALL),
        };
        let key = fresh.key;
        match self
            .store
            .create_key(workspace, &record, fresh.hashes, actor)
            .await?
        {
            InsertKey::Inserted => Ok(NewKey { record, key }),
            InsertKey::NotAllowed => Err(role_too_low().into()),
            InsertKey::TooMany => Err(too_many_keys().into()),
        }
    }

    /// Makes a key that opens nothing yet.
    pub(super) fn fresh_key(&self) -> FreshKey {
        let key = make_key(chance::bytes());
        FreshKey {
            id: chance::id(self.now()),
            hashes: hashes_of(key.expose()),
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
        self.keys.forget(|found| found.key.id == key);
        Ok(revoked)
    }

    /// Revokes all keys of a workspace for one of its members, on this node at once; returns how many there were.
    pub async fn revoke_all_keys(&self, workspace: WorkspaceId, actor: &Actor) -> Result<u64, AppError> {
        let revoked = self.store.revoke_all_keys(workspace, actor, self.now()).await?;
        self.forget_keys_of(workspace);
        Ok(revoked)
    }

    /// Revokes the presented key, on this node at once. A key that does not exist, or no longer, counts as revoked.
    pub async fn revoke_own_key(&self, presented: &Secret, from: Option<IpAddr>) -> Result<(), AppError> {
        if !is_well_formed(presented.expose()) {
            return Ok(());
        }
        let (hashes, address) = (
            hashes_of(presented.expose()),
            from.map(|address| address.to_string()),
        );
        self.store.revoke_own_key(hashes, address, self.now()).await?;
        self.keys.forget_hash(&hashes.full);
        Ok(())
    }

    /// Removes a workspace's keys from this node's cache, as some may have been revoked.
    pub(super) fn forget_keys_of(&self, workspace: WorkspaceId) {
        self.keys.forget(|found| found.workspace.id == workspace);
    }

    /// Looks up a presented key (`docs/contract.md#authentication-errors`).
    pub async fn authenticate(&self, presented: &str) -> Result<Arc<FoundKey>, AppError> {
        if !is_well_formed(presented) {
            return Err(invalid_key().into());
        }
        let (hashes, now) = (hashes_of(presented), self.now());
        let (found, touch) = match self.keys.get(&hashes.full, now) {
            Some(hit) => hit,
            None => {
                let found = self.store.find_key(hashes, now).await?.ok_or_else(invalid_key)?;
                let touch = found
                    .key
                    .last_used_at
                    .is_none_or(|used| now.since(used) >= TOUCH_EVERY);
                (self.keys.put(hashes.full, found, now), touch)
            }
        };
        if touch {
            self.store.touch_key(found.key.id, now).await?;
        }
        Ok(found)
    }
}

/// The hashes under which a key is stored: that of the key itself, and that of a restricted key.
pub fn hashes_of(key: &str) -> KeyHashes {
    KeyHashes {
        full: Sha256::digest(key.as_bytes()).into(),
        restricted: Sha256::new()
            .chain_update(b"restricted\0")
            .chain_update(key)
            .finalize()
            .into(),
    }
}

fn invalid_key() -> Refusal {
    Refusal::new(Code::InvalidApiKey, "The API key is invalid.")
}
