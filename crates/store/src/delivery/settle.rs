//! Settling: the one place where the outcome of a run becomes the state of a post.
//!
//! In one transaction, and only if the job was not taken over: the submission is closed (or a try that never began
//! one is written to the ledger), the post takes its state, the job ends or waits, events are appended, and what
//! follows is planned: the next comment, the search for the public address.
//!
//! A post waits for its account only while the account needs something. Reconnecting and enabling requeue what waits then, so a post that
//! is settled afterwards would wait for ever: it runs again, after the pause that follows a failed try.

use playout_domain::change::Noun;
use playout_domain::event::EventKind;
use playout_domain::explanation::{RESTORED, RESTORED_UNSEARCHED};
use playout_domain::id::{PlatformId, PostId, SubmissionId, WorkspaceId};
use playout_domain::job::{Job, JobKind, retry_at};
use playout_domain::post::{Post, Waiting};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::time::Time;
use playout_domain::verdict::{AfterRun, Verdict};

use crate::db::{Result, Store, Tx, new_id, params};
use crate::jobs::NewJob;
use crate::posts::read::{post_columns, post_event, read_post, waiting_columns};

/// What a provider returned about a try, for the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptDetail {
    /// Its code, or ours where none came.
    pub code: Option<String>,
    /// What happened, for a person.
    pub message: Option<String>,
    /// Its log ID.
    pub log_id: Option<String>,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// How the post is left.
    pub verdict: Verdict,
    /// The submission that ends with this, and how. `None` leaves an open one open; if none is open and the run
    /// failed, the failure is written to the ledger as a try of its own.
    pub submission: Option<(SubmissionId, SubmissionOutcome)>,
    /// What the provider returned.
    pub detail: AttemptDetail,
    /// For a post whose public address is not known yet, or that is in the creator's inbox: when to look.
    pub follow_link: Option<Time>,
}

/// How a post that a person had to finish came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Released<'a> {
    /// The provider's ID, if it is known.
    pub release_id: Option<&'a str>,
    /// The public page, if there is one.
    pub release_url: Option<&'a str>,
}

impl Store {
    /// Applies the outcome of a run of `job`. `false`, and nothing changed, if another worker has taken it over.
    ///
    /// The job ends with every verdict but [`Verdict::Again`], which reschedules it: its failures rise by a failed
    /// one; its checks rise by a patient one while a submission is open, and start anew when one was closed. A post that is to wait
    /// for its account to be reconnected runs again as after a failed try if the account needs no reconnection, until its job gives up;
    /// so does a comment that is to wait for an account that is there. A post that would get the page of another one is left to a
    /// person. One of which an earlier try was reported as published meanwhile (`late_publications.rs`) is PUBLISHED once no try of it
    /// is open.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle(&self, job: &Job, settlement: &Settlement, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let settlement = tx.as_the_account_is(job, settlement, now).await?;
        let Some(mut post) = tx.lock_queued_post(job).await? else {
            return Ok(false);
        };
        let settlement = tx.as_an_earlier_try_is(&post, settlement, now).await?;
        let settlement = &tx.as_the_page_is(&post, settlement).await?;
        let is_open = tx.close_submission(job, settlement, now).await?;
        post.publishing = is_open;
        post.apply(&settlement.verdict, now);
        tx.save_outcome(&post).await?;
        tx.changed(job.workspace_id, Noun::Post);
        match settlement.verdict {
            Verdict::Again { at, failed, .. } => {
                let submission = match (settlement.submission, is_open) {
                    (Some(_), _) => AfterRun::Closed,
                    (None, true) => AfterRun::Open,
                    (None, false) => AfterRun::None,
                };
                let release = job.again(at, failed, submission);
                tx.release_job(job, release, now).await?;
            }
            Verdict::Published { .. } | Verdict::ActionRequired { .. } | Verdict::Error { .. } => {
                tx.execute("DELETE FROM jobs WHERE id = $1", params![job.id])
                    .await?;
                if matches!(settlement.verdict, Verdict::Published { .. }) {
                    tx.note_needless_drafts(post.id).await?;
                }
                tx.conclude(job.workspace_id, &post, now).await?;
            }
        }
        if let Some(run_at) = settlement.follow_link {
            let following = NewJob::of(job.workspace_id, &post, JobKind::ResolveLink, run_at);
            tx.queue_job(following, now).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// [`Store::settle`] without reading the post, for one whose row cannot be read. No event is logged: only the post shows its
    /// outcome. The comment after a comment follows as after any other. `false`, and nothing changed, if another worker has taken the job
    /// over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle_unread(&self, job: &Job, settlement: &Settlement, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id FROM posts WHERE id = $1 AND state = 'QUEUE'";
        if tx.lock(sql, params![job.post_id]).await?.is_empty() || !tx.fence(job).await? {
            return Ok(false);
        }
        let is_open = tx.close_submission(job, settlement, now).await?;
        let left_as = settlement.verdict.left_as();
        let lets_the_next_go = left_as.lets_the_next_go(job.kind != JobKind::PublishComment);
        let (waiting, is_overdue) = waiting_columns(left_as.waiting);
        let sql = "UPDATE posts SET state = $2, waiting = $3, publishing = $4, error_text = $5, updated_at = $6, is_overdue = $7
            WHERE id = $1";
        let params = params![
            job.post_id,
            left_as.state.as_str(),
            waiting,
            is_open,
            left_as.error_text,
            now,
            is_overdue
        ];
        tx.execute(sql, params).await?;
        tx.changed(job.workspace_id, Noun::Post);
        match settlement.verdict {
            Verdict::Again { at, .. } => {
                let submission = if is_open { AfterRun::Open } else { AfterRun::None };
                tx.release_job(job, job.again(at, true, submission), now).await?;
            }
            Verdict::Published { .. } | Verdict::ActionRequired { .. } | Verdict::Error { .. } => {
                tx.execute("DELETE FROM jobs WHERE id = $1", params![job.id])
                    .await?;
                if let Some(post) = job.post_id
                    && lets_the_next_go
                {
                    tx.let_the_next_go(job.workspace_id, post, now).await?;
                }
            }
        }
        tx.commit().await?;
        Ok(true)
    }

    /// A post of which it was unknown whether the provider took it is out. `false` if it was no such post.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn confirm_published(&self, post: PostId, released: Released<'_>, now: Time) -> Result<bool> {
        self.publish_waiting(post, Waiting::Unconfirmed, released, now)
            .await
    }

    /// Notes the provider's ID and the public address of a published post; what is known stays as it is. `false`, and nothing changed,
    /// if they are known, or are those of another post.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_release(&self, post: PostId, released: Released<'_>, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND state = 'PUBLISHED' AND (release_id IS NULL OR release_url IS NULL)"
        );
        let rows = tx.lock(sql, params![post]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let (workspace, mut post) = (row.of("posts").id("workspace_id")?, read_post(row)?);
        if let Some(release_id) = released.release_id
            && tx
                .is_release_of_another(post.platform_id, post.id, release_id)
                .await?
        {
            let post = post.id;
            tracing::warn!(%post, "the page of a published post, {release_id}, is that of another post here");
            return Ok(false);
        }
        let sql =
            "UPDATE posts SET release_id = COALESCE(release_id, $2), release_url = COALESCE(release_url, $3),
            updated_at = $4 WHERE id = $1";
        let params = params![post.id, released.release_id, released.release_url, now];
        tx.execute(sql, params).await?;
        let found = |known: Option<String>, found: Option<&str>| known.or_else(|| found.map(str::to_owned));
        post.release_id = found(post.release_id, released.release_id);
        post.release_url = found(post.release_url, released.release_url);
        tx.append_event(post_event(workspace, EventKind::PostUpdated, &post), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// A post that waits for a person, because of `waiting`, is out. `false`, and nothing changed, if it does not wait for that, or
    /// another post is out under this ID.
    async fn publish_waiting(
        &self,
        post: PostId,
        waiting: Waiting,
        released: Released<'_>,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND waiting = $2"
        );
        let rows = tx.lock(sql, params![post, waiting.as_str()]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let workspace = row.of("posts").id("workspace_id")?;
        let mut post = read_post(row)?;
        if let Some(release_id) = released.release_id
            && tx
                .is_release_of_another(post.platform_id, post.id, release_id)
                .await?
        {
            return Ok(false);
        }
        let verdict = Verdict::Published {
            release_id: released.release_id.map(str::to_owned),
            release_url: released.release_url.map(str::to_owned),
        };
        tx.publish_by_word(workspace, &mut post, &verdict, now).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// The chance of [`retry_at`] by which its pause is neither shortened nor lengthened.
const UNVARIED: f64 = 0.5;

/// What follows for a post that was to wait for what its account does not need. The account may have been reconnected a moment ago, or the
/// same may end every run. So it counts as a failed try, and not as an answer about an open submission. Once the job gives up, the post
/// waits all the same: of an open submission nothing is known, and a person acts.
fn instead_of_waiting(job: &Job, verdict: Verdict, now: Time) -> Verdict {
    let at = retry_at(now, job.failures.saturating_add(1), job.deadline_at, UNVARIED);
    match (at, verdict) {
        (Some(at), Verdict::ActionRequired { text, .. }) => Verdict::Again {
            at,
            text: Some(format!("{text} The next try is at {at}.")),
            failed: true,
        },
        (_, verdict) => verdict,
    }
}

/// A try that ended before anything was handed over.
pub(crate) struct ClosedTry<'a> {
    pub(crate) platform: PlatformId,
    pub(crate) post: PostId,
    pub(crate) outcome: SubmissionOutcome,
    pub(crate) detail: &'a AttemptDetail,
    /// When the post is tried again, if it is.
    pub(crate) next_retry_at: Option<Time>,
}

impl Tx {
    /// A locked post without a job is out, as the provider or a person reports.
    pub(crate) async fn publish_by_word(
        &mut self,
        workspace: WorkspaceId,
        post: &mut Post,
        verdict: &Verdict,
        now: Time,
    ) -> Result<()> {
        let sql = "UPDATE submissions SET closed_at = $2, outcome = 'published'
            WHERE post_id = $1 AND closed_at IS NULL";
        self.execute(sql, params![post.id, now]).await?;
        post.publishing = false;
        post.apply(verdict, now);
        self.save_outcome(post).await?;
        self.conclude(workspace, post, now).await
    }

    /// The settlement, with another verdict where it leaves the post waiting for what its account does not need. A transaction
    /// that connects or enables the account locks it first and its posts after it, as this does, and finds the post as it is
    /// settled.
    async fn as_the_account_is(
        &mut self,
        job: &Job,
        settlement: &Settlement,
        now: Time,
    ) -> Result<Settlement> {
        let settlement = settlement.clone();
        let waiting = match settlement.verdict {
            Verdict::ActionRequired { waiting, .. } => waiting,
            Verdict::Published { .. } | Verdict::Error { .. } | Verdict::Again { .. } => {
                return Ok(settlement);
            }
        };
        if !waiting.ends_with_the_account(job.kind) {
            return Ok(settlement);
        }
        let sql = "SELECT id, refresh_needed, disabled, removed_at FROM platforms WHERE id = $1";
        let rows = self.lock(sql, params![job.platform_id]).await?;
        let Some(fields) = rows.first().map(|row| row.of("platforms")) else {
            return Ok(settlement);
        };
        let still_waits = match waiting {
            Waiting::Reconnect => fields.get("refresh_needed")?,
            _ => fields.get("disabled")? || fields.opt_time("removed_at")?.is_some(),
        };
        let verdict = match still_waits {
            true => settlement.verdict,
            false => instead_of_waiting(job, settlement.verdict, now),
        };
        Ok(Settlement {
            verdict,
            ..settlement
        })
    }

    /// The settlement, with another verdict where it would give the post the page of another one.
    async fn as_the_page_is(&mut self, post: &Post, settlement: Settlement) -> Result<Settlement> {
        let instead = self
            .instead_of_anothers_release(post, &settlement.verdict)
            .await?;
        Ok(match instead {
            None => settlement,
            Some((verdict, detail)) => Settlement {
                verdict,
                submission: settlement
                    .submission
                    .map(|(id, _)| (id, SubmissionOutcome::Unknown)),
                detail,
                follow_link: None,
            },
        })
    }

    /// The post of a job, locked, if the job was not taken over and the post is in QUEUE.
    async fn lock_queued_post(&mut self, job: &Job) -> Result<Option<Post>> {
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            " FROM posts WHERE id = $1 AND state = 'QUEUE'"
        );
        let rows = self.lock(sql, params![job.post_id]).await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        if !self.fence(job).await? {
            return Ok(None);
        }
        read_post(row).map(Some)
    }

    /// Writes the ledger; returns whether a submission of the post is open afterwards.
    async fn close_submission(&mut self, job: &Job, settlement: &Settlement, now: Time) -> Result<bool> {
        let detail = &settlement.detail;
        let next = settlement.verdict.next_run();
        let mut was_open = false;
        if let Some((id, outcome)) = settlement.submission {
            let sql =
                "UPDATE submissions SET closed_at = $2, outcome = $3, code = $4, message = $5, log_id = $6,
                next_retry_at = $7 WHERE id = $1 AND COALESCE(closed_at, 0) = 0";
            let (code, message) = (detail.code.clone(), detail.message.clone());
            let params = params![
                id,
                now,
                outcome.as_str(),
                code,
                message,
                detail.log_id.clone(),
                next
            ];
            was_open = self.execute(sql, params).await? > 0;
        }
        // A post has one open submission at most: where this was it, none is left.
        let is_open = match was_open {
            true => false,
            false => {
                let sql = "SELECT id FROM submissions WHERE post_id = $1 AND closed_at IS NULL";
                self.row(sql, params![job.post_id]).await?.is_some()
            }
        };
        let without = match settlement.verdict.outcome_without_submission() {
            // This one was refused; an earlier one is in the inbox.
            Some(SubmissionOutcome::InInbox) if detail.code.is_some() => Some(SubmissionOutcome::Rejected),
            // What may be out is a try that this database does not know.
            Some(SubmissionOutcome::Unknown) if is_of_hold(detail) => Some(SubmissionOutcome::Abandoned),
            without => without,
        };
        if let (None, false, Some(outcome)) = (&settlement.submission, is_open, without)
            && let Some(post) = job.post_id
        {
            let closed = ClosedTry {
                platform: job.platform_id,
                post,
                outcome,
                detail,
                next_retry_at: next,
            };
            self.insert_closed_try(job.workspace_id, closed, now).await?;
        }
        Ok(is_open)
    }

    /// Writes a closed try into the ledger.
    pub(crate) async fn insert_closed_try(
        &mut self,
        workspace: WorkspaceId,
        closed: ClosedTry<'_>,
        now: Time,
    ) -> Result<()> {
        let id: SubmissionId = new_id(now);
        let sql = "INSERT INTO submissions (id, workspace_id, platform_id, post_id, sent_bytes, started_at, closed_at,
            outcome, code, message, log_id, next_retry_at)
            VALUES ($1, $2, $3, $4, 0, $5, $5, $6, $7, $8, $9, $10)";
        let detail = closed.detail;
        let params = params![
            id,
            workspace,
            closed.platform,
            closed.post,
            now,
            closed.outcome.as_str(),
            detail.code.clone(),
            detail.message.clone(),
            detail.log_id.clone(),
            closed.next_retry_at
        ];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// Writes what [`Post::apply`] changed.
    pub(crate) async fn save_outcome(&mut self, post: &Post) -> Result<()> {
        let sql =
            "UPDATE posts SET state = $2, waiting = $3, publishing = $4, release_id = $5, release_url = $6,
            error_text = $7, updated_at = $8, is_overdue = $9,
            look_since = CASE WHEN $2 = 'PUBLISHED' THEN NULL ELSE look_since END
            WHERE id = $1";
        let (waiting, is_overdue) = waiting_columns(post.waiting);
        let params = params![
            post.id,
            post.state.as_str(),
            waiting,
            post.publishing,
            post.release_id.clone(),
            post.release_url.clone(),
            post.error_text.clone(),
            post.updated_at,
            is_overdue
        ];
        self.execute(sql, params).await?;
        Ok(())
    }
}

/// Whether a person was asked because a hold has marked the post.
fn is_of_hold(detail: &AttemptDetail) -> bool {
    let codes = [RESTORED.code, RESTORED_UNSEARCHED.code];
    detail.code.as_deref().is_some_and(|code| codes.contains(&code))
}
