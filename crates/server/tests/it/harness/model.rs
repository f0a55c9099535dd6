//! A language model that gives the replies a test sets, behind a real OpenAI-compatible endpoint.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response};
use axum::routing::any;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// How the model replies to a request.
pub(crate) enum Reply {
    /// Replies with this text.
    Says(String),
    /// Replies with this text, cut off by the token limit.
    Cut(String),
    /// Refuses, with this text.
    Declines(&'static str),
    /// Answers this status, these headers and this body.
    Answers(u16, Vec<(&'static str, String)>, String),
    /// Begins an answer, and the connection is cut.
    Breaks,
    /// Never answers.
    Hangs,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// The model.
#[derive(Clone)]
pub(crate) struct Model {
    /// What `PLAYOUT_LLM_URL` is set to.
    pub(crate) url: String,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    replies: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<Asked>>,
    came: Notify,
}

impl Model {
    /// A model that listens.
    pub(crate) async fn start() -> Self {
        let shared = Arc::<Shared>::default();
        let router = Router::new()
            .fallback(any(answer))
            .with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// The same, with these replies, one for each request.
    pub(crate) async fn that(replies: impl IntoIterator<Item = Reply>) -> Self {
        let model = Self::start().await;
        model.will(replies);
        model
    }

    /// An address at which nothing listens.
    pub(crate) fn nowhere() -> Self {
        Self {
            url: "http://127.0.0.1:1/v1".to_owned(),
            shared: Arc::default(),
        }
    }

    /// Adds replies.
    pub(crate) fn will(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// The requests since the last call.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().drain(..).collect()
    }

    /// Waits until a request arrives.
    pub(crate) async fn is_asked(&self) {
        self.shared.came.notified().await;
    }
}

/// A document with captions of so many slides.
pub(crate) fn captions(count: usize) -> String {
    let slides: Vec<String> = (1..=count)
        .map(|number| format!("Kite number {number}"))
        .collect();
    json!({ "caption": "Three kites, one wind #kites", "slides": slides }).to_string()
}

async fn answer(State(shared): State<Arc<Shared>>, request: axum::extract::Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    shared.asked.lock().unwrap().push(Asked {
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    });
    let reply = shared.replies.lock().unwrap().pop_front();
    shared.came.notify_one();
    match reply {
        Some(Reply::Says(text)) => said(&json!({ "role": "assistant", "content": text }), "stop"),
        Some(Reply::Cut(text)) => said(&json!({ "role": "assistant", "content": text }), "length"),
        Some(Reply::Declines(words)) => said(
            &json!({ "role": "assistant", "content": null, "refusal": words }),
            "stop",
        ),
        Some(Reply::Answers(status, headers, body)) => {
            let builder = Response::builder().status(status);
            let builder = headers
                .into_iter()
                .fold(builder, |builder, (name, value)| builder.header(name, value));
            builder.body(Body::from(body)).unwrap()
        }
        Some(Reply::Breaks) => broken(),
        Some(Reply::Hangs) => std::future::pending().await,
        None => panic!("the model was asked more than the test expects"),
    }
}

fn said(message: &Value, finish_reason: &str) -> Response<Body> {
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "model": "kite-1",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150 },
    });
    Response::builder()
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap()
}

fn broken() -> Response<Body> {
    let pieces = [
        Ok(Bytes::from_static(b"{\"choices\":[{\"message\":{\"content\":\"{")),
        Err(std::io::Error::other("cut")),
    ];
    Response::builder()
        .header("content-type", "application/json")
        .body(Body::from_stream(futures_util::stream::iter(pieces)))
        .unwrap()
}
