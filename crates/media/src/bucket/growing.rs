//! A blob on its way into a bucket, part by part.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use object_store::multipart::PartId;
use object_store::path::Path;
use object_store::{MultipartId, ObjectStoreExt, PutPayload};
use tokio::task::{JoinHandle, spawn_blocking};

use super::{Bucket, Held, PART_BYTES};
use crate::pages::Pages;

/// How many parts of one blob are sent at once.
const SENT_AT_ONCE: usize = 4;

/// The parts of a blob that is not finished.
///
/// The bytes of a part that is not full yet are in a file without a name: slow clients take no memory, however many there are.
#[derive(Debug)]
pub(crate) struct Growing {
    bucket: Bucket,
    path: Path,
    /// Given with the first full part.
    multipart: Option<MultipartId>,
    /// In the order of the parts.
    sent: Vec<PartId>,
    sending: VecDeque<JoinHandle<object_store::Result<PartId>>>,
    gathered: Option<Gathered>,
    /// Kept by what is still being sent, too.
    held: Option<Arc<Held>>,
}

/// The beginning of a part, at most all of it.
#[derive(Debug)]
struct Gathered {
    file: Arc<File>,
    bytes: usize,
}

impl Growing {
    pub(crate) fn new(bucket: Bucket, path: Path) -> Self {
        Self {
            bucket,
            path,
            multipart: None,
            sent: Vec::new(),
            sending: VecDeque::new(),
            gathered: None,
            held: None,
        }
    }

    /// The same blob after an earlier request, which has sent these parts.
    pub(super) fn after(self, multipart: Option<MultipartId>, sent: Vec<PartId>, held: Arc<Held>) -> Self {
        Self {
            multipart,
            sent,
            held: Some(held),
            ..self
        }
    }

    /// How many bytes were written.
    pub(super) fn position(&self) -> u64 {
        self.full_parts_bytes() + self.gathered.as_ref().map_or(0, |gathered| gathered.bytes as u64)
    }

    /// How many of them are in full parts.
    pub(super) fn full_parts_bytes(&self) -> u64 {
        (self.sent.len() + self.sending.len()) as u64 * PART_BYTES as u64
    }

    pub(super) fn multipart(&self) -> Option<&MultipartId> {
        self.multipart.as_ref()
    }

    /// The parts that the bucket has.
    pub(super) fn sent(&self) -> &[PartId] {
        &self.sent
    }

    /// Takes the next bytes; sends a part that they fill, and waits where too many are on their way.
    pub(super) async fn write(&mut self, mut bytes: Bytes) -> object_store::Result<()> {
        while !bytes.is_empty() {
            let mut gathered = match self.gathered.take() {
                Some(gathered) => gathered,
                None => Gathered::new(&self.bucket).await.map_err(generic)?,
            };
            let taken = bytes.len().min(PART_BYTES - gathered.bytes);
            gathered.append(bytes.slice(..taken)).await.map_err(generic)?;
            bytes.advance(taken);
            let is_full = gathered.bytes == PART_BYTES;
            self.gathered = Some(gathered);
            if is_full {
                self.send().await?;
            }
        }
        Ok(())
    }

    /// Begins to send what is gathered as the next part.
    async fn send(&mut self) -> object_store::Result<()> {
        while self.sending.len() >= SENT_AT_ONCE {
            self.land_first().await?;
        }
        let id = match &self.multipart {
            Some(id) => id.clone(),
            None => {
                let id = self.bucket.store().create_multipart(&self.path).await?;
                self.multipart.insert(id).clone()
            }
        };
        let Some(part) = self.gathered.take() else {
            return Ok(());
        };
        let (bucket, path, held) = (self.bucket.clone(), self.path.clone(), self.held.clone());
        let index = self.sent.len() + self.sending.len();
        self.sending.push_back(tokio::spawn(async move {
            let _held = held;
            // It is never closed.
            let _permit = bucket.0.sending.acquire().await;
            let part = part.read().await.map_err(generic)?;
            let sent = bucket
                .store()
                .put_part(&path, &id, index, PutPayload::from_bytes(part));
            sent.await
        }));
        Ok(())
    }

    async fn land_first(&mut self) -> object_store::Result<()> {
        if let Some(sending) = self.sending.pop_front() {
            self.sent.push(sending.await.map_err(generic)??);
        }
        Ok(())
    }

    /// Waits until the bucket has all full parts.
    pub(super) async fn landed(&mut self) -> object_store::Result<()> {
        while !self.sending.is_empty() {
            self.land_first().await?;
        }
        Ok(())
    }

    /// Waits until nothing is being sent any more, whatever became of it: what is sent later under the same number is not
    /// replaced by it.
    pub(super) async fn quiet(&mut self) {
        for sending in self.sending.drain(..) {
            let _whatever_became_of_it = sending.await;
        }
    }

    /// What came after the last full part.
    pub(super) async fn rest(&self) -> object_store::Result<Bytes> {
        match &self.gathered {
            Some(gathered) => gathered.read().await.map_err(generic),
            None => Ok(Bytes::new()),
        }
    }

    /// Sends what is left, as far as it can be sent before the blob has its name. Nothing can be written afterwards.
    pub(super) async fn flush(&mut self) -> object_store::Result<()> {
        if self.multipart.is_some() {
            self.send().await?;
        }
        self.landed().await
    }

    /// Gives the blob its name. It may have it by another request, or by one whose answer was lost.
    pub(super) async fn name(&mut self, size_bytes: u64) -> object_store::Result<()> {
        let named = self.complete().await;
        let Err(error) = named else { return Ok(()) };
        match self.bucket.store().head(&self.path).await {
            Ok(found) if found.size == size_bytes => Ok(()),
            _ => Err(error),
        }
    }

    async fn complete(&mut self) -> object_store::Result<()> {
        self.flush().await?;
        let Some(id) = &self.multipart else {
            let whole = self.rest().await?;
            return self.bucket.put(&self.path, whole).await;
        };
        let completed = self
            .bucket
            .store()
            .complete_multipart(&self.path, id, self.sent.clone());
        completed.await.map(drop)
    }

    /// Removes what was sent.
    pub(super) async fn abort(&mut self) -> object_store::Result<()> {
        self.sending.iter().for_each(JoinHandle::abort);
        self.quiet().await;
        match self.multipart.take() {
            Some(id) => self.bucket.abort(&self.path, &id).await,
            None => Ok(()),
        }
    }
}

impl Gathered {
    async fn new(bucket: &Bucket) -> io::Result<Self> {
        let bucket = bucket.clone();
        let file = spawn_blocking(move || tempfile::tempfile_in(bucket.scratch())).await??;
        Ok(Self {
            file: Arc::new(file),
            bytes: 0,
        })
    }

    async fn append(&mut self, bytes: Bytes) -> io::Result<()> {
        let (file, at) = (Arc::clone(&self.file), self.bytes as u64);
        self.bytes += bytes.len();
        spawn_blocking(move || file.write_all_at(&bytes, at)).await?
    }

    async fn read(&self) -> io::Result<Bytes> {
        let (file, length) = (Arc::clone(&self.file), self.bytes);
        let pages = spawn_blocking(move || Pages::read(&file, length)).await??;
        Ok(Bytes::from_owner(pages))
    }
}

fn generic(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> object_store::Error {
    object_store::Error::Generic {
        store: "upload",
        source: source.into(),
    }
}
