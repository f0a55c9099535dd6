//! Requests whose client may leave before the answer, and may look for it later.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use crate::machine::{epoch_micros, now};

/// How long a node may take no bytes, as one that is stopped does.
const LONGEST_WRITE: Duration = Duration::from_secs(10);
/// So many bytes are sent at once.
const PIECE: usize = 64 * 1024;

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// `Upload-Offset`
    pub offset: Option<u64>,
    /// `Location`
    pub location: Option<String>,
    /// Its body.
    pub body: String,
}

/// A request under way.
#[derive(Debug)]
pub struct Exchange {
    stream: TcpStream,
    has_body: bool,
    received: Vec<u8>,
    /// When it began, in microseconds since the epoch.
    pub began_at: i64,
}

/// What is known of a request that was left.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// It has no response yet.
    Open,
    /// The connection ended without one.
    Ended,
    /// Its response.
    Answered(Response),
}

impl Exchange {
    /// Sends a head, which must be complete, on a new connection. `has_body`: whether the response has a body, unlike one to HEAD.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn begin(stream: TcpStream, head: &str, has_body: bool) -> std::io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(LONGEST_WRITE))?;
        let began_at = epoch_micros();
        (&stream).write_all(head.as_bytes())?;
        Ok(Self {
            stream,
            has_body,
            received: Vec::new(),
            began_at,
        })
    }

    /// Sends bytes of the body, spread over a time.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn send(&mut self, bytes: &[u8], takes: Duration) -> std::io::Result<()> {
        let began = now();
        for (number, piece) in bytes.chunks(PIECE).enumerate() {
            let part = (number * PIECE) as f64 / bytes.len() as f64;
            thread::sleep(takes.mul_f64(part).saturating_sub(began.elapsed()));
            self.stream.write_all(piece)?;
        }
        Ok(())
    }

    /// Waits for the response, so long.
    pub fn wait(&mut self, patience: Duration) -> Progress {
        let began = now();
        loop {
            let left = patience.saturating_sub(began.elapsed());
            if left.is_zero() {
                return self.look();
            }
            // It fails only for a time of zero.
            let _ = self.stream.set_read_timeout(Some(left));
            match self.read() {
                Progress::Open if began.elapsed() < patience => {}
                progress => return progress,
            }
        }
    }

    /// What has come, without waiting.
    pub fn look(&mut self) -> Progress {
        // Both fail only when the connection is gone, which reading shows.
        let _ = self.stream.set_nonblocking(true);
        let mut seen = self.received.len();
        let progress = loop {
            match self.read() {
                Progress::Open if self.received.len() > seen => seen = self.received.len(),
                progress => break progress,
            }
        };
        let _ = self.stream.set_nonblocking(false);
        progress
    }

    /// Ends the connection with a reset.
    pub fn reset(self) {
        // Then it ends in an orderly way.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
    }

    fn read(&mut self) -> Progress {
        let mut buffer = [0; 4096];
        match self.stream.read(&mut buffer) {
            Ok(0) => return Progress::Ended,
            Ok(count) => self.received.extend(&buffer[..count]),
            Err(error) => {
                let waits = [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
                return match waits.contains(&error.kind()) {
                    true => Progress::Open,
                    false => Progress::Ended,
                };
            }
        }
        response(&self.received, self.has_body).map_or(Progress::Open, Progress::Answered)
    }
}

/// The response that these bytes are; `None`: it is not complete.
fn response(bytes: &[u8], has_body: bool) -> Option<Response> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let field = |wanted: &str| {
        let mut fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
        let found = fields.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.trim().to_owned())
    };
    let length = field("content-length").and_then(|length| length.parse().ok());
    let length = if has_body { length.unwrap_or(0) } else { 0 };
    let body = bytes.get(end + 4..end + 4 + length)?;
    Some(Response {
        status: head.split(' ').nth(1)?.parse().ok()?,
        offset: field("upload-offset").and_then(|offset| offset.parse().ok()),
        location: field("location"),
        body: String::from_utf8_lossy(body).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    const CONFLICT: &[u8] =
        b"HTTP/1.1 409 Conflict\r\nUpload-Offset: 41\r\nContent-Length: 2\r\nLocation: /a/b\r\n\r\n{}";

    #[test]
    fn a_response_is_read_once_it_is_complete() {
        for count in 0..CONFLICT.len() {
            assert_eq!(response(&CONFLICT[..count], true), None);
        }
        let read = response(CONFLICT, true).unwrap();
        assert_eq!((read.status, read.offset), (409, Some(41)));
        assert_eq!(
            (read.location.as_deref(), read.body.as_str()),
            (Some("/a/b"), "{}")
        );
        let of_head = response(&CONFLICT[..CONFLICT.len() - 2], false).unwrap();
        assert_eq!((of_head.status, of_head.body.as_str()), (409, ""));
    }

    #[test]
    fn an_answer_that_was_not_waited_for_is_found_later() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut exchange = Exchange::begin(client, "PATCH / HTTP/1.1\r\n\r\n", true).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        exchange.send(b"abc", Duration::ZERO).unwrap();
        assert_eq!(exchange.wait(Duration::ZERO), Progress::Open);
        server.write_all(CONFLICT).unwrap();
        let Progress::Answered(answer) = exchange.wait(Duration::from_secs(60)) else {
            panic!("no answer");
        };
        assert_eq!(answer.status, 409);
        drop(server);
        // Ends with a reset, as not all that was sent was read, or in order.
        assert_eq!(exchange.wait(Duration::from_secs(60)), Progress::Ended);
    }
}
