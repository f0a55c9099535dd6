//! The files of media that were deleted: a note is made with the deletion and kept until nobody can write them any more.

use playout_domain::time::Time;

use crate::db::{Store, Tx};
use crate::error::Result;
use crate::param::params;
use crate::row::Row;

impl Store {
    /// The storage keys of deleted media whose files may still be there, and when they were deleted: in the order of
    /// the keys, at most `limit`, those that follow `after`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn removed_files(&self, after: &str, limit: u32) -> Result<Vec<(String, Time)>> {
        let sql = "SELECT storage_key, removed_at FROM removed_files WHERE storage_key > $1
            ORDER BY storage_key LIMIT $2";
        let rows = self.rows(sql, params![after, limit]).await?;
        let read = |row: &Row| {
            let fields = row.of("removed_files");
            Ok((fields.get("storage_key")?, fields.time("removed_at")?))
        };
        rows.iter().map(read).collect()
    }

    /// Forgets the files of a deleted media object, once they are gone for certain.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_removed_files(&self, storage_key: &str) -> Result<()> {
        let sql = "DELETE FROM removed_files WHERE storage_key = $1";
        self.execute(sql, params![storage_key]).await?;
        Ok(())
    }
}

impl Tx {
    /// Notes that the files of a media object are to go.
    pub(crate) async fn note_removed_files(&mut self, storage_key: &str, now: Time) -> Result<()> {
        let sql = "INSERT INTO removed_files (storage_key, removed_at) VALUES ($1, $2)
            ON CONFLICT (storage_key) DO NOTHING";
        self.execute(sql, params![storage_key, now]).await?;
        Ok(())
    }
}
