//! A server with files to import: sends each as a test says.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response};
use axum::routing::any;
use futures_util::{StreamExt, stream};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How a file is sent, once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sends {
    /// Only so many bytes, then the connection is cut.
    pub(crate) cut_after: Option<usize>,
    /// Without `Content-Length`.
    pub(crate) chunked: bool,
    /// This status in place of the file, with a header if it has a name.
    pub(crate) status: Option<(u16, &'static str, String)>,
    /// With this entity tag in place of the file's.
    pub(crate) tag: Option<&'static str>,
    /// A part with so many bytes more than its `Content-Range` says.
    pub(crate) excess: usize,
    /// Never answers.
    pub(crate) hangs: bool,
    /// Stops after `cut_after` bytes, until [`FileServer::go_on`], in place of cutting the connection.
    pub(crate) stops: bool,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
}

/// The server.
#[derive(Clone)]
pub(crate) struct FileServer {
    /// Where it is.
    pub(crate) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    files: Mutex<HashMap<String, (Bytes, &'static str)>>,
    replies: Mutex<VecDeque<Sends>>,
    asked: Mutex<Vec<Asked>>,
    gate: Semaphore,
}

impl FileServer {
    /// A server that listens on this machine.
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared {
            files: Mutex::default(),
            replies: Mutex::default(),
            asked: Mutex::default(),
            gate: Semaphore::new(0),
        });
        let router = Router::new().fallback(any(send)).with_state(Arc::clone(&shared));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// Puts a file at a path, with an entity tag; returns its address.
    pub(crate) fn put(&self, path: &str, bytes: impl Into<Bytes>, tag: &'static str) -> String {
        let mut files = self.shared.files.lock().unwrap();
        files.insert(path.to_owned(), (bytes.into(), tag));
        format!("{}{path}", self.url)
    }

    /// How the next requests are answered, one after the other; later ones get the whole file.
    pub(crate) fn will(&self, replies: impl IntoIterator<Item = Sends>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Lets an answer that has stopped go on.
    pub(crate) fn go_on(&self) {
        self.shared.gate.add_permits(1);
    }
}

async fn send(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let path = request.uri().path().to_owned();
    shared.asked.lock().unwrap().push(Asked {
        path: path.clone(),
        headers: request.headers().clone(),
    });
    let sends = shared.replies.lock().unwrap().pop_front().unwrap_or_default();
    if sends.hangs {
        return std::future::pending().await;
    }
    if let Some((status, name, value)) = sends.status {
        let response = Response::builder().status(status);
        let response = match name {
            "" => response,
            name => response.header(name, value),
        };
        return response.body(Body::empty()).unwrap();
    }
    let found = shared.files.lock().unwrap().get(&path).cloned();
    let Some((bytes, tag)) = found else {
        return Response::builder().status(404).body(Body::empty()).unwrap();
    };
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let from: Option<usize> = match header("if-range") {
        Some(known) if known == tag && !tag.is_empty() => {
            header("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok())
        }
        _ => None,
    };
    let (whole, mut rest) = (bytes.len(), bytes.slice(from.unwrap_or(0)..));
    if from.is_some() {
        rest = [&rest[..], &vec![0; sends.excess]].concat().into();
    }
    let mut response = Response::builder();
    let named = sends.tag.unwrap_or(tag);
    if !named.is_empty() {
        response = response.header("etag", named);
    }
    if let Some(from) = from {
        let range = format!("bytes {from}-{}/{whole}", whole - 1);
        response = response.status(206).header("content-range", range);
    }
    if !sends.chunked {
        response = response.header("content-length", rest.len());
    }
    response.body(body(shared, rest, &sends)).unwrap()
}

fn body(shared: Arc<Shared>, bytes: Bytes, sends: &Sends) -> Body {
    let until = sends.cut_after.unwrap_or(bytes.len()).min(bytes.len());
    let (first, rest) = (bytes.slice(..until), bytes.slice(until..));
    let (cuts, stops) = (sends.cut_after.is_some() && !sends.stops, sends.stops);
    let first = stream::iter(
        first
            .chunks(64 << 10)
            .map(|piece| Ok(Bytes::copy_from_slice(piece)))
            .collect::<Vec<_>>(),
    );
    let then = stream::once(async move {
        if cuts {
            // A body that fails cuts the connection.
            return Err(std::io::Error::other("cut"));
        }
        if stops {
            shared.gate.acquire().await.unwrap().forget();
        }
        Ok(rest)
    });
    Body::from_stream(first.chain(then))
}
