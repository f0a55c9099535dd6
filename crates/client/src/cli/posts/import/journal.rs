//! Notes on imports, so that one that was interrupted sends exactly the same requests again.
//!
//! There is one note for each service, key, `--idempotency-key` and content of a file. It has each request, written before that is sent.
//! The service keeps idempotency keys for 24 hours, and the client its notes; that of an import that has not ended is kept longer,
//! because a second one could then create posts twice. So could an import of another file, or of the same one with another content, in which
//! rows are as they were: it is rejected (`repeated.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use playout_client::{Error, Kind, SystemClock};
use playout_domain::time::{Clock, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::file::ImportFile;
use super::repeated::{Others, digests_of};
use super::state::RowState;
use crate::cli::moment::here;
use crate::cli::profile::write_private;
use crate::cli::session::Session;

/// How long the service keeps an idempotency key (`docs/contract.md#idempotency`).
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// A request for several posts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    /// The rows of its posts, in their order, as positions in the file.
    pub(super) rows: Vec<usize>,
    /// The first row after those that it is about; rows that could not be sent are no posts of it.
    pub(super) until: usize,
    pub(super) posts: Vec<Value>,
}

/// What is known of an import.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Note {
    pub(super) began_at: Time,
    pub(super) has_ended: bool,
    /// Names the service and the key; older programs do not write it.
    #[serde(default)]
    pub(super) access: String,
    /// The file.
    #[serde(default)]
    pub(super) path: PathBuf,
    /// The first row that no run has come to; those before it were sent or could not be.
    #[serde(default)]
    reached: usize,
    /// The posts that may exist, by the digests of [`digests_of`].
    #[serde(default)]
    pub(super) may_exist: BTreeSet<String>,
    /// Those that failed.
    #[serde(default)]
    pub(super) failed: BTreeSet<String>,
    /// By idempotency key.
    requests: BTreeMap<String, Request>,
}

impl Note {
    /// Whether anything was sent.
    pub(super) fn has_sent(&self) -> bool {
        !self.requests.is_empty()
    }
}

/// The note on an import.
#[derive(Debug)]
pub(super) struct Journal {
    /// Where the note is.
    at: PathBuf,
    /// The start of every idempotency key.
    digest: String,
    /// Of each row, the digest of its post on each account.
    rows: Vec<BTreeMap<String, String>>,
    note: Note,
    others: Others,
}

impl Journal {
    /// Reads the note on an earlier run, or begins one. `own` is the import's `--idempotency-key`, `accounts` the name of that column.
    ///
    /// # Errors
    /// `import_interrupted` if an earlier run has not ended, and began so long ago that the service has forgotten its keys; `usage` if posts of
    /// the file may be created already by another import.
    pub(super) fn open(
        session: &Session,
        file: &ImportFile,
        own: Option<&str>,
        accounts: &str,
    ) -> Result<Self, Error> {
        let now = SystemClock.now();
        delete_old(&folder(session), now);
        let digest = digest_of(&[own.unwrap_or_default().as_bytes(), &file.content]);
        let at = folder(session).join(format!("{}.json", named(session, digest.as_bytes())));
        let path = absolute(&file.path);
        let note = match read(&at) {
            Some(note) if now.since(note.began_at) >= KEPT => return Err(too_old(&note, &at)),
            Some(note) => note,
            None => {
                if own.is_none() {
                    Others::of(session, None).refuse(file, accounts)?;
                }
                Note {
                    began_at: now,
                    has_ended: false,
                    access: named(session, b""),
                    path,
                    reached: 0,
                    may_exist: BTreeSet::new(),
                    failed: BTreeSet::new(),
                    requests: BTreeMap::new(),
                }
            }
        };
        let rows = file.rows.iter().map(|row| digests_of(row, accounts)).collect();
        // Who imports a file once more on purpose asks for what was imported before.
        let since = own.map(|_| note.began_at);
        let others = Others::of(session, since).without(&at);
        Ok(Self {
            at,
            digest,
            rows,
            note,
            others,
        })
    }

    /// When the first run began; times such as `+3d` count from then.
    pub(super) fn began_at(&self) -> Time {
        self.note.began_at
    }

    /// The idempotency key of a request that begins at a row; `attempt` counts how often rows of it that failed were sent again.
    pub(super) fn key_of(&self, row: usize, attempt: usize) -> String {
        format!("import-{}-{row}-{attempt}", &self.digest[..40])
    }

    /// The request that an earlier run sent with a key.
    pub(super) fn request(&self, key: &str) -> Option<Request> {
        self.note.requests.get(key).cloned()
    }

    /// Which of these files an import began of since this one did, and has sent something.
    pub(super) fn imported_since(&self, files: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
        self.others.imported_since(self.note.began_at, files)
    }

    /// Whether the post of a row on the account that it names so may be created by another import.
    pub(super) fn is_of_another(&self, row: usize, account: &str) -> bool {
        let digest = self.rows.get(row).and_then(|row| row.get(account));
        digest.is_some_and(|digest| self.others.may_have_created(digest, &self.note.path))
    }

    /// The rows that earlier runs have sent, as positions in the file.
    pub(super) fn sent_before(&self) -> Vec<usize> {
        let requests = self.note.requests.values();
        requests
            .flat_map(|request| request.rows.iter().copied())
            .collect()
    }

    /// Notes a request, before it is sent.
    pub(super) fn sends(&mut self, key: &str, request: &Request) -> Result<(), Error> {
        self.note.has_ended = false;
        let rows = request.rows.iter().filter_map(|row| self.rows.get(*row));
        self.note
            .may_exist
            .extend(rows.flat_map(|row| row.values().cloned()));
        self.note.requests.insert(key.to_owned(), request.clone());
        self.write()
    }

    /// The first row that earlier runs and this one have not come to.
    pub(super) fn reached(&self) -> usize {
        let requests = self.note.requests.values();
        let sent = requests.map(|request| request.until).max();
        self.note.reached.max(sent.unwrap_or_default())
    }

    /// Notes that all rows before `end` were sent or could not be, and what became of them.
    pub(super) fn reaches(&mut self, end: usize, states: &[RowState]) -> Result<(), Error> {
        let (mut failed, mut others) = (BTreeSet::new(), BTreeSet::new());
        for (digests, state) in self.rows.iter().zip(states).take(end) {
            for (account, digest) in digests {
                let known = if state.has_failed_on(account) {
                    &mut failed
                } else {
                    &mut others
                };
                known.insert(digest.clone());
            }
        }
        // The same row may be there twice.
        failed.retain(|digest| !others.contains(digest));
        self.note.may_exist.retain(|digest| !failed.contains(digest));
        self.note.failed = failed;
        self.note.reached = self.note.reached.max(end);
        self.write()
    }

    /// Notes that all requests have responses.
    pub(super) fn ended(&mut self) -> Result<(), Error> {
        self.note.has_ended = true;
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        let text = serde_json::to_string(&self.note).map_err(|error| Error::usage(error.to_string()))?;
        write_private(&self.at, &text).map_err(|error| Error::file(&self.at, &error))
    }
}

pub(super) fn digest_of(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    hex::encode(digest.finalize())
}

/// An unreadable note counts as none.
fn read(path: &Path) -> Option<Note> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// A name for something of the session's service and key.
fn named(session: &Session, what: &[u8]) -> String {
    let secret = session.access.key.as_ref().map_or("", |key| key.expose());
    digest_of(&[session.access.url.as_str().as_bytes(), secret.as_bytes(), what])
}

/// A file's path, also where no file is.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    folder.join(path.file_name().unwrap_or_default())
}

/// Where the notes are.
fn folder(session: &Session) -> PathBuf {
    session.environment.state_dir.join("imports")
}

/// The notes on imports with the session's service and key that still count, each with where it is.
pub(super) fn notes(session: &Session) -> Vec<(PathBuf, Note)> {
    let (access, now) = (named(session, b""), SystemClock.now());
    let entries = std::fs::read_dir(folder(session)).into_iter().flatten().flatten();
    let notes = entries.filter_map(|entry| Some((entry.path(), read(&entry.path())?)));
    let counts = |note: &Note| note.access == access && (!note.has_ended || now.since(note.began_at) < KEPT);
    notes.filter(|(_, note)| counts(note)).collect()
}

fn delete_old(folder: &Path, now: Time) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let note = read(&entry.path());
        if note.is_some_and(|note| note.has_ended && now.since(note.began_at) >= KEPT) {
            // It is only a note: one that cannot be deleted stays.
            let _stays = std::fs::remove_file(entry.path());
        }
    }
}

fn too_old(note: &Note, path: &Path) -> Error {
    let message = format!(
        "An import of this file began at {} and has not ended, and the service has forgotten its idempotency keys since: posts of it may \
         exist. Compare `playout posts list` with the file, take out the rows that were created, and import the rest; or delete {} to \
         import the file as it is.",
        here().show(note.began_at),
        path.display()
    );
    Error::new(Kind::Usage, "import_interrupted", message)
}
