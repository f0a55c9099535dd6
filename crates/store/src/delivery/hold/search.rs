//! The search of a hold: which posts are still to be looked for, and what is left of each.

use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::post::{PostState, Waiting};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;

use super::Hold;
use crate::db::{Result, Row, Store, StoreError, Tx, params, read_all};
use crate::delivery::settle::{AttemptDetail, ClosedTry};
use crate::jobs::NewJob;
use crate::posts::read::{post_columns, read_post};

/// A marked post that was not looked for yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkedPost {
    /// Which.
    pub id: PostId,
    /// Whose.
    pub workspace: WorkspaceId,
    /// From when on to look.
    pub since: Time,
    /// When it is due; `None` for a post without a job.
    pub due_at: Option<Time>,
}

/// Marked posts that were not looked for yet.
#[derive(Debug, Default)]
pub struct MarkedPosts {
    /// Those that can be looked for.
    pub posts: Vec<MarkedPost>,
    /// Those of which it cannot be read from when on.
    pub unreadable: Vec<UnreadablePost>,
}

/// A post whose row cannot be read.
#[derive(Debug)]
pub struct UnreadablePost {
    /// Which.
    pub id: PostId,
    /// Why, with the column.
    pub error: StoreError,
}

/// A search for a marked post.
#[derive(Debug, Clone, PartialEq)]
pub struct Searched {
    /// What it leaves of the post.
    pub result: SearchResult,
    /// Whether the provider was asked in vain, or could not be asked.
    pub was_in_vain: bool,
    /// Whether the account would not list the post if it were out, as it is now.
    pub is_hidden: bool,
}

/// What a search leaves of a marked post.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchResult {
    /// It ends here: published, or with a person. What the ledger keeps of why, where a person has it.
    Ended(Verdict, AttemptDetail),
    /// It was not found and stays as it is.
    NotFound,
}

impl Store {
    /// The accounts that have posts to look for.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn platforms_to_search(&self) -> Result<Vec<PlatformId>> {
        let sql = "SELECT DISTINCT platform_id FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
            AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')";
        let rows = self.rows(sql, params![]).await?;
        read_all(&rows, |row| row.of("posts").id("platform_id"))
    }

    /// The posts of an account that are still to be looked for, at most `limit`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn posts_to_search_for(&self, platform: PlatformId, limit: u32) -> Result<MarkedPosts> {
        let sql = "SELECT p.id AS id, p.workspace_id AS workspace_id, p.look_since AS look_since,
                COALESCE(j.planned_at, j.run_at) AS due_at FROM posts p
            LEFT JOIN jobs j ON j.post_id = p.id AND j.kind = 'publish_post'
            WHERE p.platform_id = $1 AND p.look_since IS NOT NULL AND p.looked_at IS NULL
                AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR') ORDER BY p.id LIMIT $2";
        let mut marked = MarkedPosts::default();
        for row in self.rows(sql, params![platform, limit]).await? {
            match read_marked(&row) {
                Err(error) if error.is_bad_row() => {
                    let id = row.of("posts").id("id")?;
                    marked.unreadable.push(UnreadablePost { id, error });
                }
                read => marked.posts.push(read?),
            }
        }
        Ok(marked)
    }

    /// The code of a post's last try in the ledger; `None` without a try or a code.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn last_code_of(&self, post: PostId) -> Result<Option<String>> {
        let sql = "SELECT code FROM submissions WHERE post_id = $1 ORDER BY started_at DESC, id DESC LIMIT 1";
        let row = self.row(sql, params![post]).await?;
        row.map_or(Ok(None), |row| row.of("submissions").get("code"))
    }

    /// Notes what a search in `hold` found of a post. `false`, and nothing changed, if the hold is over or goes further back by now, or the
    /// post is none to look for any more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle_searched(
        &self,
        hold: &Hold,
        post: PostId,
        searched: &Searched,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        if !tx.is_on(hold).await? {
            return Ok(false);
        }
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND look_since IS NOT NULL AND looked_at IS NULL
             AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')"
        );
        let rows = tx.lock(sql, params![post]).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        if searched.was_in_vain {
            let sql = "UPDATE instance SET last_hold_left = COALESCE(last_hold_left, 0) + 1 WHERE id = 1";
            tx.execute(sql, params![]).await?;
        }
        match &searched.result {
            SearchResult::NotFound => {
                let sql = "UPDATE posts SET looked_at = $2 WHERE id = $1";
                tx.execute(sql, params![post, now]).await?;
            }
            SearchResult::Ended(verdict, detail) => tx.end_searched(row, verdict, detail, now).await?,
        }
        if searched.is_hidden {
            let sql = "UPDATE posts SET look_hidden = TRUE WHERE id = $1 AND look_since IS NOT NULL";
            tx.execute(sql, params![post]).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Gives a marked post whose row cannot be read to a person; a draft stays one. `false`, and nothing changed, as of
    /// [`Store::settle_searched`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle_unreadable(
        &self,
        hold: &Hold,
        post: PostId,
        text: &str,
        detail: &AttemptDetail,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        if !tx.is_on(hold).await? {
            return Ok(false);
        }
        let sql = "SELECT id FROM posts WHERE id = $1 AND look_since IS NOT NULL AND looked_at IS NULL";
        if tx.lock(sql, params![post]).await?.is_empty() {
            return Ok(false);
        }
        let sql = "DELETE FROM jobs WHERE post_id = $1 AND kind = 'publish_post'";
        tx.execute(sql, params![post]).await?;
        tx.close_open(post, SubmissionOutcome::Unknown, detail, now)
            .await?;
        let is_queued = "SELECT id FROM posts WHERE id = $1 AND state = 'QUEUE'";
        if tx.row(is_queued, params![post]).await?.is_some() {
            tx.leave_unread(post, text, now).await?;
        }
        // The mark stays: once the row can be read, the post is looked for before it is sent.
        let sql = "UPDATE posts SET looked_at = $2 WHERE id = $1";
        tx.execute(sql, params![post, now]).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Whether a hold is on as it was read, with its row locked: one that was begun again with an earlier `since` is another one.
    async fn is_on(&mut self, hold: &Hold) -> Result<bool> {
        let sql = "SELECT id FROM instance WHERE id = 1 AND held_at = $1 AND held_since = $2";
        Ok(!self
            .lock(sql, params![hold.held_at, hold.since])
            .await?
            .is_empty())
    }

    /// Ends a marked post, whose row is locked. One in ERROR stays as it is unless it is published: nothing is submitted of it
    /// until a person sends it again, and then it is searched for first.
    async fn end_searched(
        &mut self,
        row: &Row,
        verdict: &Verdict,
        detail: &AttemptDetail,
        now: Time,
    ) -> Result<()> {
        let workspace: WorkspaceId = row.of("posts").id("workspace_id")?;
        let mut post = read_post(row)?;
        let instead = self.instead_of_anothers_release(&post, verdict).await?;
        let (verdict, detail) = instead
            .as_ref()
            .map_or((verdict, detail), |(verdict, detail)| (verdict, detail));
        let known = self.published_try_of(post.id).await?;
        let verdict = known.as_ref().unwrap_or(verdict);
        let is_told_already = post.state == PostState::ActionRequired;
        let sql = "UPDATE posts SET looked_at = $2 WHERE id = $1";
        self.execute(sql, params![post.id, now]).await?;
        if post.state == PostState::Error && !matches!(verdict, Verdict::Published { .. }) {
            return Ok(());
        }
        let sql = "DELETE FROM jobs WHERE post_id = $1 AND kind = 'publish_post'";
        self.execute(sql, params![post.id]).await?;
        if let Verdict::Published { .. } = verdict {
            self.publish_by_word(workspace, &mut post, verdict, now).await?;
            return self.give_comments_to_a_person(now).await;
        }
        // A post without an open try has one in the ledger all the same: it shows why a person has it.
        let is_in_inbox = matches!(
            verdict,
            Verdict::ActionRequired {
                waiting: Waiting::Inbox,
                ..
            }
        );
        let outcome = match is_in_inbox {
            true => SubmissionOutcome::InInbox,
            false => SubmissionOutcome::Unknown,
        };
        if !self.close_open(post.id, outcome, detail, now).await? && detail.code.is_some() {
            let closed = ClosedTry {
                platform: post.platform_id,
                post: post.id,
                outcome: SubmissionOutcome::Abandoned,
                detail,
                next_retry_at: None,
            };
            self.insert_closed_try(workspace, closed, now).await?;
        }
        post.publishing = false;
        post.apply(verdict, now);
        self.save_outcome(&post).await?;
        if is_in_inbox {
            let following = NewJob::of(workspace, &post, JobKind::ResolveLink, now);
            self.queue_job(following, now).await?;
        }
        if is_told_already {
            return Ok(());
        }
        self.conclude(workspace, &post, now).await
    }

    /// That the post is published, where the ledger knows it of one of its tries.
    async fn published_try_of(&mut self, post: PostId) -> Result<Option<Verdict>> {
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND outcome = 'published' LIMIT 1";
        let published = self.row(sql, params![post]).await?;
        Ok(published.map(|_| Verdict::Published {
            release_id: None,
            release_url: None,
        }))
    }

    /// Closes the open try of a post. Returns whether there was one.
    async fn close_open(
        &mut self,
        post: PostId,
        outcome: SubmissionOutcome,
        detail: &AttemptDetail,
        now: Time,
    ) -> Result<bool> {
        let sql = "UPDATE submissions SET closed_at = $2, outcome = $5, code = $3, message = $4
            WHERE post_id = $1 AND closed_at IS NULL";
        let (code, message) = (detail.code.clone(), detail.message.clone());
        let params = params![post, now, code, message, outcome.as_str()];
        Ok(self.execute(sql, params).await? > 0)
    }
}

fn read_marked(row: &Row) -> Result<MarkedPost> {
    let fields = row.of("posts");
    Ok(MarkedPost {
        id: fields.id("id")?,
        workspace: fields.id("workspace_id")?,
        since: fields.time("look_since")?,
        due_at: fields.opt_time("due_at")?,
    })
}
