//! Idempotency keys: the same request, answered from what was stored (contract §1).

use std::time::Duration;

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;

use crate::db::{Store, Tx};
use crate::error::Result;
use crate::param::{json, params};
use crate::row::Fields;

/// How long an answer is kept.
pub const IDEMPOTENCY_LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// After so long without an answer, the process that began is taken for dead.
const ABANDONED_AFTER: Duration = Duration::from_secs(300);

/// A stored answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The status.
    pub status: u16,
    /// The headers that are replayed, by name.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// What is to be done with a request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginIdempotent {
    /// Do the work, then complete or abandon it.
    Started,
    /// The first request with this key is still running.
    InProgress,
    /// The key was used for another request.
    Mismatch,
    /// The work was done: this was the answer.
    Replay(Stored),
}

impl Store {
    /// Claims `key` for a request with this fingerprint (SHA-256 of its parsed fields).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_idempotent(
        &self,
        workspace: WorkspaceId,
        key: &str,
        fingerprint: [u8; 32],
        now: Time,
    ) -> Result<BeginIdempotent> {
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO idempotency (workspace_id, key, fingerprint, state, created_at)
            VALUES ($1, $2, $3, 'started', $4) ON CONFLICT (workspace_id, key) DO NOTHING";
        if tx.execute(sql, params![workspace, key, fingerprint, now]).await? == 1 {
            tx.commit().await?;
            return Ok(BeginIdempotent::Started);
        }
        let sql = "SELECT fingerprint, state, status, headers, body, created_at FROM idempotency
            WHERE workspace_id = $1 AND key = $2";
        let rows = tx.lock(sql, params![workspace, key]).await?;
        let answer = match rows.first() {
            Some(row) => judge(row.of("idempotency"), fingerprint, now)?,
            // Abandoned between the two statements: whoever retries may begin.
            None => BeginIdempotent::InProgress,
        };
        if answer == BeginIdempotent::Started {
            take_over(&mut tx, (workspace, key), fingerprint, now).await?;
            tx.commit().await?;
        }
        Ok(answer)
    }

    /// Stores the answer to the request that began with `key`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn complete_idempotent(
        &self,
        workspace: WorkspaceId,
        key: &str,
        answer: &Stored,
    ) -> Result<()> {
        let sql = "UPDATE idempotency SET state = 'completed', status = $3, headers = $4, body = $5
            WHERE workspace_id = $1 AND key = $2";
        let body = answer.body.as_slice();
        let params = params![workspace, key, answer.status, json(&answer.headers), body];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// Frees `key` again: the request came to nothing that should be repeated to the caller (5xx, 429, a quota).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn abandon_idempotent(&self, workspace: WorkspaceId, key: &str) -> Result<()> {
        let sql = "DELETE FROM idempotency WHERE workspace_id = $1 AND key = $2 AND state = 'started'";
        self.execute(sql, params![workspace, key]).await?;
        Ok(())
    }
}

fn judge(row: Fields<'_>, fingerprint: [u8; 32], now: Time) -> Result<BeginIdempotent> {
    let age = now.since(row.time("created_at")?);
    if age >= IDEMPOTENCY_LIFETIME {
        return Ok(BeginIdempotent::Started);
    }
    if row.get::<Vec<u8>>("fingerprint")? != fingerprint {
        return Ok(BeginIdempotent::Mismatch);
    }
    Ok(match row.get::<String>("state")?.as_str() {
        "completed" => BeginIdempotent::Replay(Stored {
            status: row.number("status")?,
            headers: row.json("headers")?,
            body: row.get("body")?,
        }),
        _ if age >= ABANDONED_AFTER => BeginIdempotent::Started,
        _ => BeginIdempotent::InProgress,
    })
}

async fn take_over(
    tx: &mut Tx,
    (workspace, key): (WorkspaceId, &str),
    fingerprint: [u8; 32],
    now: Time,
) -> Result<()> {
    let sql = "UPDATE idempotency SET fingerprint = $3, state = 'started', status = NULL, headers = NULL,
        body = NULL, created_at = $4 WHERE workspace_id = $1 AND key = $2";
    tx.execute(sql, params![workspace, key, fingerprint, now]).await?;
    Ok(())
}
