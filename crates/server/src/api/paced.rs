//! A request's body at the pace of whoever reads it.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use http_body::{Frame, SizeHint};

/// A body that hands out one frame at a time: after each it says once that the next is not there yet.
///
/// The form reader takes in whatever is ready before it hands anything on. From a client faster than the disk that is
/// without end: the upload would gather in memory.
struct Paced {
    body: Body,
    rests: bool,
}

/// The same request, its body paced.
pub fn paced(request: Request) -> Request {
    request.map(|body| Body::new(Paced { body, rests: false }))
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if std::mem::take(&mut self.rests) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.rests = matches!(frame, Poll::Ready(Some(Ok(_))));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
