//! Device authorizations (RFC 8628, `docs/contract.md#device-authorization`): a command-line client waits while a
//! person approves in a browser.
//!
//! Both codes are stored as hashes. An approval stores who approved and for which workspace; the key is made when it is
//! fetched (`device_polls.rs`).

use playout_domain::access::Scopes;
use playout_domain::audit::{Action, Actor};
use playout_domain::device::{Grant, INTERVAL, PendingDevice, UserCode};
use playout_domain::id::{DeviceId, WorkspaceId};
use playout_domain::time::Time;
use serde_json::json as value;
use uuid::Uuid;

use super::keys::{accounts_param, read_scopes, scopes_param};
use crate::audit::Noted;
use crate::db::Vault;
use crate::db::{Fields, Result, Row, Store, Tx, params};

/// What became of [`Store::approve_device`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApproveDevice {
    /// It is approved.
    Approved,
    /// It was decided before, or has expired, or the workspace is gone.
    NotFound,
    /// The workspace has as many keys as it can have.
    TooManyKeys,
}

/// A device authorization that begins.
#[derive(Debug, Clone)]
pub struct NewDevice {
    /// Its identifier.
    pub id: DeviceId,
    /// The SHA-256 of the device code.
    pub device_code_hash: [u8; 32],
    /// What the person compares or types.
    pub user_code: UserCode,
    /// What the client calls itself.
    pub client_name: Option<String>,
    /// Its OAuth client ID, if it sent one.
    pub client_id: Option<String>,
    /// The address from which the device authorization was requested.
    pub client_address: Option<String>,
    /// When it can no longer be approved or fetched.
    pub expires_at: Time,
    /// What it asks to be allowed.
    pub asked: Scopes,
}

/// What a user code stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundDevice {
    /// Nothing: it was never given out, or long ago.
    Unknown,
    /// Something that is decided, or over.
    Over,
    /// A device that waits for a decision.
    Pending(PendingDevice),
}

impl Store {
    /// Begins a device authorization; `false` if its user code is in use, and another must be drawn.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_device(&self, new: &NewDevice, now: Time) -> Result<bool> {
        let sql =
            "INSERT INTO device_authorizations (id, device_code_hash, user_code_hash, client_name, client_id,
                client_address, interval_seconds, state, created_at, expires_at, asked_scopes)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10) ON CONFLICT (user_code_hash) DO NOTHING";
        let params = params![
            new.id,
            new.device_code_hash,
            hash_of(&self.0.vault, &new.user_code),
            new.client_name.clone(),
            new.client_id.clone(),
            new.client_address.clone(),
            INTERVAL.as_secs(),
            now,
            new.expires_at,
            scopes_param(new.asked)
        ];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// Approves for a workspace. The key is made with the next poll. A grant of less than everything stays in state `pending` with its
    /// approver: the version before, which knows no scopes, would make a key that may do everything.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn approve_device(
        &self,
        workspace: WorkspaceId,
        id: DeviceId,
        grant: &Grant,
        actor: &Actor,
        now: Time,
    ) -> Result<ApproveDevice> {
        let mut tx = self.begin().await?;
        let locked = tx.lock("SELECT id FROM workspaces WHERE id = $1", params![workspace]);
        if locked.await?.is_empty() {
            return Ok(ApproveDevice::NotFound);
        }
        let sql = "UPDATE device_authorizations SET state = $8, workspace_id = $1, approved_by = $3, approved_name = $4,
                approved_session = $5, approved_address = $6, granted_scopes = $9, granted_platform_ids = $10, granted_until = $11
            WHERE id = $2 AND state = 'pending' AND approved_by IS NULL AND expires_at > $7 RETURNING client_name, client_address";
        let is_everything = !grant.access.is_restricted() && grant.until.is_none();
        let params = params![
            workspace,
            id,
            actor.id,
            actor.name.clone(),
            actor.session,
            actor.address.clone(),
            now,
            if is_everything { "approved" } else { "pending" },
            scopes_param(grant.access.scopes),
            accounts_param(&grant.access.accounts),
            grant.until
        ];
        let Some(row) = tx.row(sql, params).await? else {
            return Ok(ApproveDevice::NotFound);
        };
        if tx.has_all_keys(workspace).await? {
            return Ok(ApproveDevice::TooManyKeys);
        }
        let noted = Noted {
            action: Action::DeviceApproved,
            target: Some(id.to_string()),
            detail: Some(read_client(row.of("device_authorizations"), grant)?),
        };
        tx.note(workspace, actor, noted, now).await?;
        tx.commit().await?;
        Ok(ApproveDevice::Approved)
    }

    /// Refuses; `false` if it was decided before, or has expired.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn deny_device(&self, id: DeviceId, now: Time) -> Result<bool> {
        let sql = "UPDATE device_authorizations SET state = 'denied'
            WHERE id = $1 AND state = 'pending' AND approved_by IS NULL AND expires_at > $2";
        Ok(self.execute(sql, params![id, now]).await? > 0)
    }
}

impl Tx {
    /// What stands behind a user code.
    pub(super) async fn find_device(&mut self, code: &UserCode, now: Time) -> Result<FoundDevice> {
        let sql =
            "SELECT id, client_name, client_address, state, approved_by, created_at, expires_at, asked_scopes
            FROM device_authorizations WHERE user_code_hash = $1";
        let hash = hash_of(self.vault(), code);
        let Some(row) = self.row(sql, params![hash]).await? else {
            return Ok(FoundDevice::Unknown);
        };
        let device = read_pending(&row)?;
        let fields = row.of("device_authorizations");
        let is_pending = fields.get::<String>("state")? == "pending"
            && fields.get::<Option<Uuid>>("approved_by")?.is_none();
        Ok(match is_pending && now < device.expires_at {
            true => FoundDevice::Pending(device),
            false => FoundDevice::Over,
        })
    }
}

/// The hash that is stored of a user code. It is keyed because the code is too short for a bare hash: with a copy of the
/// database, all codes could be tried. Codes given out before the secret key was changed are no longer found.
fn hash_of(vault: &Vault, code: &UserCode) -> [u8; 32] {
    vault.keyed_hash("user_code", code.as_bytes())
}

/// The client that was approved, for the audit trail.
fn read_client(device: Fields<'_>, grant: &Grant) -> Result<serde_json::Value> {
    let name: Option<String> = device.get("client_name")?;
    let address: Option<String> = device.get("client_address")?;
    let mut detail = value!({ "name": name, "address": address });
    if grant.access.is_restricted() {
        detail["scopes"] = grant.access.scopes.words().into();
    }
    Ok(detail)
}

fn read_pending(row: &Row) -> Result<PendingDevice> {
    let fields = row.of("device_authorizations");
    Ok(PendingDevice {
        id: fields.id("id")?,
        client_name: fields.get("client_name")?,
        client_address: fields.get("client_address")?,
        created_at: fields.time("created_at")?,
        expires_at: fields.time("expires_at")?,
        asked: read_scopes(fields, "asked_scopes")?.unwrap_or(Scopes::ALL),
    })
}
