//! What an upload leaves: a blob, or nothing.

use std::path::PathBuf;

/// A local file to be removed unless the upload ends well.
#[derive(Debug, Default)]
pub(crate) struct Unfinished(pub(crate) Option<PathBuf>);

impl Unfinished {
    /// It has its name, or is gone.
    pub(crate) fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // What cannot be removed now, the sweep of abandoned uploads removes later.
            let _left_to_the_sweep = std::fs::remove_file(path);
        }
    }
}

/// What a finished upload turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Its length.
    pub size_bytes: u64,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
}

impl Finished {
    /// The hash in lower-case hexadecimal.
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }
}
