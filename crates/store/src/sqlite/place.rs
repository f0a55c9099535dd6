//! Where the file of an open database is. A file that is removed or replaced stays open and takes commits, which are lost with
//! it: so nothing is made permanent unless the path still leads to the file that was opened, and statements that
//! only read fail within 50 ms after it does not.

use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::ffi;
use tokio::time::Instant;

use super::backup_mark::{advice, is_marked};
use super::{Outcome, failure};

/// How long a comparison holds for a statement that makes nothing permanent.
const HOLDS_FOR: Duration = Duration::from_millis(50);

/// The path of a database, and which file was there when it was opened.
pub(super) struct Place {
    path: PathBuf,
    /// Device and inode.
    file: Option<(u64, u64)>,
    /// To see whether a backup was copied over it; `None` where it is a backup that is only read. It stays open as long as the
    /// database: closing any of a process's descriptors of a file ends the locks that SQLite has on it.
    header: Option<File>,
    is_lost: AtomicBool,
    opened_at: Instant,
    /// Until when the last comparison holds, in milliseconds since `opened_at`.
    holds_until: AtomicU64,
}

impl Place {
    /// The file that is at the path now.
    pub(super) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            file: file_at(path),
            header: File::open(path).ok().filter(|file| !is_marked(file)),
            is_lost: AtomicBool::new(false),
            opened_at: Instant::now(),
            holds_until: AtomicU64::new(0),
        }
    }

    /// The path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// [`Place::check`], unless the file was found a moment ago: for statements that make nothing permanent, because asking costs as
    /// much as a small statement.
    pub(super) fn check_lately(&self) -> Outcome<()> {
        let holds_until = Duration::from_millis(self.holds_until.load(Ordering::Relaxed));
        match self.opened_at.elapsed() < holds_until {
            true => Ok(()),
            false => self.check(),
        }
    }

    /// Fails while the path does not lead to the file.
    pub(super) fn check(&self) -> Outcome<()> {
        let is_overwritten = self.header.as_ref().is_some_and(is_marked);
        let is_lost = is_overwritten || self.file.is_none() || file_at(&self.path) != self.file;
        let was_lost = self.is_lost.swap(is_lost, Ordering::Relaxed);
        let path = self.path.display();
        let holds_until = match is_lost {
            true => 0,
            false => u64::try_from((self.opened_at.elapsed() + HOLDS_FOR).as_millis()).unwrap_or(0),
        };
        self.holds_until.store(holds_until, Ordering::Relaxed);
        match (was_lost, is_lost) {
            (false, false) => return Ok(()),
            (true, false) => tracing::info!("the database file {path} is back"),
            (false, true) if is_overwritten => tracing::error!(
                "the database file {path} was overwritten under the running service, which takes no more work: {}",
                advice(&self.path)
            ),
            (false, true) => tracing::error!(
                "the database file {path} was removed or replaced under the running service, which takes no more work. If it was moved, \
                 put it back.{} To go on with what is at this path now, restart the service",
                self.rescue()
            ),
            (true, true) => {}
        }
        match is_lost {
            true => Err(failure(
                ffi::SQLITE_CANTOPEN,
                "the database file was removed or replaced under the running service",
            )),
            false => Ok(()),
        }
    }
}

impl Place {
    /// How the files that this process holds open are copied where they were removed; empty where that cannot be found out.
    fn rescue(&self) -> String {
        let process = std::process::id();
        let command = |number: &str, end: &str| {
            format!("`cp /proc/{process}/fd/{number} {}{end}`", self.path.display())
        };
        let log = format!("{}-wal", self.path.file_name().unwrap_or_default().display());
        let open = open_files();
        let file = open.iter().find(|open| self.file == Some(open.file));
        let log = open.iter().find(|open| open.name == log);
        match (file, log) {
            (Some(file), Some(log)) => format!(
                " If it was removed, this process has all of it: before you stop it, type {}, and {} where that file is gone too; then \
                 stop it, type `playoutd admin engine moved`, and start it again: without that it would start held.",
                command(&file.number, ""),
                command(&log.number, "-wal")
            ),
            _ => String::new(),
        }
    }
}

/// A file that this process has open.
struct OpenFile {
    /// Of the descriptor.
    number: String,
    /// Without its directory.
    name: String,
    /// Device and inode.
    file: (u64, u64),
}

/// What this process has open, where the system shows it.
fn open_files() -> Vec<OpenFile> {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else {
        return Vec::new();
    };
    let open = entries.flatten().filter_map(|entry| {
        let path = entry.path();
        let target = std::fs::read_link(&path).ok()?;
        let name = target.file_name()?.to_str()?;
        Some(OpenFile {
            number: entry.file_name().to_str()?.to_owned(),
            name: name.trim_end_matches(" (deleted)").to_owned(),
            file: file_at(&path)?,
        })
    });
    open.collect()
}

/// Refuses to make a new file beside the log of another that was moved or removed, under a service that runs or was killed: the log
/// would be emptied, and with it all that is in it alone would be lost.
pub(super) fn refuse_lone_log(path: &Path) -> Outcome<()> {
    let log = PathBuf::from(format!("{}-wal", path.display()));
    if path.exists() || !log.exists() {
        return Ok(());
    }
    let text = format!(
        "it is missing, but its log {} is there, which holds what was written last: put the file back (nothing was changed). If a \
         service still runs here, do not stop it: its log has the commands that copy the file back. To begin with an empty database, move the log away while no service runs",
        log.display()
    );
    Err(failure(ffi::SQLITE_CANTOPEN, &text))
}

/// Creates the database with mode 0600, independent of the umask; SQLite gives its other files the same. Removes access for
/// group and others from files that exist. Errors are left to the opening of the file.
pub(super) fn keep_private(path: &Path) {
    let new = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    if new.is_ok() {
        return;
    }
    for end in ["", "-wal", "-shm", "-journal"] {
        let mut file = path.as_os_str().to_owned();
        file.push(end);
        let Ok(metadata) = std::fs::metadata(&file) else {
            continue;
        };
        let mode = metadata.permissions().mode() & 0o7777;
        if metadata.is_file() && mode & 0o077 != 0 {
            let _not_ours = std::fs::set_permissions(&file, Permissions::from_mode(mode & !0o077));
        }
    }
}

fn file_at(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
