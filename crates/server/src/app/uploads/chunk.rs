//! Bytes that a request brings for an upload.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use playout_wire::tus::{AppendToUpload, Checksum};

/// The bytes of a request, until they end or the connection does.
pub type Body = BoxStream<'static, Result<Bytes, axum::Error>>;

/// Bytes for an upload.
pub struct Chunk {
    /// Where they go.
    pub offset: u64,
    /// How many there are, if that is known before they have come.
    pub length: Option<u64>,
    /// Their checksum: all of them are kept, or none.
    pub checksum: Option<Checksum>,
    /// They themselves.
    pub body: Body,
}

impl Chunk {
    /// The bytes that a request to append brings.
    pub fn new(request: AppendToUpload, length: Option<u64>, body: Body) -> Self {
        Self {
            offset: request.offset,
            length,
            checksum: request.checksum,
            body,
        }
    }
}
