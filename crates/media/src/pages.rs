//! Memory for the parts of uploads, straight from the system.
//!
//! An allocator keeps what a thread frees for that thread's next allocation. Parts are allocated on one thread and freed
//! on another, so that every upload would leave megabytes behind with threads that never allocate again. Pages of our own
//! are returned to the system when dropped, and are aligned to a disk's block, so that they can be written without a copy.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use memmap2::MmapMut;

/// Memory that is filled from its beginning.
#[derive(Debug)]
pub(crate) struct Pages {
    memory: MmapMut,
    filled: usize,
}

impl Pages {
    /// Room for so many bytes; an error when the system has no more memory.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        Ok(Self {
            memory: MmapMut::map_anon(bytes)?,
            filled: 0,
        })
    }

    /// The first so many bytes of a file.
    pub(crate) fn read(file: &File, bytes: usize) -> io::Result<Self> {
        // The system maps no empty memory.
        let mut pages = Self::new(bytes.max(1))?;
        file.read_exact_at(&mut pages.memory[..bytes], 0)?;
        pages.filled = bytes;
        Ok(pages)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.filled == self.memory.len()
    }

    pub(crate) fn filled(&self) -> &[u8] {
        &self.memory[..self.filled]
    }

    /// Copies as much of `bytes` as there is room for; where it is now.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> &[u8] {
        let taken = bytes.len().min(self.memory.len() - self.filled);
        let place = &mut self.memory[self.filled..][..taken];
        place.copy_from_slice(&bytes[..taken]);
        self.filled += taken;
        place
    }

    /// Forgets what is in it.
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
    }
}

impl AsRef<[u8]> for Pages {
    fn as_ref(&self) -> &[u8] {
        self.filled()
    }
}
