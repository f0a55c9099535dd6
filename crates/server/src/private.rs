//! Restricts the data directory and the secret key to their owner, whatever the umask. The store does the same with the
//! files of its database.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

const STICKY: u32 = 0o1000;
/// Entries that distinguish a data directory from a directory with other uses.
const OURS: [&str; 3] = ["playout.db", "secret.key", "media"];

/// Creates the data directory with its parents, or removes access for group and others from one that is empty or was used
/// before. Any other directory is left as it is: another user may need to read it.
pub(crate) fn directory(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return DirBuilder::new().recursive(true).mode(0o700).create(path);
    }
    let mode = fs::metadata(path)?.permissions().mode();
    let is_empty = fs::read_dir(path)?.next().is_none();
    let is_ours = is_empty || OURS.iter().any(|name| path.join(name).exists());
    if is_ours && mode & STICKY == 0 && path.parent().is_some() {
        tighten(path);
    }
    Ok(())
}

/// Removes access for group and others. Logs a warning where that is not permitted.
pub(crate) fn tighten(path: &Path) {
    let Ok(metadata) = fs::metadata(path) else {
        return;
    };
    let mode = metadata.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return;
    }
    match fs::set_permissions(path, Permissions::from_mode(mode & !0o077)) {
        Ok(()) => tracing::info!("removed access to {} for group and others", path.display()),
        Err(error) => tracing::warn!(
            "group or others have access to {}, which cannot be changed: {error}",
            path.display()
        ),
    }
}
