//! A webhook receiver: accepts and records every delivery, unless a test sets another reply.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response};
use axum::routing::any;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// What the receiver does with a delivery, instead of accepting it.
pub(crate) enum Takes {
    /// Answers this status, these headers and this body.
    Answers(u16, Vec<(&'static str, String)>, String),
    /// Never answers.
    Hangs,
}

impl Takes {
    /// Answers this status and nothing more.
    pub(crate) fn status(status: u16) -> Self {
        Self::Answers(status, Vec::new(), String::new())
    }
}

/// A delivery as it came.
#[derive(Debug, Clone)]
pub(crate) struct Delivered {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// The receiver.
#[derive(Clone)]
pub(crate) struct Receiver {
    /// Where it is.
    pub(crate) url: String,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    replies: Mutex<VecDeque<Takes>>,
    received: Mutex<Vec<Delivered>>,
    came: Notify,
}

impl Receiver {
    /// A receiver that listens on this machine.
    pub(crate) async fn start() -> Self {
        let shared = Arc::<Shared>::default();
        let router = Router::new().fallback(any(take)).with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// The replies to the next deliveries, one after the other.
    pub(crate) fn will(&self, replies: impl IntoIterator<Item = Takes>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// The deliveries since the last call.
    pub(crate) fn received(&self) -> Vec<Delivered> {
        self.shared.received.lock().unwrap().drain(..).collect()
    }

    /// The one delivery since the last call.
    #[track_caller]
    pub(crate) fn only(&self) -> Delivered {
        let mut received = self.received();
        assert_eq!(received.len(), 1, "{received:#?}");
        received.remove(0)
    }

    /// Waits until something comes.
    pub(crate) async fn is_called(&self) {
        self.shared.came.notified().await;
    }

    /// Waits until so many calls came that were not looked at yet.
    pub(crate) async fn is_called_times(&self, calls: usize) {
        while self.shared.received.lock().unwrap().len() < calls {
            self.is_called().await;
        }
    }
}

async fn take(State(shared): State<Arc<Shared>>, request: axum::extract::Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    shared.received.lock().unwrap().push(Delivered {
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    });
    let reply = shared.replies.lock().unwrap().pop_front();
    shared.came.notify_one();
    match reply {
        Some(Takes::Answers(status, headers, body)) => {
            let builder = Response::builder().status(status);
            let builder = headers
                .into_iter()
                .fold(builder, |builder, (name, value)| builder.header(name, value));
            builder.body(Body::from(body)).unwrap()
        }
        Some(Takes::Hangs) => std::future::pending().await,
        None => Response::builder().status(204).body(Body::empty()).unwrap(),
    }
}

impl Delivered {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// A header's text.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Whether one of its signatures is of this secret, checked by the standard alone (Standard Webhooks).
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let message = format!(
            "{}.{}.{}",
            self.header("webhook-id"),
            self.header("webhook-timestamp"),
            self.body
        );
        let expected = format!("v1,{}", STANDARD.encode(hmac_sha256(&key, message.as_bytes())));
        self.header("webhook-signature")
            .split(' ')
            .any(|signature| signature == expected)
    }
}

/// RFC 2104, by hand.
fn hmac_sha256(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = [0u8; 64];
    block[..key.len()].copy_from_slice(key);
    let padded = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new()
        .chain_update(padded(0x36))
        .chain_update(message)
        .finalize();
    Sha256::new()
        .chain_update(padded(0x5c))
        .chain_update(inner)
        .finalize()
        .to_vec()
}
