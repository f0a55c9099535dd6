//! What a backup and a restore refuse before they write anything.

use std::path::{Path, PathBuf};

use crate::identity::marker::storage_in;
use crate::open_error::OpenError;

const NO_KEY: &str = "the key that this backup's database was made with is not part of it: set PLAYOUT_SECRET_KEY to that key; nothing was \
    restored";

/// Refuses a backup without the folder of the storage, as where its file system is not mounted.
pub(super) fn refuse_missing_storage(storage: &Path) -> Result<(), OpenError> {
    match storage.is_dir() {
        true => Ok(()),
        false => Err(format!(
            "the storage {} is missing, and no backup was made: mount it, or set PLAYOUT_STORAGE_URL to where it is",
            storage.display()
        )
        .into()),
    }
}

/// Refuses to restore a backup without its key, where none is configured. `has_key`: whether the service had made the key itself, so that
/// it is this file of the backup.
pub(super) fn refuse_missing_key(key: &Path, has_key: bool) -> Result<(), OpenError> {
    match has_key {
        true if key.exists() => Ok(()),
        true => Err(format!(
            "{} is missing, with which the tokens in this backup are encrypted: put the file back from another copy of the backup, or set \
             PLAYOUT_SECRET_KEY to its content; nothing was restored",
            key.display()
        )
        .into()),
        false => Err(NO_KEY.into()),
    }
}

/// Refuses to put the media of a backup beside those of another database, because no node would serve them.
pub(super) fn refuse_storage_of_another(storage: &Path, media: &Path) -> Result<(), OpenError> {
    match (storage_in(storage)?, storage_in(media)?) {
        (Some(there), Some(own)) if there != own => Err(format!(
            "the storage {} belongs to another database; nothing was restored",
            storage.display()
        )
        .into()),
        _ => Ok(()),
    }
}

/// Refuses to restore over a database, or beside the journal of a killed service, which SQLite would replay into the restored
/// file.
pub(super) fn refuse_existing(path: &Path) -> Result<(), OpenError> {
    for end in ["", "-wal", "-shm", "-journal"] {
        let file = PathBuf::from(format!("{}{end}", path.display()));
        if file.exists() {
            let problem = match end {
                "" => format!("there is a database at {}", file.display()),
                _ => format!(
                    "{} belongs to an earlier database and would change the restored one",
                    file.display()
                ),
            };
            return Err(format!(
                "{problem}: stop the service if it runs, and then move it away before a backup is restored"
            )
            .into());
        }
    }
    Ok(())
}
