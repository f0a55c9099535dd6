//! One resumable upload whose client goes to another node with each request.

use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::choices::{Ending, Part, Video};
use super::count::Moves;
use super::exchange::{Exchange, Progress, Response};
use super::record::{Acknowledgement, Record};
use crate::lab::chance::Chance;
use crate::lab::stage::Stage;
use crate::machine::{epoch_micros, now};

/// How long the answer to a request without a body is waited for: longer than the service tries to reach its storage.
const PATIENCE: Duration = Duration::from_secs(75);
/// After a refusal, and without a node.
const PAUSE: Duration = Duration::from_millis(100);
/// How many connections are left open, at most.
const MOST_LEFT: usize = 4;
/// How long another request holds the upload before the client closes the connections that it has left.
const LOCKED_FOR: Duration = Duration::from_secs(3);
/// How long the service may not know the upload before the client gives it up: longer than the media are away.
const MISSING_FOR: Duration = Duration::from_secs(20);
const HEAD_OF_ALL: &str = "host: localhost\r\ntus-resumable: 1.0.0\r\n";

/// A client and its upload.
#[derive(Debug)]
pub struct Upload<'a> {
    stage: &'a Stage,
    chance: &'a mut Chance,
    record: Record,
    bytes: Vec<u8>,
    left: Vec<Exchange>,
    /// The node of the last request.
    node: Option<SocketAddr>,
    moves: Moves,
    /// Since when each refusal was that another request holds it, or that it is not there. A HEAD that is answered changes neither: it does
    /// not look at the bytes.
    locked_since: Option<Instant>,
    missing_since: Option<Instant>,
}

impl<'a> Upload<'a> {
    /// Asks once for an upload to begin. `None`: it has not, as far as the client knows.
    pub fn begin(stage: &'a Stage, chance: &'a mut Chance, video: Video, bytes: Vec<u8>) -> Option<Self> {
        let record = Record::begun(String::new(), video, 0, 0);
        let mut upload = Self {
            stage,
            chance,
            record,
            bytes,
            left: Vec::new(),
            node: None,
            moves: Moves::default(),
            locked_since: None,
            missing_since: None,
        };
        let length = video.length;
        let head = format!(
            "POST /public/v1/media/uploads HTTP/1.1\r\n{HEAD_OF_ALL}upload-length: {length}\r\ncontent-length: 0\r\n"
        );
        let mut exchange = upload.request(&head, true)?;
        match exchange.wait(PATIENCE) {
            Progress::Answered(answer) if answer.status == 201 => {
                let location = answer.location.unwrap_or_default();
                let id = location.rsplit('/').next().unwrap_or_default().to_owned();
                upload.record = Record::begun(id, video, exchange.began_at, epoch_micros());
                Some(upload)
            }
            _ => {
                thread::sleep(PAUSE);
                None
            }
        }
    }

    /// Sends everything, until it is acknowledged whole, is given up, or `is_too_late`. Returns what is known then.
    pub fn finish(mut self, is_too_late: &dyn Fn() -> bool) -> (Record, Moves) {
        let is_long = |since: Instant| since.elapsed() > MISSING_FOR;
        while !self.record.is_whole() && !is_too_late() && !self.missing_since.is_some_and(is_long) {
            let Some(offset) = self.ask() else {
                thread::sleep(PAUSE);
                continue;
            };
            let mut offset = Some(offset);
            while let Some(from) = offset.filter(|from| *from < self.record.video.length && !is_too_late()) {
                offset = self.send(from);
            }
        }
        (self.record, self.moves)
    }

    /// Asks another node where the upload stands.
    fn ask(&mut self) -> Option<u64> {
        // What was acknowledged by then is what the answer is compared with.
        self.look_at_left();
        let head = format!("HEAD {} HTTP/1.1\r\n{HEAD_OF_ALL}", self.path());
        let mut exchange = self.request(&head, false)?;
        let Progress::Answered(answer) = exchange.wait(PATIENCE) else {
            self.missing_since = None;
            return None;
        };
        let offset = answer.offset.filter(|_| answer.status == 200);
        match offset {
            Some(offset) => {
                if offset > self.record.acknowledged.offset {
                    self.missing_since = None;
                }
                self.record.stands_at(acknowledgement(&exchange, offset));
            }
            None => self.note_refusal("HEAD", &answer),
        }
        offset
    }

    /// Sends a part to another node. Returns how far it has come, if an answer acknowledged that.
    fn send(&mut self, from: u64) -> Option<u64> {
        let missing = self.record.video.length - from;
        let part = Part::any(self.chance, missing);
        let head = format!(
            "PATCH {} HTTP/1.1\r\n{HEAD_OF_ALL}upload-offset: {from}\r\ncontent-type: application/offset+octet-stream\r\n\
             content-length: {}\r\n",
            self.path(),
            part.bytes
        );
        let mut exchange = self.request(&head, true)?;
        self.moves.requests += 1;
        let start = usize::try_from(from).unwrap_or(usize::MAX);
        let end = start + usize::try_from(part.sent).unwrap_or(0);
        // A node that refuses a part may answer before it has all of it, and then close.
        let was_sent = exchange.send(&self.bytes[start..end], part.takes).is_ok();
        match part.ending {
            Ending::Wait(patience) => match exchange.wait(patience) {
                Progress::Answered(answer) => return self.answered(&exchange, &answer),
                Progress::Open if was_sent => {
                    self.moves.unanswered += 1;
                    self.leave(exchange);
                }
                Progress::Open | Progress::Ended => {
                    self.moves.broken += 1;
                    self.missing_since = None;
                }
            },
            Ending::Close { is_reset } => {
                self.moves.closed += 1;
                match is_reset {
                    true => exchange.reset(),
                    false => drop(exchange),
                }
            }
            Ending::Leave => {
                self.moves.half_sent += 1;
                self.leave(exchange);
            }
        }
        None
    }

    fn answered(&mut self, exchange: &Exchange, answer: &Response) -> Option<u64> {
        let offset = answer.offset.filter(|_| answer.status == 204);
        match offset {
            Some(offset) => {
                (self.locked_since, self.missing_since) = (None, None);
                self.record.acknowledge(acknowledgement(exchange, offset));
            }
            None => {
                self.note_refusal("PATCH", answer);
                thread::sleep(PAUSE);
            }
        }
        offset
    }

    fn note_refusal(&mut self, method: &str, answer: &Response) {
        let body: String = answer.body.chars().take(200).collect();
        self.record.last_refusal = format!("{method} {} {body}", answer.status);
        let since = |is_so: bool, since: Option<Instant>| is_so.then(|| since.unwrap_or_else(now));
        self.locked_since = since(answer.status == 423, self.locked_since);
        self.missing_since = since(answer.status == 404, self.missing_since);
        if self
            .locked_since
            .is_some_and(|since| since.elapsed() > LOCKED_FOR)
        {
            self.left.clear();
        }
    }

    /// Keeps a connection open.
    fn leave(&mut self, exchange: Exchange) {
        if self.left.len() == MOST_LEFT {
            self.left.remove(0);
        }
        self.left.push(exchange);
    }

    /// Takes note of the answers that came on connections that were left.
    fn look_at_left(&mut self) {
        for mut exchange in std::mem::take(&mut self.left) {
            match exchange.look() {
                Progress::Open => self.left.push(exchange),
                Progress::Ended => {}
                Progress::Answered(answer) => {
                    if let Some(offset) = answer.offset.filter(|_| answer.status == 204) {
                        self.moves.answered_late += 1;
                        self.record.acknowledge(acknowledgement(&exchange, offset));
                    }
                }
            }
        }
    }

    /// Begins a request at another node than the last, if there is another.
    fn request(&mut self, head: &str, has_body: bool) -> Option<Exchange> {
        let (node, stream): (SocketAddr, TcpStream) = self.stage.proxy.connect_to_other(self.node)?;
        self.moves.moved += usize::from(self.node.is_some_and(|last| last != node));
        self.node = Some(node);
        let head = format!("{head}authorization: Bearer {}\r\n\r\n", self.stage.seeded.key);
        Exchange::begin(stream, &head, has_body).ok()
    }

    fn path(&self) -> String {
        format!("/public/v1/media/uploads/{}", self.record.id)
    }
}

fn acknowledgement(exchange: &Exchange, offset: u64) -> Acknowledgement {
    Acknowledgement {
        offset,
        asked_at: exchange.began_at,
        read_at: epoch_micros(),
    }
}
