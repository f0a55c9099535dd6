//! The files of a backup: how they are copied.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use crate::open_error::OpenError;

/// The file of a backup that is written last.
pub(super) const MANIFEST: &str = "backup.json";

/// How files get to another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// As copies: what the service does with its files does not change those of the backup.
    Copies,
    /// As links where that is possible: they take no space, and both places have one file.
    LinksOrCopies,
}

/// Makes the directory of a backup; returns whether it is new.
pub(super) fn make_empty(to: &Path) -> Result<bool, OpenError> {
    let is_new = !to.exists();
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(to);
    made.map_err(|error| format!("{}: {error}", to.display()))?;
    if fs::read_dir(to)?.next().is_none() {
        return Ok(is_new);
    }
    let advice = match to.join(MANIFEST).exists() {
        true => "",
        false => {
            ". It has no backup.json: if it is a backup that was not completed, it is of no use, and can be removed"
        }
    };
    Err(format!(
        "{} is not empty: a backup needs a directory of its own{advice}",
        to.display()
    )
    .into())
}

/// Removes everything in a directory that was empty before, and the directory too if it is new.
pub(super) fn empty(directory: &Path, is_new: bool) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    match is_new {
        true => fs::remove_dir(directory),
        false => Ok(()),
    }
}

/// Links or copies every finished file that is missing; returns how many files there are. Files that are being received, whose
/// names end in `#` and a digit, are left out.
pub(super) fn gather(from: &Path, to: &Path, means: Means) -> Result<u64, OpenError> {
    make_private(to)?;
    let mut files = 0;
    for entry in fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            files += gather(&source, &target, means)?;
            continue;
        }
        if entry.file_name().to_string_lossy().contains('#') {
            continue;
        }
        files += u64::from(put(&source, &target, means)?);
    }
    fs::File::open(to)?.sync_all()?;
    Ok(files)
}

/// Makes a directory of the owner's alone, unless it is there.
pub(super) fn make_private(to: &Path) -> Result<(), OpenError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(to);
    made.map_err(|error| format!("{}: {error}", to.display()).into())
}

/// Returns whether the file exists now: it may have been removed since it was listed. A file that is there is not replaced.
fn put(source: &Path, target: &Path, means: Means) -> Result<bool, OpenError> {
    if target.exists() {
        return Ok(true);
    }
    if means == Means::LinksOrCopies {
        match fs::hard_link(source, target) {
            Ok(()) => return Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            // Another file system, or one without hard links.
            Err(_) => {}
        }
    }
    let unfinished = target.with_extension("unfinished");
    let copied = fs::copy(source, &unfinished)
        .and_then(|_| fs::File::open(&unfinished)?.sync_all())
        .and_then(|()| fs::rename(&unfinished, target));
    match copied {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("{} to {}: {error}", source.display(), target.display()).into()),
    }
}

pub(super) fn private_file(path: &Path) -> std::io::Result<fs::File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// Copies a file to one that must not exist. If that fails, none stays.
pub(super) fn copy_private(from: &Path, to: &Path) -> Result<(), OpenError> {
    let copied = || -> std::io::Result<()> {
        let mut source = fs::File::open(from)?;
        let mut file = private_file(to)?;
        let written = std::io::copy(&mut source, &mut file).and_then(|_| file.sync_all());
        if written.is_err() {
            fs::remove_file(to)?;
        }
        written
    };
    copied().map_err(|error| format!("{} to {}: {error}", from.display(), to.display()).into())
}

/// Puts the key of a backup in place; returns whether it was not there.
pub(super) fn put_key(from: &Path, to: &Path) -> Result<bool, OpenError> {
    match fs::read(to) {
        Ok(there) if there == fs::read(from)? => Ok(false),
        Ok(_) => Err(format!(
            "{} is another key than the backup's: move it away first",
            to.display()
        )
        .into()),
        Err(_) => copy_private(from, to).map(|()| true),
    }
}
