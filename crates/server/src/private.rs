//! Files that only their owner may read, whatever the umask: the data directory and what keeps secrets in it. The database's
//! files are the store's business.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

const STICKY: u32 = 0o1000;
/// What tells that a directory is ours, and not one that others use as well.
const OURS: [&str; 3] = ["playout.db", "secret.key", "media"];

/// Makes the data directory with what is above it, or takes it away from others where it is there and ours.
pub(crate) fn directory(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return DirBuilder::new().recursive(true).mode(0o700).create(path);
    }
    let mode = fs::metadata(path)?.permissions().mode();
    let is_ours = OURS.iter().any(|name| path.join(name).exists());
    if is_ours && mode & STICKY == 0 && path.parent().is_some() {
        tighten(path);
    }
    Ok(())
}

/// Takes a file or a directory away from group and others. What belongs to somebody else stays as it is, with a warning.
pub(crate) fn tighten(path: &Path) {
    let Ok(metadata) = fs::metadata(path) else {
        return;
    };
    let mode = metadata.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return;
    }
    match fs::set_permissions(path, Permissions::from_mode(mode & !0o077)) {
        Ok(()) => tracing::info!("{} is for its owner alone now", path.display()),
        Err(error) => tracing::warn!("others may read {}: {error}", path.display()),
    }
}
