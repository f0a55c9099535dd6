//! The files of an import: each is uploaded once, however many rows name it, and not again by a later run within 24 hours.
//!
//! The note on a file is written as soon as its upload has ended: a run that is killed leaves those of all files that it uploaded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use playout_client::{Api, Error, SystemClock};
use playout_domain::time::{Clock, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::heads::Unusable;
use crate::cli::lock;
use crate::cli::media::{described, upload_each};
use crate::cli::profile::write_private;
use crate::cli::resume::key_of;
use crate::cli::session::Session;

const KEPT: Duration = Duration::from_secs(24 * 3600);

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Note {
    media_id: String,
    uploaded_at: Time,
}

/// What became of files.
pub(super) struct Uploads<'a> {
    session: &'a Session,
    api: &'a Api,
    path: PathBuf,
    notes: BTreeMap<String, Note>,
    /// The media ID of each file, or why it has none.
    done: BTreeMap<PathBuf, Result<String, Error>>,
}

impl<'a> Uploads<'a> {
    /// No file is uploaded yet; `unusable` are not uploaded at all.
    ///
    /// # Errors
    /// `usage` if there is no folder for notes.
    pub(super) fn new(session: &'a Session, api: &'a Api, unusable: Unusable) -> Result<Self, Error> {
        let secret = session.access.key.as_ref().map_or("", |key| key.expose());
        let name = hex::encode(Sha256::digest(format!("{}\n{secret}", session.access.url)));
        let folder = session.environment.state_dir()?.join("imports");
        let path = folder.join(format!("uploads-{}.json", &name[..16]));
        Ok(Self {
            session,
            api,
            notes: read(&path),
            path,
            done: unusable
                .into_errors()
                .map(|(file, error)| (file, Err(error)))
                .collect(),
        })
    }

    /// The media ID of a file.
    ///
    /// # Errors
    /// Why it could not be uploaded.
    pub(super) fn id_of(&self, file: &PathBuf) -> Result<String, Error> {
        let missing = || Err(Error::usage(format!("{} was not uploaded.", file.display())));
        self.done.get(file).cloned().unwrap_or_else(missing)
    }

    /// Uploads those of the files that are not uploaded yet.
    ///
    /// # Errors
    /// If it is not known whether a file is uploaded; what is wrong with a file is its own result.
    pub(super) async fn provide(&mut self, files: impl Iterator<Item = PathBuf>) -> Result<(), Error> {
        let (mut missing, mut keys) = (Vec::new(), BTreeMap::new());
        for file in files {
            if self.done.contains_key(&file) || keys.contains_key(&file) {
                continue;
            }
            let described = match described(file.clone()) {
                Ok(described) => described,
                Err(error) => {
                    self.done.insert(file, Err(error));
                    continue;
                }
            };
            let key = key_of(self.session.access.url.as_str(), &described)?;
            match self.known(&key).await? {
                Some(id) => drop(self.done.insert(file, Ok(id))),
                None => {
                    keys.insert(file, key);
                    missing.push(described);
                }
            }
        }
        let note = |file: &Path, id: &str| match keys.get(file) {
            Some(key) => note(&self.path, key, id),
            None => Ok(()),
        };
        let all = upload_each(self.session, self.api, missing, &note).await;
        self.done.extend(all);
        Ok(())
    }

    /// The media ID of a file that an earlier run uploaded, if it still exists.
    async fn known(&self, key: &str) -> Result<Option<String>, Error> {
        let Some(note) = self.notes.get(key) else {
            return Ok(None);
        };
        match self.api.media(&note.media_id).await {
            Ok(media) if media.value.status == "READY" => Ok(Some(note.media_id.clone())),
            Ok(_) => Ok(None),
            Err(error) if error.status == Some(404) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The notes of the last 24 hours. Unreadable ones count as none: the files are uploaded again.
fn read(path: &Path) -> BTreeMap<String, Note> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut notes: BTreeMap<String, Note> = serde_json::from_str(&text).unwrap_or_default();
    let now = SystemClock.now();
    notes.retain(|_, note| now.since(note.uploaded_at) < KEPT);
    notes
}

/// Notes the media ID of a file, beside what other imports note at the same time.
fn note(path: &Path, key: &str, id: &str) -> Result<(), Error> {
    lock::alone(path, || {
        let mut notes = read(path);
        let note = Note {
            media_id: id.to_owned(),
            uploaded_at: SystemClock.now(),
        };
        notes.insert(key.to_owned(), note);
        let text = serde_json::to_string(&notes).map_err(|error| Error::usage(error.to_string()))?;
        write_private(path, &text).map_err(|error| Error::file(path, &error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_noted_at_once_are_all_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("uploads.json");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for file in 0..5 {
                        note(path, &format!("{writer}-{file}"), "id").unwrap();
                    }
                });
            }
        });
        assert_eq!(read(&path).len(), 40);
    }
}
