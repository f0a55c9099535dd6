//! Files that the database names and the storage does not have, or has with another size.
//!
//! The database knows the size of each file, so that nothing else has to be kept with a backup, and backups of earlier versions are compared too.
//! No file is read for it.

use playout_store::Store;

use super::storage::{Sizes, Storage};
use crate::logs::counted;
use crate::open_error::OpenError;

/// How many rows are read at once.
const PAGE: u32 = 1000;
/// How many files are named.
const MOST_NAMES: usize = 5;

/// Files of finished media that are missing, or damaged.
#[derive(Debug, Default)]
pub(super) struct MissingFiles {
    missing: Named,
    damaged: Named,
}

#[derive(Debug, Default)]
struct Named {
    count: u64,
    /// The first of them.
    names: Vec<String>,
}

impl Named {
    fn add(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.names.len() < MOST_NAMES {
            self.names.push(name());
        }
    }

    fn list(&self) -> String {
        let more = match self.count > self.names.len() as u64 {
            true => ", …",
            false => "",
        };
        format!("{}{more}", self.names.join(", "))
    }
}

impl MissingFiles {
    /// Those of which no size is known, and those that have another size than the database has.
    pub(super) async fn of(store: &Store, sizes: &Sizes) -> Result<Self, OpenError> {
        let mut found = Self::default();
        let mut after = String::new();
        loop {
            let files = store.stored_files_after(&after, PAGE).await?;
            match files.last() {
                Some(last) => after.clone_from(&last.key),
                None => return Ok(found),
            }
            for file in files {
                match (sizes.of(&file.key), file.size_bytes) {
                    (None, _) => found.missing.add(|| file.key),
                    (Some(has), Some(size)) if has != size => {
                        found
                            .damaged
                            .add(|| format!("{} ({has} bytes instead of {size})", file.key));
                    }
                    (Some(_), _) => {}
                }
            }
        }
    }

    pub(super) fn missing(&self) -> u64 {
        self.missing.count
    }

    pub(super) fn damaged(&self) -> u64 {
        self.damaged.count
    }

    /// What to report of them; `None` where there are none.
    pub(super) fn report(&self, storage: &Storage) -> Option<String> {
        let mut parts = Vec::new();
        if self.missing.count > 0 {
            parts.push(format!(
                "{} that the database names and the storage {} does not have: {}",
                counted(self.missing.count, "file"),
                storage,
                self.missing.list()
            ));
        }
        if self.damaged.count > 0 {
            parts.push(format!(
                "{} in the storage {} with another size than the database has: {}",
                counted(self.damaged.count, "file"),
                storage,
                self.damaged.list()
            ));
        }
        (!parts.is_empty()).then(|| {
            format!(
                "{}. Posts with these files cannot be published: put the files there from another copy, or upload them again",
                parts.join("; ")
            )
        })
    }
}

/// What to report of a backup in which fewer files were found than it had when it was made.
pub(super) fn lost(files: u64, found: u64) -> Option<String> {
    (found < files).then(|| {
        format!("files that were removed from the backup: it has {found} of the {files} that it had when it was made")
    })
}
