//! The fence: what a worker writes under a job counts only while the job's attempt is the one it claimed, and claimed by its node.
//! The node is compared because a failover can lose a claim: the number of its attempt is then given to another one.
//!
//! On PostgreSQL at READ COMMITTED a statement may begin before another worker claims the job and commit after it. A fence that is
//! only read is read from the statement's beginning, and the write of a worker that has lost the job would go through. So every
//! fenced write locks the job's row: a claim passes over a locked row, and a statement that waited for a claim sees the new attempt.
//! SQLite has one writer, which is the lock.
//!
//! Every fenced write of the crate goes through this file or is an `UPDATE` or `DELETE` of the job's own row, which locks it.

use playout_domain::id::SubmissionId;
use playout_domain::job::Job;
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;

use crate::db::{Param, Result, Row, Store, Tx, params};

/// Whether this job is held, in a database that is no older than what this node has seen: a fenced statement's first four parameters are
/// those of [`Store::held_by`].
const HELD: &str = "SELECT id FROM jobs WHERE id = $1 AND attempt = $2 AND lease_owner = $3
    AND $4 <= (SELECT pulse FROM instance WHERE id = 1)";

/// What a job's own row is compared with: its ID, attempt and owner.
pub(crate) fn holder(job: &Job) -> Vec<Param> {
    params![job.id, job.attempt, &job.lease_owner]
}

/// A change of the open submission of a held job. Its fifth parameter is the submission; `values` are those from the sixth on.
pub(crate) struct Change {
    /// What follows `SET`.
    pub(crate) set: &'static str,
    /// The values that it names, `$6` first.
    pub(crate) values: Vec<Param>,
}

impl Change {
    /// Changes nothing, and is fenced like a change.
    const fn none() -> Self {
        Self {
            set: "closed_at = closed_at",
            values: Vec::new(),
        }
    }
}

impl Store {
    /// The parameters of [`HELD`].
    fn held_by(&self, job: &Job) -> Vec<Param> {
        [holder(job), params![self.known_pulse()]].concat()
    }

    /// Changes an open submission if its job was not taken over; returns its row then, as it is afterwards: `id`, `last_byte_at`,
    /// `fetched_at`.
    ///
    /// A new connection may have led to a database that went back (`Tx::fence`): the change counts only if the job is still held once that
    /// was compared.
    pub(crate) async fn change_submission(
        &self,
        job: &Job,
        submission: SubmissionId,
        change: Change,
    ) -> Result<Option<Row>> {
        let mut doubts = self.doubts();
        self.check_home().await?;
        let changed = self.change_held(job, submission, change).await?;
        while changed.is_some() && doubts != self.doubts() {
            doubts = self.doubts();
            self.check_home().await?;
            if self.change_held(job, submission, Change::none()).await?.is_none() {
                return Ok(None);
            }
        }
        Ok(changed)
    }

    async fn change_held(&self, job: &Job, submission: SubmissionId, change: Change) -> Result<Option<Row>> {
        let sql = change_sql(change.set, self.row_lock());
        let params = self.change_params(job, submission, change.values);
        self.write_row(AssertSqlSafe(sql), params).await
    }

    fn change_params(&self, job: &Job, submission: SubmissionId, values: Vec<Param>) -> Vec<Param> {
        [self.held_by(job), params![submission], values].concat()
    }
}

/// The text of [`Store::change_submission`]. The fence does not depend on the submission's row, so it is checked, and the job
/// locked, before that row is.
///
/// Where an open submission is looked up by its ID or token, `COALESCE(closed_at, 0) = 0` says that it is open: `closed_at IS NULL` is the
/// condition of indexes of all open ones, which PostgreSQL reads from end to end where it takes the table for an empty one.
pub(crate) fn change_sql(set: &str, lock: &str) -> String {
    format!(
        "WITH held AS ({HELD}{lock}) UPDATE submissions SET {set} WHERE id = $5 AND COALESCE(closed_at, 0) = 0
            AND EXISTS (SELECT 1 FROM held) RETURNING id, last_byte_at, fetched_at"
    )
}

impl Store {
    /// Whether a run still holds the job of this open submission.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn holds_submission(&self, job: &Job, submission: SubmissionId) -> Result<bool> {
        Ok(self
            .change_submission(job, submission, Change::none())
            .await?
            .is_some())
    }
}

impl Tx {
    /// [`Store::change_submission`]; `false` if the job was taken over or the submission has ended. The job cannot be claimed until the end of
    /// the transaction.
    ///
    /// # Errors
    /// When the database fails, or may be a copy that was not compared yet.
    pub(crate) async fn change_submission(
        &mut self,
        job: &Job,
        submission: SubmissionId,
        change: Change,
    ) -> Result<bool> {
        self.store().check_home().await?;
        let sql = change_sql(change.set, self.store().row_lock());
        let params = self.store().change_params(job, submission, change.values);
        Ok(self.row(AssertSqlSafe(sql), params).await?.is_some())
    }

    /// Whether the holder of `job` still holds it; if so, it cannot be claimed until the end of the transaction.
    ///
    /// In a database that went back, as in a failover, a claim may count again that was taken over, and what its run has read was written
    /// after that. So nothing passes while the database is in doubt, or has an earlier pulse than this node has seen; afterwards claims have
    /// other numbers ([`Store::renumber_claims`]).
    ///
    /// # Errors
    /// When the database fails, or may be a copy that was not compared yet.
    pub(crate) async fn fence(&mut self, job: &Job) -> Result<bool> {
        self.store().check_home().await?;
        let held = self.store().held_by(job);
        Ok(!self.lock(HELD, held).await?.is_empty())
    }

    /// [`Tx::fence`], and whether the post of the job may be handed over; if so, the post is locked too. It may not where
    ///
    /// - the post is not in QUEUE, or is on its way already;
    /// - its account was disabled or removed since the claim;
    /// - a hold that began since the claim has marked it, and it was not searched for yet (`delivery/hold.rs`);
    /// - the lease is over, or the database has an earlier pulse than this node has seen, or none: after a failover or a restore another run of the
    ///   job may have been lost.
    ///
    /// # Errors
    /// When the database fails, or may be a copy that was not compared yet.
    pub(crate) async fn fence_idle_post(&mut self, job: &Job, now: Time) -> Result<bool> {
        let sql = "SELECT p.id AS post_id
            FROM posts p JOIN jobs j ON j.id = $1 AND j.attempt = $2 AND j.lease_owner = $3 AND j.leased_until > $5
            WHERE p.id = $4 AND p.state = 'QUEUE' AND p.publishing = FALSE
                AND (p.look_since IS NULL OR p.looked_at IS NOT NULL)
                AND EXISTS (SELECT 1 FROM platforms a WHERE a.id = p.platform_id AND a.disabled = FALSE AND a.removed_at IS NULL)
                AND $6 <= (SELECT pulse FROM instance WHERE id = 1)";
        self.store().check_home().await?;
        let pulse = self.store().known_pulse();
        let params = [holder(job), params![job.post_id, now, pulse]].concat();
        Ok(!self.lock(sql, params).await?.is_empty())
    }
}
