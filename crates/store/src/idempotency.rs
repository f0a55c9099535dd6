//! Idempotency keys: the same request, answered from what was stored (`docs/contract.md#idempotency`).
//!
//! 1. A request claims its key, in a transaction of its own.
//! 2. Its answer is stored in the transaction of its effect: both happen, or neither.
//! 3. A claim whose process died is taken over once its lease is over. Should the first process live after all, step
//!    2 finds its claim gone and takes the effect back: the work is done once however long anything takes.

use std::time::Duration;

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;

use crate::db::{Fields, Result, Store, StoreError, Tx, json, params};

/// How long an answer is kept.
pub const IDEMPOTENCY_LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// How many bytes of answers a workspace may store: a token bucket of this size that refills within a day, so at most twice as many in
/// any day. What is stored is never removed early, which would do work twice: a workspace whose bucket is empty begins no work with a
/// key.
pub(crate) const MOST_STORED_BYTES: u64 = 256 << 20;

/// The least that a row takes beside its texts.
const ROW_BYTES: usize = 256;
/// How often a key is looked up that is deleted between two statements, by an abandoned request or the daily sweep.
const TRIES: usize = 3;
/// The kind of allowance.
const STORED_ANSWERS: &str = "stored answers of";

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

/// The right to do the work of one request, until another request takes it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    workspace: WorkspaceId,
    key: String,
    /// Distinguishes this claim from those before and after it: a take-over is later by a lease at least.
    since: Time,
}

/// What is to be done with a request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginIdempotent {
    /// Do the work, and store the answer with it, or abandon the claim.
    Started(Claim),
    /// The first request with this key is still running.
    InProgress,
    /// The key was used for another request.
    Mismatch,
    /// The work was done: this was the answer.
    Replay(Stored),
    /// The workspace has stored too many answers; it may begin again after this time.
    Full(Duration),
}

/// Where the answer that an outcome `T` makes is stored, in the transaction that brings it about.
pub struct Keep<'a, T: ?Sized>(Option<(&'a Claim, AnswerOf<'a, T>)>);

/// Makes the answer of an outcome.
type AnswerOf<'a, T> = Box<dyn Fn(&T) -> Stored + Send + Sync + 'a>;

impl<'a, T: ?Sized> Keep<'a, T> {
    /// Nowhere: the request carries no key.
    pub fn nowhere() -> Self {
        Self(None)
    }

    /// With the key of this claim.
    pub fn with(claim: &'a Claim, answer: impl Fn(&T) -> Stored + Send + Sync + 'a) -> Self {
        Self(Some((claim, Box::new(answer))))
    }
}

/// What there is under a key.
enum Found {
    /// Nothing until now: the claim is there.
    New,
    /// What has had its time: the claim may take its place.
    Free,
    /// The answer to the request.
    Answer(BeginIdempotent),
}

impl Store {
    /// Claims `key` for a request with this fingerprint (SHA-256 of its parsed fields). A claim that is older than
    /// `lease` and led to nothing is taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_idempotent(
        &self,
        workspace: WorkspaceId,
        key: &str,
        fingerprint: [u8; 32],
        lease: Duration,
        now: Time,
    ) -> Result<BeginIdempotent> {
        let mut tx = self.begin().await?;
        let claim = Claim {
            workspace,
            key: key.to_owned(),
            since: now,
        };
        let mut found = None;
        for _ in 0..TRIES {
            found = tx.insert_or_find(&claim, fingerprint, lease).await?;
            if found.is_some() {
                break;
            }
        }
        match found {
            Some(Found::Answer(answer)) => {
                // Nothing was changed. What was found may be from a transaction whose commit SQLite has not written yet: it is not
                // returned before.
                tx.commit().await?;
                return Ok(answer);
            }
            None => return Ok(BeginIdempotent::InProgress),
            Some(Found::New | Found::Free) => {}
        }
        if let Some(wait) = tx.stored_too_much(workspace, now).await? {
            return Ok(BeginIdempotent::Full(wait));
        }
        if let Some(Found::Free) = found {
            tx.take_over(&claim, fingerprint).await?;
        }
        tx.commit().await?;
        Ok(BeginIdempotent::Started(claim))
    }

    /// Stores the answer to a request that had no effect to store it with. Nothing, if the claim was taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn complete_idempotent(&self, claim: &Claim, answer: &Stored) -> Result<()> {
        let mut tx = self.begin().await?;
        if tx.complete(claim, answer).await? {
            tx.commit().await?;
        }
        Ok(())
    }

    /// Frees a key again: the request came to nothing that should be repeated to the caller.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn abandon_idempotent(&self, claim: &Claim) -> Result<()> {
        let sql = "DELETE FROM idempotency
            WHERE workspace_id = $1 AND key = $2 AND created_at = $3 AND state = 'started'";
        self.execute(sql, params![claim.workspace, &claim.key, claim.since])
            .await?;
        Ok(())
    }

    /// When the request began whose response is stored under this key, if one is.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn answered_at(&self, workspace: WorkspaceId, key: &str, now: Time) -> Result<Option<Time>> {
        let sql = "SELECT created_at FROM idempotency
            WHERE workspace_id = $1 AND key = $2 AND state = 'completed' AND created_at > $3";
        let oldest = now.minus(IDEMPOTENCY_LIFETIME);
        let row = self.row(sql, params![workspace, key, oldest]).await?;
        row.map(|row| row.of("idempotency").time("created_at"))
            .transpose()
    }
}

/// What storing an answer takes.
fn bytes_of(claim: &Claim, answer: &Stored) -> u64 {
    let headers = answer
        .headers
        .iter()
        .map(|(name, value)| name.len() + value.len());
    let bytes = ROW_BYTES + claim.key.len() + headers.sum::<usize>() + answer.body.len();
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// The time after which so many bytes may be stored again.
fn time_of(bytes: u64) -> Duration {
    let day = u64::try_from(IDEMPOTENCY_LIFETIME.as_micros()).unwrap_or(u64::MAX);
    Duration::from_micros(bytes.saturating_mul(day / MOST_STORED_BYTES))
}

fn judge(row: Fields<'_>, fingerprint: [u8; 32], lease: Duration, now: Time) -> Result<Found> {
    let age = now.since(row.time("created_at")?);
    let completed = row.get::<String>("state")? == "completed";
    if age >= IDEMPOTENCY_LIFETIME || (!completed && age >= lease) {
        return Ok(Found::Free);
    }
    Ok(Found::Answer(
        if row.get::<Vec<u8>>("fingerprint")? != fingerprint {
            BeginIdempotent::Mismatch
        } else if completed {
            BeginIdempotent::Replay(Stored {
                status: row.number("status")?,
                headers: row.json("headers")?,
                body: row.get("body")?,
            })
        } else {
            BeginIdempotent::InProgress
        },
    ))
}

impl Tx {
    /// Stores the answer that `outcome` makes, if it is to be kept.
    ///
    /// # Errors
    /// [`StoreError::ClaimLost`] when the claim was taken over: the transaction must not be committed.
    pub(crate) async fn keep<T: ?Sized>(&mut self, keep: Keep<'_, T>, outcome: &T) -> Result<()> {
        let Some((claim, answer)) = keep.0 else {
            return Ok(());
        };
        if self.complete(claim, &answer(outcome)).await? {
            Ok(())
        } else {
            Err(StoreError::ClaimLost)
        }
    }

    /// Claims the key if it is free; else returns what is stored under it. `None`: it was deleted between the
    /// two statements.
    async fn insert_or_find(
        &mut self,
        claim: &Claim,
        fingerprint: [u8; 32],
        lease: Duration,
    ) -> Result<Option<Found>> {
        let (workspace, now) = (claim.workspace, claim.since);
        let sql = "INSERT INTO idempotency (workspace_id, key, fingerprint, state, created_at)
            VALUES ($1, $2, $3, 'started', $4) ON CONFLICT (workspace_id, key) DO NOTHING";
        let params = params![workspace, &claim.key, fingerprint, now];
        if self.execute(sql, params).await? == 1 {
            return Ok(Some(Found::New));
        }
        let sql = "SELECT fingerprint, state, status, headers, body, created_at FROM idempotency
            WHERE workspace_id = $1 AND key = $2";
        let rows = self.lock(sql, params![workspace, &claim.key]).await?;
        let judged = rows
            .first()
            .map(|row| judge(row.of("idempotency"), fingerprint, lease, now));
        judged.transpose()
    }

    async fn complete(&mut self, claim: &Claim, answer: &Stored) -> Result<bool> {
        let sql = "UPDATE idempotency SET state = 'completed', status = $4, headers = $5, body = $6
            WHERE workspace_id = $1 AND key = $2 AND created_at = $3 AND state = 'started'";
        let params = params![
            claim.workspace,
            &claim.key,
            claim.since,
            answer.status,
            json(&answer.headers),
            answer.body.as_slice()
        ];
        if self.execute(sql, params).await? == 0 {
            return Ok(false);
        }
        let (subject, cost) = (claim.workspace.0.as_bytes(), time_of(bytes_of(claim, answer)));
        self.charge_allowance(STORED_ANSWERS, subject, cost, claim.since)
            .await?;
        Ok(true)
    }

    /// How long it takes until a workspace may store answers again; `None` where it may.
    async fn stored_too_much(&mut self, workspace: WorkspaceId, now: Time) -> Result<Option<Duration>> {
        let (subject, all) = (workspace.0.as_bytes(), time_of(MOST_STORED_BYTES));
        self.allowance_full(STORED_ANSWERS, subject, all, now).await
    }

    async fn take_over(&mut self, claim: &Claim, fingerprint: [u8; 32]) -> Result<()> {
        let sql = "UPDATE idempotency SET fingerprint = $3, state = 'started', status = NULL, headers = NULL,
            body = NULL, created_at = $4 WHERE workspace_id = $1 AND key = $2";
        let params = params![claim.workspace, &claim.key, fingerprint, claim.since];
        self.execute(sql, params).await?;
        Ok(())
    }
}
