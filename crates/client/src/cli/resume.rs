//! Notes on unfinished resumable uploads, so that a client that was killed continues where it stopped.
//!
//! A note's key is the upload's service, file, size, modification time and folder. A changed file is another upload. Notes are
//! deleted with the upload's end; those of uploads that the service has deleted are dropped when they are next used, or after
//! [`KEPT`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use playout_client::{Error, SystemClock, UploadFile};
use playout_domain::time::{Clock, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::environment::Environment;
use super::lock;
use super::profile::write_private;

/// The service deletes an unfinished upload after 24 hours.
const KEPT: Duration = Duration::from_secs(24 * 3600);

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Note {
    upload_id: String,
    begun_at: Time,
}

/// The notes.
pub(super) struct Notes {
    path: PathBuf,
}

impl Notes {
    /// Opens them. An upload that cannot be noted must not begin: the service would keep what no run goes on with.
    ///
    /// # Errors
    /// `usage` if there is no folder for notes, `file_error` if they cannot be written.
    pub(super) fn open(environment: &Environment) -> Result<Self, Error> {
        let notes = Self {
            path: environment.state_dir()?.join("uploads.json"),
        };
        notes.change(|_| ())?;
        Ok(notes)
    }

    /// The unfinished upload of a file.
    pub(super) fn find(&self, key: &str) -> Option<String> {
        self.read().remove(key).map(|note| note.upload_id)
    }

    /// Records that an upload has begun.
    pub(super) fn begun(&self, key: &str, upload_id: &str) -> Result<(), Error> {
        let note = Note {
            upload_id: upload_id.to_owned(),
            begun_at: SystemClock.now(),
        };
        self.change(|notes| drop(notes.insert(key.to_owned(), note)))
    }

    /// Deletes the note of an upload that has ended.
    pub(super) fn ended(&self, key: &str) -> Result<(), Error> {
        self.change(|notes| drop(notes.remove(key)))
    }

    /// Unreadable notes count as none: the upload starts again.
    fn read(&self) -> BTreeMap<String, Note> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Several clients may write at once: each change is applied to the present file.
    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, Note>)) -> Result<(), Error> {
        lock::alone(&self.path, || {
            let mut notes = self.read();
            let now = SystemClock.now();
            notes.retain(|_, note| now.since(note.begun_at) < KEPT);
            change(&mut notes);
            let text =
                serde_json::to_string_pretty(&notes).map_err(|error| Error::usage(error.to_string()))?;
            write_private(&self.path, &text).map_err(|error| Error::file(&self.path, &error))
        })
    }
}

/// The key of an upload's note.
///
/// # Errors
/// If the file does not exist.
pub(super) fn key_of(service: &str, file: &UploadFile) -> Result<String, Error> {
    let unreadable = |error| Error::file(&file.path, &error);
    let path = file.path.canonicalize().map_err(unreadable)?;
    let changed = path
        .metadata()
        .and_then(|found| found.modified())
        .map_err(unreadable)?;
    let changed = changed
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos());
    let folder = file.folder_id.as_deref().unwrap_or("root");
    let parts = [
        service,
        &path.to_string_lossy(),
        &file.name,
        &file.size_bytes.to_string(),
        &changed.to_string(),
        folder,
    ];
    Ok(hex::encode(Sha256::digest(parts.join("\n"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_that_are_written_at_once_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Notes {
            path: folder.path().join("uploads.json"),
        };
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let notes = &notes;
                scope.spawn(move || {
                    for upload in 0..5 {
                        notes.begun(&format!("{writer}-{upload}"), "id").unwrap();
                    }
                });
            }
        });
        assert_eq!(notes.read().len(), 40);
    }
}
