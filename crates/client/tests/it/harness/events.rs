//! A service with nothing but a stream of events, as `GET /events` describes it, and a receiver of deliveries.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::{CLIP, Playout};

/// A connection as the service saw it: its query and its `Last-Event-ID`.
pub(crate) type Connection = (Option<String>, Option<String>);

/// A service that sends events.
pub(crate) struct Events {
    pub(crate) url: String,
    stage: Stage,
    _runtime: Runtime,
}

#[derive(Clone, Default)]
struct Stage {
    /// What each connection sends, in order, before it is closed; the last stays open.
    scripts: Arc<Mutex<Vec<Script>>>,
    connections: Arc<Mutex<Vec<Connection>>>,
}

/// What a connection sends.
#[derive(Clone)]
pub(crate) enum Script {
    /// These bytes, and the end.
    Cut(String),
    /// These bytes, and then it stays open.
    Stay(String),
    /// A response that is an error.
    Refuse(u16, &'static str),
}

/// An event in the stream.
pub(crate) fn event(id: &str, name: &str, about: &str) -> String {
    let data = json!({ "type": name, "timestamp": "2026-11-20T12:00:05.000Z", "data": { "id": about, "content": "Kïtes" } });
    format!("id: {id}\nevent: {name}\ndata: {data}\n\n")
}

impl Events {
    pub(crate) fn open(scripts: Vec<Script>) -> Self {
        let runtime = Runtime::new().unwrap();
        let stage = Stage {
            scripts: Arc::new(Mutex::new(scripts)),
            ..Stage::default()
        };
        let router = Router::new()
            .route("/public/v1/events", get(stream))
            .with_state(stage.clone());
        let url = serve(&runtime, router);
        Self {
            url,
            stage,
            _runtime: runtime,
        }
    }

    /// The program with this service and a key.
    pub(crate) fn playout(&self) -> Playout {
        Playout::new()
            .env("PLAYOUT_API_URL", &self.url)
            .env("PLAYOUT_API_KEY", "any")
    }

    /// The connections so far.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        self.stage.connections.lock().unwrap().clone()
    }
}

async fn stream(State(stage): State<Stage>, request: Request) -> Response {
    let header = |name: &str| {
        let value = request.headers().get(name)?;
        Some(value.to_str().unwrap().to_owned())
    };
    assert_eq!(header("authorization").as_deref(), Some("Bearer any"));
    let query = request.uri().query().map(str::to_owned);
    stage
        .connections
        .lock()
        .unwrap()
        .push((query, header("last-event-id")));
    let script = stage.scripts.lock().unwrap().remove(0);
    let body = match script {
        Script::Refuse(status, code) => {
            let body = axum::Json(json!({ "code": code, "message": "No." }));
            return (StatusCode::from_u16(status).unwrap(), body).into_response();
        }
        Script::Cut(text) => Body::from(text),
        Script::Stay(text) => {
            let first = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from(text))]);
            Body::from_stream(futures_util::StreamExt::chain(
                first,
                futures_util::stream::pending(),
            ))
        }
    };
    ([("content-type", "text/event-stream; charset=utf-8")], body).into_response()
}

/// A receiver of deliveries on this machine.
pub(crate) struct Inbox {
    pub(crate) url: String,
    received: Receiver<Delivery>,
    _runtime: Runtime,
}

/// A delivery as it arrived.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Delivery {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

#[derive(Clone)]
struct Slot {
    status: u16,
    to: Sender<Delivery>,
}

impl Inbox {
    /// A receiver that responds with this status.
    pub(crate) fn open(status: u16) -> Self {
        let runtime = Runtime::new().unwrap();
        let (to, received) = channel();
        let router = Router::new()
            .route("/hook", post(take))
            .with_state(Slot { status, to });
        let url = format!("{}/hook", serve(&runtime, router));
        Self {
            url,
            received,
            _runtime: runtime,
        }
    }

    /// The next delivery.
    pub(crate) fn next(&self) -> Delivery {
        self.received.recv().unwrap()
    }
}

async fn take(State(slot): State<Slot>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let body = body.to_vec();
    slot.to.send(Delivery { headers, body }).unwrap();
    StatusCode::from_u16(slot.status).unwrap()
}

/// A server of this machine with one file, `/films/kite.mp4`.
pub(crate) struct Film {
    pub(crate) url: String,
    _runtime: Runtime,
}

impl Film {
    pub(crate) fn open() -> Self {
        let runtime = Runtime::new().unwrap();
        let router = Router::new().route("/films/kite.mp4", get(async || CLIP));
        let url = format!("{}/films/kite.mp4", serve(&runtime, router));
        Self {
            url,
            _runtime: runtime,
        }
    }
}

fn serve(runtime: &Runtime, router: Router) -> String {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async { axum::serve(listener, router).await });
    url
}
