//! The body of a request, which must be read to its end before the connection can be used again.
//!
//! hyper closes a connection whose request was answered before its body was read, without announcing it, because it
//! has written the head of the response by then. So what the handler left of a body is drained before the response goes
//! out where that is little and quick, and else the response carries `Connection: close`.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use super::activity::Activity;

/// How much of a body that no one reads is drained for the sake of the connection.
const DRAINED_BYTES: u64 = 64 << 10;
/// How long a response waits for that.
const DRAINED_WITHIN: Duration = Duration::from_secs(1);

/// Why reading a body failed.
type BodyError = Box<dyn std::error::Error + Send + Sync>;

/// The body as the handler reads it.
pub(super) struct RequestBody(Arc<Shared>);

/// The same body, kept for after the handler.
pub(super) struct Remainder(Arc<Shared>);

struct Shared {
    incoming: Mutex<Incoming>,
    activity: Arc<Activity>,
    was_polled: AtomicBool,
    /// Whether the client sends the body only after it was asked to.
    is_expected: bool,
}

/// Gives a body to the handler, and what it leaves of it to the connection.
pub(super) fn split(
    incoming: Incoming,
    headers: &HeaderMap,
    activity: &Arc<Activity>,
) -> (RequestBody, Remainder) {
    let shared = Arc::new(Shared {
        incoming: Mutex::new(incoming),
        activity: Arc::clone(activity),
        was_polled: AtomicBool::new(false),
        is_expected: headers.contains_key(header::EXPECT),
    });
    (RequestBody(Arc::clone(&shared)), Remainder(shared))
}

impl Shared {
    fn incoming(&self) -> MutexGuard<'_, Incoming> {
        self.incoming.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let shared = &self.0;
        shared.was_polled.store(true, Relaxed);
        let polled = Pin::new(&mut *shared.incoming()).poll_frame(cx);
        shared.activity.awaits_body(polled.is_pending());
        if polled.is_pending() {
            shared.activity.wake_on_expiry(cx.waker());
            if shared.activity.is_expired() {
                return Poll::Ready(Some(Err("the body came too slowly".into())));
            }
        }
        let frame = ready!(polled);
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.0.incoming().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.incoming().size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        self.0.activity.awaits_body(false);
    }
}

impl Remainder {
    /// Drains what the handler left of the body, or announces in the response's headers that the connection closes.
    pub(super) async fn settle(mut self, headers: &mut HeaderMap) {
        if self.0.incoming().is_end_stream() || headers.contains_key(header::CONNECTION) {
            return;
        }
        if !(self.is_worth_draining() && self.drain().await) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }

    fn is_worth_draining(&mut self) -> bool {
        // Reading a body that the client waits to be asked for would ask for it.
        let is_unsent = self.0.is_expected && !self.0.was_polled.load(Relaxed);
        let is_small = self.0.incoming().size_hint().lower() <= DRAINED_BYTES;
        // A handler that keeps the body goes on to read it.
        !is_unsent && is_small && Arc::strong_count(&self.0) == 1
    }

    async fn drain(self) -> bool {
        let mut left = DRAINED_BYTES;
        let mut body = RequestBody(self.0);
        let draining = async {
            loop {
                match body.frame().await {
                    None => return true,
                    Some(Err(_)) => return false,
                    Some(Ok(frame)) => {
                        let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
                        match left.checked_sub(bytes) {
                            Some(rest) => left = rest,
                            None => return false,
                        }
                    }
                }
            }
        };
        tokio::time::timeout(DRAINED_WITHIN, draining)
            .await
            .unwrap_or(false)
    }
}

/// The body of a response; when it is dropped there is no more of it to send.
pub(super) struct ResponseBody {
    inner: axum::body::Body,
    activity: Arc<Activity>,
}

impl ResponseBody {
    pub(super) fn new(inner: axum::body::Body, activity: Arc<Activity>) -> Self {
        Self { inner, activity }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.activity.answered();
    }
}
