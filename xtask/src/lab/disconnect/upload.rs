//! A resumable upload that grows byte by byte while other clients disconnect: a byte whose arrival was answered must stay.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::bench::http::{Answer, Body, Connection};
use crate::bench::world::text;
use crate::failure::{Failure, Outcome};
use crate::lab::stage::Stage;

/// More than any run sends.
const LENGTH: usize = 1_000_000;
/// Between two bytes.
const PAUSE: Duration = Duration::from_millis(5);
/// After a request without an answer, or with one that asks for a retry.
const LONG_PAUSE: Duration = Duration::from_millis(60);

/// What an answer means for the upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// The byte has arrived.
    Arrived,
    /// So many bytes have arrived, and the client is to go on from there.
    StandsAt(usize),
    /// There is no such upload, or its bytes are away.
    Missing,
    /// Nothing.
    ComeAgain,
}

/// An upload.
#[derive(Debug)]
pub struct Upload<'a> {
    stage: &'a Stage,
    id: String,
    /// The bytes whose arrival was answered.
    answered: usize,
    /// How many restores had begun or ended before the last of them arrived.
    restores: usize,
}

impl<'a> Upload<'a> {
    /// One that has not begun.
    pub fn new(stage: &'a Stage) -> Self {
        Self {
            stage,
            id: String::new(),
            answered: 0,
            restores: 0,
        }
    }

    /// Begins the upload, or sends its next byte; answers how many bytes arrived. `restores` counts beginnings and ends of restores: an odd number while a copy is
    /// put back.
    ///
    /// # Errors
    /// When bytes that arrived are gone although no copy of the database was put back.
    pub fn grow(&mut self, restores: &AtomicUsize) -> Outcome<usize> {
        let before = restores.load(Ordering::SeqCst);
        if self.id.is_empty() {
            self.begin(before);
            return Ok(0);
        }
        let answer = send_byte(self.stage, &self.id, self.answered);
        let said = answer.map_or(Said::ComeAgain, |answer| said(&answer));
        let may_be_forgotten = before % 2 == 1 || restores.load(Ordering::SeqCst) != self.restores;
        match said {
            Said::Arrived => {
                self.stands_at(self.answered + 1, before);
                thread::sleep(PAUSE);
            }
            Said::StandsAt(offset) if offset >= self.answered => self.stands_at(offset, before),
            Said::StandsAt(offset) if !may_be_forgotten => {
                let (id, answered) = (&self.id, self.answered);
                let why = format!("an upload, {id}: {answered} bytes arrived, and it stands at {offset}");
                // Another one shows what is lost next.
                self.id.clear();
                return Err(Failure::new(why));
            }
            Said::StandsAt(_) => self.id.clear(),
            Said::Missing if may_be_forgotten => self.id.clear(),
            Said::Missing | Said::ComeAgain => thread::sleep(LONG_PAUSE),
        }
        Ok(usize::from(said == Said::Arrived))
    }

    fn begin(&mut self, restores: usize) {
        let head = format!(
            "POST /public/v1/media/uploads HTTP/1.1\r\nhost: localhost\r\ntus-resumable: 1.0.0\r\nupload-length: {LENGTH}\r\n\
             content-length: 0\r\n"
        );
        let answer = ask(self.stage, &head, "").and_then(|answer| answer.json(201));
        match answer.and_then(|media| text(&media["id"])) {
            Ok(id) => {
                self.id = id;
                self.stands_at(0, restores);
            }
            Err(_) => thread::sleep(LONG_PAUSE),
        }
    }

    fn stands_at(&mut self, offset: usize, restores: usize) {
        self.answered = offset;
        self.restores = restores;
    }
}

fn send_byte(stage: &Stage, id: &str, offset: usize) -> Outcome<Answer> {
    let head = format!(
        "PATCH /public/v1/media/uploads/{id} HTTP/1.1\r\nhost: localhost\r\ntus-resumable: 1.0.0\r\nupload-offset: {offset}\r\n\
         content-type: application/offset+octet-stream\r\ncontent-length: 1\r\n"
    );
    ask(stage, &head, "k")
}

fn ask(stage: &Stage, head: &str, body: &str) -> Outcome<Answer> {
    let mut connection = Connection::open(stage.proxy.address, &stage.seeded.key)?;
    connection.send_stream(head, &mut [Body::Text(body.to_owned())])
}

fn said(answer: &Answer) -> Said {
    let offset = || -> Option<usize> {
        let body: Value = serde_json::from_slice(&answer.body).ok()?;
        usize::try_from(body["details"]["offset"].as_u64()?).ok()
    };
    match answer.status {
        204 => Said::Arrived,
        409 => offset().map_or(Said::ComeAgain, Said::StandsAt),
        404 => Said::Missing,
        _ => Said::ComeAgain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_whether_the_byte_arrived_or_where_the_upload_stands() {
        let said = |status, body: &str| {
            said(&Answer {
                status,
                location: None,
                body: body.as_bytes().to_vec(),
            })
        };
        assert_eq!(said(204, ""), Said::Arrived);
        let conflict = r#"{"code":"upload_offset_conflict","details":{"offset":41}}"#;
        assert_eq!(said(409, conflict), Said::StandsAt(41));
        assert_eq!(said(404, "{}"), Said::Missing);
        assert_eq!(said(423, "{}"), Said::ComeAgain);
        assert_eq!(said(503, "{}"), Said::ComeAgain);
    }
}
