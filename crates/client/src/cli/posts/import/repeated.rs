//! What other imports have created, or may have: it is not created once more.
//!
//! A post is known by its account and what would be sent for its row, whatever the file: rows that failed are in a file of their own as well, and people
//! go on with one or the other, add rows to a file, or correct some. When a file was changed, what failed in it counts as created once the file
//! of what failed was imported, in which it may have been corrected.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use playout_client::Error;
use playout_domain::time::Time;

use super::file::{ImportFile, failed_beside, family_of};
use super::notes::{Digests, Note, PostDigest, absolute, notes};
use crate::cli::moment::here;
use crate::cli::session::Session;

/// What is known of other imports with the same service and key.
#[derive(Debug)]
pub(super) struct Others(Vec<(PathBuf, Note)>);

impl Others {
    /// All that count.
    ///
    /// # Errors
    /// `usage` if there is no folder for notes.
    pub(super) fn of(session: &Session) -> Result<Self, Error> {
        notes(session).map(Self)
    }

    /// Those that an import with an `--idempotency-key` must not repeat: it repeats on purpose what was imported before it began, unless with
    /// the same key.
    pub(super) fn besides_repetitions(mut self, own: &str, began_at: Time) -> Self {
        self.0
            .retain(|(_, note)| note.began_at >= began_at || note.own.as_deref() == Some(own));
        self
    }

    /// The same without the import whose note is there, which a run at `now` goes on with unless it has ended and is forgotten.
    pub(super) fn without(mut self, at: &Path, now: Time) -> Self {
        self.0
            .retain(|(other, note)| other != at || (note.has_ended && note.is_forgotten(now)));
        self
    }

    /// Which of these files an import began of since a time, that may have created something.
    pub(super) fn imported_since(
        &self,
        time: Time,
        mut files: impl Iterator<Item = PathBuf>,
    ) -> Option<PathBuf> {
        files.find(|file| {
            let file = absolute(file);
            let mut notes = self.0.iter().map(|(_, note)| note);
            notes.any(|note| note.path == file && note.began_at >= time && !note.may_exist.is_empty())
        })
    }

    /// Whether a file of what failed in the import of `first`, or in that of such a file, was imported since and has created the post of a row on
    /// an account, as it was corrected there.
    pub(super) fn has_corrected(&self, first: &Note, origin: usize, account: &str) -> bool {
        let mut files = first.left.clone();
        loop {
            let known = files.len();
            let since = self.0.iter().map(|(_, note)| note).filter(|note| {
                note.has_ended && note.began_at >= first.began_at && files.contains(&note.path)
            });
            let since: Vec<&Note> = since.collect();
            if since.iter().any(|note| note.has_created_for(origin, account)) {
                return true;
            }
            files.extend(since.iter().flat_map(|note| note.left.iter().cloned()));
            if files.len() == known {
                return false;
            }
        }
    }

    /// The import that may have created a post of the file at `path`, which is absolute.
    pub(super) fn creator_of(&self, post: &PostDigest, path: &Path) -> Option<&Note> {
        let mut notes = self.0.iter().map(|(_, note)| note);
        notes.find(|note| {
            let has_continued = || {
                let since = self.imported_since(note.began_at, failed_beside(path));
                note.path == path && since.is_some()
            };
            let is_in = |known: &BTreeSet<String>| note.names(post).any(|digest| known.contains(digest));
            is_in(&note.may_exist) || (is_in(&note.failed) && has_continued())
        })
    }

    /// Refuses a file that is imported for the first time, where posts of it may be created already, or an import of the file that it is the
    /// rest of has not ended.
    ///
    /// # Errors
    /// `usage`, with what can be done.
    pub(super) fn refuse(&self, file: &ImportFile, digests: &[Digests]) -> Result<(), Error> {
        let path = file.path.display();
        let own = absolute(&file.path);
        let family: Vec<PathBuf> = family_of(&file.path).map(|path| absolute(&path)).collect();
        let is_open = |note: &&Note| !note.has_ended && note.has_sent() && family.contains(&note.path);
        if let Some(open) = self.0.iter().map(|(_, note)| note).find(is_open) {
            return Err(Error::usage(format!(
                "The import of {} that began at {} has not ended: rows that are in {path} too may be created. Run that one again first; it \
                 goes on, and creates nothing twice.",
                open.path.display(),
                here().show(open.began_at)
            )));
        }
        let mut repeated = file.rows.iter().zip(digests).filter_map(|(row, digests)| {
            let mut creators = digests.values().filter_map(|post| self.creator_of(post, &own));
            Some((row, creators.next()?))
        });
        let Some((first, creator)) = repeated.next() else {
            return Ok(());
        };
        let (count, when) = (1 + repeated.count(), here().show(creator.began_at));
        let rows = if count == 1 { "row" } else { "rows" };
        let since = match creator.path == own {
            true => format!("was imported at {when}"),
            false => format!(
                "has rows of {}, which was imported at {when}",
                creator.path.display()
            ),
        };
        Err(Error::usage(format!(
            "{path} {since}: {count} {rows} of it, the first being row {}, may be created already, and would be created once more. Put what is \
             new or corrected into a file of its own{}. To create every row once more, give --idempotency-key with any text.",
            first.number,
            what_failed(creator)
        )))
    }
}

/// Where the rows are that failed in an import, if there are any: a clause that follows what can be done.
fn what_failed(note: &Note) -> String {
    let left = note.left.iter().filter(|path| path.exists());
    let left: Vec<String> = left.map(|path| path.display().to_string()).collect();
    match left.is_empty() {
        true => String::new(),
        false => format!("; what failed is in {}", left.join(" and ")),
    }
}
