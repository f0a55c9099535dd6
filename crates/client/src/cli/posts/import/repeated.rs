//! What other imports have created, or may have: it is not created once more.
//!
//! A post is known by its account and the cells of its row, whatever the file: rows that failed are in a file of their own as well, and people
//! go on with one or the other, add rows to a file, or correct some. When a file was changed, what failed in it counts as created once the file
//! of what failed was imported, in which it may have been corrected.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use playout_client::Error;
use playout_domain::time::Time;
use serde_json::{Value, json};

use super::columns::Column;
use super::file::{ImportFile, Row, failed_beside, family_of};
use super::journal::{Note, absolute, digest_of, notes};
use crate::cli::moment::here;
use crate::cli::session::Session;

/// What is known of other imports with the same service and key.
#[derive(Debug)]
pub(super) struct Others(Vec<(PathBuf, Note)>);

impl Others {
    /// All that began since a time.
    pub(super) fn of(session: &Session, since: Option<Time>) -> Self {
        let mut notes = notes(session);
        notes.retain(|(_, note)| since.is_none_or(|since| note.began_at >= since));
        Self(notes)
    }

    /// The same without the import whose note is there.
    pub(super) fn without(mut self, at: &Path) -> Self {
        self.0.retain(|(other, _)| other != at);
        self
    }

    /// Which of these files an import began of since a time, and has sent something.
    pub(super) fn imported_since(
        &self,
        time: Time,
        mut files: impl Iterator<Item = PathBuf>,
    ) -> Option<PathBuf> {
        files.find(|file| {
            let file = absolute(file);
            let mut notes = self.0.iter().map(|(_, note)| note);
            notes.any(|note| note.path == file && note.began_at >= time && note.has_sent())
        })
    }

    /// Whether one of them may have created a post of the file at `path`.
    pub(super) fn may_have_created(&self, digest: &str, path: &Path) -> bool {
        self.creator_of(digest, path).is_some()
    }

    /// The import that may have created a post of the file at `path`, which is absolute.
    fn creator_of(&self, digest: &str, path: &Path) -> Option<&Note> {
        let mut notes = self.0.iter().map(|(_, note)| note);
        notes.find(|note| {
            let has_continued = || {
                let since = self.imported_since(note.began_at, failed_beside(path));
                note.path == path && since.is_some()
            };
            note.may_exist.contains(digest) || (note.failed.contains(digest) && has_continued())
        })
    }

    /// Refuses a file that is imported for the first time, where posts of it may be created already, or an import of the file that it is the
    /// rest of has not ended.
    ///
    /// # Errors
    /// `usage`, with what can be done.
    pub(super) fn refuse(&self, file: &ImportFile, accounts: &str) -> Result<(), Error> {
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
        let mut repeated = file.rows.iter().filter_map(|row| {
            let creators = digests_of(row, accounts).into_values();
            let creator = creators
                .filter_map(|digest| self.creator_of(&digest, &own))
                .next()?;
            Some((row, creator))
        });
        let Some((first, creator)) = repeated.next() else {
            return Ok(());
        };
        let (count, when) = (1 + repeated.count(), here().show(creator.began_at));
        let rows = if count == 1 { "row" } else { "rows" };
        let since = match creator.path == own {
            true => format!("was imported at {when} and changed since"),
            false => format!(
                "has rows of {}, which was imported at {when}",
                creator.path.display()
            ),
        };
        Err(Error::usage(format!(
            "{path} {since}: {count} {rows} of it, the first being row {}, may be created already, and would be created once more. Put what is \
             new or corrected into a file of its own; what failed has one beside {path}. To create every row once more, give \
             --idempotency-key with any text.",
            first.number
        )))
    }
}

/// By account, as the row names it, the digest of its post: the account and the cells, without why the row failed.
pub(super) fn digests_of(row: &Row, accounts: &str) -> BTreeMap<String, String> {
    let error = Column::Error.name();
    let is_compared = |name: &str| name != accounts && !name.trim().eq_ignore_ascii_case(&error);
    let cells = row.cells.iter().filter(|(name, _)| is_compared(name));
    let cells: BTreeMap<&str, String> = cells.map(|(name, cell)| (name.trim(), text_of(cell))).collect();
    let cells = json!(cells).to_string();
    let names = row.accounts(accounts).into_iter();
    names
        .map(|name| {
            let account = name.trim_start_matches('@').to_lowercase();
            let digest = digest_of(&[account.as_bytes(), cells.as_bytes()]);
            (name, digest)
        })
        .collect()
}

fn text_of(cell: &Value) -> String {
    cell.to_string().trim().to_owned()
}
