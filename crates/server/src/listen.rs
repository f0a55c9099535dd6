//! Takes connections and serves HTTP/1.1 on each.

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How much of a request is read at once, and the most that its head may have. An upload is handed from processor to
/// processor in pieces of this size: what is larger falls out of their caches meanwhile, and out of the allocator's
/// reach.
const READ_BYTES: usize = 128 << 10;

/// Serves `router` until told to stop; then waits for the requests that were begun.
pub async fn listen(mut listener: TcpListener, router: Router, stop: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = Listener::accept(&mut listener) => accepted,
        };
        connections.spawn(serve(accepted.0, router.clone(), stop.clone()));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

async fn serve(stream: TcpStream, router: Router, stop: CancellationToken) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("could not set TCP_NODELAY: {error}");
    }
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .max_buf_size(READ_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let served = tokio::select! {
        served = &mut connection => served,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::trace!("a connection ended badly: {error}");
    }
}
