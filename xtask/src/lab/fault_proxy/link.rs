//! One connection that a proxy carries, and what happens to it.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::counts::{Counts, add};
use super::requests::Requests;
use crate::lab::connection_fault::Direction;
use crate::machine::now;

/// A connection that passed bytes so recently counts as busy.
const BUSY_WITHIN: Duration = Duration::from_millis(300);
const BUFFER_BYTES: usize = 64 * 1024;

/// What a proxy knows of the bytes that it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Nothing.
    Opaque,
    /// HTTP/1.1: it can answer requests itself.
    Http,
}

/// One connection of a client and the one to the server that belongs to it.
#[derive(Debug)]
pub(super) struct Link {
    client: TcpStream,
    server: TcpStream,
    protocol: Protocol,
    counts: Arc<Counts>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    frozen_to_server_until: Instant,
    frozen_to_client_until: Instant,
    delayed_until: Instant,
    delay: Duration,
    /// After how many more bytes it is cut, and until when.
    cut_within: Option<(usize, Instant)>,
    refused_until: Instant,
    last_bytes: Instant,
    is_cut: bool,
}

impl Link {
    pub(super) fn new(client: TcpStream, server: TcpStream, protocol: Protocol, counts: Arc<Counts>) -> Self {
        let begun = now();
        let state = State {
            frozen_to_server_until: begun,
            frozen_to_client_until: begun,
            delayed_until: begun,
            delay: Duration::ZERO,
            cut_within: None,
            refused_until: begun,
            last_bytes: begun,
            is_cut: false,
        };
        Self {
            client,
            server,
            protocol,
            counts,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.state().last_bytes.elapsed() < BUSY_WITHIN
    }

    pub(super) fn freeze(&self, direction: Direction, lasts: Duration) {
        let until = now() + lasts;
        let mut state = self.state();
        if direction != Direction::ToClient {
            state.frozen_to_server_until = until;
        }
        if direction != Direction::ToServer {
            state.frozen_to_client_until = until;
        }
    }

    pub(super) fn delay(&self, each: Duration, lasts: Duration) {
        let mut state = self.state();
        (state.delay, state.delayed_until) = (each, now() + lasts);
    }

    /// Cuts it after so many bytes, unless they take longer than the fault lasts.
    pub(super) fn cut_within(&self, bytes: usize, lasts: Duration) {
        self.state().cut_within = Some((bytes, now() + lasts));
    }

    /// Answers requests that begin from now on with 503.
    pub(super) fn refuse(&self, lasts: Duration) {
        self.state().refused_until = now() + lasts;
    }

    pub(super) fn calm(&self) {
        let mut state = self.state();
        let now = now();
        (state.frozen_to_server_until, state.frozen_to_client_until) = (now, now);
        (state.delayed_until, state.refused_until) = (now, now);
        state.cut_within = None;
        self.changed.notify_all();
    }

    /// Ends it in both directions; what is held here is lost.
    pub(super) fn cut(&self) {
        self.state().is_cut = true;
        self.changed.notify_all();
        // Both fail only when the connection is already gone.
        let _ = self.client.shutdown(Shutdown::Both);
        let _ = self.server.shutdown(Shutdown::Both);
    }

    /// Copies in one direction until its end, and then closes that direction to the side that still reads. What a client sent
    /// before it closed still reaches the server.
    pub(super) fn pass(&self, direction: Direction) {
        let (mut from, to) = match direction {
            Direction::ToClient => (&self.server, &self.client),
            _ => (&self.client, &self.server),
        };
        let has_requests = direction == Direction::ToServer && self.protocol == Protocol::Http;
        let mut requests = has_requests.then(Requests::default);
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let count = match from.read(&mut buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            // The end of a connection is held like its bytes.
            if !self.may_pass(direction) || count == 0 {
                break;
            }
            let passed = match &mut requests {
                Some(requests) => self.pass_requests(requests, &buffer[..count]),
                None => self.write(to, &buffer[..count]),
            };
            if passed.is_err() {
                break;
            }
        }
        // Both fail only when that side is already gone.
        let _ = to.shutdown(Shutdown::Write);
        let _ = from.shutdown(Shutdown::Read);
    }

    /// Passes requests on to the server, or answers them.
    fn pass_requests(&self, requests: &mut Requests, bytes: &[u8]) -> std::io::Result<()> {
        let is_refusing = now() < self.state().refused_until;
        let taken = requests.take(bytes, is_refusing);
        self.write(&self.server, &taken.forward)?;
        for answer in taken.answers {
            add(&self.counts.refused);
            self.write(&self.client, answer.as_bytes())?;
        }
        Ok(())
    }

    fn write(&self, mut to: &TcpStream, bytes: &[u8]) -> std::io::Result<()> {
        let Some(last) = self.last_before_the_cut(bytes.len()) else {
            return to.write_all(bytes);
        };
        // Whether they arrive or not, the connection ends.
        let _ = to.write_all(&bytes[..last]);
        // The other direction may have come to its end, too.
        if !std::mem::replace(&mut self.state().is_cut, true) {
            add(&self.counts.cut);
        }
        self.cut();
        Err(ErrorKind::ConnectionAborted.into())
    }

    /// How many of so many bytes still pass before the connection is cut; `None`: all, and it is not cut.
    fn last_before_the_cut(&self, count: usize) -> Option<usize> {
        let mut state = self.state();
        let (left, until) = state.cut_within.filter(|(_, until)| now() < *until)?;
        if left < count {
            return Some(left);
        }
        state.cut_within = Some((left - count, until));
        None
    }

    /// Waits as long as `direction` is frozen or delayed; `false` if the connection was cut.
    fn may_pass(&self, direction: Direction) -> bool {
        let mut state = self.state();
        state.last_bytes = now();
        let mut delayed = Some(state.last_bytes + state.delay).filter(|_| now() < state.delayed_until);
        loop {
            if state.is_cut {
                return false;
            }
            // A delay ends with its fault.
            delayed = delayed.filter(|_| now() < state.delayed_until);
            let frozen_until = match direction {
                Direction::ToClient => state.frozen_to_client_until,
                _ => state.frozen_to_server_until,
            };
            let until = delayed.map_or(frozen_until, |delayed| frozen_until.max(delayed));
            let left = until.saturating_duration_since(now());
            if left.is_zero() {
                return true;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
