//! The bytes of an answer whose length is not announced.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use reqwest::Response;
use tokio::sync::Mutex;

use crate::app::uploads::Body;

/// The bytes of an answer, taken in steps.
#[derive(Clone)]
pub(super) struct Source(Arc<Mutex<Rest>>);

struct Rest {
    /// What came and was not taken yet.
    bytes: Bytes,
    more: BoxStream<'static, Result<Bytes, axum::Error>>,
}

impl Source {
    pub(super) fn new(response: Response) -> Self {
        let more = response.bytes_stream().map_err(axum::Error::new).boxed();
        let bytes = Bytes::new();
        Self(Arc::new(Mutex::new(Rest { bytes, more })))
    }

    /// The next bytes, `most` of them at most.
    pub(super) fn next(&self, most: u64) -> Body {
        let pieces = stream::unfold((self.clone(), most), |(source, most)| async move {
            if most == 0 {
                return None;
            }
            let piece = source.0.lock().await.take(most).await?;
            let left = most - piece.as_ref().map_or(most, |piece| piece.len() as u64);
            Some((piece, (source, left)))
        });
        pieces.boxed()
    }

    /// Whether there are no more bytes; an error is for who takes the next.
    pub(super) async fn is_at_end(&self) -> bool {
        let mut rest = self.0.lock().await;
        match rest.take(u64::MAX).await {
            None => true,
            Some(Ok(bytes)) => {
                rest.bytes = bytes;
                false
            }
            Some(Err(error)) => {
                rest.more = stream::iter([Err(error)]).boxed();
                false
            }
        }
    }
}

impl Rest {
    async fn take(&mut self, most: u64) -> Option<Result<Bytes, axum::Error>> {
        while self.bytes.is_empty() {
            match self.more.next().await? {
                Ok(bytes) => self.bytes = bytes,
                Err(error) => return Some(Err(error)),
            }
        }
        let length = usize::try_from(most).map_or(self.bytes.len(), |most| most.min(self.bytes.len()));
        Some(Ok(self.bytes.split_to(length)))
    }
}
