//! Device authorizations (RFC 8628, contract §6): a command-line client waits while a person approves in a browser.
//!
//! The device code is stored as a hash. The key that an approval mints waits sealed until it is fetched, once.

use std::time::Duration;

use playout_domain::id::{DeviceId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::time::Time;

use crate::db::{Store, Tx};
use crate::error::{Result, StoreError};
use crate::param::params;
use crate::row::{Fields, Row, read_one};
use crate::vault::Cell;

/// How much the polling interval grows with every poll that comes too early (RFC 8628 §3.5).
const SLOW_DOWN_SECONDS: i64 = 5;

/// A device authorization that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDevice {
    /// Its identifier.
    pub id: DeviceId,
    /// The SHA-256 of the device code.
    pub device_code_hash: [u8; 32],
    /// The user code in its one normal form: what the person types, without case, spaces and dashes.
    pub user_code: String,
    /// What the client calls itself.
    pub client_name: Option<String>,
    /// Where it asked from.
    pub client_address: Option<String>,
    /// How long it must wait between polls.
    pub interval: Duration,
    /// When it can no longer be approved or fetched.
    pub expires_at: Time,
}

/// A device authorization that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingDevice {
    /// Its identifier.
    pub id: DeviceId,
    /// What the client calls itself.
    pub client_name: Option<String>,
    /// Where it asked from.
    pub client_address: Option<String>,
    /// When it began.
    pub created_at: Time,
    /// When it ends.
    pub expires_at: Time,
}

/// What a poll is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PollDevice {
    /// Nobody has decided yet.
    Pending,
    /// It came too early; the interval has grown.
    SlowDown,
    /// A person refused.
    Denied,
    /// Unknown, fetched before, or over.
    Expired,
    /// A person approved: this is the key, never to be seen again.
    Approved(Secret),
}

impl Store {
    /// Begins a device authorization; `false` if its user code is in use, and another must be drawn.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_device(&self, new: &NewDevice, now: Time) -> Result<bool> {
        let sql =
            "INSERT INTO device_authorizations (id, device_code_hash, user_code, client_name, client_address,
                interval_seconds, state, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8) ON CONFLICT (user_code) DO NOTHING";
        let params = params![
            new.id,
            new.device_code_hash,
            &new.user_code,
            new.client_name.clone(),
            new.client_address.clone(),
            new.interval.as_secs(),
            now,
            new.expires_at
        ];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// The device authorization that waits under this user code (in its normal form).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_pending_device(&self, user_code: &str, now: Time) -> Result<Option<PendingDevice>> {
        let sql = "SELECT id, client_name, client_address, created_at, expires_at FROM device_authorizations
            WHERE user_code = $1 AND state = 'pending' AND expires_at > $2";
        read_one(self.row(sql, params![user_code, now]).await?, read_pending)
    }

    /// Approves: `key` waits, sealed, for the next poll. `false` if somebody decided before, or it is over. The caller
    /// adds the key's record to the workspace.
    ///
    /// # Errors
    /// When the database fails, or there is no such workspace.
    pub async fn approve_device(
        &self,
        id: DeviceId,
        workspace: WorkspaceId,
        key: &Secret,
        now: Time,
    ) -> Result<bool> {
        let sql = "UPDATE device_authorizations SET state = 'approved', workspace_id = $2, api_key = $3
            WHERE id = $1 AND state = 'pending' AND expires_at > $4";
        let sealed = self.0.vault.seal(cell(&id), key.expose().as_bytes());
        Ok(self.execute(sql, params![id, workspace, sealed, now]).await? > 0)
    }

    /// Refuses; `false` if somebody decided before, or it is over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn deny_device(&self, id: DeviceId, now: Time) -> Result<bool> {
        let sql = "UPDATE device_authorizations SET state = 'denied'
            WHERE id = $1 AND state = 'pending' AND expires_at > $2";
        Ok(self.execute(sql, params![id, now]).await? > 0)
    }

    /// Answers a poll. An approved key is handed out to exactly one.
    ///
    /// # Errors
    /// When the database fails, or the key does not open.
    pub async fn poll_device(&self, device_code_hash: [u8; 32], now: Time) -> Result<PollDevice> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id, state, interval_seconds, last_polled_at, api_key FROM device_authorizations
            WHERE device_code_hash = $1 AND expires_at > $2";
        let rows = tx.lock(sql, params![device_code_hash, now]).await?;
        let Some(row) = rows.first() else {
            return Ok(PollDevice::Expired);
        };
        let fields = row.of("device_authorizations");
        let answer = match fields.get::<String>("state")?.as_str() {
            "pending" => tx.note_poll(fields, now).await?,
            "approved" => tx.hand_out_key(fields).await?,
            "denied" => PollDevice::Denied,
            _ => PollDevice::Expired,
        };
        tx.commit().await?;
        Ok(answer)
    }
}

impl Tx {
    /// Notes when a pending authorization was polled; a poll that came too early makes the interval grow.
    async fn note_poll(&mut self, device: Fields<'_>, now: Time) -> Result<PollDevice> {
        let interval: u64 = device.number("interval_seconds")?;
        let last = device.opt_time("last_polled_at")?;
        let is_early = last.is_some_and(|last| now.since(last) < Duration::from_secs(interval));
        let growth = if is_early { SLOW_DOWN_SECONDS } else { 0 };
        let sql =
            "UPDATE device_authorizations SET last_polled_at = $2, interval_seconds = interval_seconds + $3
            WHERE id = $1";
        self.execute(sql, params![device.id::<DeviceId>("id")?, now, growth])
            .await?;
        Ok(if is_early {
            PollDevice::SlowDown
        } else {
            PollDevice::Pending
        })
    }

    /// Takes the key out, so that it is handed out once.
    async fn hand_out_key(&mut self, device: Fields<'_>) -> Result<PollDevice> {
        let id: DeviceId = device.id("id")?;
        let sealed: Vec<u8> = device.get("api_key")?;
        let key = self
            .vault()
            .open(cell(&id), &sealed)
            .map_err(|source| StoreError::Sealed {
                table: "device_authorizations",
                column: "api_key",
                row: id.0,
                source,
            })?;
        let sql = "UPDATE device_authorizations SET state = 'used', api_key = NULL WHERE id = $1";
        self.execute(sql, params![id]).await?;
        Ok(PollDevice::Approved(key))
    }
}

fn cell(device: &DeviceId) -> Cell<'_> {
    Cell {
        row: device.0.as_bytes(),
        column: "api_key",
    }
}

fn read_pending(row: &Row) -> Result<PendingDevice> {
    let fields = row.of("device_authorizations");
    Ok(PendingDevice {
        id: fields.id("id")?,
        client_name: fields.get("client_name")?,
        client_address: fields.get("client_address")?,
        created_at: fields.time("created_at")?,
        expires_at: fields.time("expires_at")?,
    })
}
