//! How many streams of events each person has open on this node.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use playout_domain::error::Refusal;
use playout_domain::id::UserId;

use super::refusals::too_many;

/// The streams of one person. The tabs of a browser share one.
const PER_PERSON: usize = 10;
/// When to try for a free stream again: a page without one polls meanwhile.
const AGAIN: Duration = Duration::from_secs(60);

/// The open streams by person.
#[derive(Debug, Default, Clone)]
pub struct Streams(Arc<Mutex<HashMap<UserId, usize>>>);

/// An open stream; it counts until it is dropped.
#[derive(Debug)]
pub struct OpenStream {
    streams: Streams,
    user: UserId,
}

impl Streams {
    /// Counts one more stream of a person, or refuses it: if a new stream replaced an old one, the old one's client would
    /// reconnect and replace the next.
    pub fn open(&self, user: UserId) -> Result<OpenStream, Refusal> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(user).or_default();
        if *count >= PER_PERSON {
            let message = format!("You follow events {PER_PERSON} times already.");
            return Err(too_many(&message, AGAIN));
        }
        *count += 1;
        drop(open);
        let streams = self.clone();
        Ok(OpenStream { streams, user })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.user);
            }
        }
    }
}
