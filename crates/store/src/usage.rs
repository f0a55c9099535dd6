//! What a workspace has used of its plan: counters that are exact under concurrency, because each is checked and
//! raised in one statement.

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;

use crate::db::{Result, Store, Tx, params};
use crate::idempotency::Keep;

/// What a workspace has used in a calendar month (UTC).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Root posts that entered QUEUE.
    pub posts: u64,
    /// AI credits.
    pub ai_credits: u64,
}

/// The most root posts that may enter QUEUE in a calendar month (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthlyLimit {
    /// How many.
    pub limit: u64,
}

/// AI credits that something costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditCharge {
    /// How many.
    pub credits: u64,
    /// The most that the workspace may spend in a calendar month (UTC); `None` for any number.
    pub limit: Option<u64>,
}

/// A limit that does not leave enough room. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitReached {
    /// How much is allowed.
    pub limit: u64,
    /// How much is used already.
    pub used: u64,
    /// When the count begins anew: the start of the next calendar month (UTC).
    pub resets_at: Time,
}

/// What became of [`Store::spend_ai_credits`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpendCredits {
    /// They are spent.
    Spent,
    /// There are not enough left.
    LimitReached(LimitReached),
}

impl Store {
    /// What a workspace has used in a month, written `2026-11`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn usage(&self, workspace: WorkspaceId, month: &str) -> Result<Usage> {
        let sql = "SELECT posts, ai_credits FROM usage WHERE workspace_id = $1 AND month = $2";
        let Some(row) = self.row(sql, params![workspace, month]).await? else {
            return Ok(Usage::default());
        };
        let fields = row.of("usage");
        Ok(Usage {
            posts: fields.number("posts")?,
            ai_credits: fields.number("ai_credits")?,
        })
    }

    /// Spends AI credits of this month, if their limit leaves room for all of them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn spend_ai_credits(
        &self,
        workspace: WorkspaceId,
        charge: CreditCharge,
        now: Time,
    ) -> Result<SpendCredits> {
        self.spend_ai_credits_once(workspace, charge, Keep::nowhere(), &(), now)
            .await
    }

    /// [`Store::spend_ai_credits`], and stores the answer that `outcome`, for which they are spent, makes.
    ///
    /// # Errors
    /// The same; or when the claim was taken over.
    pub async fn spend_ai_credits_once<T: ?Sized>(
        &self,
        workspace: WorkspaceId,
        charge: CreditCharge,
        keep: Keep<'_, T>,
        outcome: &T,
        now: Time,
    ) -> Result<SpendCredits> {
        let mut tx = self.begin().await?;
        if let Some(reached) = tx.take_credits(workspace, charge, now).await? {
            return Ok(SpendCredits::LimitReached(reached));
        }
        tx.keep(keep, outcome).await?;
        tx.commit().await?;
        Ok(SpendCredits::Spent)
    }

    /// What is left of this month's posts at this moment.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn posts_left(
        &self,
        workspace: WorkspaceId,
        quota: MonthlyLimit,
        now: Time,
    ) -> Result<PostRoom> {
        Ok(PostRoom {
            limit: quota.limit,
            used: self.usage(workspace, &now.month()).await?.posts,
            resets_at: now.next_month_start(),
        })
    }

    /// Gives back AI credits that were spent at `spent_at`, after the work came to nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn return_ai_credits(
        &self,
        workspace: WorkspaceId,
        credits: u64,
        spent_at: Time,
    ) -> Result<()> {
        let sql = "UPDATE usage SET ai_credits = ai_credits - $3
            WHERE workspace_id = $1 AND month = $2 AND ai_credits >= $3";
        self.execute(sql, params![workspace, spent_at.month(), credits])
            .await?;
        Ok(())
    }
}

/// The posts that a month has left, in the order in which they are taken.
#[derive(Debug)]
pub struct PostRoom {
    limit: u64,
    used: u64,
    resets_at: Time,
}

impl PostRoom {
    /// Takes so many posts; what is used, if they do not fit.
    pub fn take(&mut self, posts: u64) -> Option<LimitReached> {
        if posts > 0 && self.used + posts > self.limit {
            return Some(LimitReached {
                limit: self.limit,
                used: self.used,
                resets_at: self.resets_at,
            });
        }
        self.used += posts;
        None
    }
}

impl Tx {
    /// What is left of this month's posts. The row is locked until the end of the transaction.
    pub(crate) async fn room_for_posts(
        &mut self,
        workspace: WorkspaceId,
        quota: MonthlyLimit,
        now: Time,
    ) -> Result<PostRoom> {
        let sql = "INSERT INTO usage (workspace_id, month, posts) VALUES ($1, $2, 0)
            ON CONFLICT (workspace_id, month) DO UPDATE SET posts = usage.posts RETURNING posts";
        let row = self.row(sql, params![workspace, now.month()]).await?;
        Ok(PostRoom {
            limit: quota.limit,
            used: row.map_or(Ok(0), |row| row.of("usage").number("posts"))?,
            resets_at: now.next_month_start(),
        })
    }

    /// Counts `posts` in this month if `quota` leaves room for all of them. The row stays locked until the end of
    /// the transaction, so that others wait for its outcome.
    pub(crate) async fn count_posts(
        &mut self,
        workspace: WorkspaceId,
        posts: u64,
        quota: Option<MonthlyLimit>,
        now: Time,
    ) -> Result<Option<LimitReached>> {
        if posts == 0 {
            return Ok(None);
        }
        let limit = quota.map_or(i64::MAX as u64, |quota| quota.limit);
        let sql = "INSERT INTO usage (workspace_id, month, posts) SELECT $1, $2, $3 WHERE $3 <= $4
            ON CONFLICT (workspace_id, month) DO UPDATE SET posts = usage.posts + excluded.posts
            WHERE usage.posts + excluded.posts <= $4 RETURNING posts";
        let counted = self
            .row(sql, params![workspace, now.month(), posts, limit])
            .await?;
        if counted.is_some() {
            return Ok(None);
        }
        let sql = "SELECT posts FROM usage WHERE workspace_id = $1 AND month = $2";
        let row = self.row(sql, params![workspace, now.month()]).await?;
        Ok(Some(LimitReached {
            limit,
            used: row.map_or(Ok(0), |row| row.of("usage").number("posts"))?,
            resets_at: now.next_month_start(),
        }))
    }

    /// Counts AI credits of this month if their limit leaves room for all of them.
    pub(crate) async fn take_credits(
        &mut self,
        workspace: WorkspaceId,
        charge: CreditCharge,
        now: Time,
    ) -> Result<Option<LimitReached>> {
        let credits = charge.credits;
        if credits == 0 {
            return Ok(None);
        }
        let limit = charge.limit.unwrap_or(i64::MAX as u64);
        let sql = "INSERT INTO usage (workspace_id, month, ai_credits) SELECT $1, $2, $3 WHERE $3 <= $4
            ON CONFLICT (workspace_id, month) DO UPDATE SET ai_credits = usage.ai_credits + excluded.ai_credits
            WHERE usage.ai_credits + excluded.ai_credits <= $4 RETURNING ai_credits";
        let params = params![workspace, now.month(), credits, limit];
        if self.row(sql, params).await?.is_some() {
            return Ok(None);
        }
        let sql = "SELECT ai_credits FROM usage WHERE workspace_id = $1 AND month = $2";
        let row = self.row(sql, params![workspace, now.month()]).await?;
        Ok(Some(LimitReached {
            limit,
            used: row.map_or(Ok(0), |row| row.of("usage").number("ai_credits"))?,
            resets_at: now.next_month_start(),
        }))
    }

    /// Gives one post back to the month in which it was counted.
    pub(crate) async fn uncount_post(&mut self, workspace: WorkspaceId, month: &str) -> Result<()> {
        let sql = "UPDATE usage SET posts = posts - 1 WHERE workspace_id = $1 AND month = $2 AND posts > 0";
        self.execute(sql, params![workspace, month]).await?;
        Ok(())
    }
}
