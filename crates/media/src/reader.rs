//! Reading a stored blob with seeks, as parsers want it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::{Bytes, BytesMut};
use futures_util::stream::TryStreamExt;
use object_store::{GetOptions, GetResultPayload};
use tempfile::NamedTempFile;
use tokio::runtime::Handle;

use crate::blob_error::BlobError;
use crate::blobs::Blobs;
use crate::excerpt::excerpt;

/// What one small read fetches from a file: parsers hop from header to header, so more would be thrown away.
const FILE_BLOCK_BYTES: u64 = 16 << 10;
/// What one small read fetches over the network, where the request costs more than the bytes.
const REMOTE_BLOCK_BYTES: u64 = 256 << 10;

/// A blob as `Read + Seek`, with a small cache. Blocking: never use it on an asynchronous thread.
pub struct BlobReader {
    origin: Origin,
    size_bytes: u64,
    position: u64,
    block_start: u64,
    block: Bytes,
}

enum Origin {
    File(File, PathBuf),
    Memory(Bytes),
    Remote(Blobs, String, Handle),
}

impl Blobs {
    /// A reader with seeks over the blob, for [`crate::Inspector`]. Its methods block; it must be used off the
    /// asynchronous threads, while the runtime that this was called on still runs.
    pub async fn reader(&self, key: &str) -> Result<BlobReader, BlobError> {
        let found = self.open_blob(key, GetOptions::default()).await?;
        Ok(match found.payload {
            GetResultPayload::File(file, path) => BlobReader::file(file, path, found.meta.size),
            GetResultPayload::Stream(_) => BlobReader::remote(self.clone(), key.to_owned(), found.meta.size),
        })
    }
}

impl BlobReader {
    /// Reads from memory.
    pub fn memory(bytes: Bytes) -> Self {
        let size_bytes = bytes.len() as u64;
        Self::new(Origin::Memory(bytes), size_bytes)
    }

    /// Reads the file at `path`.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let size_bytes = file.metadata()?.len();
        Ok(Self::file(file, path.to_owned(), size_bytes))
    }

    pub(crate) fn file(file: File, path: PathBuf, size_bytes: u64) -> Self {
        Self::new(Origin::File(file, path), size_bytes)
    }

    /// Must be called on the runtime that `blobs` works on.
    pub(crate) fn remote(blobs: Blobs, key: String, size_bytes: u64) -> Self {
        Self::new(Origin::Remote(blobs, key, Handle::current()), size_bytes)
    }

    fn new(origin: Origin, size_bytes: u64) -> Self {
        Self {
            origin,
            size_bytes,
            position: 0,
            block_start: 0,
            block: Bytes::new(),
        }
    }

    /// The blob's length.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Where the blob is a plain file, for programs that want to open it themselves.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(_, path) => Some(path),
            Origin::Memory(_) | Origin::Remote(..) => None,
        }
    }

    /// The beginning and the end of a blob in a bucket, as a file; `None` where it is in none.
    pub(crate) fn excerpt(&self) -> Option<io::Result<NamedTempFile>> {
        match &self.origin {
            Origin::Remote(blobs, key, runtime) => {
                let folder = blobs.scratch()?;
                Some(excerpt(blobs, key, self.size_bytes, folder, runtime))
            }
            Origin::File(..) | Origin::Memory(_) => None,
        }
    }

    /// The first `limit` bytes, or fewer if the blob is shorter. The position ends behind them.
    pub fn head(&mut self, limit: u64) -> io::Result<Bytes> {
        let length = limit.min(self.size_bytes);
        self.position = 0;
        let cached = usize::try_from(length).map_err(io::Error::other)?;
        if self.block_start > 0 || self.block.len() < cached {
            self.fill(length)?;
        }
        self.position = length;
        Ok(self.block.slice(..cached))
    }

    /// Whether the byte at the position is in the cache.
    fn is_cached(&self) -> bool {
        (self.block_start..self.block_start + self.block.len() as u64).contains(&self.position)
    }

    fn fill(&mut self, wanted: u64) -> io::Result<()> {
        let block_bytes = match self.origin {
            Origin::Remote(..) => REMOTE_BLOCK_BYTES,
            Origin::File(..) | Origin::Memory(_) => FILE_BLOCK_BYTES,
        };
        let end = self
            .size_bytes
            .min(self.position.saturating_add(block_bytes.max(wanted)));
        self.block = self.origin.fetch(self.position..end, self.size_bytes)?;
        self.block_start = self.position;
        Ok(())
    }
}

impl Origin {
    /// Exactly the bytes of `range`, which lies within the blob of that size.
    fn fetch(&mut self, range: Range<u64>, size_bytes: u64) -> io::Result<Bytes> {
        let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
        match self {
            Self::File(file, _) => {
                let mut bytes = Vec::with_capacity(length);
                file.seek(SeekFrom::Start(range.start))?;
                file.take(length as u64).read_to_end(&mut bytes)?;
                match bytes.len() == length {
                    true => Ok(Bytes::from(bytes)),
                    false => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
            Self::Memory(bytes) => {
                let start = usize::try_from(range.start).map_err(io::Error::other)?;
                Ok(bytes.slice(start..start + length))
            }
            Self::Remote(blobs, key, runtime) => runtime.block_on(collect(blobs, key, range, size_bytes)),
        }
    }
}

async fn collect(blobs: &Blobs, key: &str, range: Range<u64>, size_bytes: u64) -> io::Result<Bytes> {
    let length = range.end - range.start;
    let stream = blobs.get_range(key, range, size_bytes).await;
    let stream = stream.map_err(io::Error::other)?;
    let gather = async |mut all: BytesMut, piece: Bytes| {
        all.extend_from_slice(&piece);
        Ok(all)
    };
    let bytes = stream
        .try_fold(BytesMut::new(), gather)
        .await
        .map_err(io::Error::other)?;
    if bytes.len() as u64 == length {
        Ok(bytes.freeze())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

impl Read for BlobReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.position >= self.size_bytes || into.is_empty() {
            return Ok(0);
        }
        if !self.is_cached() {
            self.fill(into.len().min(REMOTE_BLOCK_BYTES as usize) as u64)?;
        }
        let offset = usize::try_from(self.position - self.block_start).map_err(io::Error::other)?;
        let available = &self.block[offset..];
        let taken = available.len().min(into.len());
        into[..taken].copy_from_slice(&available[..taken]);
        self.position += taken as u64;
        Ok(taken)
    }
}

impl Seek for BlobReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.size_bytes.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
