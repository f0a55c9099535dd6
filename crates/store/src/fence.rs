//! The fence: what a worker writes under a job counts only while the job's attempt is the one it claimed.
//!
//! On PostgreSQL at READ COMMITTED a statement may begin before another worker claims the job and commit after it. A fence that is
//! only read is read from the statement's beginning, and the write of a worker that has lost the job would go through. So every
//! fenced write locks the job's row: a claim passes over a locked row, and a statement that waited for a claim sees the new attempt.
//! SQLite has one writer, which is the lock.
//!
//! Every fenced write of the crate goes through this file or is an `UPDATE` or `DELETE` of the job's own row, which locks it.

use playout_domain::id::{PostId, SubmissionId};
use playout_domain::job::Job;
use sqlx::AssertSqlSafe;

use crate::db::{Store, Tx};
use crate::error::Result;
use crate::matches::{read_sent_text, sent_text_columns};
use crate::param::{Param, params};
use crate::row::Row;

/// Who holds this job: a fenced statement's first two parameters.
pub(crate) const HELD: &str = "SELECT id FROM jobs WHERE id = $1 AND attempt = $2";

/// A change of the open submission of a held job. Its third parameter is the submission; `values` are those from the fourth on.
pub(crate) struct Change {
    /// What follows `SET`.
    pub(crate) set: &'static str,
    /// The values that it names, `$4` first.
    pub(crate) values: Vec<Param>,
}

impl Store {
    /// Changes an open submission if its job was not taken over; returns its row then, as it is afterwards: `id`, `last_byte_at`,
    /// `fetched_at`.
    pub(crate) async fn change_submission(
        &self,
        job: &Job,
        submission: SubmissionId,
        change: Change,
    ) -> Result<Option<Row>> {
        let sql = change_sql(change.set, self.row_lock());
        let mut params = params![job.id, job.attempt, submission];
        params.extend(change.values);
        self.write_row(AssertSqlSafe(sql), params).await
    }
}

/// The text of [`Store::change_submission`]. The fence does not depend on the submission's row, so it is checked, and the job
/// locked, before that row is.
pub(crate) fn change_sql(set: &str, lock: &str) -> String {
    format!(
        "WITH held AS ({HELD}{lock}) UPDATE submissions SET {set} WHERE id = $3 AND closed_at IS NULL
            AND EXISTS (SELECT 1 FROM held) RETURNING id, last_byte_at, fetched_at"
    )
}

impl Tx {
    /// Whether the holder of `job` still holds it; if so, it cannot be claimed until the end of the transaction.
    pub(crate) async fn fence(&mut self, job: &Job) -> Result<bool> {
        Ok(!self.lock(HELD, params![job.id, job.attempt]).await?.is_empty())
    }

    /// [`Tx::fence`], and the text that the post of the job is sent with, if it is to go out and not on its way; if so, it is locked too.
    /// A hold that began since the claim has marked the post, which is then to be looked for first (`hold.rs`).
    pub(crate) async fn fence_idle_post(
        &mut self,
        job: &Job,
        post: Option<PostId>,
    ) -> Result<Option<String>> {
        let sql = concat!(
            "SELECT p.id AS post_id, ",
            sent_text_columns!(),
            " FROM posts p JOIN jobs j ON j.id = $1 AND j.attempt = $2
            WHERE p.id = $3 AND p.state = 'QUEUE' AND p.publishing = FALSE
                AND (p.look_since IS NULL OR p.looked_at IS NOT NULL)"
        );
        let locked = self.lock(sql, params![job.id, job.attempt, post]).await?;
        locked
            .first()
            .map(|row| read_sent_text(row.of("posts")))
            .transpose()
    }
}
