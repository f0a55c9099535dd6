//! Clients that a balancer moves between nodes in the middle of an upload, for the whole of a run: each request goes to another node
//! than the one before, often while the former node still receives the former request. What was acknowledged must stay, at every node.

pub mod choices;
pub mod count;
pub mod exchange;
pub mod record;
pub mod upload;

use std::net::SocketAddr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::chance::Chance;
use super::copies::Restored;
use super::stage::Stage;
use crate::bench::http::{Answer, Connection, Request};
use crate::bench::world::text;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::now;
use choices::Video;
use count::{MovedUploads, Moves};
use record::{Fate, Found, Record};
use upload::Upload;

/// How many upload at the same time, each one video after the other.
const CLIENTS: u64 = 4;
/// How long the last upload may take once nothing fails any more: longer than a request without an answer, twice.
pub const TO_FINISH: Duration = Duration::from_secs(240);
/// Of so many lost uploads the log is shown, with so many lines about each.
const SHOWN: usize = 5;
const LINES: usize = 60;
/// How often a download is tried that a node does not answer.
const TRIES: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// The clients.
#[derive(Debug)]
pub struct MovingClients<'a> {
    stage: &'a Stage,
    seed: u64,
    state: Mutex<State>,
    has_ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// When it is over: then no upload begins.
    is_over: bool,
    /// When the last ones are given up.
    ends_at: Option<Instant>,
    has_ended: bool,
    records: Vec<Record>,
    moves: Moves,
}

impl<'a> MovingClients<'a> {
    /// Clients that have not begun.
    pub fn new(stage: &'a Stage, seed: u64) -> Self {
        Self {
            stage,
            seed,
            state: Mutex::default(),
            has_ended: Condvar::new(),
        }
    }

    /// Upload until the end, on threads of their own.
    ///
    /// # Errors
    /// When there is nothing to upload.
    pub fn run(&self) -> Outcome<()> {
        let uploaded = thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS)
                .map(|client| scope.spawn(move || self.upload_all(client)))
                .collect();
            let panicked = |_| Failure::new("a thread of the laboratory panicked");
            let ended = clients.into_iter().map(|client| client.join().map_err(panicked)?);
            ended.collect()
        });
        self.lock().has_ended = true;
        self.has_ended.notify_all();
        uploaded
    }

    /// No upload begins any more, and the last are given up after a while.
    pub fn end(&self, patience: Duration) {
        let mut state = self.lock();
        state.is_over = true;
        state.ends_at = Some(now() + patience);
    }

    /// Waits until the last uploads have ended.
    pub fn wait(&self) {
        let waited = self.has_ended.wait_while(self.lock(), |state| !state.has_ended);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Downloads every upload from every node, and compares it with what was sent.
    ///
    /// # Errors
    /// When no node answers.
    pub fn judge(&self, restored: &[Restored]) -> Outcome<MovedUploads> {
        let state = self.lock();
        let mut uploads = MovedUploads {
            moves: state.moves,
            ..MovedUploads::default()
        };
        for record in &state.records {
            let fate = match record.fate(&self.found(record)?, restored) {
                Fate::Lost(why) if uploads.lost.len() < SHOWN => Fate::Lost(format!(
                    "{why}\n  log:\n{}",
                    last_lines(&self.stage.log(), &record.id)
                )),
                fate => fate,
            };
            uploads.add(record.video.length, fate);
        }
        Ok(uploads)
    }

    fn upload_all(&self, client: u64) -> Outcome<()> {
        let mut chance = Chance::seeded(self.seed ^ 0x6d6f_7669_6e67_0000 ^ client);
        let mut so_far = 0;
        while !self.lock().is_over {
            let video = Video::any(&mut chance, so_far);
            let Some(upload) = Upload::begin(self.stage, &mut chance, video, video.bytes()?) else {
                continue;
            };
            so_far += video.length;
            let is_too_late = || self.lock().ends_at.is_some_and(|ends_at| ends_at < now());
            let (record, moves) = upload.finish(&is_too_late);
            for (before, after) in &record.went_back {
                let (id, before) = (&record.id, before.offset);
                self.stage
                    .note(&format!("the upload {id} stood at {before}, and then at {after}"));
            }
            let mut state = self.lock();
            state.moves += moves;
            state.records.push(record);
        }
        Ok(())
    }

    fn found(&self, record: &Record) -> Outcome<Found> {
        let path = format!("/public/v1/media/{}", record.id);
        let answer = persistently(|| get(self.stage.proxy.address, &self.stage.seeded.key, &path))?;
        if answer.status == 404 {
            return Ok(Found::Missing);
        }
        let media = answer.json(200)?;
        if media["status"] != "READY" {
            let failure = text(&media["failure"]["code"]).ok();
            return Ok(Found::Pending(
                media["receivedBytes"].as_u64().unwrap_or(0),
                failure,
            ));
        }
        let url = text(&media["publicUrl"])?;
        let path = url.splitn(4, '/').nth(3);
        let path = path.ok_or_else(|| Failure::new(format!("{url} has no path")))?;
        let sent = record.video.bytes()?;
        let nodes = self.stage.proxy.addresses();
        if nodes.is_empty() {
            return Err(Failure::new("no node runs that could serve the uploads"));
        }
        let wrong = nodes.into_iter().filter_map(|node| {
            let answer = persistently(|| get(node, "", &format!("/{path}")));
            let why = match answer {
                Ok(answer) if answer.status == 200 => difference(&sent, &answer.body)?,
                Ok(answer) => format!("status {}: {}", answer.status, answer.text()),
                Err(failure) => failure.to_string(),
            };
            Some(format!("from {node}: {why}"))
        });
        Ok(Found::Ready(wrong.collect()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn get(address: SocketAddr, key: &str, path: &str) -> Outcome<Answer> {
    Connection::open(address, key)?.send(Request {
        method: "GET",
        path,
        json: "",
    })
}

/// Tries again while there is no answer, or 503.
fn persistently(ask: impl Fn() -> Outcome<Answer>) -> Outcome<Answer> {
    for _ in 1..TRIES {
        match ask() {
            Ok(answer) if answer.status != 503 => return Ok(answer),
            Ok(_) | Err(_) => thread::sleep(PAUSE),
        }
    }
    ask().doing("reading an upload")
}

/// The last lines of a log that name an upload.
fn last_lines(log: &str, id: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Where bytes differ from those that were sent.
fn difference(sent: &[u8], served: &[u8]) -> Option<String> {
    let at = sent.iter().zip(served).position(|(sent, served)| sent != served);
    match (at, sent.len(), served.len()) {
        (Some(at), ..) => Some(format!("byte {at} differs")),
        (None, sent, served) if sent != served => Some(format!("{served} bytes instead of {sent}")),
        (None, ..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_about_an_upload_are_shown() {
        let log: String = (0..100)
            .map(|line| format!("{line} of a\n{line} of b\n"))
            .collect();
        let shown = last_lines(&log, "of a");
        assert_eq!(shown.lines().count(), LINES);
        assert!(shown.ends_with("99 of a") && !shown.contains("of b"), "{shown}");
        assert_eq!(last_lines(&log, "of c"), "");
    }

    #[test]
    fn what_is_served_is_compared_byte_by_byte_and_in_length() {
        assert_eq!(difference(b"abc", b"abc"), None);
        assert_eq!(difference(b"abc", b"abd").unwrap(), "byte 2 differs");
        assert_eq!(difference(b"abc", b"ab").unwrap(), "2 bytes instead of 3");
        assert_eq!(difference(b"abc", b"abcd").unwrap(), "4 bytes instead of 3");
    }
}
