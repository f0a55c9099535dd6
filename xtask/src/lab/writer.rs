//! A client that creates posts while processes die: it sends each request with an idempotency key, and again until it is
//! answered. One post comes of it, however often that takes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use super::posts::Post;
use super::stage::Stage;
use crate::bench::http::{Answer, Body, Connection};
use crate::failure::{Failure, Outcome};
use crate::machine::epoch_micros;

/// How soon to ask again.
const PAUSE: Duration = Duration::from_millis(60);

/// The client.
#[derive(Debug)]
pub struct Client<'a> {
    stage: &'a Stage,
    first_at: i64,
    /// Locked from a post's first request to its answer.
    asking: Mutex<()>,
    /// When the request for each post was answered.
    created: Mutex<BTreeMap<usize, i64>>,
}

impl<'a> Client<'a> {
    /// One that has created nothing yet. `first_at`: when the first post is due.
    pub fn new(stage: &'a Stage, first_at: i64) -> Self {
        Self {
            stage,
            first_at,
            asking: Mutex::default(),
            created: Mutex::default(),
        }
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
    /// When one is refused, or was not answered until told to stop.
    pub fn write(&self, posts: &[Post], stop: &AtomicBool) -> Outcome<()> {
        for post in posts.iter().filter(|post| post.is_live()) {
            let left = post.due_at(self.first_at) - epoch_micros();
            thread::sleep(Duration::from_micros(u64::try_from(left).unwrap_or(0)));
            let body = post.body(&self.stage.media(), (&self.stage.seeded.platforms, self.first_at));
            let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            while !is_created(self.stage, post, &body)? {
                if stop.load(Ordering::Relaxed) {
                    return Err(Failure::new(format!("{} could not be created", post.marker())));
                }
                thread::sleep(PAUSE);
            }
            let mut created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
            created.insert(post.number, epoch_micros());
        }
        Ok(())
    }
}

/// Asks once. `false`: nobody answered, or asked to come again.
fn is_created(stage: &Stage, post: &Post, body: &str) -> Outcome<bool> {
    match ask(stage, post, body) {
        Ok(answer) if answer.status == 201 => Ok(true),
        Ok(answer) if answer.status >= 500 || [409, 429].contains(&answer.status) => Ok(false),
        Ok(answer) => Err(Failure::new(format!(
            "creating {}: {}",
            post.marker(),
            answer.text()
        ))),
        Err(_) => Ok(false),
    }
}

fn ask(stage: &Stage, post: &Post, body: &str) -> Outcome<Answer> {
    let head = format!(
        "POST /public/v1/posts HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         idempotency-key: {}\r\n",
        stage.proxy.address,
        body.len(),
        post.marker()
    );
    let mut connection = Connection::open(stage.proxy.address, &stage.seeded.key)?;
    connection.send_stream(&head, &mut [Body::Text(body.to_owned())])
}
