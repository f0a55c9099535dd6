//! Files that the database names and the storage does not have.

use std::path::Path;

use playout_store::Store;

use crate::logs::counted;
use crate::open_error::OpenError;

/// How many rows are read at once.
const PAGE: u32 = 1000;
/// How many files are named.
const MOST_NAMES: usize = 5;

/// Files of finished media that are missing in a backup.
#[derive(Debug, Default)]
pub(super) struct MissingFiles {
    pub(super) count: u64,
    /// The first of them.
    names: Vec<String>,
}

impl MissingFiles {
    /// Those that are neither in the backup's folder `media` nor in the storage: a file that only the storage has came after the copy
    /// of the database.
    pub(super) async fn of(store: &Store, media: &Path, storage: &Path) -> Result<Self, OpenError> {
        let mut missing = Self::default();
        let mut after = String::new();
        loop {
            let keys = store.storage_keys_after(&after, PAGE).await?;
            match keys.last() {
                Some(last) => after.clone_from(last),
                None => return Ok(missing),
            }
            let is_missing = |key: &String| !media.join(key).exists() && !storage.join(key).exists();
            for key in keys.into_iter().filter(is_missing) {
                missing.count += 1;
                if missing.names.len() < MOST_NAMES {
                    missing.names.push(key);
                }
            }
        }
    }

    /// What to report of them; `None` where there are none.
    pub(super) fn report(&self, storage: &Path) -> Option<String> {
        let more = match self.count > self.names.len() as u64 {
            true => ", …",
            false => "",
        };
        (self.count > 0).then(|| {
            format!(
                "the backup is complete but for {} that the database names and the storage {} does not have: {}{more}. Posts with these \
                 files cannot be published",
                counted(self.count, "file"),
                storage.display(),
                self.names.join(", ")
            )
        })
    }
}
