//! The streams that are open at this node, and what the other nodes know of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::time::Time;

use crate::app::payloads::Holder;

/// For how long the other nodes count what this one has open; what is still open is noted again after half of it.
pub(super) const COUNTED_FOR: Duration = Duration::from_secs(60);

/// The open streams by holder.
#[derive(Debug, Default, Clone)]
pub struct Streams(Arc<Mutex<HashMap<Holder, Held>>>, Arc<tokio::sync::Mutex<()>>);

#[derive(Debug, Default, Clone, Copy)]
struct Held {
    open: u32,
    /// What the database has, and until when others count it.
    noted: Option<(u32, Time)>,
}

impl Held {
    /// Whether the other nodes know how many are open, and will for a while.
    fn is_known(self, now: Time) -> bool {
        match self.noted {
            Some((count, until)) => count == self.open && (count == 0 || now.plus(COUNTED_FOR / 2) < until),
            None => self.open == 0,
        }
    }
}

/// An open stream; it counts until it is dropped.
#[derive(Debug)]
pub struct OpenStream {
    streams: Streams,
    holder: Holder,
}

impl Streams {
    /// Counts one more; returns how many of the holder are open here with it.
    pub(super) fn open(&self, holder: Holder) -> (OpenStream, u32) {
        let mut all = self.lock();
        let held = all.entry(holder).or_default();
        held.open += 1;
        let streams = self.clone();
        (OpenStream { streams, holder }, held.open)
    }

    /// Whose turn it is to note how many are open: a number must not replace one that is newer.
    pub(super) async fn turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.1.lock().await
    }

    /// How many of the holder are open here.
    pub(super) fn count(&self, holder: Holder) -> u32 {
        self.lock().get(&holder).map_or(0, |held| held.open)
    }

    /// What other nodes do not know.
    pub(super) fn unknown(&self, now: Time) -> Vec<(Holder, u32)> {
        let all = self.lock();
        let unknown = all.iter().filter(|(_, held)| !held.is_known(now));
        unknown.map(|(holder, held)| (*holder, held.open)).collect()
    }

    pub(super) fn noted(&self, open: &[(Holder, u32)], until: Time) {
        let mut all = self.lock();
        for (holder, count) in open {
            if let Some(held) = all.get_mut(holder) {
                held.noted = Some((*count, until));
                if (held.open, *count) == (0, 0) {
                    all.remove(holder);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Holder, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut all = self.streams.lock();
        if let Some(held) = all.get_mut(&self.holder) {
            held.open -= 1;
            if held.open == 0 && held.noted.is_none_or(|(count, _)| count == 0) {
                all.remove(&self.holder);
            }
        }
    }
}
