//! Runs the service: listens, works, and stops without cutting anything in the middle.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::api::router;
use crate::app::App;
use crate::worker::{Worker, sweep};

/// How long a client may take to send the head of a request, and how long a connection may wait for the next one.
const PATIENCE: Duration = Duration::from_secs(75);

/// Which halves of the service a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// Both.
    All,
    /// HTTP only.
    Api,
    /// The engine only; it still answers `/healthz` and `/readyz`.
    Worker,
}

/// A running service.
pub struct Service {
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Service {
    /// Starts the halves of `role` on an open listener.
    pub fn start(app: &Arc<App>, listener: TcpListener, role: Role) -> Self {
        let stop = CancellationToken::new();
        let mut tasks = vec![tokio::spawn(listen(
            listener,
            router(Arc::clone(app)),
            PATIENCE,
            stop.clone(),
        ))];
        tasks.push(tokio::spawn(end_uploads(Arc::clone(app), stop.clone())));
        if role != Role::Api {
            app.heart.beat(app.now());
            tasks.push(tokio::spawn(Worker::new(Arc::clone(app)).run(stop.clone())));
            tasks.push(tokio::spawn(sweep::run(Arc::clone(app), stop.clone())));
            tasks.push(tokio::spawn(hear_other_nodes(Arc::clone(app), stop.clone())));
        }
        Self { stop, tasks }
    }

    /// Asks everything to stop, and waits until what was begun has ended.
    pub async fn stop(self) {
        self.stop.cancel();
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::error!("a part of the service ended badly: {error}");
            }
        }
    }
}

/// Answers connections until `stop`, then until those that are open have their answers. `axum::serve` would let a
/// client take for ever to say what it wants.
async fn listen(listener: TcpListener, router: Router, patience: Duration, stop: CancellationToken) {
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(patience);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!("could not set TCP_NODELAY: {error}");
                }
                let service = TowerToHyperService::new(router.clone());
                let connection = open.watch(server.serve_connection(TokioIo::new(stream), service));
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!("a connection ended: {error}");
                    }
                });
            }
            Err(error) => rest(&error).await,
        }
    }
    drop(listener);
    open.shutdown().await;
}

/// A connection that ended before it was accepted is its own business; the rest, such as too many open files, takes a
/// moment to pass.
async fn rest(error: &std::io::Error) {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        tracing::error!("could not accept a connection: {error}");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Lets no upload in progress keep a service that is to stop: its client goes on from where it was.
async fn end_uploads(app: Arc<App>, stop: CancellationToken) {
    stop.cancelled().await;
    let uploads = app.uploads.count();
    if uploads > 0 {
        tracing::info!(uploads, "stopping: {uploads} uploads are interrupted");
    }
    app.uploads.stop_all();
}

/// Wakes the engine when another node adds a job. Losing the connection costs only time: the engine also polls.
async fn hear_other_nodes(app: Arc<App>, stop: CancellationToken) {
    loop {
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            heard = app.store.listen() => heard,
        };
        match heard {
            Ok(()) => return,
            Err(error) => tracing::warn!("no longer hear other nodes, polling instead: {error}"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.clock.sleep_until(app.now().plus(Duration::from_secs(5))) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    /// Serves with little patience; what comes back when a client sends `head` and then nothing.
    async fn answers(head: &[u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "here"));
        let stop = CancellationToken::new();
        let serving = tokio::spawn(listen(listener, router, Duration::from_millis(100), stop.clone()));
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(head).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        stop.cancel();
        serving.await.unwrap();
        answer
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
}
