//! Notes on imports, so that one that was interrupted sends exactly the same requests again.
//!
//! There is one note for each service, key, `--idempotency-key` and content of a file. It has each request, written before that is sent.
//! The service keeps idempotency keys for 24 hours, and the client its notes; that of an import that has not ended is kept longer,
//! because a second one could then create posts twice. So could one of the same file with another content, in which rows are as they were: it
//! is rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use playout_client::{Error, Kind, SystemClock};
use playout_domain::time::{Clock, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::columns::Column;
use super::file::{ImportFile, Row};
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

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Note {
    began_at: Time,
    has_ended: bool,
    /// Names the service, the key and the path of the file; older programs do not write it.
    #[serde(default)]
    origin: Option<String>,
    /// The first row that no run has come to; those before it were sent or could not be.
    #[serde(default)]
    reached: usize,
    /// The rows of which a post may exist, each by a digest of its cells.
    #[serde(default)]
    may_exist: BTreeSet<String>,
    /// By idempotency key.
    requests: BTreeMap<String, Request>,
}

/// The note on an import.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    /// The start of every idempotency key.
    digest: String,
    /// A digest of each row.
    rows: Vec<String>,
    note: Note,
}

impl Journal {
    /// Reads the note on an earlier run, or begins one. `own` is the import's `--idempotency-key`.
    ///
    /// # Errors
    /// `import_interrupted` if an earlier run has not ended, and began so long ago that the service has forgotten its keys; `usage` if the file
    /// was changed since it was imported, and rows are as they were.
    pub(super) fn open(session: &Session, file: &ImportFile, own: Option<&str>) -> Result<Self, Error> {
        let now = SystemClock.now();
        delete_old(&folder(session), now);
        let digest = digest_of(&[own.unwrap_or_default().as_bytes(), &file.content]);
        let path = folder(session).join(format!("{}.json", named(session, digest.as_bytes())));
        let note = match read(&path) {
            Some(note) if now.since(note.began_at) >= KEPT => return Err(too_old(&note, &path)),
            Some(note) => note,
            None => {
                if own.is_none() {
                    refuse_repeated(session, file)?;
                }
                Note {
                    began_at: now,
                    has_ended: false,
                    origin: Some(origin_of(session, &file.path)),
                    reached: 0,
                    may_exist: BTreeSet::new(),
                    requests: BTreeMap::new(),
                }
            }
        };
        let rows = file.rows.iter().map(digest_of_row).collect();
        Ok(Self {
            path,
            digest,
            rows,
            note,
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
    pub(super) fn imported_since(
        &self,
        session: &Session,
        mut files: impl Iterator<Item = PathBuf>,
    ) -> Option<PathBuf> {
        let notes = notes_in(&folder(session))
            .filter(|note| note.began_at >= self.note.began_at && !note.requests.is_empty());
        let origins: Vec<String> = notes.filter_map(|note| note.origin).collect();
        files.find(|file| origins.contains(&origin_of(session, file)))
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
        self.note.may_exist.extend(rows.cloned());
        self.note.requests.insert(key.to_owned(), request.clone());
        self.write()
    }

    /// The first row that earlier runs and this one have not come to.
    pub(super) fn reached(&self) -> usize {
        let requests = self.note.requests.values();
        let sent = requests.map(|request| request.until).max();
        self.note.reached.max(sent.unwrap_or_default())
    }

    /// Notes that all rows before `row` were sent or could not be, and of which of them there is no post.
    pub(super) fn reaches(
        &mut self,
        row: usize,
        without_post: impl Iterator<Item = usize>,
    ) -> Result<(), Error> {
        for row in without_post {
            if let Some(digest) = self.rows.get(row) {
                self.note.may_exist.remove(digest);
            }
        }
        self.note.reached = self.note.reached.max(row);
        self.write()
    }

    /// Notes that all requests have responses.
    pub(super) fn ended(&mut self) -> Result<(), Error> {
        self.note.has_ended = true;
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        let text = serde_json::to_string(&self.note).map_err(|error| Error::usage(error.to_string()))?;
        write_private(&self.path, &text).map_err(|error| Error::file(&self.path, &error))
    }
}

fn digest_of(parts: &[&[u8]]) -> String {
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

/// The name of a file's path, also where no file is.
fn origin_of(session: &Session, path: &Path) -> String {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let path = folder.join(path.file_name().unwrap_or_default());
    named(session, path.as_os_str().as_encoded_bytes())
}

/// Where the notes are.
fn folder(session: &Session) -> PathBuf {
    session.environment.state_dir.join("imports")
}

fn notes_in(folder: &Path) -> impl Iterator<Item = Note> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| read(&entry.path()))
}

/// The cells of a row without why it failed.
fn digest_of_row(row: &Row) -> String {
    let error = Column::Error.name();
    let cells = row
        .cells
        .iter()
        .filter(|(name, _)| !name.trim().eq_ignore_ascii_case(&error));
    let cells: BTreeMap<&str, String> = cells
        .map(|(name, cell)| (name.trim(), cell.to_string().trim().to_owned()))
        .collect();
    digest_of(&[json!(cells).to_string().as_bytes()])
}

/// Refuses a file that was changed since an import of it, where rows of which a post may exist are as they were.
///
/// # Errors
/// `usage`, with what can be done.
pub(super) fn refuse_repeated(session: &Session, file: &ImportFile) -> Result<(), Error> {
    let (origin, now) = (origin_of(session, &file.path), SystemClock.now());
    for note in notes_in(&folder(session)) {
        let is_kept = !note.has_ended || now.since(note.began_at) < KEPT;
        if note.origin.as_deref() != Some(origin.as_str()) || !is_kept {
            continue;
        }
        let mut repeated = file
            .rows
            .iter()
            .filter(|row| note.may_exist.contains(&digest_of_row(row)));
        if let Some(first) = repeated.next() {
            let (path, count) = (file.path.display(), 1 + repeated.count());
            let rows = if count == 1 { "row" } else { "rows" };
            return Err(Error::usage(format!(
                "{path} was imported at {} and changed since: {count} {rows} of it, the first being row {}, may be created already, and would be \
                 created once more. Put what is new or corrected into a file of its own; what failed has one beside {path}. To create every row \
                 once more, give --idempotency-key with any text.",
                here().show(note.began_at),
                first.number
            )));
        }
    }
    Ok(())
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
