//! Opening a submission (step 1 of the protocol in `domain/src/submission.rs`): committed before the provider is called, and only where the
//! account's window has room. Who opens one holds the account meanwhile, so that no two open the last one.

use playout_domain::change::Noun;
use playout_domain::id::SubmissionId;
use playout_domain::job::Job;
use playout_domain::limits::Window;
use playout_domain::submission::Transfer;
use playout_domain::time::Time;

use crate::db::{Result, Store, Tx, params};

/// A submission that is about to begin (step 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewSubmission<'a> {
    /// Its identifier.
    pub id: SubmissionId,
    /// The text that is sent: what the defaults of the account are by the time of the transaction does not change it.
    pub content: &'a str,
    /// How the bytes travel.
    pub transfer: Transfer,
    /// The SHA-256 of the token in a pull's single-purpose addresses.
    pub token_hash: Option<[u8; 32]>,
    /// Why the bytes travel so, for a person.
    pub reason: Option<&'static str>,
}

/// What became of [`Store::open_submission_within`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// It is open.
    Opened,
    /// The job was taken over, the post is not in QUEUE, or another submission of it is open. Nothing was changed.
    Lost,
    /// The account was disabled or removed since the job was claimed. Nothing was changed.
    NoAccount,
    /// The account's window is full until then. Nothing was changed.
    Full(Time),
}

/// The rows of an account in all workspaces, always in the same order, so that locks of them do not deadlock.
pub(crate) const SAME_ACCOUNT: &str = "SELECT id FROM platforms
    WHERE provider = (SELECT provider FROM platforms WHERE id = $1)
        AND provider_account_id = (SELECT provider_account_id FROM platforms WHERE id = $1)
    ORDER BY id";

/// Has a row where posts may go out to an account.
const AVAILABLE: &str = "SELECT id FROM platforms WHERE id = $1 AND disabled = FALSE AND removed_at IS NULL";

impl Store {
    /// Step 1: notes that a post is about to be handed over, and that it can no longer be changed. `false`, and
    /// nothing changed, if the job was taken over, the post is not in QUEUE, or another submission of it is open.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_submission(&self, job: &Job, new: &NewSubmission<'_>, now: Time) -> Result<bool> {
        let opening = self.open_submission_within(job, new, None, now).await?;
        Ok(opening == Opening::Opened)
    }

    /// [`Store::open_submission`] where the account's window of hand-overs has room for one more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_submission_within(
        &self,
        job: &Job,
        new: &NewSubmission<'_>,
        window: Option<Window>,
        now: Time,
    ) -> Result<Opening> {
        let mut tx = self.begin().await?;
        if let Some(window) = window {
            tx.lock(SAME_ACCOUNT, params![job.platform_id]).await?;
            if let Some(room) = tx.next_room(job.platform_id, window, now).await? {
                return Ok(Opening::Full(room));
            }
        }
        if tx.insert_submission(job, new, now).await? {
            return tx.commit().await.map(|()| Opening::Opened);
        }
        Ok(match tx.row(AVAILABLE, params![job.platform_id]).await? {
            Some(_) => Opening::Lost,
            None => Opening::NoAccount,
        })
    }
}

impl Tx {
    /// Step 1, in the transaction of the caller that has checked whether there is room.
    pub(crate) async fn insert_submission(
        &mut self,
        job: &Job,
        new: &NewSubmission<'_>,
        now: Time,
    ) -> Result<bool> {
        if !self.fence_idle_post(job, now).await? {
            return Ok(false);
        }
        let sql = "INSERT INTO submissions (id, workspace_id, platform_id, post_id, transfer, sent_bytes, token_hash,
            transfer_reason, started_at, content)
            VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9)";
        let transfer = new.transfer.as_str();
        let params = params![
            new.id,
            job.workspace_id,
            job.platform_id,
            job.post_id,
            transfer,
            new.token_hash,
            new.reason,
            now,
            new.content
        ];
        self.execute(sql, params).await?;
        // What it waited for before is over.
        let sql = "UPDATE posts SET publishing = TRUE, error_text = NULL WHERE id = $1";
        self.execute(sql, params![job.post_id]).await?;
        self.changed(job.workspace_id, Noun::Post);
        Ok(true)
    }
}
