//! Where the parts of an upload go.

use std::fmt::Debug;
use std::path::PathBuf;

use bytes::Bytes;

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
