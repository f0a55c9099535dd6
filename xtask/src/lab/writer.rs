//! A client that creates posts while processes die: it sends each request with an idempotency key, some times without waiting for
//! the answer, and then again until it is answered. Half of the posts are drafts first, and published in the same way. One post comes
//! of it, however often that takes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use super::chance::Chance;
use super::disconnect::{DisconnectCount, Request, send_and_disconnect};
use super::person;
use super::posts::Post;
use super::stage::Stage;
use crate::bench::http::Answer;
use crate::bench::world::text;
use crate::failure::{Failure, Outcome};
use crate::machine::epoch_micros;

/// How soon to ask again.
const PAUSE: Duration = Duration::from_millis(60);
/// How often a request is sent without waiting for the answer, at most.
const MOST_UNANSWERED: u64 = 4;
/// What the path of a request to publish a draft ends with.
const PUBLISH: &str = "/publish";

/// The client.
#[derive(Debug)]
pub struct Client<'a> {
    stage: &'a Stage,
    seed: u64,
    first_at: i64,
    /// Locked from a post's first request to its answer.
    asking: Mutex<()>,
    /// When the request for each post was answered.
    created: Mutex<BTreeMap<usize, i64>>,
    disconnects: Mutex<DisconnectCount>,
}

impl<'a> Client<'a> {
    /// One that has created nothing yet. `first_at`: when the first post is due.
    pub fn new(stage: &'a Stage, seed: u64, first_at: i64) -> Self {
        Self {
            stage,
            seed,
            first_at,
            asking: Mutex::default(),
            created: Mutex::default(),
            disconnects: Mutex::default(),
        }
    }

    /// How often it went away without waiting for an answer.
    pub fn disconnects(&self) -> DisconnectCount {
        *self.disconnects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the first post is due, in microseconds since the epoch.
    pub fn first_at(&self) -> i64 {
        self.first_at
    }

    /// When the request for a post was answered, in microseconds since the epoch.
    pub fn created_at(&self, number: usize) -> Option<i64> {
        let created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        created.get(&number).copied()
    }

    /// Keeps the client from asking for the next post until the guard is dropped. `None`: a request is without an answer.
    pub fn pause(&self) -> Option<MutexGuard<'_, ()>> {
        match self.asking.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Creates the live ones among the posts, each when it is due.
    ///
    /// # Errors
    /// When one is rejected, or was not answered until `stop` was set.
    pub fn write(&self, posts: &[Post], stop: &AtomicBool) -> Outcome<()> {
        for post in posts.iter().filter(|post| post.is_live()) {
            let left = post.due_at(self.first_at) - epoch_micros();
            thread::sleep(Duration::from_micros(u64::try_from(left).unwrap_or(0)));
            let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = self.create(post, stop)?;
            if post.is_drafted() {
                let id = text(&answer.json(201)?["results"][0]["post"]["root"]["id"])?;
                self.ask(post, &publication(post, &id), stop)?;
            }
            let mut created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
            created.insert(post.number, epoch_micros());
        }
        Ok(())
    }

    /// Creates a post. A person connects its account again where that is asked for, and tries again.
    fn create(&self, post: &Post, stop: &AtomicBool) -> Outcome<Answer> {
        let mut key = post.marker();
        loop {
            let answer = self.ask(post, &self.creation(post, key.clone()), stop)?;
            if !answer.text().contains("\"platform_not_found\"") {
                return Ok(answer);
            }
            person::reconnect(self.stage, post.account)?;
            key.push_str("-again");
        }
    }

    fn creation(&self, post: &Post, key: String) -> Request {
        Request {
            method: "POST",
            path: "/public/v1/posts".to_owned(),
            idempotency_key: Some(key),
            json: post.body(&self.stage.media(), &self.stage.seeded.platforms, self.first_at),
        }
    }

    /// Sends a request some times without waiting for the answer, with and without its key where it may be repeated without, and then
    /// until it is answered.
    fn ask(&self, post: &Post, request: &Request, stop: &AtomicBool) -> Outcome<Answer> {
        let mut chance = Chance::seeded(self.seed ^ post.number as u64);
        let unkeyed = Request {
            idempotency_key: None,
            ..request.clone()
        };
        let may_be_unkeyed = request.path.ends_with(PUBLISH);
        let times: Vec<Request> = (0..chance.between(1, MOST_UNANSWERED + 1))
            .map(|_| match may_be_unkeyed && chance.happens(50) {
                true => unkeyed.clone(),
                false => request.clone(),
            })
            .collect();
        let count = send_and_disconnect(self.stage, &times, &mut chance);
        *self.disconnects.lock().unwrap_or_else(PoisonError::into_inner) += count;
        while !stop.load(Ordering::Relaxed) {
            if let Ok(answer) = request.send(self.stage)
                && is_done(&answer).map_err(|why| Failure::new(format!("{}: {why}", post.marker())))?
            {
                return Ok(answer);
            }
            thread::sleep(PAUSE);
        }
        Err(Failure::new(format!(
            "{} could not be created or published",
            post.marker()
        )))
    }
}

fn publication(post: &Post, id: &str) -> Request {
    Request {
        method: "POST",
        path: format!("/public/v1/posts/{id}{PUBLISH}"),
        idempotency_key: Some(format!("{}-publish", post.marker())),
        json: String::new(),
    }
}

/// Whether an answer means that the post was created, or that it is published or was before. `false`: ask again. An error:
/// the text of a refusal.
fn is_done(answer: &Answer) -> Result<bool, String> {
    match answer.status {
        200 | 201 => Ok(true),
        409 if answer.text().contains("\"post_not_publishable\"") => Ok(true),
        409 | 429 | 500.. => Ok(false),
        _ => Err(answer.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_done_once_it_is_answered_so_and_refused_only_for_what_it_asks() {
        let is_done = |status, code: &str| {
            is_done(&Answer {
                status,
                location: None,
                body: format!("{{\"code\":\"{code}\"}}").into_bytes(),
            })
        };
        assert_eq!(is_done(201, ""), Ok(true));
        assert_eq!(is_done(409, "post_not_publishable"), Ok(true));
        assert_eq!(is_done(409, "idempotency_in_progress"), Ok(false));
        assert_eq!(is_done(503, "unavailable"), Ok(false));
        assert!(is_done(422, "idempotency_key_reused").is_err());
    }
}
