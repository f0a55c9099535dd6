//! A line between the program and the service, which a test can cut or stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Counts the bytes that go to the service, and cuts or stops where a test sets it.
pub(crate) struct Relay {
    pub(crate) url: String,
    line: Arc<Line>,
}

#[derive(Default)]
struct Line {
    sent: AtomicU64,
    /// After so many bytes in all the line is cut, once; 0 is never.
    cut_at: AtomicU64,
    /// After so many bytes in all nothing goes on; 0 is never.
    stop_at: AtomicU64,
    stopped: Notify,
    /// So many responses are not passed on: their connections are closed.
    losses: AtomicU64,
    /// So many connections are closed as soon as they are made, once the line was cut.
    refusals: AtomicU64,
}

impl Relay {
    pub(crate) async fn start(service: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (line, to) = (
            Arc::new(Line::default()),
            service.trim_start_matches("http://").to_owned(),
        );
        let of_all = Arc::clone(&line);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                if of_all.refuses() {
                    continue;
                }
                let far = TcpStream::connect(&to).await.unwrap();
                tokio::spawn(carry(near, far, Arc::clone(&of_all)));
            }
        });
        Self { url, line }
    }

    /// Cuts the line once, after so many more bytes.
    pub(crate) fn cut_after(&self, bytes: u64) {
        self.line.cut_at.store(self.sent() + bytes, Ordering::SeqCst);
    }

    /// After the next cut, so many connections fail: a service that is away for a while.
    pub(crate) fn stay_away_for(&self, connections: u64) {
        self.line.refusals.store(connections, Ordering::SeqCst);
    }

    /// Loses the next responses of the service, so many.
    pub(crate) fn lose_responses(&self, count: u64) {
        self.line.losses.store(count, Ordering::SeqCst);
    }

    /// Lets nothing through after so many more bytes.
    pub(crate) fn stop_after(&self, bytes: u64) {
        self.line.stop_at.store(self.sent() + bytes, Ordering::SeqCst);
    }

    /// Lets everything through again.
    pub(crate) fn go_on(&self) {
        self.line.stop_at.store(0, Ordering::SeqCst);
    }

    /// Completes when the line has stopped.
    pub(crate) async fn stopped(&self) {
        self.line.stopped.notified().await;
    }

    /// Bytes that went to the service.
    pub(crate) fn sent(&self) -> u64 {
        self.line.sent.load(Ordering::SeqCst)
    }
}

async fn carry(near: TcpStream, far: TcpStream, line: Arc<Line>) {
    let (mut from_near, mut to_near) = near.into_split();
    let (mut from_far, mut to_far) = far.into_split();
    let there = async {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from_near.read(&mut buffer).await {
            if to_far.write_all(&buffer[..count]).await.is_err() || !line.goes_on(count as u64).await {
                return;
            }
        }
    };
    let back = async {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from_far.read(&mut buffer).await {
            if line.loses() || to_near.write_all(&buffer[..count]).await.is_err() {
                return;
            }
        }
    };
    // Either end closes the whole line.
    tokio::select! {
        () = there => {}
        () = back => {}
    }
}

impl Line {
    fn refuses(&self) -> bool {
        if self.cut_at.load(Ordering::SeqCst) != 0 {
            return false;
        }
        let left = self.refusals.load(Ordering::SeqCst);
        self.refusals.store(left.saturating_sub(1), Ordering::SeqCst);
        left > 0
    }

    fn loses(&self) -> bool {
        let left = self.losses.load(Ordering::SeqCst);
        self.losses.store(left.saturating_sub(1), Ordering::SeqCst);
        left > 0
    }

    async fn goes_on(&self, count: u64) -> bool {
        let sent = self.sent.fetch_add(count, Ordering::SeqCst) + count;
        let reached = |at: &AtomicU64| at.load(Ordering::SeqCst) != 0 && sent >= at.load(Ordering::SeqCst);
        if reached(&self.stop_at) {
            self.stopped.notify_one();
            std::future::pending::<()>().await;
        }
        if reached(&self.cut_at) {
            self.cut_at.store(0, Ordering::SeqCst);
            return false;
        }
        true
    }
}
