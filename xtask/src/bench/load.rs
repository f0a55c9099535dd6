//! The same kind of request, many times, over several connections at once.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::http::{Connection, Request};
use crate::failure::{Failure, Outcome};

/// What is asked of whom, how often.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// The server.
    pub address: SocketAddr,
    /// The API key.
    pub key: &'a str,
    /// Requests in all.
    pub count: usize,
    /// The status that every answer must have.
    pub status: u16,
}

/// How many connections are kept.
pub const CONNECTIONS: usize = 16;

/// Method, path and JSON of request number `i`.
pub type Asked = (&'static str, String, String);

/// Sends `load.count` requests over [`CONNECTIONS`] connections, number *i* being `ask(i)`.
///
/// # Errors
/// When an answer has another status or a connection breaks.
pub fn send(load: Load<'_>, ask: impl Fn(usize) -> Asked + Sync) -> Outcome<()> {
    let next = AtomicUsize::new(0);
    let one = || -> Outcome<()> {
        let mut connection = Connection::open(load.address, load.key)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= load.count {
                return Ok(());
            }
            let (method, path, json) = ask(number);
            let answer = connection.send(Request {
                method,
                path: &path,
                json: &json,
            })?;
            if answer.status != load.status {
                return Err(Failure::new(format!(
                    "{method} {path}: {} {}",
                    answer.status,
                    answer.text()
                )));
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(one)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => Err(Failure::new("a connection's thread panicked")),
        })
    })
}
