//! Whether a dump is still being loaded into the database.
//!
//! `pg_restore` makes the tables, fills one after the other, each in a transaction of its own, and adds primary keys and then foreign
//! keys at the end. Until then a table without rows proves nothing: those of another table may be there already.

use crate::db::{Result, Store, params};

/// The tables that publishing and the hold read. The key of a table is added once it is filled; the reference of `jobs` is among the last.
const INCOMPLETE: &str = "SELECT wanted.name AS incomplete FROM unnest(ARRAY['instance', 'instance_place', 'workspaces', 'platforms',
        'media', 'posts', 'post_media', 'submissions', 'removed_submissions', 'jobs']) AS wanted (name)
    WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass(wanted.name) AND contype = 'p')
    UNION ALL SELECT 'jobs'::text WHERE NOT EXISTS (SELECT 1 FROM pg_constraint
        WHERE conrelid = to_regclass('jobs') AND confrelid = to_regclass('posts') AND contype = 'f')
    LIMIT 1";

impl Store {
    /// A table of PostgreSQL that lacks a key, or is not there: a dump is being loaded, or one was broken off. Of an SQLite file there is
    /// none: it is copied, not loaded.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_incomplete_table(&self) -> Result<Option<String>> {
        if !self.is_postgres() {
            return Ok(None);
        }
        let row = self.row(INCOMPLETE, params![]).await?;
        row.map_or(Ok(None), |row| row.of("pg_constraint").get("incomplete"))
    }
}
