//! API keys: only the SHA-256 of a key is stored (`docs/contract.md#keys`).

use playout_domain::access::{Accounts, KeyAccess, Scopes};
use playout_domain::audit::{Action, Actor, ActorKind};
use playout_domain::id::{KeyId, PlatformId, UserId, WorkspaceId};
use playout_domain::key::{KeyRecord, MAX_KEYS};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_domain::zone::Zone;
use serde_json::json as value;

use super::workspaces::read_policy;
use crate::audit::Noted;
use crate::db::{Fields, Param, Result, Row, Store, Tx, params, read_all, read_one};

/// A key that opens a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundKey {
    /// What it opens.
    pub workspace: Workspace,
    /// The key.
    pub key: KeyRecord,
}

/// The two hashes under which a key may be stored. The version before, which knows no scopes, looks for one of them alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyHashes {
    /// The hash of a key that may do everything.
    pub full: [u8; 32],
    /// The hash of a restricted one.
    pub restricted: [u8; 32],
}

impl KeyHashes {
    /// The one under which a key with this access is stored.
    fn of(&self, access: &KeyAccess) -> [u8; 32] {
        match access.is_restricted() {
            true => self.restricted,
            false => self.full,
        }
    }
}

/// What became of [`Store::create_key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertKey {
    /// It is stored.
    Inserted,
    /// The actor is a person who may not make keys.
    NotAllowed,
    /// The workspace has [`MAX_KEYS`] already.
    TooMany,
}

/// Has a row where a workspace has so many keys, or more.
pub(crate) const HAS_KEYS: &str =
    "SELECT id FROM keys WHERE workspace_id = $1 AND revoked_at IS NULL LIMIT 1 OFFSET $2 - 1";

pub(crate) const FIND_KEY: &str =
    "SELECT k.id, k.name, k.last_four, k.created_by, k.created_at, k.last_used_at,
        k.expires_at, k.scopes, k.platform_ids, k.workspace_id, w.name AS workspace_name, w.plan, w.time_zone, w.ask_after,
        w.created_at AS workspace_created_at
    FROM keys k JOIN workspaces w ON w.id = k.workspace_id
    WHERE k.hash IN ($1, $2) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)";

impl Store {
    /// Adds a key. The role of an actor who is a person is judged here again, so
    /// that no key is made while they are removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_key(
        &self,
        workspace: WorkspaceId,
        key: &KeyRecord,
        hashes: KeyHashes,
        actor: &Actor,
    ) -> Result<InsertKey> {
        let mut tx = self.begin().await?;
        // Held, so that the role stays and the limit is exact.
        tx.lock_workspace(workspace).await?;
        if let (ActorKind::User, Some(id)) = (actor.kind, actor.id)
            && !tx.may_make_keys(workspace, UserId(id)).await?
        {
            return Ok(InsertKey::NotAllowed);
        }
        if tx.has_all_keys(workspace).await? {
            return Ok(InsertKey::TooMany);
        }
        tx.insert_key(workspace, key, hashes, actor).await?;
        tx.commit().await?;
        Ok(InsertKey::Inserted)
    }

    /// The key with one of these hashes, and its workspace, unless it was revoked or has expired. One indexed look-up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_key(&self, hashes: KeyHashes, now: Time) -> Result<Option<FoundKey>> {
        let params = params![hashes.full, hashes.restricted, now];
        read_one(self.row(FIND_KEY, params).await?, |row| {
            let fields = row.of("keys");
            Ok(FoundKey {
                workspace: Workspace {
                    id: fields.id("workspace_id")?,
                    name: fields.get("workspace_name")?,
                    plan: fields.get("plan")?,
                    time_zone: Zone::stored(fields.get("time_zone")?),
                    lateness_policy: read_policy(fields)?,
                    created_at: fields.time("workspace_created_at")?,
                },
                key: read_key(fields)?,
            })
        })
    }

    /// The keys of a workspace that were not revoked, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_keys(&self, workspace: WorkspaceId) -> Result<Vec<KeyRecord>> {
        let sql = "SELECT id, name, last_four, created_by, created_at, last_used_at, expires_at, scopes, platform_ids FROM keys
            WHERE workspace_id = $1 AND revoked_at IS NULL ORDER BY created_at, id";
        let rows = self.rows(sql, params![workspace]).await?;
        read_all(&rows, |row: &Row| read_key(row.of("keys")))
    }

    /// Revokes a key; `false` if there is none, or it was revoked before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_key(
        &self,
        workspace: WorkspaceId,
        id: KeyId,
        actor: &Actor,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE keys SET revoked_at = $3
            WHERE id = $2 AND workspace_id = $1 AND revoked_at IS NULL RETURNING name";
        let Some(row) = tx.row(sql, params![workspace, id, now]).await? else {
            return Ok(false);
        };
        let name: String = row.of("keys").get("name")?;
        tx.note(workspace, actor, about(Action::KeyRevoked, id, &name), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Revokes all keys of a workspace, and denies what was approved and not fetched yet; returns how many keys there were. No key is
    /// made meanwhile.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_all_keys(&self, workspace: WorkspaceId, actor: &Actor, now: Time) -> Result<u64> {
        let mut tx = self.begin().await?;
        tx.lock_workspace(workspace).await?;
        tx.end_approvals(workspace, None).await?;
        let sql = "UPDATE keys SET revoked_at = $2
            WHERE workspace_id = $1 AND revoked_at IS NULL RETURNING id, name";
        let revoked = tx.rows(sql, params![workspace, now]).await?;
        for row in &revoked {
            let fields = row.of("keys");
            let (id, name): (KeyId, String) = (fields.id("id")?, fields.get("name")?);
            tx.note(workspace, actor, about(Action::KeyRevoked, id, &name), now)
                .await?;
        }
        tx.commit().await?;
        Ok(revoked.len() as u64)
    }

    /// Revokes the key with one of these hashes in its own name; returns which it was, or `None` if there is none, or it was
    /// revoked before. Who has a key needs no other proof to end it (RFC 7009).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_own_key(
        &self,
        hashes: KeyHashes,
        address: Option<String>,
        now: Time,
    ) -> Result<Option<KeyId>> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE keys SET revoked_at = $3 WHERE hash IN ($1, $2) AND revoked_at IS NULL
            RETURNING id, workspace_id, name";
        let Some(row) = tx.row(sql, params![hashes.full, hashes.restricted, now]).await? else {
            return Ok(None);
        };
        let fields = row.of("keys");
        let (id, name): (KeyId, String) = (fields.id("id")?, fields.get("name")?);
        let actor = Actor {
            kind: ActorKind::Key,
            id: Some(id.0),
            name: Some(name.clone()),
            session: None,
            address,
        };
        let noted = about(Action::KeyRevoked, id, &name);
        tx.note(fields.id("workspace_id")?, &actor, noted, now).await?;
        tx.commit().await?;
        Ok(Some(id))
    }

    /// Notes that a key was used. The caller does so at most once a minute for a key.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn touch_key(&self, id: KeyId, now: Time) -> Result<()> {
        let sql = "UPDATE keys SET last_used_at = $2 WHERE id = $1";
        self.execute(sql, params![id, now]).await?;
        Ok(())
    }
}

impl Tx {
    /// Whether a workspace has [`MAX_KEYS`]. Exact while the workspace is locked.
    pub(crate) async fn has_all_keys(&mut self, workspace: WorkspaceId) -> Result<bool> {
        Ok(self.row(HAS_KEYS, params![workspace, MAX_KEYS]).await?.is_some())
    }

    /// Adds a key, and notes who made it.
    pub(crate) async fn insert_key(
        &mut self,
        workspace: WorkspaceId,
        key: &KeyRecord,
        hashes: KeyHashes,
        actor: &Actor,
    ) -> Result<()> {
        let sql =
            "INSERT INTO keys (id, workspace_id, hash, name, last_four, created_by, created_at, last_used_at,
            expires_at, scopes, platform_ids) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let params = params![
            key.id,
            workspace,
            hashes.of(&key.access),
            &key.name,
            &key.last_four,
            key.created_by,
            key.created_at,
            key.last_used_at,
            key.expires_at,
            scopes_param(key.access.scopes),
            accounts_param(&key.access.accounts)
        ];
        self.execute(sql, params).await?;
        let mut detail = value!({ "name": key.name });
        if key.access.is_restricted() {
            detail["scopes"] = key.access.scopes.words().into();
        }
        if let Some(accounts) = key.access.accounts.only() {
            detail["platformIds"] = value!(accounts);
        }
        if let Some(end) = key.expires_at {
            detail["expiresAt"] = value!(end);
        }
        let noted = Noted {
            detail: Some(detail),
            ..about(Action::KeyCreated, key.id, &key.name)
        };
        self.note(workspace, actor, noted, key.created_at).await
    }
}

pub(crate) fn about(action: Action, id: KeyId, name: &str) -> Noted {
    Noted {
        action,
        target: Some(id.to_string()),
        detail: Some(value!({ "name": name })),
    }
}

pub(crate) fn read_key(fields: Fields<'_>) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: fields.id("id")?,
        name: fields.get("name")?,
        last_four: fields.get("last_four")?,
        created_by: fields.opt_id("created_by")?,
        created_at: fields.time("created_at")?,
        last_used_at: fields.opt_time("last_used_at")?,
        expires_at: fields.opt_time("expires_at")?,
        access: KeyAccess {
            scopes: read_scopes(fields, "scopes")?.unwrap_or(Scopes::ALL),
            accounts: read_accounts(fields, "platform_ids")?,
        },
    })
}

/// What stands in a column of scopes; all of them are `NULL`.
pub(crate) fn scopes_param(scopes: Scopes) -> Param {
    Some(scopes)
        .filter(|scopes| *scopes != Scopes::ALL)
        .map(Scopes::words)
        .into()
}

/// What stands in a column of accounts; all of them are `NULL`.
pub(crate) fn accounts_param(accounts: &Accounts) -> Param {
    let ids = accounts.only().map(|ids| value!(ids).to_string());
    ids.into()
}

pub(crate) fn read_scopes(fields: Fields<'_>, column: &'static str) -> Result<Option<Scopes>> {
    fields.opt_word(column, Scopes::parse)
}

pub(crate) fn read_accounts(fields: Fields<'_>, column: &'static str) -> Result<Accounts> {
    let Some(text) = fields.get::<Option<String>>(column)? else {
        return Ok(Accounts::All);
    };
    let ids: Option<Vec<uuid::Uuid>> = serde_json::from_str(&text).ok();
    let ids = ids.ok_or_else(|| fields.bad(column, "it is no list of identifiers".to_owned()))?;
    Ok(Accounts::Only(ids.into_iter().map(PlatformId).collect()))
}
