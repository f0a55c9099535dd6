//! API keys: only the SHA-256 of a key is stored (`docs/contract.md#keys`).

use playout_domain::audit::{Action, Actor, ActorKind};
use playout_domain::id::{KeyId, UserId, WorkspaceId};
use playout_domain::key::{KeyRecord, MAX_KEYS};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_domain::zone::Zone;
use serde_json::json as value;

use super::workspaces::read_policy;
use crate::audit::Noted;
use crate::db::{Fields, Result, Row, Store, Tx, params, read_all, read_one};

/// A key that opens a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundKey {
    /// What it opens.
    pub workspace: Workspace,
    /// The key.
    pub key: KeyRecord,
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
        k.expires_at, k.workspace_id, w.name AS workspace_name, w.plan, w.time_zone, w.ask_after,
        w.created_at AS workspace_created_at
    FROM keys k JOIN workspaces w ON w.id = k.workspace_id
    WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)";

impl Store {
    /// Adds a key; `hash` is the SHA-256 of the key itself. The role of an actor who is a person is judged here again, so
    /// that no key is made while they are removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_key(
        &self,
        workspace: WorkspaceId,
        key: &KeyRecord,
        hash: [u8; 32],
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
        tx.insert_key(workspace, key, hash, actor).await?;
        tx.commit().await?;
        Ok(InsertKey::Inserted)
    }

    /// The key with this hash and its workspace, unless it was revoked or has expired. One indexed look-up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_key(&self, hash: [u8; 32], now: Time) -> Result<Option<FoundKey>> {
        read_one(self.row(FIND_KEY, params![hash, now]).await?, |row| {
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
        let sql = "SELECT id, name, last_four, created_by, created_at, last_used_at, expires_at FROM keys
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

    /// Revokes the key with this hash in its own name; returns which it was, or `None` if there is none, or it was
    /// revoked before. Who has a key needs no other proof to end it (RFC 7009).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_own_key(
        &self,
        hash: [u8; 32],
        address: Option<String>,
        now: Time,
    ) -> Result<Option<KeyId>> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE keys SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL RETURNING id, workspace_id, name";
        let Some(row) = tx.row(sql, params![hash, now]).await? else {
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
        hash: [u8; 32],
        actor: &Actor,
    ) -> Result<()> {
        let sql =
            "INSERT INTO keys (id, workspace_id, hash, name, last_four, created_by, created_at, last_used_at,
            expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let params = params![
            key.id,
            workspace,
            hash,
            &key.name,
            &key.last_four,
            key.created_by,
            key.created_at,
            key.last_used_at,
            key.expires_at
        ];
        self.execute(sql, params).await?;
        let noted = about(Action::KeyCreated, key.id, &key.name);
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
    })
}
