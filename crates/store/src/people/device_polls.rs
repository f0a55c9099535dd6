//! The polls of a device that waits for its approval (RFC 8628 §3.4). The key is made in the transaction of the poll that
//! fetches it, so that there is never a key that no client has.

use std::time::Duration;

use playout_domain::access::{KeyAccess, Scopes};
use playout_domain::audit::{Actor, ActorKind};
use playout_domain::device::{DeviceState, Grant, Pace};
use playout_domain::id::{DeviceId, KeyId, UserId, WorkspaceId};
use playout_domain::key::KeyRecord;
use playout_domain::time::Time;
use playout_domain::workspace::Role;
use uuid::Uuid;

use super::keys::{KeyHashes, read_accounts, read_scopes};
use crate::db::{Fields, Result, Store, Tx, params};

/// The longest name of a key, in characters.
const KEY_NAME_CHARS: usize = 100;
/// The name of a key whose client has none.
const NAMELESS: &str = "Device";

/// A client that polls for its approval.
#[derive(Debug, Clone)]
pub struct AskDevice {
    /// The SHA-256 of its device code.
    pub device_code_hash: [u8; 32],
    /// The name that it sends now, if any.
    pub client_id: Option<String>,
    /// The key that it gets if it was approved.
    pub key: KeyToBe,
}

/// A key that is not stored yet.
#[derive(Debug, Clone)]
pub struct KeyToBe {
    /// Its identifier.
    pub id: KeyId,
    /// Its hashes.
    pub hashes: KeyHashes,
    /// Its last four characters.
    pub last_four: String,
}

/// The outcome of a poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PollDevice {
    /// No decision has been made yet.
    Pending,
    /// It came too early; the interval has grown.
    SlowDown,
    /// A person refused, or may no longer approve, or the workspace has all keys that it may have.
    Denied,
    /// Unknown, fetched before, or over.
    Expired,
    /// The code was given to another client.
    OtherClient,
    /// A person approved: the key that came with the question is now a key of the workspace, with this grant.
    Approved(Grant),
}

impl Store {
    /// Answers a poll. Of all polls of an approved device exactly one gets a key.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn poll_device(&self, ask: &AskDevice, now: Time) -> Result<PollDevice> {
        let mut tx = self.begin().await?;
        // Workspaces are locked before what belongs to them: the key will.
        let sql = "SELECT id FROM workspaces
            WHERE id = (SELECT workspace_id FROM device_authorizations WHERE device_code_hash = $1)";
        let is_locked = !tx.lock(sql, params![ask.device_code_hash]).await?.is_empty();
        let sql = "SELECT id, client_id, client_name, client_address, state, interval_seconds, last_polled_at, workspace_id,
                approved_by, approved_name, approved_session, approved_address,
                asked_scopes, granted_scopes, granted_platform_ids, granted_until
            FROM device_authorizations WHERE device_code_hash = $1 AND expires_at > $2";
        let rows = tx.lock(sql, params![ask.device_code_hash, now]).await?;
        let Some(row) = rows.first() else {
            return Ok(PollDevice::Expired);
        };
        let device = row.of("device_authorizations");
        let issued_to: Option<String> = device.get("client_id")?;
        if issued_to.is_some() && ask.client_id.is_some() && issued_to != ask.client_id {
            return Ok(PollDevice::OtherClient);
        }
        let answer = match read_state(device)? {
            DeviceState::Pending(pace) => tx.note_poll(device.id("id")?, pace, now).await?,
            // Approved since the workspace was looked up: the next poll locks it.
            DeviceState::Approved(_) if !is_locked => PollDevice::Pending,
            DeviceState::Approved(workspace) => tx.hand_out_key(workspace, device, ask, now).await?,
            DeviceState::Denied => PollDevice::Denied,
            DeviceState::Used => PollDevice::Expired,
        };
        tx.commit().await?;
        Ok(answer)
    }
}

impl Tx {
    /// Denies what was approved for a workspace, by one person or by anyone, and was not fetched yet.
    pub(super) async fn end_approvals(&mut self, workspace: WorkspaceId, by: Option<UserId>) -> Result<()> {
        let sql = "UPDATE device_authorizations SET state = 'denied'
            WHERE workspace_id = $1 AND approved_by = COALESCE($2, approved_by) AND state IN ('approved', 'pending')";
        self.execute(sql, params![workspace, by]).await?;
        Ok(())
    }

    /// Notes when a pending authorization was polled; a poll that came too early makes the interval grow.
    async fn note_poll(&mut self, id: DeviceId, pace: Pace, now: Time) -> Result<PollDevice> {
        let (pace, is_early) = pace.polled(now);
        let sql = "UPDATE device_authorizations SET last_polled_at = $2, interval_seconds = $3 WHERE id = $1";
        self.execute(sql, params![id, now, pace.interval.as_secs()])
            .await?;
        Ok(match is_early {
            true => PollDevice::SlowDown,
            false => PollDevice::Pending,
        })
    }

    /// Makes the key in the name of who approved, if they may still make keys and there is room for one.
    async fn hand_out_key(
        &mut self,
        workspace: WorkspaceId,
        device: Fields<'_>,
        ask: &AskDevice,
        now: Time,
    ) -> Result<PollDevice> {
        let id: DeviceId = device.id("id")?;
        let actor = read_approver(device)?;
        let grant = read_grant(device)?;
        let has_ended = grant.until.is_some_and(|until| until <= now);
        let may = !has_ended
            && self
                .may_make_keys(workspace, UserId(device.get("approved_by")?))
                .await?
            && !self.has_all_keys(workspace).await?;
        let sql = "UPDATE device_authorizations SET state = $2 WHERE id = $1";
        self.execute(sql, params![id, if may { "used" } else { "denied" }])
            .await?;
        if has_ended {
            return Ok(PollDevice::Expired);
        }
        if !may {
            return Ok(PollDevice::Denied);
        }
        let record = KeyRecord {
            id: ask.key.id,
            name: key_name(device.get("client_name")?),
            last_four: ask.key.last_four.clone(),
            created_by: actor.id.map(UserId),
            created_at: now,
            last_used_at: None,
            expires_at: grant.until,
            access: grant.access.clone(),
        };
        self.insert_key(workspace, &record, ask.key.hashes, &actor)
            .await?;
        Ok(PollDevice::Approved(grant))
    }

    /// Whether a person has the role in a workspace that making keys takes.
    pub(crate) async fn may_make_keys(&mut self, workspace: WorkspaceId, user: UserId) -> Result<bool> {
        let sql = "SELECT role FROM members WHERE workspace_id = $1 AND user_id = $2";
        let row = self.row(sql, params![workspace, user]).await?;
        let role = row
            .map(|row| row.of("members").word("role", Role::parse))
            .transpose()?;
        Ok(role.is_some_and(|role| role.covers(Role::Admin)))
    }
}

fn key_name(client: Option<String>) -> String {
    client.map_or_else(
        || NAMELESS.to_owned(),
        |name| name.chars().take(KEY_NAME_CHARS).collect(),
    )
}

/// What was granted. Who approved on a node of the version before saw no scopes: the key may do what the program asked for.
fn read_grant(device: Fields<'_>) -> Result<Grant> {
    let column = match device.get::<String>("state")?.as_str() {
        "approved" => "asked_scopes",
        _ => "granted_scopes",
    };
    Ok(Grant {
        access: KeyAccess {
            scopes: read_scopes(device, column)?.unwrap_or(Scopes::ALL),
            accounts: read_accounts(device, "granted_platform_ids")?,
        },
        until: device.opt_time("granted_until")?,
    })
}

fn read_state(device: Fields<'_>) -> Result<DeviceState> {
    let is_approved = device.get::<Option<Uuid>>("approved_by")?.is_some();
    Ok(match device.get::<String>("state")?.as_str() {
        "pending" if is_approved => DeviceState::Approved(device.id("workspace_id")?),
        "pending" => DeviceState::Pending(Pace {
            interval: Duration::from_secs(device.number("interval_seconds")?),
            last: device.opt_time("last_polled_at")?,
        }),
        "approved" => DeviceState::Approved(device.id("workspace_id")?),
        "denied" => DeviceState::Denied,
        "used" => DeviceState::Used,
        other => return Err(device.bad("state", format!("unknown word {other:?}"))),
    })
}

fn read_approver(device: Fields<'_>) -> Result<Actor> {
    Ok(Actor {
        kind: ActorKind::User,
        id: device.get("approved_by")?,
        name: device.get("approved_name")?,
        session: device.opt_id("approved_session")?,
        address: device.get("approved_address")?,
    })
}
