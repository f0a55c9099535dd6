//! A caller who is authorized when the head of a request arrives may lose that right before its body is complete: a slow client
//! can be removed meanwhile. So each part of the body that arrives more than [`JUDGED_FOR`] after the last check waits for
//! another.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use playout_domain::time::Time;

use crate::api::error::ApiError;
use crate::app::{App, AppError};

/// How long a check of key, session and role is valid.
const JUDGED_FOR: Duration = Duration::from_millis(100);

type Verdict = Pin<Box<dyn Future<Output = Result<(), AppError>> + Send>>;
/// Checks again whether the caller is authorized.
pub(super) type Look = Box<dyn Fn() -> Verdict + Send>;

/// Runs a handler whose caller was just let through, and checks the caller again while the body arrives. If the last check fails,
/// its refusal is the response, regardless of what the handler made of the incomplete body.
pub(super) async fn answer<F: Future<Output = Response>>(
    app: &Arc<App>,
    request: Request,
    look: Look,
    next: impl FnOnce(Request) -> F,
) -> Response {
    if request.body().is_end_stream() {
        return next(request).await;
    }
    let refused = Arc::new(Mutex::new(None));
    let (parts, body) = request.into_parts();
    let body = Body::new(Still {
        body,
        app: Arc::clone(app),
        judged_at: app.now(),
        look,
        looking: None,
        refused: Arc::clone(&refused),
    });
    let response = next(Request::from_parts(parts, body)).await;
    let refused = refused.lock().unwrap_or_else(PoisonError::into_inner).take();
    match refused {
        Some(error) => ApiError::from(error).into_response(),
        None => response,
    }
}

/// A request body whose caller is checked again while it arrives.
struct Still {
    body: Body,
    app: Arc<App>,
    judged_at: Time,
    look: Look,
    /// The check in progress, and the frame that waits for it.
    looking: Option<(Verdict, Frame<Bytes>)>,
    refused: Arc<Mutex<Option<AppError>>>,
}

// `Verdict` is a box that `Future` may move, so nothing here is pinned.
impl Unpin for Still {}

impl Still {
    fn is_judged(&self) -> bool {
        let now = self.app.now();
        now >= self.judged_at && now.since(self.judged_at) < JUDGED_FOR
    }
}

impl HttpBody for Still {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        loop {
            if let Some((verdict, _)) = &mut self.looking {
                let verdict = ready!(verdict.as_mut().poll(cx));
                let Some((_, frame)) = self.looking.take() else {
                    continue;
                };
                self.judged_at = self.app.now();
                return Poll::Ready(Some(match verdict {
                    Ok(()) => Ok(frame),
                    Err(error) => {
                        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        Err(axum::Error::new(std::io::Error::other(
                            "the caller may no longer call",
                        )))
                    }
                }));
            }
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) if !self.is_judged() => self.looking = Some(((self.look)(), frame)),
                other => return Poll::Ready(other),
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.looking.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
