//! Blob storage: files by key, in a local directory or in a bucket.
//!
//! Both are read by `object_store`. What is written to a directory is synced, its name as well, before a write succeeds: an accepted
//! upload survives a power loss.

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
    GetOptions, GetRange, GetResult, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload,
};
use playout_domain::time::Time;
use tokio::time::timeout;

use crate::blob_error::{BlobError, BlobStream, away, failed, storage};
use crate::bucket::{Bucket, EXCERPT_PREFIX};
use crate::keys::{has_size, path};
use crate::local;

/// How long the storage may take for one step: to look up, open, write or remove a blob, or to read its next piece. A network file
/// system whose server is gone never answers.
const STEP_LIMIT: Duration = Duration::from_secs(60);
/// How much of an object one request reads. One that lasted as long as a slow client reads would be cut by the storage.
const WINDOW_BYTES: u64 = 16 << 20;

/// A blob that was listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBlob {
    /// Its key.
    pub key: String,
    /// When it was last written.
    pub written_at: Time,
    /// How many bytes it has.
    pub size_bytes: u64,
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
    place: Place,
    step_limit: Duration,
}

/// Where the blobs are.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    Directory(Directory),
    Bucket(Bucket),
}

/// A local directory. It is opened with the first use that finds it.
#[derive(Debug, Clone)]
pub(crate) struct Directory {
    path: PathBuf,
    store: Arc<OnceLock<LocalFileSystem>>,
}

impl Directory {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            store: Arc::default(),
        }
    }

    pub(crate) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Where the file of the blob `key` is, or will be.
    pub(crate) fn place_of(&self, key: &str) -> Result<PathBuf, BlobError> {
        Ok(self.path.join(path(key)?.as_ref()))
    }

    fn store(&self, key: &str) -> Result<&LocalFileSystem, BlobError> {
        if let Some(store) = self.store.get() {
            return Ok(store);
        }
        let opened = LocalFileSystem::new_with_prefix(&self.path);
        let opened = opened.map_err(|error| match self.path.exists() {
            true => storage(key, error),
            false => away(&self.path),
        })?;
        Ok(self.store.get_or_init(|| opened.with_fsync(true)))
    }
}

impl Blobs {
    pub(crate) fn at(place: Place) -> Self {
        Self {
            place,
            step_limit: STEP_LIMIT,
        }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// The local directory that the storage is, if it is one.
    pub(crate) fn directory(&self) -> Option<&PathBuf> {
        match &self.place {
            Place::Directory(directory) => Some(&directory.path),
            Place::Bucket(_) => None,
        }
    }

    /// Where files may be made for a storage that is no directory itself.
    pub(crate) fn scratch(&self) -> Option<&std::path::Path> {
        match &self.place {
            Place::Directory(_) => None,
            Place::Bucket(bucket) => Some(bucket.scratch()),
        }
    }

    /// What reads the blob `key`, and where it is there.
    fn locate(&self, key: &str) -> Result<(&dyn ObjectStore, Path), BlobError> {
        match &self.place {
            Place::Directory(directory) => Ok((directory.store(key)?, path(key)?)),
            Place::Bucket(bucket) => Ok((bucket.store(), bucket.path(key)?)),
        }
    }

    /// Replaces an error that is due to a missing directory or bucket by one that names it.
    pub(crate) async fn explained(&self, error: BlobError) -> BlobError {
        let away = match (&self.place, &error) {
            (Place::Directory(directory), BlobError::NotFound { .. } | BlobError::Storage { .. }) => {
                match self.within_limit("", tokio::fs::metadata(&directory.path)).await {
                    Ok(Err(found)) if found.kind() == ErrorKind::NotFound => Some(away(&directory.path)),
                    _ => None,
                }
            }
            (Place::Bucket(bucket), BlobError::NotFound { .. }) => {
                let checked = self.within_limit("", bucket.check()).await.flatten();
                checked
                    .err()
                    .filter(|error| matches!(error, BlobError::Away { .. }))
            }
            _ => None,
        };
        away.unwrap_or(error)
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
        let Some(directory) = self.directory().cloned() else {
            let (store, path) = self.locate(key)?;
            let put = self
                .within_limit(key, store.put(&path, PutPayload::from_bytes(bytes)))
                .await?;
            return self
                .explain(put.map(drop).map_err(|error| failed(key, error)))
                .await;
        };
        let path = path(key)?;
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
        let Some(directory) = self.directory() else {
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
        match &self.place {
            Place::Directory(directory) => match tokio::fs::metadata(&directory.path).await {
                Err(error) if error.kind() == ErrorKind::NotFound => Err(away(&directory.path)),
                found => found.map(drop).map_err(|error| storage("", error)),
            },
            Place::Bucket(bucket) => self.within_limit("", bucket.check()).await.flatten(),
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
        let window = self.first_window(&range);
        let first = self.open_window(key, window.clone(), size_bytes).await?;
        let rest = (window.end..range.end, self.clone(), key.to_owned());
        let others = try_unfold(rest, move |(rest, blobs, key)| async move {
            if rest.is_empty() {
                return Ok(None);
            }
            let window = blobs.first_window(&rest);
            let pieces = blobs.open_window(&key, window.clone(), size_bytes).await?;
            Ok(Some((pieces, (window.end..rest.end, blobs, key))))
        });
        Ok(first.chain(others.try_flatten()).boxed())
    }

    /// How much of a range is asked for at once.
    fn first_window(&self, range: &Range<u64>) -> Range<u64> {
        match &self.place {
            Place::Directory(_) => range.clone(),
            Place::Bucket(_) => range.start..range.end.min(range.start + WINDOW_BYTES),
        }
    }

    async fn open_window(
        &self,
        key: &str,
        window: Range<u64>,
        size_bytes: u64,
    ) -> Result<BlobStream, BlobError> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(window)),
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
        let (store, path) = self.locate(key)?;
        let opened = self.within_limit(key, store.get_opts(&path, options)).await?;
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
        let (store, path) = self.locate(key)?;
        let found = self.within_limit(key, store.head(&path)).await?;
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
        let (store, path) = self.locate(key)?;
        let deleted = self.within_limit(key, store.delete(&path)).await?;
        let deleted = deleted.map_err(|error| failed(key, error));
        match self.explain(deleted).await {
            Err(BlobError::NotFound { .. }) => Ok(()),
            deleted => deleted,
        }
    }

    /// All blobs, in no particular order, read from the storage about a thousand at a time. Unfinished ones are not listed.
    pub fn list(&self) -> BoxStream<'static, Result<ListedBlob, BlobError>> {
        let blob = |key: String, meta: &ObjectMeta| ListedBlob {
            key,
            written_at: Time::from_micros(meta.last_modified.timestamp_micros()),
            size_bytes: meta.size,
        };
        let listed = match &self.place {
            Place::Directory(directory) => match directory.store("") {
                Ok(store) => store
                    .list(None)
                    .map_ok(move |meta| blob(meta.location.to_string(), &meta))
                    .boxed(),
                Err(error) => return futures_util::stream::once(async { Err(error) }).boxed(),
            },
            Place::Bucket(bucket) => {
                let (listed, bucket) = (bucket.list(), bucket.clone());
                let blobs = listed.try_filter_map(move |meta| {
                    let found = bucket.key_of(&meta.location).map(|key| blob(key, &meta));
                    std::future::ready(Ok(found))
                });
                blobs.boxed()
            }
        };
        listed.map_err(|error| failed("", error)).boxed()
    }

    /// Makes `to` hold what `from` holds, replacing what was there. Costs no space in a local directory.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), BlobError> {
        let ((store, source), (_, target)) = (self.locate(from)?, self.locate(to)?);
        let copied = self.within_limit(from, store.copy(&source, &target)).await?;
        self.explain(copied.map_err(|error| failed(from, error))).await
    }

    /// Removes what uploads left behind when the program was killed, if it was last written before `before`; in a bucket only of blobs
    /// whose key `is_ours`. Returns how many files, notes and multipart uploads went.
    pub async fn remove_abandoned(&self, before: Time, is_ours: fn(&str) -> bool) -> Result<u64, BlobError> {
        let directory = match &self.place {
            Place::Directory(directory) => &directory.path,
            Place::Bucket(bucket) => {
                let excerpts = self.swept(bucket.scratch(), before, |name| name.starts_with(EXCERPT_PREFIX));
                return Ok(excerpts.await? + bucket.remove_abandoned(before, is_ours).await?);
            }
        };
        self.swept(directory, before, local::is_unfinished).await
    }

    /// Removes the files below `directory` with such names that were last written before `before`.
    async fn swept(
        &self,
        directory: &std::path::Path,
        before: Time,
        is_meant: fn(&str) -> bool,
    ) -> Result<u64, BlobError> {
        let directory = directory.to_owned();
        let swept =
            tokio::task::spawn_blocking(move || local::remove_old(&directory, before, is_meant)).await;
        let swept = swept.map_err(|error| storage("", error))?;
        swept.map_err(|error| storage("", error))
    }
}
