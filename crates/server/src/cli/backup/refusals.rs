//! What a backup and a restore refuse before they write anything.

use std::path::{Path, PathBuf};

use playout_store::{RestoreTarget, Store};

use super::postgres::database_of;
use super::storage::Storage;
use crate::identity::marker::storage_in;
use crate::open_error::OpenError;

const NO_KEY: &str = "the key that this backup's database was made with is not part of it: set PLAYOUT_SECRET_KEY to that key; nothing was \
    restored";

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
pub(super) async fn refuse_storage_of_another(storage: &Storage, media: &Path) -> Result<(), OpenError> {
    match (storage.id().await?, storage_in(media)?) {
        (Some(there), Some(own)) if there != own => Err(format!(
            "the storage {storage} belongs to another database; nothing was restored. Move what is there away, or set PLAYOUT_STORAGE_URL to one \
             that is empty or does not exist"
        )
        .into()),
        _ => Ok(()),
    }
}

/// Refuses to restore a backup whose files are in a bucket beside a storage that has none of them: posts could not be published.
pub(super) async fn refuse_listed(storage: &Storage, bucket: Option<&str>) -> Result<(), OpenError> {
    match bucket {
        Some(bucket) if storage.id().await?.is_none() => Err(format!(
            "the files of this backup are in {bucket}, and {storage} has none of them; nothing was restored. Set PLAYOUT_STORAGE_URL to {bucket}, \
             or copy its objects to {storage} first"
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

/// Refuses a backup that lacks its database, or the folder of its files.
pub(super) fn refuse_missing_parts(database: &Path, media: &Path) -> Result<(), OpenError> {
    let missing = match (database.is_file(), media.is_dir()) {
        (true, true) => return Ok(()),
        (false, _) => database,
        (true, false) => media,
    };
    Err(format!(
        "{} is missing in the backup, so it is not complete any more: put it back from another copy of this backup, or restore another \
         backup; nothing was restored",
        missing.display()
    )
    .into())
}

/// Refuses to restore into a PostgreSQL database that is not there, or has tables.
pub(super) async fn refuse_filled(url: &str) -> Result<(), OpenError> {
    match Store::find_target(url).await? {
        RestoreTarget::Empty => Ok(()),
        RestoreTarget::Filled => {
            Err("the database is not empty: restore into a new one, and set database_url to it".into())
        }
        RestoreTarget::Absent => Err(format!(
            "the server has no database {name}, and a backup is restored into one that exists and is empty: make it, for the user that \
             PLAYOUT_DATABASE_URL names (as the user postgres: `createdb --owner=USER {name}`), and type the same command again; nothing was \
             restored",
            name = database_of(&url::Url::parse(url)?)
        )
        .into()),
    }
}
