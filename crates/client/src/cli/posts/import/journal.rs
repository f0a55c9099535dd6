//! The journal of an import, so that one that was interrupted sends exactly the same requests again: each is noted before it is sent.
//!
//! An import of another file, or of the same one with another content, in which rows are as they were, is rejected (`repeated.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use playout_client::{Error, Kind, SystemClock};
use playout_domain::time::{Clock, Time};

use super::file::ImportFile;
use super::notes::{Digests, Note, Request, absolute, begin_alone, delete_old, digest_of_import, place_of};
use super::repeated::Others;
use super::state::RowState;
use crate::cli::moment::here;
use crate::cli::session::Session;

/// The note on an import.
#[derive(Debug)]
pub(super) struct Journal {
    /// Where the note is.
    at: PathBuf,
    /// The start of every idempotency key.
    digest: String,
    rows: Vec<Digests>,
    /// Of each row, the one of the first file that it stands for.
    origins: Vec<Option<usize>>,
    note: Note,
    /// Whether no run has begun before.
    is_first: bool,
    others: Others,
    /// Keeps other imports from beginning.
    _alone: File,
}

impl Journal {
    /// Reads the note on an earlier run, or begins one. `own` is the import's `--idempotency-key`.
    ///
    /// # Errors
    /// `import_interrupted` if an earlier run has not ended, and began so long ago that the service has forgotten its keys; `import_running` if
    /// another one has not ended.
    pub(super) fn open(session: &Session, file: &ImportFile, own: Option<&str>) -> Result<Self, Error> {
        let alone = begin_alone(session)?;
        let now = SystemClock.now();
        delete_old(session, now)?;
        let digest = digest_of_import(&file.content, own);
        let at = place_of(session, &digest)?;
        // One that has ended is another import as soon as the service has forgotten its keys.
        let earlier = Note::read(&at).filter(|note| !(note.has_ended && note.is_forgotten(now)));
        let is_first = earlier.is_none();
        let note = match earlier {
            Some(note) if note.is_forgotten(now) => return Err(too_old(&note, &at)),
            Some(note) => note,
            None => Note::begin(session, &file.path, own, now),
        };
        let others = match own {
            None => Others::of(session)?,
            Some(own) => Others::of(session)?.besides_repetitions(own, note.began_at),
        };
        let others = others.without(&at, now);
        Ok(Self {
            at,
            digest,
            rows: Vec::new(),
            origins: Vec::new(),
            note,
            is_first,
            others,
            _alone: alone,
        })
    }

    /// Takes the digests of the file's rows, and the sizes of its media files.
    ///
    /// # Errors
    /// `usage` if this is the first run, and posts of the file may be created already by another import; or the earlier ones were of a file of
    /// another folder with the same bytes, which has other media.
    pub(super) fn compare(
        &mut self,
        file: &ImportFile,
        digests: Vec<Digests>,
        sizes: BTreeMap<PathBuf, u64>,
    ) -> Result<(), Error> {
        if self.is_first {
            self.others.refuse(file, &digests)?;
        }
        let own = absolute(&file.path);
        match (self.note.path == own, self.note.has_sent()) {
            (true, _) => {}
            // Nothing came of the other file: this one takes its place.
            (false, false) => {
                self.others.refuse(file, &digests)?;
                self.note.path = own;
            }
            (false, true) if self.note.sizes != sizes => return Err(of_other_media(&self.note, file)),
            (false, true) => {}
        }
        self.note.sizes = sizes;
        let instants = digests.iter().flat_map(Digests::values);
        let instants = instants.filter_map(|post| Some((post.at.clone()?, post.own.clone())));
        self.note.instants = instants.collect();
        self.origins = file.rows.iter().map(|row| file.origin_of(row)).collect();
        self.note.stand_ins.clear();
        for (origin, posts) in self.origins.iter().zip(&digests) {
            let Some(origin) = origin else { continue };
            let posts = posts
                .iter()
                .map(|(account, post)| (account.clone(), post.own.clone()));
            self.note.stand_ins.entry(*origin).or_default().extend(posts);
        }
        self.rows = digests;
        Ok(())
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

    /// Which of these files an import began of since this one did, that may have created something.
    pub(super) fn imported_since(&self, files: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
        self.others.imported_since(self.note.began_at, files)
    }

    /// The import, if any, that may have created the post of a row on the account that it names so.
    pub(super) fn creator_of(&self, row: usize, account: &str) -> Option<&Note> {
        let post = self.rows.get(row)?.get(account)?;
        self.others.creator_of(post, &self.note.path)
    }

    /// Whether a file of what failed has created the post of a row on an account since this import began, as it was corrected there.
    pub(super) fn is_corrected(&self, row: usize, account: &str) -> bool {
        let origin = self.origins.get(row).copied().flatten();
        origin.is_some_and(|origin| self.others.has_corrected(&self.note, origin, account))
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
        self.note.sent_at = Some(SystemClock.now());
        // What became of one that was sent before is known, or it is in doubt already.
        if !self.note.requests.contains_key(key) {
            let rows = request.rows.iter().filter_map(|row| self.rows.get(*row));
            let digests = rows.flat_map(Digests::values).map(|post| post.own.clone());
            self.note.may_exist.extend(digests);
            self.note.requests.insert(key.to_owned(), request.clone());
        }
        self.write()
    }

    /// Takes back the note on a request that was rejected, and had not been sent before: nothing came of it.
    pub(super) fn was_rejected(&mut self, key: &str) -> Result<(), Error> {
        let Some(request) = self.note.requests.remove(key) else {
            return Ok(());
        };
        let digests = |request: &Request| -> BTreeSet<String> {
            let rows = request.rows.iter().filter_map(|row| self.rows.get(*row));
            rows.flat_map(Digests::values)
                .map(|post| post.own.clone())
                .collect()
        };
        let others: BTreeSet<String> = self.note.requests.values().flat_map(digests).collect();
        let rejected = digests(&request);
        let is_kept = |digest: &String| !rejected.contains(digest) || others.contains(digest);
        self.note.may_exist.retain(is_kept);
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
            for (account, post) in digests {
                let known = if state.has_failed_on(account) {
                    &mut failed
                } else {
                    &mut others
                };
                known.insert(post.own.clone());
            }
        }
        // The same row may be there twice.
        failed.retain(|digest| !others.contains(digest));
        self.note.may_exist.retain(|digest| !failed.contains(digest));
        self.note.failed = failed;
        self.note.reached = self.note.reached.max(end);
        self.write()
    }

    /// Notes the file of what failed that a run has left.
    pub(super) fn leaves(&mut self, file: &Path) -> Result<(), Error> {
        match self.note.left.insert(absolute(file)) {
            true => self.write(),
            false => Ok(()),
        }
    }

    /// Notes that all requests have responses.
    pub(super) fn ended(&mut self) -> Result<(), Error> {
        self.note.has_ended = true;
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        self.note.write(&self.at)
    }
}

fn of_other_media(note: &Note, file: &ImportFile) -> Error {
    Error::usage(format!(
        "{} has the same rows as {}, which was imported at {}, with other files of the same names. To create its posts too, give \
         --idempotency-key with any text.",
        file.path.display(),
        note.path.display(),
        here().show(note.began_at)
    ))
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
