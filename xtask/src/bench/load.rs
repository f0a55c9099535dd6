//! The same kind of request, many times, over several connections at once.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::http::{Connection, Request};
use crate::failure::{Failure, Outcome};
use crate::machine::now;

/// A load: the server, how many requests it gets, and the status of every answer.
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
    send_over(CONNECTIONS, load, ask).map(drop)
}

/// The same over `connections`; how long each request took until its whole answer was read, ascending.
///
/// # Errors
/// As [`send`].
pub fn send_over(
    connections: usize,
    load: Load<'_>,
    ask: impl Fn(usize) -> Asked + Sync,
) -> Outcome<Vec<Duration>> {
    let next = AtomicUsize::new(0);
    let one = || -> Outcome<Vec<Duration>> {
        let mut connection = Connection::open(load.address, load.key)?;
        let mut taken = Vec::with_capacity(load.count / connections * 2);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= load.count {
                return Ok(taken);
            }
            let (method, path, json) = ask(number);
            let began = now();
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
            taken.push(began.elapsed());
        }
    };
    let taken = thread::scope(|scope| {
        let threads: Vec<_> = (0..connections).map(|_| scope.spawn(one)).collect();
        let taken = threads.into_iter().map(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => Err(Failure::new("a connection's thread panicked")),
        });
        taken.collect::<Outcome<Vec<_>>>()
    });
    let mut taken = taken?.concat();
    taken.sort_unstable();
    Ok(taken)
}
