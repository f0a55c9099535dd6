//! A copy of the database as of one moment, while it is used.

use std::path::Path;

use rusqlite::ffi;

use super::{Outcome, Sqlite, connect, failure, interrupted, keep_private};

impl Sqlite {
    /// Copies the database as of one moment into a new file, on a thread and a connection of its own.
    pub(crate) async fn copy_to(&self, path: &Path) -> Outcome<()> {
        keep_private(path);
        let connection = connect(self.path())?;
        let path = path.to_string_lossy().into_owned();
        let copying = tokio::task::spawn_blocking(move || {
            connection.execute("VACUUM INTO ?1", [&path])?;
            let synced = std::fs::File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(|error| failure(ffi::SQLITE_IOERR_FSYNC, &error.to_string()))
        });
        copying.await.unwrap_or_else(|_| Err(interrupted()))
    }
}
