//! What to do about a key or a storage that is not the database's.

use playout_store::StoreError;

use super::marker::MARKER;
use crate::config::Config;
use crate::open_error::OpenError;

/// How the reason begins of every hold that begins because the database was restored from a backup.
pub const RESTORED_FROM: &str = "the database was restored from";

/// What to do about a storage that is lost for good; docs/backup.md, "What belongs together".
pub fn lost_storage(storage_url: &str) -> &'static str {
    match is_bucket(storage_url) {
        true => {
            "If the bucket is lost, copy the objects that its provider or you still have into an empty one, or, where there are none, the \
             object playout-storage.json alone, which any backup has in its folder `media`: posts whose files are missing are not published"
        }
        false => {
            "If the storage is lost, put the folder `media` of a backup in its place, or, where no backup has the files, an empty folder with \
             the file playout-storage.json of any backup's `media`: posts whose files are missing are not published"
        }
    }
}

/// Whether the storage at this address is a bucket, of which nothing is mounted.
pub fn is_bucket(storage_url: &str) -> bool {
    storage_url.starts_with("s3:")
}

/// What to do about values under a key that is not configured.
pub const MISSING_KEY: &str = "something in this database is encrypted under an earlier secret key, which is not configured any more: set \
    PLAYOUT_SECRET_KEY to the new key and the earlier one, separated by a comma, on every node, and leave the earlier one out once every \
    node has started with both";

/// What to do about a key that the database was not written with.
pub fn wrong_key(config: &Config) -> String {
    let file = config.data_dir.join("secret.key");
    let path = file.display();
    let right = match (config.secret_keys.0.is_empty(), file.exists()) {
        (true, true) => format!("put that one into {path}, or set PLAYOUT_SECRET_KEY to it"),
        (true, false) => {
            return format!(
                "the secret key of this database is missing, and no other is made in its place: put it back as {path}, which backups \
                 contain, or set PLAYOUT_SECRET_KEY to it"
            );
        }
        (false, true) => format!(
            "set PLAYOUT_SECRET_KEY to that one, or, if it is the one in {path}, unset PLAYOUT_SECRET_KEY, as that file does not count \
             beside it"
        ),
        (false, false) => "set PLAYOUT_SECRET_KEY to that one".to_owned(),
    };
    format!("the secret key is not the one that this database was written with: {right}")
}

/// The error of a command for an error of the store: for a wrong key the same text as in the log, and for a missing one what a service
/// that still runs can do about it.
pub fn explained(config: &Config, error: StoreError) -> OpenError {
    let is_missing = config.secret_keys.0.is_empty() && !config.data_dir.join("secret.key").exists();
    match error {
        StoreError::WrongKey(_) if is_missing => format!(
            "{}. If a service still runs here, do not stop it: its log has the command that copies the key back",
            wrong_key(config)
        )
        .into(),
        StoreError::WrongKey(_) => wrong_key(config).into(),
        other => other.into(),
    }
}

/// Why a node does not serve without a storage, although its database has files there.
pub fn missing_storage(storage_url: &str) -> String {
    let advice = match is_bucket(storage_url) {
        true => "set PLAYOUT_STORAGE_URL and the variables AWS_… to the right bucket",
        false => "mount it, or put the folder back",
    };
    format!("the storage at {storage_url} is missing, and the database has files there: {advice}")
}

/// Why a node does not serve with a storage that does not belong to its database.
pub fn wrong_storage(storage_url: &str) -> String {
    let advice = match is_bucket(storage_url) {
        true => "set PLAYOUT_STORAGE_URL and the variables AWS_… to the right one",
        false => "mount or set the right one",
    };
    format!(
        "the storage at {storage_url} is not the one that belongs to this database ({MARKER} is missing or another's): {advice}"
    )
}
