//! Closing a connection on a client that is still sending.
//!
//! A system that closes a socket with bytes in it unread resets the connection, and the client loses the answer that it
//! was sent: why its upload was refused. So we say that nothing more will come, and throw away what still arrives, for as
//! long as it does (RFC 9112 §9.6).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// Nothing has come for so long: the client has stopped sending, or waits for us.
const SILENCE: Duration = Duration::from_secs(1);
/// No client may send into the void for longer.
const LONGEST: Duration = Duration::from_secs(30);
/// How much is thrown away at once.
const PIECE_BYTES: usize = 16 << 10;

/// A connection that lingers when it is shut down.
#[derive(Debug)]
pub(super) struct Lingering {
    stream: TcpStream,
    closing: Option<Closing>,
}

/// The answer is out, and so is the end of what we send.
#[derive(Debug)]
struct Closing {
    silence: Pin<Box<Sleep>>,
    end: Pin<Box<Sleep>>,
}

impl Lingering {
    pub(super) fn new(stream: TcpStream) -> Self {
        let closing = None;
        Self { stream, closing }
    }

    /// Throws away what comes until the client is done, silent or too long about it.
    fn poll_emptied(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(closing) = &mut self.closing else {
            return Poll::Ready(());
        };
        if closing.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let mut piece = [0; PIECE_BYTES];
        loop {
            let mut buffer = ReadBuf::new(&mut piece);
            match Pin::new(&mut self.stream).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    closing.silence.as_mut().reset(Instant::now() + SILENCE);
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return closing.silence.as_mut().poll(cx),
            }
        }
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.closing.is_none() {
            std::task::ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            self.closing = Some(Closing {
                silence: Box::pin(sleep(SILENCE)),
                end: Box::pin(sleep_until(Instant::now() + LONGEST)),
            });
        }
        self.poll_emptied(cx).map(Ok)
    }
}
