//! Closing a connection on a client that is still sending.
//!
//! A system that closes a socket with unread bytes in it resets the connection, and the client loses the response, such
//! as why its upload was rejected. So the write half is shut down, and what still arrives is discarded, for as long as it
//! does (RFC 9112 §9.6).

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::activity::Activity;

/// Nothing has come for so long: the client has stopped sending, or waits for us.
const SILENCE: Duration = Duration::from_secs(1);
/// No client may send into the void for longer.
const LONGEST: Duration = Duration::from_secs(30);
/// How much is thrown away at once.
const PIECE_BYTES: usize = 16 << 10;

/// The answer is out, and so is the end of what we send.
#[derive(Debug)]
pub(super) struct Lingering {
    silence: Pin<Box<Sleep>>,
    end: Pin<Box<Sleep>>,
}

impl Lingering {
    pub(super) fn begin() -> Self {
        Self {
            silence: Box::pin(sleep(SILENCE)),
            end: Box::pin(sleep_until(Instant::now() + LONGEST)),
        }
    }

    /// Throws away what comes until the client is done, silent or too long about it.
    pub(super) fn poll_emptied(
        &mut self,
        stream: &mut TcpStream,
        activity: &Activity,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        if self.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let mut piece = [0; PIECE_BYTES];
        loop {
            let mut buffer = ReadBuf::new(&mut piece);
            match Pin::new(&mut *stream).poll_read(cx, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    activity.moves(buffer.filled().len());
                    self.silence.as_mut().reset(Instant::now() + SILENCE);
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return self.silence.as_mut().poll(cx),
            }
        }
    }
}
