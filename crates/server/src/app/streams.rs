//! How many streams of events each user, and each workspace with its keys, has open on this node.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use playout_domain::error::Refusal;

use super::payloads::Holder;
use super::refusals::too_many;

/// The streams of one holder. The tabs of a browser share one.
const PER_HOLDER: usize = 10;
/// When to try for a free stream again: a page without one polls meanwhile.
const AGAIN: Duration = Duration::from_secs(60);

/// The open streams by holder.
#[derive(Debug, Default, Clone)]
pub struct Streams(Arc<Mutex<HashMap<Holder, usize>>>);

/// An open stream; it counts until it is dropped.
#[derive(Debug)]
pub struct OpenStream {
    streams: Streams,
    holder: Holder,
}

impl Streams {
    /// Counts one more stream of a holder, or refuses it: if a new stream replaced an old one, the old one's client would
    /// reconnect and replace the next.
    ///
    /// # Errors
    ///
    /// `rate_limited`, where the holder has 10 already.
    pub fn open(&self, holder: Holder) -> Result<OpenStream, Refusal> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(holder).or_default();
        if *count >= PER_HOLDER {
            let message = format!("{PER_HOLDER} streams of events are open already. Close one first.");
            return Err(too_many(&message, AGAIN));
        }
        *count += 1;
        drop(open);
        let streams = self.clone();
        Ok(OpenStream { streams, holder })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.holder);
            }
        }
    }
}
