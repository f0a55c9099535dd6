//! Which renditions are there as a whole.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How many are remembered.
const MOST_PREPARED: usize = 4096;

/// The sizes in bytes of renditions that were whole when they were made or read: what is posted again and again need not be read each
/// time. One that is missing or has another size now is made again.
#[derive(Debug, Default)]
pub struct Prepared(Mutex<HashMap<String, u64>>);

impl Prepared {
    pub(super) fn knows(&self, key: &str) -> bool {
        self.size_of(key).is_some()
    }

    /// The rendition's size when it was whole, where that is known.
    pub(crate) fn size_of(&self, key: &str) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(key).copied()
    }

    pub(super) fn note(&self, key: &str, size_bytes: u64) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_PREPARED {
            known.clear();
        }
        known.insert(key.to_owned(), size_bytes);
    }
}
