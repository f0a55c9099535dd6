//! Files in the storage that no row names, from when they are first found until they are removed.

use playout_domain::time::Time;
use sqlx::AssertSqlSafe;

use crate::db::{Param, Result, Store, numbered, params};

/// Whether a row names `f.storage_key`: a media object, storage reserved for an upload, or a note that files are removed.
macro_rules! is_named {
    () => {
        "(EXISTS (SELECT 1 FROM media m WHERE m.storage_key = f.storage_key)
          OR EXISTS (SELECT 1 FROM storage_reservations r WHERE r.storage_key = f.storage_key)
          OR EXISTS (SELECT 1 FROM removed_files g WHERE g.storage_key = f.storage_key))"
    };
}

/// A file that was listed in the storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// The key of the file itself, such as that of a preview.
    pub file_key: String,
    /// The storage key of its media object.
    pub storage_key: String,
}

/// What a listing of the storage found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnnamedFiles {
    /// Files that no row names.
    pub files: u64,
    /// Media objects.
    pub media: u64,
}

impl Store {
    /// Notes those of the listed files that no row names, in one statement. A listing calls this with each of its pages of at
    /// most a few thousand files, always with the time at which it began, and then [`Store::end_listing`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_unnamed_files(&self, listed: &[ListedFile], began: Time) -> Result<()> {
        if !listed.is_empty() {
            let (sql, params) = note_unnamed(listed, began);
            self.execute_long(AssertSqlSafe(sql), params).await?;
        }
        Ok(())
    }

    /// Ends the listing that began at this time: forgets files that it did not find, or for which it found a row.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_listing(&self, began: Time) -> Result<UnnamedFiles> {
        let sql = "DELETE FROM unnamed_files WHERE seen_at <> $1";
        self.execute_long(sql, params![began]).await?;
        let sql =
            "SELECT (SELECT COUNT(*) FROM unnamed_files) AS files, (SELECT COUNT(*) FROM media) AS media";
        let Some(row) = self.row(sql, Vec::new()).await? else {
            return Ok(UnnamedFiles::default());
        };
        let fields = row.of("unnamed_files");
        Ok(UnnamedFiles {
            files: fields.number("files")?,
            media: fields.number("media")?,
        })
    }

    /// The keys of files that were found at `found_by` or earlier and that no row names, in order: at most `limit`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unnamed_files(&self, found_by: Time, limit: u32) -> Result<Vec<String>> {
        let sql = concat!(
            "SELECT f.file_key FROM unnamed_files f WHERE f.found_at <= $1 AND NOT ",
            is_named!(),
            " ORDER BY f.file_key LIMIT $2"
        );
        let rows = self.rows(sql, params![found_by, limit]).await?;
        rows.iter()
            .map(|row| row.of("unnamed_files").get("file_key"))
            .collect()
    }

    /// Forgets files that were removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_unnamed_files(&self, file_keys: &[String]) -> Result<()> {
        if file_keys.is_empty() {
            return Ok(());
        }
        let list = numbered(1, file_keys.len());
        let sql = format!("DELETE FROM unnamed_files WHERE file_key IN ({list})");
        let params = file_keys.iter().map(|key| Param::from(key.as_str())).collect();
        self.execute_long(AssertSqlSafe(sql), params).await?;
        Ok(())
    }
}

/// The text and parameters of [`Store::note_unnamed_files`].
pub(crate) fn note_unnamed(listed: &[ListedFile], began: Time) -> (String, Vec<Param>) {
    let mut params = params![began];
    let mut pairs = Vec::with_capacity(listed.len());
    for file in listed {
        pairs.push(format!("({})", numbered(params.len() + 1, 2)));
        params.extend(params![&file.file_key, &file.storage_key]);
    }
    let sql = format!(
        "WITH f (file_key, storage_key) AS (VALUES {})
         INSERT INTO unnamed_files (file_key, storage_key, found_at, seen_at)
         SELECT f.file_key, f.storage_key, $1, $1 FROM f WHERE NOT {}
         ON CONFLICT (file_key) DO UPDATE SET seen_at = excluded.seen_at",
        pairs.join(", "),
        is_named!()
    );
    (sql, params)
}
