//! Which requests of this process have locked which uploads.
//!
//! A connection that was lost without a close would keep its upload locked until the system notices. A client that comes
//! back takes the upload over from a request that has received nothing for a while.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::MediaId;
use playout_domain::time::Time;
use playout_media::Partial;
use tokio_util::sync::CancellationToken;

/// A request that has received nothing for so long gives way to another.
const SILENT_AFTER: Duration = Duration::from_secs(1);

/// The locks of a process.
#[derive(Debug, Default)]
pub struct Locks(Mutex<HashMap<MediaId, Arc<State>>>);

#[derive(Debug)]
struct State {
    stop: CancellationToken,
    gone: CancellationToken,
    /// In microseconds: when the last byte came. `i64::MIN`: no more bytes will come; `i64::MAX`: the request cannot
    /// be displaced.
    heard_at: AtomicI64,
}

/// A request's lock on an upload. Over when dropped, which must be after the file was let go.
#[derive(Debug)]
pub(in crate::app) struct Lock {
    locks: Arc<Locks>,
    id: MediaId,
    state: Arc<State>,
}

/// A lock on an upload. The file is released first, so that a request that waits for the lock finds it free.
pub(in crate::app) struct Locked {
    pub(in crate::app) partial: Partial,
    pub(in crate::app) lock: Lock,
}

impl Locks {
    /// Notes that a request has locked an upload.
    pub(super) fn take(self: &Arc<Self>, id: MediaId, now: Time) -> Lock {
        let state = Arc::new(State {
            stop: CancellationToken::new(),
            gone: CancellationToken::new(),
            heard_at: AtomicI64::new(now.as_micros()),
        });
        self.lock().insert(id, Arc::clone(&state));
        Lock {
            locks: Arc::clone(self),
            id,
            state,
        }
    }

    /// Asks the request that has locked an upload to end, if it has received nothing for a while, and waits until it has
    /// ended.
    pub(super) async fn displace_silent(&self, id: MediaId, now: Time) {
        let Some(state) = self.lock().get(&id).cloned() else {
            return;
        };
        let heard_at = Time::from_micros(state.heard_at.load(Ordering::Relaxed));
        if now.since(heard_at) >= SILENT_AFTER {
            state.stop.cancel();
            state.gone.cancelled().await;
        }
    }

    /// Asks the request that has locked an upload to end, whatever it is doing.
    pub(crate) fn stop(&self, id: MediaId) {
        if let Some(state) = self.lock().get(&id) {
            state.stop.cancel();
        }
    }

    /// Asks every request to end. What they received is kept, and their clients can go on elsewhere.
    pub fn stop_all(&self) {
        self.lock().values().for_each(|state| state.stop.cancel());
    }

    /// How many uploads are locked.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<MediaId, Arc<State>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lock {
    /// Returns when the request is to end.
    pub(super) async fn stopped(&self) {
        self.state.stop.cancelled().await;
    }

    /// Something came.
    pub(super) fn heard(&self, now: Time) {
        self.state.heard_at.store(now.as_micros(), Ordering::Relaxed);
    }

    /// The bytes have ended; what came is being written down. Worth waiting for.
    pub(super) fn is_ending(&self) {
        self.state.heard_at.store(i64::MIN, Ordering::Relaxed);
    }

    /// All bytes are in and are being looked into, which takes a while and cannot be stopped.
    pub(super) fn is_finishing(&self) {
        self.state.heard_at.store(i64::MAX, Ordering::Relaxed);
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut locks = self.locks.lock();
        if locks
            .get(&self.id)
            .is_some_and(|state| Arc::ptr_eq(state, &self.state))
        {
            locks.remove(&self.id);
        }
        drop(locks);
        self.state.gone.cancel();
    }
}
