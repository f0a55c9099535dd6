//! Takes connections and serves HTTP/1.1 on each. `axum::serve` has no time limit for a client's request, and reads
//! requests 400 KiB at a time.

mod activity;
mod body;
mod connections;
pub mod descriptors;
mod head;
mod limits;
mod linger;
mod stream;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use hyper::Request;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use playout_domain::error::{Code, Refusal};
use playout_domain::time::{Clock, Time};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::Service;

use crate::api::address::Peer;
use crate::api::error::refusal_response;
use crate::api::heads::BareLineFeed;
use activity::Activity;
use body::ResponseBody;
use connections::{Connections, Place};
pub use limits::Limits;
use stream::Stream;

/// How much of a request is read at once. An upload is handed from processor to
/// processor in pieces of this size: what is larger falls out of their caches meanwhile, and out of the allocator's
/// reach.
const READ_BYTES: usize = 128 << 10;
/// The longest head. Each connection may hold one in memory.
const HEAD_BYTES: usize = 64 << 10;
/// How long to wait when the system has no more descriptors, and how often to log that.
const SHORTAGE: Duration = Duration::from_millis(50);
const LOGGED_EVERY: Duration = Duration::from_secs(60);

/// Answers connections until `stop`, then until those that are open have their answers.
pub async fn listen(
    listener: TcpListener,
    router: Router,
    clock: Arc<dyn Clock>,
    limits: Limits,
    stop: CancellationToken,
) {
    let mut server = http1::Builder::new();
    server.max_buf_size(READ_BYTES).max_header_size(HEAD_BYTES);
    let connections = Connections::new(limits);
    let sweep = tokio::spawn(Arc::clone(&connections).sweep());
    let open = GracefulShutdown::new();
    let mut shortage = Shortage::default();
    loop {
        let (socket, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &connections, &mut shortage, clock.as_ref()) => accepted,
        };
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!("could not set TCP_NODELAY: {error}");
        }
        let Some(place) = connections.admit(peer).await else {
            continue;
        };
        let id = place.id();
        let stream = Stream::new(socket, Arc::clone(&place.activity), Arc::clone(&clock));
        let (router, activity) = (router.clone(), Arc::clone(&place.activity));
        let service =
            service_fn(move |request| respond(router.clone(), request, Arc::clone(&activity), peer));
        let connection = open.watch(server.serve_connection(TokioIo::new(stream), service));
        let task = tokio::spawn(serve(connection, place));
        connections.started(id, task.abort_handle());
    }
    drop(listener);
    open.shutdown().await;
    sweep.abort();
}

async fn serve(connection: impl Future<Output = hyper::Result<()>>, place: Place) {
    if let Err(error) = connection.await {
        tracing::debug!("a connection ended: {error}");
    }
    drop(place);
}

/// When a lack of descriptors was last logged.
#[derive(Default)]
struct Shortage(Option<Time>);

/// The next connection. Without descriptors, open connections give way one after another until there is one again.
async fn accept(
    listener: &TcpListener,
    connections: &Connections,
    shortage: &mut Shortage,
    clock: &dyn Clock,
) -> (TcpStream, SocketAddr) {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // The client was gone before it was its turn.
            Err(error)
                if matches!(
                    error.kind(),
                    ConnectionAborted | ConnectionRefused | ConnectionReset
                ) => {}
            Err(error) => {
                let now = clock.now();
                if shortage.0.is_none_or(|last| now.since(last) >= LOGGED_EVERY) {
                    shortage.0 = Some(now);
                    tracing::warn!("could not accept a connection, another gives way: {error}");
                }
                connections.shed_one();
                tokio::time::sleep(SHORTAGE).await;
            }
        }
    }
}

/// Answers a request, and leaves the connection either ready for the next one or announced as closing.
async fn respond(
    mut router: Router,
    request: Request<Incoming>,
    activity: Arc<Activity>,
    peer: SocketAddr,
) -> Result<Response<ResponseBody>, Infallible> {
    activity.request_begins();
    let (mut parts, incoming) = request.into_parts();
    parts.extensions.insert(Peer(peer));
    let has_bare_line = activity.take_bare_line();
    if has_bare_line {
        parts.extensions.insert(BareLineFeed);
    }
    let mut response = if incoming.is_end_stream() {
        let Ok(response) = router.call(Request::from_parts(parts, Body::empty())).await;
        response
    } else {
        let (body, remainder) = body::split(incoming, &parts.headers, &activity);
        let Ok(mut response) = router.call(Request::from_parts(parts, body)).await;
        if activity.is_expired() {
            response = too_slow(&response);
        }
        remainder.settle(response.headers_mut()).await;
        response
    };
    if has_bare_line {
        // Where its head ends is a matter of opinion.
        close(&mut response);
    }
    Ok(response.map(|body| ResponseBody::new(body, activity)))
}

/// The response to a body that did not come in time, whatever the handler made of that.
fn too_slow(instead_of: &Response) -> Response {
    let message = "The body came too slowly: at least 1 KiB every 15 seconds is expected.";
    let mut response = refusal_response(Refusal::new(Code::RequestTimeout, message));
    let headers = response.headers_mut();
    for (name, value) in instead_of.headers() {
        if !headers.contains_key(name) && *name != header::CONTENT_LENGTH {
            headers.append(name, value.clone());
        }
    }
    close(&mut response);
    response
}

fn close(response: &mut Response) {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
}

#[cfg(test)]
mod tests;
