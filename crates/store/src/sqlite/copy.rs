//! A copy of the database as of one moment, while it is used.

use std::path::Path;

use rusqlite::{Connection, ffi};

use crate::identity::IN_A_BACKUP;

use super::backup_mark::MARK;
use super::{Outcome, Sqlite, connect, failure, interrupted, keep_private};

/// A database that no service has used yet stays without a place.
const NOTE_BACKUP: &str = "UPDATE instance SET home = ?1 WHERE home IS NOT NULL";

impl Sqlite {
    /// Copies the database as of one moment into a new file, on a thread and a connection of its own.
    pub(crate) async fn copy_to(&self, path: &Path) -> Outcome<()> {
        keep_private(path);
        let connection = connect(self.path())?;
        let path = path.to_string_lossy().into_owned();
        let copying = tokio::task::spawn_blocking(move || {
            connection.execute("VACUUM INTO ?1", [&path])?;
            // Wherever it is used, it is at another place than the database was: it begins with a hold.
            let backup = Connection::open(&path)?;
            backup.execute(NOTE_BACKUP, [IN_A_BACKUP])?;
            backup.pragma_update(None, "user_version", MARK)?;
            drop(backup);
            let synced = std::fs::File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(|error| failure(ffi::SQLITE_IOERR_FSYNC, &error.to_string()))
        });
        copying.await.unwrap_or_else(|_| Err(interrupted()))
    }
}
