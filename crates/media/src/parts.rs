//! Where the parts of an upload go.

use std::fmt::Debug;
use std::path::PathBuf;

use bytes::Bytes;
use object_store::{MultipartUpload, PutPayload};

/// Takes parts, one after the other.
#[async_trait::async_trait]
pub(crate) trait Parts: Debug + Send {
    /// Begins to write the next part. `done` is called with the result when the part is no longer held.
    fn put(&mut self, part: Bytes, done: Done);

    /// Makes what was written last. A store whose files begin with their name does that then.
    async fn sync(&mut self) -> object_store::Result<()>;

    /// Gives the file its name. It lasts when the directory that this returns was synced; at once where there is none.
    async fn name(&mut self) -> object_store::Result<Option<PathBuf>>;

    /// Removes them.
    async fn abort(&mut self) -> object_store::Result<()>;
}

/// Called with the result of writing a part, on any thread.
pub(crate) type Done = Box<dyn FnOnce(object_store::Result<()>) + Send>;

/// Parts that any kind of store takes.
#[derive(Debug)]
pub(crate) struct Stored(pub(crate) Box<dyn MultipartUpload>);

#[async_trait::async_trait]
impl Parts for Stored {
    fn put(&mut self, part: Bytes, done: Done) {
        let write = self.0.put_part(PutPayload::from_bytes(part));
        tokio::spawn(async move { done(write.await) });
    }

    async fn sync(&mut self) -> object_store::Result<()> {
        Ok(())
    }

    async fn name(&mut self) -> object_store::Result<Option<PathBuf>> {
        self.0.complete().await?;
        Ok(None)
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        self.0.abort().await
    }
}
