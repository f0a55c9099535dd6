//! The notes on imports, in the state folder: one for each service, key, `--idempotency-key` and content of a file.
//!
//! The service keeps idempotency keys for 24 hours, and the client its notes; that of an import that has not ended is kept longer,
//! because a second one could then create posts twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use playout_client::{Error, Kind, SystemClock};
use playout_domain::time::{Clock, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::cli::lock;
use crate::cli::profile::write_private;
use crate::cli::session::Session;

/// How long the service keeps an idempotency key (`docs/contract.md#idempotency`).
pub(super) const KEPT: Duration = Duration::from_secs(24 * 3600);
/// How long the rows of an import that has not ended are not imported from another file.
const IN_DOUBT: Duration = Duration::from_secs(7 * 24 * 3600);

/// By account, as a row names it, the digest of what its post there is.
pub(super) type Digests = BTreeMap<String, PostDigest>;

/// How a post is known.
#[derive(Debug, Clone)]
pub(super) struct PostDigest {
    /// Its digest; a time that counts from the import, such as `+3d`, is in it as its length.
    pub(super) own: String,
    /// Its digest with the instant that such a time comes to.
    pub(super) at: Option<String>,
}

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
    /// When something was sent last.
    #[serde(default)]
    pub(super) sent_at: Option<Time>,
    pub(super) has_ended: bool,
    /// Names the service and the key; older programs do not write it.
    #[serde(default)]
    pub(super) access: String,
    /// The file.
    #[serde(default)]
    pub(super) path: PathBuf,
    /// The sizes of its media files, by their paths as the file has them.
    #[serde(default)]
    pub(super) sizes: BTreeMap<PathBuf, u64>,
    /// The import's `--idempotency-key`.
    #[serde(default)]
    pub(super) own: Option<String>,
    /// The first row that no run has come to; those before it were sent or could not be.
    #[serde(default)]
    pub(super) reached: usize,
    /// The posts that may exist, by their digests ([`Reader::digests`](super::draft::Reader::digests)).
    #[serde(default)]
    pub(super) may_exist: BTreeSet<String>,
    /// By the digest with the instant that it comes to, the digest of each post whose time counts from the import.
    #[serde(default)]
    pub(super) instants: BTreeMap<String, String>,
    /// Those that failed.
    #[serde(default)]
    pub(super) failed: BTreeSet<String>,
    /// By the row of the first file that a row stands for, where this is one of what failed in it, its posts: by account, their digests.
    #[serde(default)]
    pub(super) stand_ins: BTreeMap<usize, BTreeMap<String, String>>,
    /// The files of what failed that its runs have left.
    #[serde(default)]
    pub(super) left: BTreeSet<PathBuf>,
    /// By idempotency key.
    pub(super) requests: BTreeMap<String, Request>,
}

impl Note {
    /// That of an import that begins now.
    pub(super) fn begin(session: &Session, path: &Path, own: Option<&str>, now: Time) -> Self {
        Self {
            began_at: now,
            sent_at: None,
            has_ended: false,
            access: named(session, b""),
            path: absolute(path),
            sizes: BTreeMap::new(),
            own: own.map(str::to_owned),
            reached: 0,
            may_exist: BTreeSet::new(),
            instants: BTreeMap::new(),
            failed: BTreeSet::new(),
            stand_ins: BTreeMap::new(),
            left: BTreeSet::new(),
            requests: BTreeMap::new(),
        }
    }

    /// Reads one. An unreadable note counts as none.
    pub(super) fn read(at: &Path) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(at).ok()?).ok()
    }

    pub(super) fn write(&self, at: &Path) -> Result<(), Error> {
        let text = serde_json::to_string(self).map_err(|error| Error::usage(error.to_string()))?;
        write_private(at, &text).map_err(|error| Error::file(at, &error))
    }

    /// Whether posts of it may have been created so short a time ago.
    fn is_of_the_last(&self, time: Duration, now: Time) -> bool {
        let last = self.sent_at.unwrap_or(self.began_at).max(self.began_at);
        now.since(last) < time
    }

    /// The digests by which this note knows a post, among which may be that of a time as another row writes it.
    pub(super) fn names<'a>(&'a self, post: &'a PostDigest) -> impl Iterator<Item = &'a String> {
        let given = [Some(&post.own), post.at.as_ref()].into_iter().flatten();
        given.flat_map(|digest| [Some(digest), self.instants.get(digest)].into_iter().flatten())
    }

    /// Whether the row that stands for one of the first file has its post on an account; on one that it does not name, all of its posts.
    pub(super) fn has_created_for(&self, origin: usize, account: &str) -> bool {
        let exists = |digest: &String| self.may_exist.contains(digest);
        let posts = self.stand_ins.get(&origin);
        posts.is_some_and(|posts| match posts.get(account) {
            Some(digest) => exists(digest),
            None => !posts.is_empty() && posts.values().all(exists),
        })
    }

    /// Whether it began so long ago that the service has forgotten its idempotency keys.
    pub(super) fn is_forgotten(&self, now: Time) -> bool {
        now.since(self.began_at) >= KEPT
    }

    /// Whether anything was sent.
    pub(super) fn has_sent(&self) -> bool {
        !self.requests.is_empty()
    }
}

/// A digest of several parts.
pub(super) fn digest_of(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    hex::encode(digest.finalize())
}

/// The digest of a file's content and of the import's `--idempotency-key`.
pub(super) fn digest_of_import(content: &[u8], own: Option<&str>) -> String {
    digest_of(&[own.unwrap_or_default().as_bytes(), content])
}

/// Where the note on an import is, by its digest.
///
/// # Errors
/// `usage` if there is no folder for notes.
pub(super) fn place_of(session: &Session, digest: &str) -> Result<PathBuf, Error> {
    let name = format!("{}.json", named(session, digest.as_bytes()));
    Ok(folder(session)?.join(name))
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
fn folder(session: &Session) -> Result<PathBuf, Error> {
    Ok(session.environment.state_dir()?.join("imports"))
}

/// Keeps other imports with the session's service and key from beginning, as long as it is not dropped: two at once may have the same rows.
///
/// # Errors
/// `import_running` if there is one.
pub(super) fn begin_alone(session: &Session) -> Result<File, Error> {
    let path = folder(session)?.join(format!("{}.lock", named(session, b"")));
    let file = lock::open(&path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let message = "Another import is running on this machine, with the same service and key. Wait until it has ended.";
            Err(Error::new(Kind::Usage, "import_running", message))
        }
        // Where files cannot be locked, imports are not kept apart.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// The notes on imports with the session's service and key that still count, each with where it is.
///
/// # Errors
/// `usage` if there is no folder for notes.
pub(super) fn notes(session: &Session) -> Result<Vec<(PathBuf, Note)>, Error> {
    let (access, now) = (named(session, b""), SystemClock.now());
    let entries = std::fs::read_dir(folder(session)?)
        .into_iter()
        .flatten()
        .flatten();
    // A program that was killed may have left half of a note beside it, under another name.
    let paths = entries.map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let notes = paths.filter_map(|path| Note::read(&path).map(|note| (path, note)));
    let counts = |note: &Note| {
        let kept = if note.has_ended { KEPT } else { IN_DOUBT };
        note.access == access && note.is_of_the_last(kept, now)
    };
    Ok(notes.filter(|(_, note)| counts(note)).collect())
}

/// Removes the notes that nothing needs any more.
///
/// # Errors
/// `usage` if there is no folder for notes.
pub(super) fn delete_old(session: &Session, now: Time) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder(session)?)
        .into_iter()
        .flatten()
        .flatten()
    {
        let note = Note::read(&entry.path());
        if note.is_some_and(|note| note.has_ended && !note.is_of_the_last(KEPT, now)) {
            // It is only a note: one that cannot be deleted stays.
            let _stays = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}
