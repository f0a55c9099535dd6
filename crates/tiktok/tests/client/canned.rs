//! A server that gives prepared answers, byte by byte, and records the requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// What to do with a request.
pub(crate) enum Answer {
    /// Status, extra header lines (each ending in CRLF) and body.
    Send(u16, String, String),
    /// Read the request, then close the connection without an answer.
    Drop,
    /// Read the request, then send nothing and keep the connection open.
    Silence,
}

/// A JSON answer with status 200.
pub(crate) fn ok(body: &str) -> Answer {
    json(200, body)
}

/// A JSON answer.
pub(crate) fn json(status: u16, body: &str) -> Answer {
    let headers = "Content-Type: application/json; charset=utf-8\r\n";
    Answer::Send(status, headers.to_owned(), body.to_owned())
}

/// An error in the API's envelope.
pub(crate) fn api_error(status: u16, code: &str) -> Answer {
    let body = format!(
        r#"{{"data":{{}},"error":{{"code":"{code}","message":"","log_id":"20261120090000ABCDEF"}}}}"#
    );
    json(status, &body)
}

/// A gateway's error page when its backend is down.
pub(crate) fn gateway_html(status: u16) -> Answer {
    let headers = "Content-Type: text/html\r\nx-tt-logid: GATEWAY1\r\n";
    Answer::Send(
        status,
        headers.to_owned(),
        "<html><h1>Bad Gateway</h1></html>".to_owned(),
    )
}

/// An answer without a body.
pub(crate) fn empty(status: u16, headers: &str) -> Answer {
    Answer::Send(status, headers.to_owned(), String::new())
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    pub(crate) fn form(&self) -> HashMap<String, String> {
        url::form_urlencoded::parse(&self.body).into_owned().collect()
    }
}

/// The server; it stops when dropped.
pub(crate) struct Canned {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Request>>>,
    arrived: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Drop for Canned {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Canned {
    /// Gives `answers` in order, one per request; after the last it accepts nothing more.
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (seen, arrived) = (Arc::default(), Arc::new(Notify::new()));
        let task = tokio::spawn(serve(listener, answers, Arc::clone(&seen), Arc::clone(&arrived)));
        Self {
            url,
            seen,
            arrived,
            task,
        }
    }

    /// Every request so far.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// The only request there was.
    pub(crate) fn only(&self) -> Request {
        let mut seen = self.seen();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen.remove(0)
    }

    /// Completes when a request has been read.
    pub(crate) async fn arrival(&self) {
        self.arrived.notified().await;
    }
}

async fn serve(
    listener: TcpListener,
    answers: Vec<Answer>,
    seen: Arc<Mutex<Vec<Request>>>,
    arrived: Arc<Notify>,
) {
    let mut silent = Vec::new();
    for answer in answers {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let Some(request) = read(&mut stream).await else {
            continue;
        };
        seen.lock().unwrap().push(request);
        arrived.notify_one();
        match answer {
            Answer::Send(status, headers, body) => {
                let head = format!(
                    "HTTP/1.1 {status} Status\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                let _gone = stream.write_all(format!("{head}{body}").as_bytes()).await;
                let _gone = stream.shutdown().await;
            }
            Answer::Drop => {}
            Answer::Silence => silent.push(stream),
        }
    }
    // Silent connections stay open for as long as the server lives.
    std::future::pending::<()>().await;
}

/// `None` if the client disconnected in the middle.
async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let mut body = bytes.split_off(end + 4);
    let head = String::from_utf8(bytes).ok()?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Request {
        method: first.next()?.to_owned(),
        path: first.next()?.to_owned(),
        headers,
        body,
    })
}
