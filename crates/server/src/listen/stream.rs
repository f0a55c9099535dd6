//! The socket of a connection: notes what moves, sees the heads of requests, and lingers when it is closed.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use playout_domain::time::Clock;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::activity::{Activity, Stage};
use super::head::{self, HeadLines};
use super::linger::Lingering;

/// A client's connection, as hyper reads and writes it.
pub(super) struct Stream {
    socket: TcpStream,
    activity: Arc<Activity>,
    clock: Arc<dyn Clock>,
    lines: HeadLines,
    /// The last byte that was read.
    last: u8,
    /// A response of our own, sent instead of hyper's to a head that it rejects.
    instead: Vec<u8>,
    closing: Option<Lingering>,
}

impl Stream {
    pub(super) fn new(socket: TcpStream, activity: Arc<Activity>, clock: Arc<dyn Clock>) -> Self {
        Self {
            socket,
            activity,
            clock,
            lines: HeadLines::default(),
            last: 0,
            instead: Vec::new(),
            closing: None,
        }
    }

    /// Whether hyper writes its own rejection of the head that is being read, not a handler's response.
    fn is_rejecting(&self) -> bool {
        matches!(self.activity.stage(), Stage::Idle | Stage::Head)
    }

    /// Looks at bytes that belong to a head.
    fn see_head(&mut self, bytes: &[u8]) {
        if self.activity.stage() == Stage::Idle {
            self.lines = HeadLines::after(self.last);
            self.activity.head_begins();
        }
        if self.lines.read(bytes) {
            self.activity.bare_line();
        }
    }

    /// Nothing has come. In the middle of a head that takes too long the connection ends here, with a response.
    fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.activity.stage() != Stage::Head {
            return Poll::Pending;
        }
        self.activity.wake_on_expiry(cx.waker());
        if !self.activity.is_expired() {
            return Poll::Pending;
        }
        if self.lines.has_begun() {
            let response = head::too_slow(self.clock.now());
            // A new socket takes so little at once; a client that does not read gets nothing.
            let _ = self.socket.try_write(&response);
        }
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            let written = ready!(Pin::new(&mut self.socket).poll_write(cx, &self.instead))?;
            self.instead.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    fn note(&self, written: &Poll<io::Result<usize>>) {
        self.activity.blocks(written.is_pending());
        if let Poll::Ready(Ok(bytes)) = written {
            self.activity.moves(*bytes);
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(cx, buffer);
        if read.is_pending() {
            return self.poll_waiting(cx);
        }
        let bytes = &buffer.filled()[before..];
        self.activity.moves(bytes.len());
        if let Some(last) = bytes.last() {
            if self.is_rejecting() {
                self.see_head(bytes);
            }
            self.last = *last;
        }
        read
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_rejecting() {
            self.instead = head::rejected(bytes, self.clock.now());
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.is_rejecting() {
            let first = pieces.iter().find(|piece| !piece.is_empty());
            self.instead = head::rejected(first.map_or(&[], |piece| piece), self.clock.now());
            return Poll::Ready(Ok(pieces.iter().map(|piece| piece.len()).sum()));
        }
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, pieces);
        self.note(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(cx))?;
        self.activity.flushed();
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = self.get_mut();
        ready!(stream.poll_instead(cx))?;
        if stream.closing.is_none() {
            ready!(Pin::new(&mut stream.socket).poll_shutdown(cx))?;
            stream.activity.closes();
        }
        let closing = stream.closing.get_or_insert_with(Lingering::begin);
        closing
            .poll_emptied(&mut stream.socket, &stream.activity, cx)
            .map(Ok)
    }
}
