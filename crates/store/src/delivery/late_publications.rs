//! Publications that a provider reports late: of a try that ended in the creator's inbox, with an unknown outcome, or refused. Another try
//! of the post may be under way by then. Where nothing can have come of it, it is ended; else the ledger keeps the publication, and the
//! post becomes PUBLISHED when the other try ends, however it ends.

use playout_domain::change::Noun;
use playout_domain::id::{PostId, SubmissionId, WorkspaceId};
use playout_domain::post::{Post, PostState};
use playout_domain::submission::{Submission, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;

use super::settle::{AttemptDetail, Released, Settlement};
use crate::db::{Result, Store, Tx, params};
use crate::posts::read::{post_columns, read_post};

/// What the ledger keeps of a try that another one made needless.
const ENDED: &str = "An earlier try of this post was published meanwhile; nothing came of this one.";

/// The same where something may come of it.
const NOT_FOLLOWED: &str = "An earlier try of this post was published meanwhile; it is unknown whether this one was published too. Look at the account.";

/// The same where it is in the creator's inbox.
const NEEDLESS_DRAFT: &str = "The post is published by another try. Delete this one from the creator's inbox, or the post is published twice.";

impl Store {
    /// Takes in that a try of a post which has ended is out, as the provider reports: the post becomes PUBLISHED, whether it waits for a
    /// person, is in ERROR, is to be tried again, or was made a draft. Where another try is under way of which something may come, only the ledger changes
    /// now, and [`Store::settle`] reads it. A published post gets what it lacks of its ID and page. Where another post is out under this ID, a
    /// post in QUEUE is left to a person, unless something may come of its other try. `false` if nothing changes.
    ///
    /// # Errors
    /// When the database fails, or the upload session of the other try does not open.
    pub async fn publish_late(
        &self,
        submission: &Submission,
        released: Released<'_>,
        now: Time,
    ) -> Result<bool> {
        Ok(self.publish_ended_try(submission, released, now).await?
            || (released.release_id.is_some() && self.set_release(submission.post_id, released, now).await?))
    }

    async fn publish_ended_try(
        &self,
        submission: &Submission,
        released: Released<'_>,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND state <> 'PUBLISHED'"
        );
        let rows = tx.lock(sql, params![submission.post_id]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let workspace: WorkspaceId = row.of("posts").id("workspace_id")?;
        let mut post = read_post(row)?;
        let verdict = Verdict::Published {
            release_id: released.release_id.map(str::to_owned),
            release_url: released.release_url.map(str::to_owned),
        };
        if let Some((instead, _)) = tx.instead_of_anothers_release(&post, &verdict).await? {
            // One that waits for a person, or is in ERROR, is not tried again by itself.
            if post.state != PostState::Queue || !tx.end_other_try(&post, submission.id, now).await? {
                return Ok(false);
            }
            post.publishing = false;
            post.apply(&instead, now);
            tx.save_outcome(&post).await?;
            tx.conclude(workspace, &post, now).await?;
            tx.commit().await?;
            return Ok(true);
        }
        let is_alone = tx.end_other_try(&post, submission.id, now).await?;
        tx.note_published(submission).await?;
        if is_alone {
            tx.publish_by_word(workspace, &mut post, &verdict, now).await?;
        } else {
            tx.note_release(&post, released).await?;
            tx.changed(workspace, Noun::Post);
        }
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Ends the other try of a locked post, and its job, so that a run which holds it changes nothing any more. `false`, and nothing
    /// changed, for a post in QUEUE if something may come of that try: its last chunk may have been sent, or its media were fetched.
    async fn end_other_try(&mut self, post: &Post, published: SubmissionId, now: Time) -> Result<bool> {
        // A run that is about to send the last chunk records it under this lock (`fence.rs`), before or after.
        let sql = "SELECT id FROM jobs WHERE post_id = $1 AND kind = 'publish_post'";
        let has_job = !self.lock(sql, params![post.id]).await?.is_empty();
        let open = self.open_submission(post.id).await?;
        if let Some(open) = open.filter(|open| open.id != published) {
            let (outcome, message) = match self.is_ended_without_effect(&open, now).await? {
                true => (SubmissionOutcome::Abandoned, ENDED),
                false if has_job => return Ok(false),
                false => (SubmissionOutcome::Unknown, NOT_FOLLOWED),
            };
            let sql = "UPDATE submissions SET closed_at = $2, outcome = $3, message = $4 WHERE id = $1";
            self.execute(sql, params![open.id, now, outcome.as_str(), message])
                .await?;
        }
        let sql = "DELETE FROM jobs WHERE post_id = $1 AND kind = 'publish_post'";
        self.execute(sql, params![post.id]).await?;
        Ok(true)
    }

    /// Whether nothing can come of an open submission from here on. The addresses of a pull are revoked for that, unless one was fetched.
    async fn is_ended_without_effect(&mut self, open: &Submission, now: Time) -> Result<bool> {
        if open.transfer != Transfer::Pull {
            return Ok(!open.may_be_out());
        }
        let sql = "UPDATE submissions SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1
            AND fetched_at IS NULL";
        Ok(self.execute(sql, params![open.id, now]).await? > 0)
    }

    /// The ledger shows which try was published, and which drafts are needless.
    async fn note_published(&mut self, submission: &Submission) -> Result<()> {
        let sql =
            "UPDATE submissions SET outcome = 'published', code = NULL, message = NULL, next_retry_at = NULL
            WHERE id = $1 AND closed_at IS NOT NULL";
        self.execute(sql, params![submission.id]).await?;
        self.note_needless_drafts(submission.post_id).await
    }

    /// The ledger shows of the drafts of a published post that they are not needed.
    pub(super) async fn note_needless_drafts(&mut self, post: PostId) -> Result<()> {
        let sql = "UPDATE submissions SET message = $2
            WHERE post_id = $1 AND outcome = 'in_inbox' AND handle IS NOT NULL";
        self.execute(sql, params![post, NEEDLESS_DRAFT]).await?;
        Ok(())
    }

    /// Keeps the ID and the page for when the post becomes PUBLISHED.
    async fn note_release(&mut self, post: &Post, released: Released<'_>) -> Result<()> {
        let sql =
            "UPDATE posts SET release_id = COALESCE(release_id, $2), release_url = COALESCE(release_url, $3)
            WHERE id = $1";
        let params = params![post.id, released.release_id, released.release_url];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// The settlement, with another verdict where an earlier try of the post was reported as published meanwhile: the post is out, unless
    /// the present try goes on.
    pub(crate) async fn as_an_earlier_try_is(
        &mut self,
        post: &Post,
        settlement: Settlement,
        now: Time,
    ) -> Result<Settlement> {
        if !post.is_root() || matches!(settlement.verdict, Verdict::Published { .. }) {
            return Ok(settlement);
        }
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND outcome = 'published' LIMIT 1";
        if self.row(sql, params![post.id]).await?.is_none() {
            return Ok(settlement);
        }
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND closed_at IS NULL";
        let open = self.row(sql, params![post.id]).await?;
        let open: Option<SubmissionId> = open.map(|row| row.of("submissions").id("id")).transpose()?;
        if let (None, Some(_), Verdict::Again { .. }) = (settlement.submission, open, &settlement.verdict) {
            return Ok(settlement);
        }
        let submission = settlement
            .submission
            .or(open.map(|id| (id, SubmissionOutcome::Unknown)));
        let detail = match submission {
            Some((_, SubmissionOutcome::InInbox)) => AttemptDetail {
                message: Some(NEEDLESS_DRAFT.to_owned()),
                ..AttemptDetail::default()
            },
            _ => settlement.detail,
        };
        Ok(Settlement {
            verdict: Verdict::Published {
                release_id: None,
                release_url: None,
            },
            submission,
            detail,
            follow_link: post.release_url.is_none().then_some(now),
        })
    }
}
