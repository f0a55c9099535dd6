//! The folder of the media, which is renamed away for a while and then brought back. What the nodes made in its place
//! meanwhile is set aside.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::failure::{Doing, Failure, Outcome};

/// How often the folder is put back when a node makes a new one at the same moment.
const TRIES: usize = 20;

/// The folder.
#[derive(Debug)]
pub struct MediaFolder {
    folder: PathBuf,
    away: PathBuf,
    replaced: PathBuf,
    away_count: AtomicUsize,
    replaced_count: AtomicUsize,
    file_count: AtomicUsize,
}

/// How often it was away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Absences {
    /// How often.
    pub times: usize,
    /// In how many of them a node made a new folder in its place.
    pub replaced: usize,
    /// How many files were in those.
    pub files: usize,
}

/// What was there when the folder was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Return {
    /// It was not away.
    WasThere,
    /// Nothing was in its place.
    PlaceWasFree,
    /// A new folder was in its place, with these files.
    PlaceWasTaken {
        /// Paths inside it.
        files: Vec<String>,
    },
}

impl MediaFolder {
    /// The folder at this path.
    pub fn at(folder: PathBuf) -> Self {
        Self {
            away: folder.with_extension("away"),
            replaced: folder.with_extension("replaced"),
            folder,
            away_count: AtomicUsize::new(0),
            replaced_count: AtomicUsize::new(0),
            file_count: AtomicUsize::new(0),
        }
    }

    /// How often it was away so far.
    pub fn absences(&self) -> Absences {
        Absences {
            times: self.away_count.load(Ordering::Relaxed),
            replaced: self.replaced_count.load(Ordering::Relaxed),
            files: self.file_count.load(Ordering::Relaxed),
        }
    }

    /// Renames it away, unless it already is.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn take_away(&self) -> Outcome<()> {
        if self.away.exists() {
            return Ok(());
        }
        std::fs::rename(&self.folder, &self.away).doing(self.folder.display())?;
        self.away_count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Puts it back in its place. A folder that was made there meanwhile is removed, and its files are returned.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn bring_back(&self) -> Outcome<Return> {
        if !self.away.exists() {
            return Ok(Return::WasThere);
        }
        let mut was_taken = false;
        for _ in 0..TRIES {
            // A node may make the folder between these two.
            was_taken |= self.set_aside()?;
            if std::fs::rename(&self.away, &self.folder).is_ok() {
                return self.found(was_taken);
            }
        }
        Err(Failure::new(format!(
            "{} cannot be put back",
            self.folder.display()
        )))
    }

    /// Moves what is in its place below a folder of such things; whether there was anything.
    fn set_aside(&self) -> Outcome<bool> {
        if !self.folder.exists() {
            return Ok(false);
        }
        std::fs::create_dir_all(&self.replaced).doing(self.replaced.display())?;
        let number = std::fs::read_dir(&self.replaced)
            .doing(self.replaced.display())?
            .count();
        let aside = self.replaced.join(number.to_string());
        std::fs::rename(&self.folder, aside).doing(self.folder.display())?;
        Ok(true)
    }

    fn found(&self, was_taken: bool) -> Outcome<Return> {
        if !was_taken {
            return Ok(Return::PlaceWasFree);
        }
        self.replaced_count.fetch_add(1, Ordering::Relaxed);
        let mut files = Vec::new();
        list(&self.replaced, &mut files)?;
        std::fs::remove_dir_all(&self.replaced).doing(self.replaced.display())?;
        self.file_count.fetch_add(files.len(), Ordering::Relaxed);
        Ok(Return::PlaceWasTaken { files })
    }
}

fn list(folder: &Path, files: &mut Vec<String>) -> Outcome<()> {
    for entry in std::fs::read_dir(folder).doing(folder.display())? {
        let path = entry.doing(folder.display())?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path.display().to_string()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn media(name: &str) -> (PathBuf, MediaFolder) {
        let base = std::env::temp_dir().join(format!("playout-lab-{name}-{}", std::process::id()));
        std::fs::create_dir_all(base.join("media")).unwrap();
        std::fs::write(base.join("media/film"), "film").unwrap();
        let media = MediaFolder::at(base.join("media"));
        (base, media)
    }

    #[test]
    fn a_folder_that_was_taken_away_comes_back_once() {
        let (base, media) = media("away");
        media.take_away().unwrap();
        media.take_away().unwrap();
        assert!(!base.join("media").exists());
        assert_eq!(media.bring_back().unwrap(), Return::PlaceWasFree);
        assert_eq!(media.bring_back().unwrap(), Return::WasThere);
        assert_eq!(std::fs::read_to_string(base.join("media/film")).unwrap(), "film");
        std::fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn a_folder_that_was_made_in_its_place_is_replaced_and_its_files_are_named() {
        let (base, media) = media("replaced");
        for name in ["first", "second"] {
            media.take_away().unwrap();
            std::fs::create_dir_all(base.join("media/3f")).unwrap();
            std::fs::write(base.join("media/3f").join(name), "").unwrap();
            let Return::PlaceWasTaken { files } = media.bring_back().unwrap() else {
                panic!("nothing was found in its place");
            };
            assert!(
                files.len() == 1 && files[0].ends_with(&format!("3f/{name}")),
                "{files:?}"
            );
            assert!(base.join("media/film").exists() && !base.join("media/3f").exists());
        }
        let absences = Absences {
            times: 2,
            replaced: 2,
            files: 2,
        };
        assert_eq!(media.absences(), absences);
        std::fs::remove_dir_all(base).unwrap();
    }
}
