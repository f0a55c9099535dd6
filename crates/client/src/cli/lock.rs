//! Locks between programs that run at once: a file that is locked beside the one that they change.

use std::fs::File;
use std::path::Path;

use playout_client::Error;

/// Opens the file of a lock, and makes it and its folder if they are missing.
///
/// # Errors
/// `file_error`
pub(super) fn open(path: &Path) -> Result<File, Error> {
    let open = || {
        std::fs::create_dir_all(path.parent().unwrap_or(path))?;
        File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
    };
    open().map_err(|error| Error::file(path, &error))
}

/// Reads, changes and replaces the file at `path` with `change`, while no other program does.
///
/// # Errors
/// Those of `change`, and `file_error` if there can be no lock beside the file.
pub(super) fn alone<T>(path: &Path, change: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let lock = open(&path.with_extension("lock"))?;
    // Where files cannot be locked, the last of several changes at once wins.
    let _unlocked = lock.lock();
    change()
}
