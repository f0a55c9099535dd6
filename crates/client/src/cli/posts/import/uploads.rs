//! The files of an import: each is uploaded once, however many rows name it, and not again by a later run within 24 hours.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use playout_client::{Api, Error, SystemClock};
use playout_domain::time::{Clock, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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
    pub(super) fn new(session: &'a Session, api: &'a Api) -> Self {
        let secret = session.access.key.as_ref().map_or("", |key| key.expose());
        let name = hex::encode(Sha256::digest(format!("{}\n{secret}", session.access.url)));
        let folder = session.environment.state_dir.join("imports");
        let path = folder.join(format!("uploads-{}.json", &name[..16]));
        // Unreadable notes count as none: the files are uploaded again.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut notes: BTreeMap<String, Note> = serde_json::from_str(&text).unwrap_or_default();
        let now = SystemClock.now();
        notes.retain(|_, note| now.since(note.uploaded_at) < KEPT);
        Self {
            session,
            api,
            path,
            notes,
            done: BTreeMap::new(),
        }
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
    /// If the notes cannot be written; what is wrong with a file is its own result.
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
        let all = upload_each(self.session, self.api, missing).await;
        for (file, result) in all {
            if let (Ok(id), Some(key)) = (&result, keys.get(&file)) {
                let note = Note {
                    media_id: id.clone(),
                    uploaded_at: SystemClock.now(),
                };
                self.notes.insert(key.clone(), note);
            }
            self.done.insert(file, result);
        }
        self.write()
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

    fn write(&self) -> Result<(), Error> {
        if self.notes.is_empty() {
            return Ok(());
        }
        let text = serde_json::to_string(&self.notes).map_err(|error| Error::usage(error.to_string()))?;
        write_private(&self.path, &text).map_err(|error| Error::file(&self.path, &error))
    }
}
