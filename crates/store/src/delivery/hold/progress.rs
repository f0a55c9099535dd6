//! How far a hold is, and what it leaves to people.

use std::time::Duration;

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;

use super::Hold;
use crate::db::{Result, Row, Store, params, read_all};

/// How far the search of a hold is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HoldProgress {
    /// Posts that are still to be looked for.
    pub left: u64,
    /// Posts that the search has left with a person, and that still wait for them.
    pub left_to_people: u64,
}

/// An account with posts that a hold has not looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldAccount {
    /// Its handle with `@`, or else its name.
    pub name: String,
    /// The workspace that it belongs to.
    pub workspace: WorkspaceId,
    /// The name of that workspace.
    pub workspace_name: String,
    /// How many of its posts it has not looked for.
    pub posts: u64,
}

/// Posts that the search of a hold did not find, and that wait until the provider can have finished what was sent before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaitingPosts {
    /// How many.
    pub count: u64,
    /// When the last of them was looked for.
    pub looked_at: Option<Time>,
}

/// Reads accounts with the number of their posts that a condition selects.
macro_rules! held_accounts {
    () => {
        "SELECT a.id, COALESCE('@' || a.display_handle, a.display_name, a.provider_account_id) AS account_name,
            w.id AS workspace_id, w.name AS workspace_name, COUNT(*) AS open_posts
         FROM posts p JOIN platforms a ON a.id = p.platform_id JOIN workspaces w ON w.id = a.workspace_id "
    };
    (grouped) => {
        "GROUP BY a.id, a.display_handle, a.display_name, a.provider_account_id, w.id, w.name ORDER BY account_name, a.id"
    };
}

impl Store {
    /// The queued posts that are due before `patience` has passed since the search that did not find them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn posts_that_wait(&self, patience: Duration, now: Time) -> Result<WaitingPosts> {
        let sql = "SELECT COUNT(*) AS waiting_posts, MAX(p.looked_at) AS looked_at
            FROM posts p JOIN jobs j ON j.post_id = p.id AND j.kind = 'publish_post'
            WHERE p.look_since IS NOT NULL AND p.looked_at > $1 AND p.parent_id IS NULL AND p.state = 'QUEUE'
                AND COALESCE(j.planned_at, j.run_at) < p.looked_at + $2";
        let micros = i64::try_from(patience.as_micros()).unwrap_or(i64::MAX);
        let row = self.row(sql, params![now.minus(patience), micros]).await?;
        row.map_or(Ok(WaitingPosts::default()), |row| {
            let fields = row.of("posts");
            Ok(WaitingPosts {
                count: fields.number("waiting_posts")?,
                looked_at: fields.opt_time("looked_at")?,
            })
        })
    }

    /// How many comments of all workspaces are ACTION_REQUIRED, for whatever reason.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count_comments_action_required(&self) -> Result<u64> {
        let sql = "SELECT COUNT(*) AS asked_posts FROM posts WHERE state = 'ACTION_REQUIRED' AND parent_id IS NOT NULL";
        let row = self.row(sql, params![]).await?;
        row.map_or(Ok(0), |row| row.of("posts").number("asked_posts"))
    }

    /// How many posts are still to be looked for, and how many the search has left with a person.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold_progress(&self) -> Result<HoldProgress> {
        let sql = "SELECT (SELECT COUNT(*) FROM posts WHERE look_since IS NOT NULL AND looked_at IS NULL
                AND state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')) AS open_posts,
            (SELECT COUNT(*) FROM posts WHERE looked_at IS NOT NULL AND waiting = 'unconfirmed'
                AND parent_id IS NULL) AS asked_posts";
        let Some(row) = self.row(sql, params![]).await? else {
            return Ok(HoldProgress::default());
        };
        let fields = row.of("posts");
        Ok(HoldProgress {
            left: fields.number("open_posts")?,
            left_to_people: fields.number("asked_posts")?,
        })
    }

    /// How many posts of all workspaces are ACTION_REQUIRED, for whatever reason; comments do not count.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count_action_required(&self) -> Result<u64> {
        let sql =
            "SELECT COUNT(*) AS asked_posts FROM posts WHERE state = 'ACTION_REQUIRED' AND parent_id IS NULL";
        let row = self.row(sql, params![]).await?;
        row.map_or(Ok(0), |row| row.of("posts").number("asked_posts"))
    }

    /// The accounts whose posts `hold` could not look for, because they must be reconnected, by their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unsearched_accounts(&self, hold: &Hold) -> Result<Vec<HeldAccount>> {
        let sql = concat!(
            held_accounts!(),
            "WHERE p.look_since IS NOT NULL AND p.looked_at >= $1 AND p.parent_id IS NULL
                AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
                AND a.refresh_needed AND NOT a.disabled AND a.removed_at IS NULL ",
            held_accounts!(grouped)
        );
        read_all(&self.rows(sql, params![hold.held_at]).await?, read_held_account)
    }

    /// The accounts with posts that are still to be looked for, by their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn accounts_left(&self) -> Result<Vec<HeldAccount>> {
        let sql = concat!(
            held_accounts!(),
            "WHERE p.look_since IS NOT NULL AND p.looked_at IS NULL
                AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR') ",
            held_accounts!(grouped)
        );
        read_all(&self.rows(sql, params![]).await?, read_held_account)
    }
}

fn read_held_account(row: &Row) -> Result<HeldAccount> {
    let fields = row.of("platforms");
    Ok(HeldAccount {
        name: fields.get("account_name")?,
        workspace: fields.id("workspace_id")?,
        workspace_name: fields.get("workspace_name")?,
        posts: fields.number("open_posts")?,
    })
}
