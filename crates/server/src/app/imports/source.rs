//! The bytes of an answer: those that come too slowly are broken off, and where their length is not announced they are taken in steps.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use playout_domain::time::Clock;
use reqwest::Response;
use tokio::sync::Mutex;

use crate::app::uploads::Body;

/// The least that an address must send in so long, as requests must: its place is another's otherwise.
pub(super) const LEAST_BYTES: u64 = 64 << 10;
const LEAST_IN: Duration = Duration::from_secs(60);

/// The bytes of an answer, which end with an error once they come too slowly.
pub(super) fn brisk(clock: &Arc<dyn Clock>, response: Response) -> Body {
    let (clock, mut since, mut bytes) = (Arc::clone(clock), clock.now(), 0);
    let judged = move |piece: Result<Bytes, reqwest::Error>| {
        let piece = piece.map_err(axum::Error::new)?;
        bytes += piece.len() as u64;
        let now = clock.now();
        if now.since(since) >= LEAST_IN {
            if bytes < LEAST_BYTES {
                return Err(axum::Error::new("the bytes come too slowly"));
            }
            (since, bytes) = (now, 0);
        }
        Ok(piece)
    };
    response.bytes_stream().map(judged).boxed()
}

/// The bytes of an answer, taken in steps.
#[derive(Clone)]
pub(super) struct Source(Arc<Mutex<Rest>>);

struct Rest {
    /// What came and was not taken yet.
    bytes: Bytes,
    more: BoxStream<'static, Result<Bytes, axum::Error>>,
}

impl Source {
    pub(super) fn new(more: Body) -> Self {
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

#[cfg(test)]
mod tests {
    use playout_domain::time::{ManualClock, Time};

    use super::*;

    /// How many of ten pieces of so many bytes are taken that come twenty seconds apart.
    async fn taken(piece_bytes: usize) -> usize {
        let manual = ManualClock::at(Time::from_secs(0));
        let clock: Arc<dyn Clock> = Arc::new(manual.clone());
        let pieces = stream::iter(0..10).map(move |_| {
            manual.advance(Duration::from_secs(20));
            Ok::<_, std::io::Error>(vec![0; piece_bytes])
        });
        let response = axum::http::Response::new(reqwest::Body::wrap_stream(pieces));
        let pieces: Vec<_> = brisk(&clock, response.into()).collect().await;
        pieces.iter().take_while(|piece| piece.is_ok()).count()
    }

    #[tokio::test]
    async fn bytes_that_come_too_slowly_are_broken_off_after_a_minute() {
        assert_eq!(taken(1).await, 2);
        assert_eq!(taken(LEAST_BYTES as usize / 3).await, 2, "one byte too few");
        assert_eq!(taken(LEAST_BYTES as usize / 3 + 1).await, 10);
    }
}
