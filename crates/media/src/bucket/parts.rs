//! The parts of an upload that comes in one request, on their way into a bucket.

use std::path::PathBuf;

use bytes::Bytes;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use super::Growing;
use crate::parts::{Done, Parts};

/// Hands what comes to a task that writes it, in order. Dropped before the blob has its name, it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct BucketParts {
    coming: Option<UnboundedSender<(Bytes, Done)>>,
    writing: Option<JoinHandle<Growing>>,
    written: Option<Growing>,
    is_over: bool,
    size_bytes: u64,
}

impl BucketParts {
    pub(crate) fn new(growing: Growing) -> Self {
        let (coming, taken) = unbounded_channel();
        Self {
            coming: Some(coming),
            writing: Some(tokio::spawn(write(growing, taken))),
            written: None,
            is_over: false,
            size_bytes: 0,
        }
    }

    /// What was written, when all that came is.
    async fn written(&mut self) -> object_store::Result<&mut Growing> {
        self.coming = None;
        if let Some(writing) = self.writing.take() {
            self.written = Some(writing.await?);
        }
        self.written.as_mut().ok_or_else(ended)
    }
}

fn ended() -> object_store::Error {
    object_store::Error::Generic {
        store: "upload",
        source: "nothing can be written to it any more".into(),
    }
}

/// The caller waits when eight parts are not done.
async fn write(mut growing: Growing, mut coming: UnboundedReceiver<(Bytes, Done)>) -> Growing {
    while let Some((part, done)) = coming.recv().await {
        done(growing.write(part).await);
    }
    growing
}

#[async_trait::async_trait]
impl Parts for BucketParts {
    fn put(&mut self, part: Bytes, done: Done) {
        self.size_bytes += part.len() as u64;
        let sent = match &self.coming {
            Some(coming) => coming.send((part, done)).map_err(|unsent| unsent.0),
            None => Err((part, done)),
        };
        // The task has panicked, or nothing more can be written.
        if let Err((_, done)) = sent {
            done(Err(ended()));
        }
    }

    async fn sync(&mut self) -> object_store::Result<()> {
        self.written().await?.flush().await
    }

    async fn name(&mut self) -> object_store::Result<Option<PathBuf>> {
        let size_bytes = self.size_bytes;
        self.written().await?.name(size_bytes).await?;
        self.is_over = true;
        Ok(None)
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.is_over = true;
        self.written().await?.abort().await
    }
}

impl Drop for BucketParts {
    fn drop(&mut self) {
        let (writing, written) = (self.writing.take(), self.written.take());
        // What cannot be removed now, the sweep of abandoned uploads removes later.
        let Some(runtime) = Handle::try_current().ok().filter(|_| !self.is_over) else {
            return;
        };
        self.coming = None;
        runtime.spawn(async move {
            let growing = match writing {
                Some(writing) => writing.await.ok(),
                None => written,
            };
            if let Some(mut growing) = growing {
                let _left_to_the_sweep = growing.abort().await;
            }
        });
    }
}
