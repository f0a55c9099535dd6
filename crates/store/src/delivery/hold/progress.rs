//! How far a hold is, and what it leaves to people.

use super::Hold;
use crate::db::{Result, Store, params, read_all};

/// How far the search of a hold is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HoldProgress {
    /// Posts that are still to be looked for.
    pub left: u64,
    /// Posts that the search has left with a person, and that still wait for them.
    pub left_to_people: u64,
}

/// An account that a hold could not search, because it must be reconnected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsearchedAccount {
    /// Its handle with `@`, or else its name.
    pub name: String,
    /// How many of its posts were not looked for.
    pub posts: u64,
}

impl Store {
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
    pub async fn unsearched_accounts(&self, hold: &Hold) -> Result<Vec<UnsearchedAccount>> {
        let sql = "SELECT a.id, COALESCE('@' || a.display_handle, a.display_name, a.provider_account_id) AS account_name,
                COUNT(*) AS open_posts
            FROM posts p JOIN platforms a ON a.id = p.platform_id
            WHERE p.look_since IS NOT NULL AND p.looked_at >= $1 AND p.parent_id IS NULL
                AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR')
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
}
