//! The ledger of submissions as people see it.

use playout_domain::id::{PostId, SubmissionId, WorkspaceId};
use playout_domain::submission::{Attempt, SubmissionOutcome, Transfer};

use crate::db::{Result, Row, Store, params};

impl Store {
    /// Every try of a post, oldest first; `None` if there is no such post in this workspace.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn attempts_of(&self, workspace: WorkspaceId, post: PostId) -> Result<Option<Vec<Attempt>>> {
        let sql = "SELECT s.id, s.started_at, s.closed_at, s.outcome, s.transfer, s.transfer_reason, s.handle, s.code,
                s.message, s.log_id, s.next_retry_at, a.provider
            FROM posts p JOIN platforms a ON a.id = p.platform_id LEFT JOIN submissions s ON s.post_id = p.id
            WHERE p.id = $2 AND p.workspace_id = $1 ORDER BY s.started_at, s.id";
        let rows = self.rows(sql, params![workspace, post]).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        rows.iter()
            .filter_map(|row| read_attempt(row).transpose())
            .collect::<Result<_>>()
            .map(Some)
    }
}

/// `None` for the one row of a post without tries.
fn read_attempt(row: &Row) -> Result<Option<Attempt>> {
    let fields = row.of("submissions");
    let Some(id) = fields.opt_id::<SubmissionId>("id")? else {
        return Ok(None);
    };
    Ok(Some(Attempt {
        id,
        provider: fields.get("provider")?,
        started_at: fields.time("started_at")?,
        ended_at: fields.opt_time("closed_at")?,
        outcome: fields.opt_word("outcome", SubmissionOutcome::parse)?,
        transfer: fields.opt_word("transfer", Transfer::parse)?,
        transfer_reason: fields.get("transfer_reason")?,
        handle: fields.get("handle")?,
        code: fields.get("code")?,
        message: fields.get("message")?,
        log_id: fields.get("log_id")?,
        next_retry_at: fields.opt_time("next_retry_at")?,
    }))
}
