//! One lock for each rendition that is being made, so that none is made twice at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

/// The locks by key. A lock is held while its picture waits to be decoded, so different keys never share one: they would
/// wait for each other across workspaces.
#[derive(Debug, Default)]
pub struct Making(Mutex<HashMap<String, Entry>>);

#[derive(Debug, Default)]
struct Entry {
    lock: Arc<tokio::sync::Mutex<()>>,
    /// How many callers hold the lock or wait for it. The last one removes the entry.
    callers: usize,
}

/// The lock of one key, held until this is dropped.
#[derive(Debug)]
#[must_use]
pub(super) struct Alone<'m> {
    // Released before the entry is left.
    _held: OwnedMutexGuard<()>,
    _caller: Caller<'m>,
}

/// Counts as a caller of its key until it is dropped, whether or not it got the lock.
#[derive(Debug)]
struct Caller<'m> {
    making: &'m Making,
    key: String,
}

impl Making {
    /// Waits for the lock of `key`.
    pub(super) async fn alone(&self, key: &str) -> Alone<'_> {
        let (caller, lock) = self.enter(key);
        Alone {
            _held: lock.lock_owned().await,
            _caller: caller,
        }
    }

    fn enter(&self, key: &str) -> (Caller<'_>, Arc<tokio::sync::Mutex<()>>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.entry(key.to_owned()).or_default();
        entry.callers += 1;
        let caller = Caller {
            making: self,
            key: key.to_owned(),
        };
        (caller, Arc::clone(&entry.lock))
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        let mut entries = self.making.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(&self.key) {
            entry.callers -= 1;
            if entry.callers == 0 {
                entries.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn different_renditions_never_wait_for_one_another() {
        let making = Making::default();
        let mut held = Vec::new();
        // Fewer than the 128 operations after which tokio lets a task yield.
        for number in 0..100 {
            held.push(making.alone(&number.to_string()).now_or_never().unwrap());
        }
        assert!(making.alone("7").now_or_never().is_none());
    }

    #[tokio::test]
    async fn a_key_is_forgotten_when_no_caller_holds_it_or_waits_for_it() {
        let making = Making::default();
        let first = making.alone("a").await;
        let mut second = Box::pin(making.alone("a"));
        let mut third = Box::pin(making.alone("a"));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(third.as_mut().now_or_never().is_none());
        drop(second);
        drop(first);
        let third = third.await;
        assert!(making.alone("a").now_or_never().is_none());
        drop(third);
        assert!(making.0.lock().unwrap().is_empty());
    }
}
