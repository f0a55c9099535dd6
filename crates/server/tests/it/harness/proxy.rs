//! A TCP proxy that can stop passing bytes on, like a network or a server that stalls without closing the connection, and refuse
//! connections like a server that is stopped.

use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A proxy; it ends with its test.
pub(crate) struct Proxy {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    frozen: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Passes everything on to that port of a host, for now.
    pub(crate) async fn to(host: String, port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (frozen, state) = watch::channel(false);
        let accepting = tokio::spawn(async move {
            let mut passing = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let (host, state) = (host.clone(), state.clone());
                passing.spawn(async move {
                    let Ok(server) = TcpStream::connect((host, port)).await else {
                        return;
                    };
                    let (client_in, client_out) = client.into_split();
                    let (server_in, server_out) = server.into_split();
                    tokio::select! {
                        () = pass(client_in, server_out, state.clone()) => {}
                        () = pass(server_in, client_out, state) => {}
                    }
                });
            }
        });
        Self {
            address,
            frozen,
            accepting,
        }
    }

    /// Closes every connection, and refuses others from now on.
    pub(crate) fn refuse(&self) {
        self.accepting.abort();
    }

    /// Takes in connections and bytes from now on, and passes nothing on.
    pub(crate) fn freeze(&self) {
        self.frozen.send_replace(true);
    }

    /// Passes everything on again, what came meanwhile first.
    pub(crate) fn thaw(&self) {
        self.frozen.send_replace(false);
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut frozen: watch::Receiver<bool>,
) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let Ok(length @ 1..) = from.read(&mut buffer).await else {
            return;
        };
        if frozen.wait_for(|frozen| !frozen).await.is_err() || to.write_all(&buffer[..length]).await.is_err()
        {
            return;
        }
    }
}
