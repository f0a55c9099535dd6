//! The hold: a database that may be a copy publishes nothing before its posts were looked for at the provider.
//!
//! Beginning a hold marks every post that may have gone out since the copy was made with the time from which on to look
//! (`posts.look_since`). Each marked post is looked for once (`posts.looked_at`); when none is left the hold ends. A post that
//! was not found and goes out later keeps its mark, and is looked for once more just before it is handed over: the provider may
//! still have been processing it. Comments are marked too, and count as looked for from the beginning of the hold on: they cannot
//! be told apart. Each whose root turns out to have been sent before is given to a person. A post in ERROR is looked for too, as a
//! person may have sent it again since the copy was made; unless it is found, it stays in ERROR.

pub(crate) mod progress;
pub(crate) mod search;

use playout_domain::id::PostId;
use playout_domain::time::Time;

use crate::db::{Result, Row, Store, params, read_one};

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

/// What a hold that was released leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleasedHold {
    /// How many posts were still to be looked for because of this hold.
    pub not_looked_for: u64,
    /// How many were still to be looked for, and are marked by an earlier hold too: they are looked for before they are handed over.
    pub still_marked: u64,
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
    /// Whether a person released it.
    pub is_released: bool,
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
            let because = fields.get::<Option<String>>("held_because")?.unwrap_or_default();
            let released = because.strip_suffix(RELEASED).map(str::to_owned);
            Ok(LastHold {
                held_at: fields.time("last_held_at")?,
                is_released: released.is_some(),
                because: released.unwrap_or(because),
                ended_at: fields.time("hold_ended_at")?,
                not_looked_for: fields.number("last_hold_left")?,
            })
        })
    }

    /// When the last hold began, which may be on or over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn last_hold_began_at(&self) -> Result<Option<Time>> {
        let sql = "SELECT COALESCE(held_at, last_held_at) AS began_at FROM instance WHERE id = 1";
        let row = self.row(sql, params![]).await?;
        Ok(read_one(row, |row| row.of("instance").opt_time("began_at"))?.flatten())
    }

    /// Whether a hold has marked the post, and it is not known to be published since.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_marked(&self, post: PostId) -> Result<bool> {
        let sql = "SELECT id FROM posts WHERE id = $1 AND look_since IS NOT NULL";
        Ok(self.row(sql, params![post]).await?.is_some())
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
        let is_new = earlier.is_none();
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
                look_stays = look_since IS NOT NULL AND (look_stays OR $3),
                look_content = CASE WHEN look_since IS NOT NULL THEN look_content END,
                look_hidden = look_hidden AND look_since IS NOT NULL,
                looked_at = CASE WHEN parent_id IS NULL THEN NULL ELSE $2 END
            WHERE state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')";
        tx.execute(sql, params![hold.since, now, is_new]).await?;
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

    /// Ends the hold, if one is on, without looking any further: its marks are removed. Those that an earlier hold has made stay
    /// (`posts.look_stays`): what is known of this one says nothing of them. `None` if none is on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_hold(&self, now: Time) -> Result<Option<ReleasedHold>> {
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        if tx.lock(FIND_HOLD, params![]).await?.is_empty() {
            return Ok(None);
        }
        let (mut left, mut marked) = (0_i64, 0_i64);
        if let Some(row) = tx.row(COUNT_LEFT, params![]).await? {
            let fields = row.of("posts");
            (left, marked) = (fields.get("open_posts")?, fields.get("marked_posts")?);
        }
        tx.execute(LET_GO, params![now, left]).await?;
        let sql = "UPDATE instance SET held_because = COALESCE(held_because, '') || $1 WHERE id = 1";
        tx.execute(sql, params![RELEASED]).await?;
        let sql = "UPDATE posts SET look_since = NULL, looked_at = NULL WHERE look_since IS NOT NULL AND NOT look_stays";
        tx.execute(sql, params![]).await?;
        let sql = "UPDATE posts SET looked_at = $1 WHERE look_since IS NOT NULL AND looked_at IS NULL";
        tx.execute(sql, params![now]).await?;
        tx.wake_workers();
        tx.commit().await?;
        Ok(Some(ReleasedHold {
            not_looked_for: u64::try_from(left).unwrap_or_default(),
            still_marked: u64::try_from(marked).unwrap_or_default(),
        }))
    }
}

/// A post that is still to be looked for.
const LEFT: &str = "SELECT id FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
    AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR') LIMIT 1";

/// What the reason of a hold ends with that a person released.
const RELEASED: &str = " (released)";

/// How many there are that the hold itself has marked, and how many an earlier one has marked too.
const COUNT_LEFT: &str = "SELECT COALESCE(SUM(CASE WHEN look_stays THEN 0 ELSE 1 END), 0) AS open_posts,
        COALESCE(SUM(CASE WHEN look_stays THEN 1 ELSE 0 END), 0) AS marked_posts
    FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
    AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')";

/// Ends the hold, if one is on.
const LET_GO: &str =
    "UPDATE instance SET last_held_at = held_at, last_hold_left = COALESCE(last_hold_left, 0) + $2, held_at = NULL, hold_ended_at = $1
    WHERE id = 1 AND held_at IS NOT NULL";

const FIND_HOLD: &str =
    "SELECT held_at, held_since, held_because FROM instance WHERE id = 1 AND held_at IS NOT NULL";

fn read_hold(row: &Row) -> Result<Hold> {
    let fields = row.of("instance");
    Ok(Hold {
        held_at: fields.time("held_at")?,
        since: fields.time("held_since")?,
        because: fields.get("held_because")?,
    })
}
