//! A local file on its way in, written past the system's page cache.
//!
//! A video is written once and read when its post is due, hours later: keeping it in memory meanwhile gains nothing,
//! and copying it there costs as much CPU as hashing it. Whole parts go straight to the disk (`O_DIRECT`); the last,
//! whose length is no multiple of a block, goes the usual way. Where the file system has no such writes, all do.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use tokio::task::spawn_blocking;

use crate::local::make_parents;
use crate::parts::{Done, Parts};

/// What addresses and lengths of direct writes must be multiples of: the largest block in use.
pub(crate) const BLOCK_BYTES: usize = 4096;

/// An unfinished file beside its place. It takes its name when complete; dropped before that, it is gone.
#[derive(Debug)]
pub(crate) struct DirectFile {
    path: PathBuf,
    unfinished: PathBuf,
    direct: Arc<File>,
    usual: Arc<File>,
    written: u64,
    is_complete: bool,
}

impl DirectFile {
    /// Begins the file that will be `path`; its directory is created if it is missing and below `root`, which never is.
    pub(crate) async fn create(root: PathBuf, path: PathBuf) -> io::Result<Self> {
        spawn_blocking(move || Self::create_blocking(&root, path)).await?
    }

    /// Where it is until it is complete.
    pub(crate) fn unfinished(&self) -> PathBuf {
        self.unfinished.clone()
    }

    fn create_blocking(root: &Path, path: PathBuf) -> io::Result<Self> {
        make_parents(root, &path)?;
        // The form in which abandoned uploads are looked for.
        let mut name = path.as_os_str().to_owned();
        name.push("#1");
        let unfinished = PathBuf::from(name);
        let usual = Arc::new(File::create(&unfinished)?);
        let direct = OpenOptions::new()
            .write(true)
            .custom_flags(libc::O_DIRECT)
            .open(&unfinished);
        let direct = direct.map_or_else(|_| Arc::clone(&usual), Arc::new);
        Ok(Self {
            path,
            unfinished,
            direct,
            usual,
            written: 0,
            is_complete: false,
        })
    }
}

#[async_trait::async_trait]
impl Parts for DirectFile {
    fn put(&mut self, part: Bytes, done: Done) {
        let at = self.written;
        self.written += part.len() as u64;
        let file = Arc::clone(if is_aligned(&part, at) {
            &self.direct
        } else {
            &self.usual
        });
        spawn_blocking(move || {
            let written = file.write_all_at(&part, at);
            drop(part);
            done(written.map_err(generic));
        });
    }

    async fn sync(&mut self) -> object_store::Result<()> {
        let file = Arc::clone(&self.usual);
        let synced = spawn_blocking(move || file.sync_all()).await;
        synced.map_err(io::Error::other).flatten().map_err(generic)
    }

    async fn name(&mut self) -> object_store::Result<Option<PathBuf>> {
        let (unfinished, path) = (self.unfinished.clone(), self.path.clone());
        let named = spawn_blocking(move || std::fs::rename(unfinished, path)).await;
        named.map_err(io::Error::other).flatten().map_err(generic)?;
        self.is_complete = true;
        Ok(self.path.parent().map(Path::to_owned))
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.is_complete = true;
        std::fs::remove_file(&self.unfinished).map_err(generic)
    }
}

impl Drop for DirectFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // What cannot be removed now, the sweep of abandoned uploads removes later.
            let _left_to_the_sweep = std::fs::remove_file(&self.unfinished);
        }
    }
}

fn is_aligned(bytes: &Bytes, at: u64) -> bool {
    let block = BLOCK_BYTES as u64;
    bytes.as_ptr().align_offset(BLOCK_BYTES) == 0
        && bytes.len().is_multiple_of(BLOCK_BYTES)
        && at.is_multiple_of(block)
}

fn generic(error: io::Error) -> object_store::Error {
    object_store::Error::Generic {
        store: "file",
        source: Box::new(error),
    }
}
