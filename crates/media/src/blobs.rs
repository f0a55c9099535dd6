//! Blob storage: files by key, in a local directory today.
//!
//! Everything goes through `object_store`, so that an S3 bucket is one more arm in [`Blobs::open_existing`]. Its local store
//! is fast enough as it is (one `pwrite` per part, no copies) and, with `with_fsync`, syncs a file and its directory
//! before it reports success: an accepted upload survives a power loss.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt, try_unfold};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    GetOptions, GetRange, GetResult, GetResultPayload, ObjectStore, ObjectStoreExt, PutPayload,
};
use playout_domain::time::Time;
use tokio::time::timeout;

use crate::blob_error::{BlobError, BlobStream, away, failed, storage};
use crate::local;

/// How long the storage may take for one step: to look up, open, write or remove a blob, or to read its next piece. A network file
/// system whose server is gone never answers.
const STEP_LIMIT: Duration = Duration::from_secs(60);

/// A blob that was listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBlob {
    /// Its key.
    pub key: String,
    /// When it was last written.
    pub written_at: Time,
}

/// The end of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Its last bytes.
    pub bytes: Bytes,
    /// The size in bytes of the whole blob.
    pub size_bytes: u64,
}

/// A place that keeps blobs. Cheap to clone; every clone is the same place.
///
/// Keys are relative paths such as `media/3f/3fa9….mp4`. A blob is written whole or not at all, and never seen half.
#[derive(Debug, Clone)]
pub struct Blobs {
    /// That of a local directory is opened with the first use that finds the directory.
    store: Arc<OnceLock<Box<dyn ObjectStore>>>,
    directory: Option<PathBuf>,
    part_bytes: usize,
    step_limit: Duration,
}

impl Blobs {
    pub(crate) fn in_directory(directory: PathBuf) -> Self {
        Self {
            store: Arc::default(),
            directory: Some(directory),
            part_bytes: local::PART_BYTES,
            step_limit: STEP_LIMIT,
        }
    }

    /// The local directory that the storage is, if it is one.
    pub(crate) fn directory(&self) -> Option<&PathBuf> {
        self.directory.as_ref()
    }

    /// How many bytes an upload gathers before it writes them.
    pub(crate) fn part_bytes(&self) -> usize {
        self.part_bytes
    }

    pub(crate) fn store(&self, key: &str) -> Result<&dyn ObjectStore, BlobError> {
        if let (None, Some(directory)) = (self.store.get(), &self.directory) {
            let opened = LocalFileSystem::new_with_prefix(directory);
            let opened = opened.map_err(|error| match directory.exists() {
                true => storage(key, error),
                false => away(directory),
            })?;
            let _by_another = self.store.set(Box::new(opened.with_fsync(true)));
        }
        let store = self.store.get().map(|store| &**store);
        store.ok_or_else(|| storage(key, std::io::Error::other("it is not open")))
    }

    /// Replaces an error that is due to a missing directory by one that names the directory.
    pub(crate) async fn explained(&self, error: BlobError) -> BlobError {
        let (Some(directory), BlobError::NotFound { .. } | BlobError::Storage { .. }) =
            (&self.directory, &error)
        else {
            return error;
        };
        match self.within_limit("", tokio::fs::metadata(directory)).await {
            Ok(Err(found)) if found.kind() == ErrorKind::NotFound => away(directory),
            _ => error,
        }
    }

    pub(crate) async fn explain<T>(&self, result: Result<T, BlobError>) -> Result<T, BlobError> {
        match result {
            Err(error) => Err(self.explained(error).await),
            done => done,
        }
    }

    /// The same storage, which may take so long for each step.
    #[must_use]
    pub fn with_step_limit(self, step_limit: Duration) -> Self {
        Self { step_limit, ..self }
    }

    /// Waits for a step that works on the blob `key`, as long as the storage may take for one.
    ///
    /// # Errors
    /// [`BlobError::TimedOut`] when it takes longer. A blocking thread that waits for the storage goes on waiting.
    pub async fn within_limit<T>(&self, key: &str, step: impl Future<Output = T>) -> Result<T, BlobError> {
        let limit = self.step_limit;
        let ended = timeout(limit, step).await;
        ended.map_err(|_| BlobError::TimedOut {
            key: key.to_owned(),
            limit,
        })
    }

    /// Writes `bytes` as the blob `key`, replacing what was there, and syncs it to disk.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        let path = path(key)?;
        let Some(directory) = self.directory.clone() else {
            let putting = self.store(key)?.put(&path, PutPayload::from_bytes(bytes));
            let put = self.within_limit(key, putting).await?;
            return put.map(drop).map_err(|error| failed(key, error));
        };
        let putting = tokio::task::spawn_blocking(move || {
            let path = directory.join(path.as_ref());
            local::make_parents(&directory, &path)?;
            local::put(&path, &bytes)
        });
        let put = self.within_limit(key, putting).await?;
        let put = put.map_err(std::io::Error::other).flatten();
        self.explain(put.map_err(|error| storage(key, error))).await
    }

    /// Writes `bytes` as the blob `key` if there is such a blob, and syncs it to disk. A few bytes are also written on a full disk.
    ///
    /// # Errors
    /// [`BlobError::NotFound`] if there is none; none is made.
    pub async fn replace(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        let Some(directory) = &self.directory else {
            self.head(key).await?;
            return self.put(key, bytes).await;
        };
        let path = directory.join(path(key)?.as_ref());
        let replacing = tokio::task::spawn_blocking(move || local::replace(&path, &bytes));
        let replaced = self.within_limit(key, replacing).await?;
        match replaced.map_err(|error| storage(key, error))? {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let missing = BlobError::NotFound { key: key.to_owned() };
                Err(self.explained(missing).await)
            }
            replaced => replaced.map_err(|error| storage(key, error)),
        }
    }

    /// Whether the storage answers: a directory that was taken away does not.
    pub async fn check(&self) -> Result<(), BlobError> {
        if let Some(directory) = &self.directory {
            return match tokio::fs::metadata(directory).await {
                Err(error) if error.kind() == ErrorKind::NotFound => Err(away(directory)),
                found => found.map(drop).map_err(|error| storage("", error)),
            };
        }
        match self.head("readiness").await {
            Ok(_) | Err(BlobError::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The whole blob in memory: for images, which are small. Stream videos with [`Blobs::get_range`].
    pub async fn get(&self, key: &str) -> Result<Bytes, BlobError> {
        let found = self.open_blob(key, GetOptions::default()).await?;
        let mut whole = BytesMut::with_capacity(usize::try_from(found.meta.size).unwrap_or_default());
        let mut pieces = self.pieces(found, key);
        while let Some(piece) = pieces.try_next().await? {
            whole.extend_from_slice(&piece);
        }
        Ok(whole.freeze())
    }

    /// The bytes `range.start..range.end` of a blob that was written with `size_bytes`, within which they are. One that has another size
    /// now is refused: what is read of it would not be what was written. An empty range is an empty stream.
    pub async fn get_range(
        &self,
        key: &str,
        range: Range<u64>,
        size_bytes: u64,
    ) -> Result<BlobStream, BlobError> {
        if range.start >= range.end {
            self.check_size(key, size_bytes).await?;
            return Ok(futures_util::stream::empty().boxed());
        }
        let options = GetOptions {
            range: Some(GetRange::Bounded(range)),
            ..GetOptions::default()
        };
        match self.open_blob(key, options).await {
            Ok(found) => {
                has_size(key, found.meta.size, size_bytes)?;
                Ok(self.pieces(found, key))
            }
            Err(missing @ BlobError::NotFound { .. }) => Err(missing),
            // A blob that ends before the range cannot be opened there.
            Err(error) => match self.check_size(key, size_bytes).await {
                Err(cut @ BlobError::Size { .. }) => Err(cut),
                _ => Err(error),
            },
        }
    }

    pub(crate) async fn open_blob(&self, key: &str, options: GetOptions) -> Result<GetResult, BlobError> {
        let path = path(key)?;
        let opened = self
            .within_limit(key, self.store(key)?.get_opts(&path, options))
            .await?;
        self.explain(opened.map_err(|error| failed(key, error))).await
    }

    /// The bytes of an open blob. Each piece may take as long as a step.
    fn pieces(&self, found: GetResult, key: &str) -> BlobStream {
        let (key, range) = (key.to_owned(), found.range.clone());
        let stream = match found.payload {
            GetResultPayload::File(file, _) => local::stream(file, range, key.clone()),
            GetResultPayload::Stream(stream) => {
                let key = key.clone();
                stream.map_err(move |error| failed(&key, error)).boxed()
            }
        };
        let state = (stream, self.clone(), key);
        try_unfold(state, async |(mut stream, blobs, key)| {
            let next = blobs.within_limit(&key, stream.try_next()).await??;
            Ok(next.map(|bytes| (bytes, (stream, blobs, key))))
        })
        .boxed()
    }

    /// The blob's size in bytes.
    pub async fn head(&self, key: &str) -> Result<u64, BlobError> {
        let path = path(key)?;
        let found = self.within_limit(key, self.store(key)?.head(&path)).await?;
        let size_bytes = found.map(|meta| meta.size);
        self.explain(size_bytes.map_err(|error| failed(key, error))).await
    }

    /// The last `count` bytes of the blob.
    pub async fn get_end(&self, key: &str, count: u64) -> Result<End, BlobError> {
        let options = GetOptions {
            range: Some(GetRange::Suffix(count)),
            ..GetOptions::default()
        };
        let found = self.open_blob(key, options).await?;
        let size_bytes = found.meta.size;
        let mut end = BytesMut::new();
        let mut pieces = self.pieces(found, key);
        while let Some(piece) = pieces.try_next().await? {
            end.extend_from_slice(&piece);
        }
        Ok(End {
            bytes: end.freeze(),
            size_bytes,
        })
    }

    /// Fails if the blob has another size than it was written with.
    pub async fn check_size(&self, key: &str, expected_bytes: u64) -> Result<(), BlobError> {
        has_size(key, self.head(key).await?, expected_bytes)
    }

    /// Deletes the blob; one that is missing is fine.
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        let path = path(key)?;
        let deleted = self.within_limit(key, self.store(key)?.delete(&path)).await?;
        let deleted = deleted.map_err(|error| failed(key, error));
        match self.explain(deleted).await {
            Err(BlobError::NotFound { .. }) => Ok(()),
            deleted => deleted,
        }
    }

    /// All blobs, in no particular order, read from the storage about a thousand at a time. Unfinished ones are not listed.
    pub fn list(&self) -> BoxStream<'static, Result<ListedBlob, BlobError>> {
        let store = match self.store("") {
            Ok(store) => store,
            Err(error) => return futures_util::stream::once(async { Err(error) }).boxed(),
        };
        let listed = store.list(None).map_ok(|meta| ListedBlob {
            key: meta.location.into(),
            written_at: Time::from_micros(meta.last_modified.timestamp_micros()),
        });
        listed.map_err(|error| failed("", error)).boxed()
    }

    /// Makes `to` hold what `from` holds, replacing what was there. Costs no space in a local directory.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), BlobError> {
        let (source, target) = (path(from)?, path(to)?);
        let copying = self.store(from)?.copy(&source, &target);
        let copied = self.within_limit(from, copying).await?;
        self.explain(copied.map_err(|error| failed(from, error))).await
    }

    /// Where the file of the blob `key` is, or will be. A bucket has none: what grows over many requests stays on a
    /// disk between them.
    pub(crate) fn place_of(&self, key: &str) -> Result<PathBuf, BlobError> {
        let path = path(key)?;
        let no_files = || {
            storage(
                key,
                std::io::Error::other("this storage keeps no files that can grow"),
            )
        };
        let directory = self.directory.as_ref().ok_or_else(no_files)?;
        Ok(directory.join(path.as_ref()))
    }

    /// Whether blobs can be written over many requests.
    pub fn keeps_partials(&self) -> bool {
        self.directory.is_some()
    }

    /// Removes what uploads left behind when the program was killed, if it was last written before `before`.
    /// Returns how many files went. A local directory only: buckets do this by a lifecycle rule.
    pub async fn remove_abandoned(&self, before: Time) -> Result<u64, BlobError> {
        let Some(directory) = self.directory.clone() else {
            return Ok(0);
        };
        let swept = tokio::task::spawn_blocking(move || local::remove_abandoned(&directory, before)).await;
        let swept = swept.map_err(|error| storage("", error))?;
        swept.map_err(|error| storage("", error))
    }
}

/// The path of the blob `key` in the storage.
pub(crate) fn path(key: &str) -> Result<Path, BlobError> {
    let refused = || BlobError::Key { key: key.to_owned() };
    let path = Path::parse(key).map_err(|_| refused())?;
    // A key with `#` would collide with the names of unfinished uploads.
    if key.is_empty() || key.contains('#') {
        Err(refused())
    } else {
        Ok(path)
    }
}

/// Fails if a blob of `size_bytes` was written with another size.
///
/// # Errors
/// [`BlobError::Size`].
pub fn has_size(key: &str, size_bytes: u64, expected_bytes: u64) -> Result<(), BlobError> {
    if size_bytes == expected_bytes {
        return Ok(());
    }
    Err(BlobError::Size {
        key: key.to_owned(),
        size_bytes,
        expected_bytes,
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, SeekFrom};

    use sha2::{Digest, Sha256};

    use super::*;
    use crate::partial::IfMissing;

    /// A store that keeps no files and answers with streams, as buckets do.
    fn bucket() -> Blobs {
        let store: Box<dyn ObjectStore> = Box::new(object_store::memory::InMemory::new());
        Blobs {
            store: Arc::new(OnceLock::from(store)),
            directory: None,
            part_bytes: 100_000,
            step_limit: STEP_LIMIT,
        }
    }

    fn counting(length: u32) -> Bytes {
        (0..length).flat_map(u32::to_le_bytes).collect()
    }

    #[tokio::test]
    async fn a_store_without_files_takes_uploads_in_parts_and_gives_ranges() {
        let (blobs, bytes) = (bucket(), counting(200_000));
        let mut upload = blobs.upload("film").await.unwrap();
        upload.write(bytes.clone()).await.unwrap();
        assert_eq!(upload.finish().await.unwrap().size_bytes, 800_000);
        let range = blobs.get_range("film", 99_000..500_000, 800_000).await.unwrap();
        let pieces: Vec<Bytes> = range.try_collect().await.unwrap();
        assert_eq!(pieces.concat(), bytes[99_000..500_000]);
        assert_eq!(blobs.remove_abandoned(Time::from_secs(1 << 40)).await.unwrap(), 0);
        assert!(!blobs.keeps_partials() && blobs.hold_partial("film", IfMissing::Create).await.is_err());
        blobs.remove_partial("film").await.unwrap();
        assert_eq!(
            blobs.sha256("film").await.unwrap()[..],
            Sha256::digest(&bytes)[..]
        );
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_reader_fetches_from_a_store_without_files_as_it_seeks() {
        let (blobs, bytes) = (bucket(), counting(200_000));
        blobs.put("film", bytes.clone()).await.unwrap();
        let mut reader = blobs.reader("film").await.unwrap();
        assert_eq!(reader.path(), None);
        let checked = tokio::task::spawn_blocking(move || {
            for (position, length) in [(799_990, 10), (4, 400_000), (262_140, 8)] {
                let mut piece = vec![0; length];
                reader.seek(SeekFrom::Start(position as u64)).unwrap();
                reader.read_exact(&mut piece).unwrap();
                assert_eq!(piece, bytes[position..position + length]);
            }
        });
        checked.await.unwrap();
    }
}
