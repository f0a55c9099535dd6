//! The hold: a database that may be a copy publishes nothing before its posts were looked for at the provider.
//!
//! Beginning a hold marks every post that may have gone out since the copy was made with the time from which on to look
//! (`posts.look_since`). Each marked post is looked for once (`posts.looked_at`); when none is left the hold ends. A post that
//! was not found and goes out later keeps its mark, and is looked for once more just before it is handed over: the provider may
//! still have been processing it. Comments are marked too, and count as looked for from the beginning of the hold on: they cannot
//! be told apart. Each whose root turns out to have been sent before is given to a person. Posts in ERROR are not looked for
//! during the hold: they are not sent until a person sends them again, and are looked for then.

use playout_domain::id::{PlatformId, PostId, WorkspaceId};
use playout_domain::post::PostState;
use playout_domain::submission::SubmissionOutcome;
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;

use super::settle::{AttemptDetail, ClosedTry};
use crate::db::{Result, Row, Store, StoreError, Tx, params, read_all, read_one};
use crate::posts::read::{post_columns, read_post};

/// A hold that is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Since when nothing is published; it names the hold.
    pub held_at: Time,
    /// What happened after this may be unknown to the database.
    pub since: Time,
    /// Why, for the operator.
    pub because: String,
}

/// A hold that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastHold {
    /// When it began.
    pub held_at: Time,
    /// Why, for the operator.
    pub because: String,
    /// When it ended.
    pub ended_at: Time,
    /// How many posts were not looked for: the account could not be searched, or the hold was released by hand.
    pub not_looked_for: u64,
}

/// How far the search of a hold is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HoldProgress {
    /// Posts that are still to be looked for.
    pub left: u64,
    /// Posts that the search has left with a person, and that wait for them.
    pub with_a_person: u64,
}

/// An account that a hold could not search, because it must be reconnected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsearchedAccount {
    /// Its handle with `@`, or else its name.
    pub name: String,
    /// How many of its posts were not looked for.
    pub posts: u64,
}

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
}

/// What a search leaves of a marked post.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchResult {
    /// It ends here: published, or with a person. What the ledger keeps of why, where a person has it.
    Ended(Verdict, AttemptDetail),
    /// It was not found and stays as it is.
    NotFound,
    /// It was not found, and there is nothing to look for it by: it stays as it is, and is not looked for again.
    CannotBeFound,
}

impl Store {
    /// The hold, if one is on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_hold(&self) -> Result<Option<Hold>> {
        read_one(self.row(FIND_HOLD, params![]).await?, read_hold)
    }

    /// The hold before, if none is on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_last_hold(&self) -> Result<Option<LastHold>> {
        let sql = "SELECT last_held_at, held_because, hold_ended_at, last_hold_left FROM instance
            WHERE id = 1 AND held_at IS NULL AND last_held_at IS NOT NULL";
        read_one(self.row(sql, params![]).await?, |row| {
            let fields = row.of("instance");
            Ok(LastHold {
                held_at: fields.time("last_held_at")?,
                because: fields.get::<Option<String>>("held_because")?.unwrap_or_default(),
                ended_at: fields.time("hold_ended_at")?,
                not_looked_for: fields.number("last_hold_left")?,
            })
        })
    }

    /// Holds everything that is to be published, and marks every post that may have gone out after `since`. A hold that is on
    /// goes on; the earlier `since` counts.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_hold(&self, since: Time, because: &str, now: Time) -> Result<Hold> {
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        let row = tx.lock(FIND_HOLD, params![]).await?.into_iter().next();
        let earlier = read_one(row, read_hold)?;
        let hold = match earlier {
            Some(earlier) => Hold {
                since: earlier.since.min(since),
                ..earlier
            },
            None => Hold {
                held_at: now,
                since,
                because: because.to_owned(),
            },
        };
        let sql = "UPDATE instance SET held_at = $1, held_since = $2, held_because = $3, last_hold_left = 0 WHERE id = 1";
        tx.execute(sql, params![hold.held_at, hold.since, hold.because.as_str()])
            .await?;
        let sql = "UPDATE posts SET look_since = CASE WHEN look_since < $1 THEN look_since ELSE $1 END,
                look_content = CASE WHEN look_since IS NOT NULL THEN look_content END,
                looked_at = CASE WHEN parent_id IS NULL AND state <> 'ERROR' THEN NULL ELSE $2 END
            WHERE state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')";
        tx.execute(sql, params![hold.since, now]).await?;
        tx.give_comments_to_a_person(now).await?;
        tx.commit().await?;
        Ok(hold)
    }

    /// Ends a hold. `false` if it is not on any more, or has posts left to look for: it may have been begun anew meanwhile.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_hold(&self, hold: &Hold, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id FROM instance WHERE id = 1 AND held_at = $1";
        let is_on = !tx.lock(sql, params![hold.held_at]).await?.is_empty();
        if !is_on || tx.row(LEFT, params![]).await?.is_some() {
            return Ok(false);
        }
        tx.execute(LET_GO, params![now, 0_i64]).await?;
        tx.wake_workers();
        tx.commit().await?;
        Ok(true)
    }

    /// Ends the hold, if one is on, without looking any further: marks are removed. Returns how many posts were still to be looked for;
    /// `None` if no hold is on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_hold(&self, now: Time) -> Result<Option<u64>> {
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        if tx.lock(FIND_HOLD, params![]).await?.is_empty() {
            return Ok(None);
        }
        let left = tx.row(COUNT_LEFT, params![]).await?;
        let left: i64 = left.map_or(Ok(0), |row| row.of("posts").get("open_posts"))?;
        tx.execute(LET_GO, params![now, left]).await?;
        let sql = "UPDATE posts SET look_since = NULL, looked_at = NULL WHERE look_since IS NOT NULL";
        tx.execute(sql, params![]).await?;
        tx.wake_workers();
        tx.commit().await?;
        Ok(Some(u64::try_from(left).unwrap_or_default()))
    }

    /// How many posts are still to be looked for, and how many the search has left with a person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold_progress(&self) -> Result<HoldProgress> {
        let sql = "SELECT (SELECT COUNT(*) FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
                AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED')) AS open_posts,
            (SELECT COUNT(*) FROM posts WHERE looked_at IS NOT NULL AND waiting = 'unconfirmed'
                AND parent_id IS NULL) AS asked_posts";
        let Some(row) = self.row(sql, params![]).await? else {
            return Ok(HoldProgress::default());
        };
        let fields = row.of("posts");
        Ok(HoldProgress {
            left: fields.number("open_posts")?,
            with_a_person: fields.number("asked_posts")?,
        })
    }

    /// How many posts of all workspaces are ACTION_REQUIRED, for whatever reason; comments do not count.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count_posts_with_a_person(&self) -> Result<u64> {
        let sql =
            "SELECT COUNT(*) AS asked_posts FROM posts WHERE state = 'ACTION_REQUIRED' AND parent_id IS NULL";
        let row = self.row(sql, params![]).await?;
        row.map_or(Ok(0), |row| row.of("posts").number("asked_posts"))
    }

    /// The accounts whose posts `hold` could not look for, because they must be reconnected, by their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unsearched_accounts(&self, hold: &Hold) -> Result<Vec<UnsearchedAccount>> {
        let sql = "SELECT a.id, COALESCE('@' || a.display_handle, a.display_name, a.provider_account_id) AS account_name,
                COUNT(*) AS open_posts
            FROM posts p JOIN platforms a ON a.id = p.platform_id
            WHERE p.look_since IS NOT NULL AND p.looked_at >= $1 AND p.parent_id IS NULL
                AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED')
                AND a.refresh_needed AND NOT a.disabled AND a.removed_at IS NULL
            GROUP BY a.id, a.display_handle, a.display_name, a.provider_account_id ORDER BY account_name, a.id";
        let rows = self.rows(sql, params![hold.held_at]).await?;
        read_all(&rows, |row| {
            let fields = row.of("platforms");
            Ok(UnsearchedAccount {
                name: fields.get("account_name")?,
                posts: fields.number("open_posts")?,
            })
        })
    }

    /// The accounts that have posts to look for.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn platforms_to_search(&self) -> Result<Vec<PlatformId>> {
        let sql = "SELECT DISTINCT platform_id FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
            AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED')";
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
                AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED') ORDER BY p.id LIMIT $2";
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

    /// Notes what a search in `hold` found of a post. `false`, and nothing changed, if the hold is over, or the post is none to look
    /// for any more.
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
        let sql = "SELECT id FROM instance WHERE id = 1 AND held_at = $1";
        if tx.lock(sql, params![hold.held_at]).await?.is_empty() {
            return Ok(false);
        }
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE id = $1 AND look_since IS NOT NULL
             AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED')"
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
            SearchResult::CannotBeFound => {
                let sql = "UPDATE posts SET looked_at = $2, look_since = NULL WHERE id = $1";
                tx.execute(sql, params![post, now]).await?;
            }
            SearchResult::Ended(verdict, detail) => tx.end_searched(row, verdict, detail, now).await?,
        }
        tx.commit().await?;
        Ok(true)
    }
}

impl Store {
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
        let sql = "SELECT id FROM instance WHERE id = 1 AND held_at = $1";
        if tx.lock(sql, params![hold.held_at]).await?.is_empty() {
            return Ok(false);
        }
        let sql = "SELECT id FROM posts WHERE id = $1 AND look_since IS NOT NULL AND looked_at IS NULL";
        if tx.lock(sql, params![post]).await?.is_empty() {
            return Ok(false);
        }
        let sql = "DELETE FROM jobs WHERE post_id = $1 AND kind = 'publish_post'";
        tx.execute(sql, params![post]).await?;
        tx.close_unknown(post, detail, now).await?;
        let is_queued = "SELECT id FROM posts WHERE id = $1 AND state = 'QUEUE'";
        if tx.row(is_queued, params![post]).await?.is_some() {
            tx.leave_unread(post, text, now).await?;
        }
        let sql = "UPDATE posts SET looked_at = $2, look_since = NULL WHERE id = $1";
        tx.execute(sql, params![post, now]).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Ends a marked post, whose row is locked.
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
        let is_told_already = post.state == PostState::ActionRequired;
        let sql = "UPDATE posts SET looked_at = $2 WHERE id = $1";
        self.execute(sql, params![post.id, now]).await?;
        let sql = "DELETE FROM jobs WHERE post_id = $1 AND kind = 'publish_post'";
        self.execute(sql, params![post.id]).await?;
        if let Verdict::Published { .. } = verdict {
            self.publish_by_word(workspace, &mut post, verdict, now).await?;
            return self.give_comments_to_a_person(now).await;
        }
        // A post without an open try has one in the ledger all the same: it shows why a person has it.
        if !self.close_unknown(post.id, detail, now).await? && detail.code.is_some() {
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
        if is_told_already {
            return Ok(());
        }
        self.conclude(workspace, &post, now).await
    }

    /// Closes the open try of a post as `unknown`: how it ended cannot be found out. Returns whether there was one.
    async fn close_unknown(&mut self, post: PostId, detail: &AttemptDetail, now: Time) -> Result<bool> {
        let sql = "UPDATE submissions SET closed_at = $2, outcome = 'unknown', code = $3, message = $4
            WHERE post_id = $1 AND closed_at IS NULL";
        let params = params![post, now, detail.code.clone(), detail.message.clone()];
        Ok(self.execute(sql, params).await? > 0)
    }
}

/// A post that is still to be looked for.
const LEFT: &str = "SELECT id FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
    AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED') LIMIT 1";

/// How many there are.
const COUNT_LEFT: &str =
    "SELECT COUNT(*) AS open_posts FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
    AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED')";

/// Ends the hold, if one is on.
const LET_GO: &str =
    "UPDATE instance SET last_held_at = held_at, last_hold_left = COALESCE(last_hold_left, 0) + $2, held_at = NULL, hold_ended_at = $1
    WHERE id = 1 AND held_at IS NOT NULL";

const FIND_HOLD: &str =
    "SELECT held_at, held_since, held_because FROM instance WHERE id = 1 AND held_at IS NOT NULL";

fn read_marked(row: &Row) -> Result<MarkedPost> {
    let fields = row.of("posts");
    Ok(MarkedPost {
        id: fields.id("id")?,
        workspace: fields.id("workspace_id")?,
        since: fields.time("look_since")?,
        due_at: fields.opt_time("due_at")?,
    })
}

fn read_hold(row: &Row) -> Result<Hold> {
    let fields = row.of("instance");
    Ok(Hold {
        held_at: fields.time("held_at")?,
        since: fields.time("held_since")?,
        because: fields.get("held_because")?,
    })
}
