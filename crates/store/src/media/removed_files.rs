//! Files to be deleted: those of deleted media, noted with the deletion and remembered until no process can write them any
//! more; and those of media that are about to be inserted, noted beforehand for a time at which that has happened or never
//! will. The insertion takes such a note back.

use playout_domain::time::Time;

use crate::db::{Result, Row, Store, Tx, params};

impl Store {
    /// The storage keys of files that are to go by `now` and may still be there, and since when: in the order of the
    /// keys, at most `limit`, those that follow `after`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn removed_files(&self, after: &str, limit: u32, now: Time) -> Result<Vec<(String, Time)>> {
        let sql =
            "SELECT storage_key, removed_at FROM removed_files WHERE storage_key > $1 AND removed_at <= $3
            ORDER BY storage_key LIMIT $2";
        let rows = self.rows(sql, params![after, limit, now]).await?;
        let read = |row: &Row| {
            let fields = row.of("removed_files");
            Ok((fields.get("storage_key")?, fields.time("removed_at")?))
        };
        rows.iter().map(read).collect()
    }

    /// Notes files that are about to be written: at `end` they go, unless media were inserted that they belong to.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_files_until(&self, storage_keys: &[String], end: Time) -> Result<()> {
        let mut tx = self.begin().await?;
        for storage_key in storage_keys {
            tx.note_removed_files(storage_key, end).await?;
        }
        tx.commit().await
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

    /// Takes back the note of files that are not to go yet; returns whether there was one still.
    pub(crate) async fn take_back_note(&mut self, storage_key: &str, now: Time) -> Result<bool> {
        let sql = "DELETE FROM removed_files WHERE storage_key = $1 AND removed_at > $2";
        Ok(self.execute(sql, params![storage_key, now]).await? == 1)
    }
}
