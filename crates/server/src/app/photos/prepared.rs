//! Which renditions were there lately.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// How many are remembered.
const MOST_PREPARED: usize = 4096;

/// Renditions that were there lately: what is posted again and again need not be looked for each time. It is only a
/// hint; publishing looks itself.
#[derive(Debug, Default)]
pub struct Prepared(Mutex<HashSet<String>>);

impl Prepared {
    pub(super) fn knows(&self, key: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(key)
    }

    pub(super) fn note(&self, key: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_PREPARED {
            known.clear();
        }
        known.insert(key);
    }
}
