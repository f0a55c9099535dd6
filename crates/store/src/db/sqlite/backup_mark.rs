//! The mark of a backup, in the header of its file. A backup that is copied over a database, beside that one's log or under a running
//! service, would be read as a mixture of both: what was published since would be published again, and nothing else would show it.
//!
//! The mark is SQLite's `user_version`, which nothing else uses here: bytes 60 to 63 of the file, big endian
//! (<https://www.sqlite.org/fileformat2.html#database_header>).

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rusqlite::ffi;

use super::failure::{Outcome, failure};

/// The `user_version` of a backup.
pub(super) const MARK: u32 = 0x506c_6179;
const AT: u64 = 60;

/// Whether the file is a backup that no service has used yet.
pub(super) fn is_marked(file: &File) -> bool {
    let mut version = [0; 4];
    file.read_exact_at(&mut version, AT)
        .is_ok_and(|()| u32::from_be_bytes(version) == MARK)
}

/// Refuses a backup that lies beside the log of another database. Changes nothing.
pub(super) fn refuse_beside_log(path: &Path) -> Outcome<()> {
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let has_log = std::fs::metadata(&log).is_ok_and(|metadata| metadata.len() > 0);
    let is_backup = File::open(path).is_ok_and(|file| is_marked(&file));
    match has_log && is_backup {
        true => Err(failure(ffi::SQLITE_CANTOPEN, &advice(path))),
        false => Ok(()),
    }
}

/// What to do about a backup that was copied over a database.
pub(super) fn advice(path: &Path) -> String {
    let path = path.display();
    format!(
        "a backup was copied over it, and {path}-wal is of the database that was there: together they are neither (nothing was \
         changed). To go back to the backup, stop the service, move {path}, {path}-wal and {path}-shm away, and type `playoutd restore \
         DIRECTORY` with the directory of the backup; to keep the database, put its own file back"
    )
}

/// Takes the mark from a backup that is used where it lies, before SQLite opens it.
pub(super) fn adopt(path: &Path) -> Outcome<()> {
    refuse_beside_log(path)?;
    if !File::open(path).is_ok_and(|file| is_marked(&file)) {
        return Ok(());
    }
    let unmarked = OpenOptions::new().write(true).open(path).and_then(|file| {
        file.write_all_at(&[0; 4], AT)?;
        file.sync_all()
    });
    unmarked.map_err(|error| failure(ffi::SQLITE_CANTOPEN, &error.to_string()))
}
