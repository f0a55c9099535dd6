//! Clients that disconnect during the whole run, and clients beside them that wait for each answer, whose writes must not be lost.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::own_posts::{OwnPost, Wrong};
use super::upload::Upload;
use super::{DisconnectCount, Request, send_and_disconnect};
use crate::bench::simulator::Control;
use crate::bench::world::text;
use crate::failure::{Failure, Outcome};
use crate::lab::chance::Chance;
use crate::lab::provider::list;
use crate::lab::shown;
use crate::lab::stage::Stage;
use crate::machine::epoch_micros;

/// How many clients send requests and disconnect.
const CLIENTS: usize = 3;
/// How many uploads grow beside them.
const UPLOADS: usize = 2;
/// How many connections a client has at the same time, at most.
const CONNECTIONS: u64 = 6;
/// Between two rounds of a client, in milliseconds.
const PAUSE_MS: (u64, u64) = (10, 60);
/// Between two requests that a client repeats until it is answered.
const AGAIN: Duration = Duration::from_millis(60);

/// All of them.
#[derive(Debug)]
pub struct Clients<'a> {
    stage: &'a Stage,
    seed: u64,
    own: Vec<[OwnPost; 2]>,
    is_over: AtomicBool,
    /// Beginnings and ends of restores: an odd number while a copy is put back.
    restores: AtomicUsize,
    seen: Mutex<Seen>,
}

/// What the clients have seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Clients that went away.
    pub disconnects: DisconnectCount,
    /// How many bytes arrived in uploads.
    pub bytes: usize,
    /// The names of their posts whose creation was answered.
    pub created: Vec<String>,
    /// Writes that were answered and are gone.
    pub lost: Vec<String>,
}

/// The IDs of the posts of a client.
#[derive(Debug)]
struct Ids {
    draft: String,
    planned: String,
}

impl<'a> Clients<'a> {
    /// Clients that have not begun. Their posts would go to `account`, which is always connected.
    pub fn new(stage: &'a Stage, seed: u64, account: usize) -> Self {
        let began_at = epoch_micros();
        let own = |client| {
            [false, true].map(|is_planned| OwnPost {
                client,
                is_planned,
                account,
                began_at,
            })
        };
        Self {
            stage,
            seed,
            own: (0..CLIENTS).map(own).collect(),
            is_over: AtomicBool::new(false),
            restores: AtomicUsize::new(0),
            seen: Mutex::default(),
        }
    }

    /// Sends requests until the end, on threads of their own.
    ///
    /// # Errors
    /// When the request that creates a post of a client is refused.
    pub fn run(&self) -> Outcome<()> {
        thread::scope(|scope| {
            let own = self.own.iter();
            let clients: Vec<_> = own.map(|own| scope.spawn(|| self.disconnect(own))).collect();
            for _ in 0..UPLOADS {
                scope.spawn(|| self.upload());
            }
            let panicked = |_| Failure::new("a thread of the laboratory panicked");
            let ended = clients.into_iter().map(|client| client.join().map_err(panicked)?);
            ended.collect()
        })
    }

    /// Ends it.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Notes that a copy is about to be put back, or has been: what was answered since it was made may be gone.
    pub fn note_restore(&self) {
        self.restores.fetch_add(1, Ordering::SeqCst);
    }

    /// What they have seen so far.
    pub fn seen(&self) -> Seen {
        self.lock().clone()
    }

    /// What is wrong with the posts of the clients.
    ///
    /// # Errors
    /// When the service or the simulator does not answer.
    pub fn judge_posts(&self, simulator: &mut Control) -> Outcome<Vec<Wrong>> {
        let roots = shown::list(self.stage, "limit=1000")?;
        let out = list(simulator, "/sim/publications")?;
        let created = self.seen().created;
        let was_restored = self.restores.load(Ordering::SeqCst) > 0;
        let wrong = self.own.iter().flatten().filter_map(|post| {
            let is_its =
                |one: &&Value, field: &str| one[field].as_str().is_some_and(|text| post.is_text(text));
            let roots: Vec<Value> = roots
                .iter()
                .filter(|root| is_its(root, "content"))
                .cloned()
                .collect();
            let out = out.iter().filter(|one| is_its(one, "caption")).count();
            let may_be_missing = !created.contains(&post.name());
            match roots.as_slice() {
                [] if may_be_missing && out == 0 => None,
                roots => post.judge(roots, out, was_restored),
            }
        });
        Ok(wrong.collect())
    }

    /// One client: creates its posts, then changes them and other things again and again.
    fn disconnect(&self, [draft, planned]: &[OwnPost; 2]) -> Outcome<()> {
        let mut chance = Chance::seeded(self.seed ^ 0x0064_6973_636f_6e6e ^ draft.client as u64);
        let (Some(draft_id), Some(planned_id)) = (
            self.create(draft, &mut chance)?,
            self.create(planned, &mut chance)?,
        ) else {
            return Ok(());
        };
        let ids = Ids {
            draft: draft_id,
            planned: planned_id,
        };
        while !self.is_over.load(Ordering::SeqCst) {
            let connections = chance.between(1, CONNECTIONS + 1);
            let requests: Vec<Request> = (0..connections)
                .map(|_| self.any_request([draft, planned], &ids, &mut chance))
                .collect();
            let count = send_and_disconnect(self.stage, &requests, &mut chance);
            self.lock().disconnects += count;
            thread::sleep(Duration::from_millis(chance.between(PAUSE_MS.0, PAUSE_MS.1)));
        }
        Ok(())
    }

    /// Creates a post: sends the request some times without waiting, and then until it is answered. `None`: it is over.
    fn create(&self, post: &OwnPost, chance: &mut Chance) -> Outcome<Option<String>> {
        let request = post.creation(self.stage);
        while !self.is_over.load(Ordering::SeqCst) {
            let times = vec![request.clone(); 3];
            let count = send_and_disconnect(self.stage, &times, chance);
            self.lock().disconnects += count;
            match request.send(self.stage) {
                Ok(answer) if answer.status == 201 => {
                    self.lock().created.push(post.name());
                    return text(&answer.json(201)?["results"][0]["post"]["root"]["id"]).map(Some);
                }
                Ok(answer) if answer.status < 500 && ![409, 429].contains(&answer.status) => {
                    let why = format!("creating {}: {}", post.name(), answer.text());
                    return Err(Failure::new(why));
                }
                Ok(_) | Err(_) => thread::sleep(AGAIN),
            }
        }
        Ok(None)
    }

    fn any_request(&self, [draft, planned]: [&OwnPost; 2], ids: &Ids, chance: &mut Chance) -> Request {
        let is_second = chance.happens(50);
        match chance.below(5) {
            0 => draft.edit(&ids.draft, is_second),
            1 => planned.edit(&ids.planned, is_second),
            2 => planned.reschedule(&ids.planned, is_second),
            3 => draft.creation(self.stage),
            _ => self.rename_media(is_second),
        }
    }

    /// Gives the first media object another name, which nothing depends on.
    fn rename_media(&self, is_second: bool) -> Request {
        let name = if is_second { "second.mp4" } else { "first.mp4" };
        Request {
            method: "PATCH",
            path: format!("/public/v1/media/{}", self.stage.seeded.media[0]),
            idempotency_key: None,
            json: json!({ "fileName": name }).to_string(),
        }
    }

    fn upload(&self) {
        let mut upload = Upload::new(self.stage);
        while !self.is_over.load(Ordering::SeqCst) {
            match upload.grow(&self.restores) {
                Ok(bytes) => self.lock().bytes += bytes,
                Err(lost) => {
                    self.stage.note(&lost.to_string());
                    self.lock().lost.push(lost.to_string());
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
