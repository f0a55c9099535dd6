//! Processes with a secret key that is not the database's. They run beside the nodes for a while, must never be ready, and
//! publish nothing: what they publish would be seen as a duplicate.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::stage::Stage;
use crate::bench::http::{Connection, Request};
use crate::bench::process::Process;
use crate::failure::Outcome;

/// How often readiness is asked for.
const PAUSE: Duration = Duration::from_millis(50);

/// All such processes of a run.
#[derive(Debug)]
pub struct WrongKeyNodes<'a> {
    stage: &'a Stage,
    running: BTreeMap<usize, Watched>,
    /// What they answered.
    pub answers: Answers,
}

/// What such processes answered to `/readyz`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answers {
    /// How many processes there were.
    pub processes: usize,
    /// How many of them answered at all.
    pub answering: usize,
    /// How many of them answered 200: must be 0.
    pub ready: usize,
}

#[derive(Debug)]
struct Watched {
    process: Process,
    has_ended: Arc<AtomicBool>,
    watcher: JoinHandle<Seen>,
}

/// What one process answered.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    has_answered: bool,
    was_ready: bool,
}

impl<'a> WrongKeyNodes<'a> {
    /// None yet.
    pub fn none(stage: &'a Stage) -> Self {
        Self {
            stage,
            running: BTreeMap::new(),
            answers: Answers::default(),
        }
    }

    /// Starts one that listens there, and asks it all the time whether it is ready.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(&mut self, number: usize, address: SocketAddr) -> Outcome<()> {
        let process = self.stage.node_with_wrong_key(address)?;
        self.stage
            .note(&format!("{address} starts with the wrong secret key"));
        let has_ended = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&has_ended);
        let watcher = thread::spawn(move || watch(address, &until));
        self.answers.processes += 1;
        let watched = Watched {
            process,
            has_ended,
            watcher,
        };
        self.running.insert(number, watched);
        Ok(())
    }

    /// Kills one.
    pub fn end(&mut self, number: usize) {
        let Some(watched) = self.running.remove(&number) else {
            return;
        };
        // Before its port is free for a node that may be ready.
        watched.has_ended.store(true, Ordering::Relaxed);
        watched.process.kill();
        let seen = watched.watcher.join().unwrap_or_default();
        self.answers.answering += usize::from(seen.has_answered);
        self.answers.ready += usize::from(seen.was_ready);
        if seen.was_ready {
            self.stage
                .note("a node with the wrong secret key answered that it is ready");
        }
    }

    /// Kills all.
    pub fn end_all(&mut self) {
        while let Some((number, _)) = self.running.first_key_value() {
            self.end(*number);
        }
    }
}

/// Asks until the process is to end. An answer that comes later may be another's.
fn watch(address: SocketAddr, has_ended: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    while !has_ended.load(Ordering::Relaxed) {
        let answered = is_ready(address);
        if let Ok(ready) = answered
            && !has_ended.load(Ordering::Relaxed)
        {
            seen.has_answered = true;
            seen.was_ready |= ready;
        }
        thread::sleep(PAUSE);
    }
    seen
}

fn is_ready(address: SocketAddr) -> Outcome<bool> {
    let request = Request {
        method: "GET",
        path: "/readyz",
        json: "",
    };
    let answer = Connection::open(address, "")?.send(request)?;
    Ok(answer.status == 200)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn seen_of(status: &'static str) -> Seen {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (report, asked) = std::sync::mpsc::channel();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 1024]);
                // The receiver is gone when the test has ended.
                let _ = report.send(());
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        let has_ended = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&has_ended);
        let watcher = thread::spawn(move || watch(address, &until));
        // A second request follows once the first answer is read.
        for _ in 0..2 {
            asked.recv_timeout(Duration::from_secs(120)).unwrap();
        }
        has_ended.store(true, Ordering::Relaxed);
        watcher.join().unwrap()
    }

    #[test]
    fn a_process_that_is_ready_is_seen_and_one_that_is_not_only_answers() {
        let ready = seen_of("200 OK");
        assert!(ready.has_answered && ready.was_ready);
        let not_ready = seen_of("503 Service Unavailable");
        assert!(not_ready.has_answered && !not_ready.was_ready);
    }
}
