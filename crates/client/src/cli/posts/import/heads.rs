//! The first bytes of the files of an import, which show whether a file is one that the service accepts, before any is uploaded.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use playout_client::{Error, Kind};
use playout_domain::sniff::{SNIFF_BYTES, sniff};

use super::state::RowState;

/// Files that the service would reject, with the error of their upload.
#[derive(Debug, Default)]
pub(super) struct Unusable(BTreeMap<PathBuf, Error>);

impl Unusable {
    /// Looks at each file that a row names.
    pub(super) fn among(rows: &[RowState]) -> Self {
        let mut looked_at: BTreeMap<&PathBuf, Option<Error>> = BTreeMap::new();
        for file in rows
            .iter()
            .filter_map(|row| row.draft.as_ref().ok())
            .flat_map(|draft| draft.files())
        {
            looked_at.entry(file).or_insert_with(|| problem_of(file));
        }
        let unusable = looked_at
            .into_iter()
            .filter_map(|(file, error)| Some((file.clone(), error?)));
        Self(unusable.collect())
    }

    /// The error of the first of a row's files that has one.
    pub(super) fn of(&self, row: &RowState) -> Option<&Error> {
        row.draft.as_ref().ok()?.files().find_map(|file| self.0.get(file))
    }

    /// The errors, by file.
    pub(super) fn into_errors(self) -> impl Iterator<Item = (PathBuf, Error)> {
        self.0.into_iter()
    }
}

fn problem_of(path: &Path) -> Option<Error> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SNIFF_BYTES).read_to_end(&mut head));
    if let Err(error) = read {
        return Some(Error::file(path, &error));
    }
    let problem = match head.is_empty() {
        true => "the file is empty".to_owned(),
        false => sniff(&head).err()?.to_string(),
    };
    let message = format!("{}: {problem}", path.display());
    Some(Error::new(Kind::Refused, "invalid_media_file", message))
}
