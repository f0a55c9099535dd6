//! Takes connections and serves HTTP/1.1 on each. `axum::serve` would let a client take for ever to say what it wants,
//! and reads requests 400 KiB at a time.

mod linger;

use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::api::address::Peer;
use linger::Lingering;

/// How long a client may take to send the head of a request, and how long a connection may wait for the next one.
pub const PATIENCE: Duration = Duration::from_secs(75);
/// How much of a request is read at once, and the most that its head may have. An upload is handed from processor to
/// processor in pieces of this size: what is larger falls out of their caches meanwhile, and out of the allocator's
/// reach.
const READ_BYTES: usize = 128 << 10;

/// Answers connections until `stop`, then until those that are open have their answers.
pub async fn listen(mut listener: TcpListener, router: Router, stop: CancellationToken, patience: Duration) {
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(READ_BYTES);
    let open = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = Listener::accept(&mut listener) => accepted,
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("could not set TCP_NODELAY: {error}");
        }
        let service = router
            .clone()
            .map_request(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                request
            });
        let service = TowerToHyperService::new(service);
        let connection = open.watch(server.serve_connection(TokioIo::new(Lingering::new(stream)), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
        });
    }
    drop(listener);
    open.shutdown().await;
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    /// Serves with little patience; what comes back when a client sends `head` and then nothing.
    async fn answers(head: &[u8]) -> String {
        served(async |mut client| {
            client.write_all(head).await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            answer
        })
        .await
    }

    /// Serves with little patience while `visit` goes on with a connection.
    async fn served<T>(visit: impl AsyncFnOnce(TcpStream) -> T) -> T {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "here"));
        let stop = CancellationToken::new();
        let serving = tokio::spawn(listen(listener, router, stop.clone(), Duration::from_millis(100)));
        let visited = visit(TcpStream::connect(address).await.unwrap()).await;
        stop.cancel();
        serving.await.unwrap();
        visited
    }

    #[tokio::test]
    async fn a_client_that_never_says_what_it_wants_is_left() {
        for head in [&b""[..], b"G", b"GET / HTTP/1.1\r\nHost: x\r\n"] {
            assert_eq!(answers(head).await, "");
        }
    }

    #[tokio::test]
    async fn a_connection_that_waits_too_long_for_its_next_request_is_closed() {
        let answer = answers(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert!(
            answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("here"),
            "{answer}"
        );
    }

    #[tokio::test]
    async fn a_client_that_is_refused_while_it_sends_hears_why() {
        for megabytes in [1, 16] {
            let answer = served(async |mut client: TcpStream| {
                let length = megabytes << 20;
                let head = format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n");
                client.write_all(head.as_bytes()).await.unwrap();
                client.write_all(&vec![0; length]).await.unwrap();
                let mut answer = String::new();
                client.read_to_string(&mut answer).await.unwrap();
                answer
            })
            .await;
            assert!(answer.starts_with("HTTP/1.1 405 "), "{megabytes} MB: {answer}");
        }
    }
}
