//! Who owns restored files. A restore that runs as root would leave files of root that no one else can read, and so a service that runs
//! as another user could not start.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::{Path, PathBuf, absolute};

const ROOT: u32 = 0;

/// Who is to own the files of a restore: the owner of the data directory, or, where that does not exist yet, of the nearest directory above
/// it.
pub(super) struct Owner {
    user: u32,
    group: u32,
    /// The data directory, and those above it that do not exist yet.
    missing: Vec<PathBuf>,
}

impl Owner {
    /// To be found out before anything is restored. `None` for a process that is not root's: its files are its user's.
    pub(super) fn of(data_dir: &Path) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let data_dir = absolute(data_dir).ok()?;
        let mut missing = Vec::new();
        for directory in data_dir.ancestors() {
            if let Ok(nearest) = fs::metadata(directory) {
                return Some(Self {
                    user: nearest.uid(),
                    group: nearest.gid(),
                    missing,
                });
            }
            missing.push(directory.to_owned());
        }
        None
    }

    /// Gives the owner these files, and everything in the folder of the storage, as far as it is root's.
    ///
    /// # Errors
    /// What the operator has to do, where the owner is root, or a file cannot be given away.
    pub(super) fn take(&self, files: &[PathBuf], storage: Option<&Path>) -> Result<(), String> {
        let advice = |problem: String| {
            let directories = files.first().map(|data_dir| data_dir.display().to_string());
            format!(
                "{problem}. If the service runs as another user, type `chown --recursive USER: {} {}` with the name of that user before you \
                 start it",
                directories.unwrap_or_default(),
                storage.unwrap_or(Path::new("")).display()
            )
        };
        if self.user == ROOT {
            return Err(advice("the restored files belong to root".to_owned()));
        }
        let mut given = self.missing.iter().chain(files).map(|file| self.take_one(file));
        let taken = given.find(Result::is_err).unwrap_or(Ok(()));
        let taken = taken.and_then(|()| storage.map_or(Ok(()), |storage| self.take_tree(storage)));
        taken.map_err(|error| advice(format!("restored files still belong to root: {error}")))
    }

    fn take_tree(&self, directory: &Path) -> io::Result<()> {
        self.take_one(directory)?;
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => self.take_tree(&entry.path())?,
                false => self.take_one(&entry.path())?,
            }
        }
        Ok(())
    }

    fn take_one(&self, path: &Path) -> io::Result<()> {
        match fs::symlink_metadata(path) {
            Ok(found) if found.uid() == ROOT => lchown(path, Some(self.user), Some(self.group)),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}
