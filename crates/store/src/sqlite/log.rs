//! Copies the write-ahead log into the file (a checkpoint) beside the commits: it takes long on a busy disk, and SQLite by
//! itself lets the commit that filled the log wait for it, and all that follow.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::place::Place;
use super::{Outcome, beside};

/// When the log is copied, in pages of 4 KiB: every 16 MB. A page that changes with each commit is copied once.
const COPIED_AT: usize = 4_000;
/// How many pages a log grows that could not be copied, because it is still being read, before that is tried anew.
const AGAIN_AFTER: usize = 1_000;
/// A log of this many pages grows faster than it is copied: the commit copies it then, and those after it wait. 64 MB.
const LONGEST: usize = 16_000;

thread_local! {
    /// How many pages the log had after the last commit on this thread.
    static PAGES: Cell<usize> = const { Cell::new(0) };
}

/// The log of the connection that writes.
pub(super) struct Log {
    place: Arc<Place>,
    /// How long it was when it was last to be copied.
    asked_at: usize,
    is_copied: Arc<AtomicBool>,
}

impl Log {
    /// Watches the log that this connection writes.
    pub(super) fn of(connection: &Connection, place: Arc<Place>) -> Self {
        connection.wal_hook(Some(|_, pages| {
            PAGES.set(usize::try_from(pages).unwrap_or_default());
            Ok(())
        }));
        Self {
            place,
            asked_at: 0,
            is_copied: Arc::default(),
        }
    }

    /// Has the log copied if it is long; to be called after a commit, on the same thread.
    pub(super) fn after_commit(&mut self, connection: &Connection) {
        let pages = PAGES.get();
        if pages < COPIED_AT {
            self.asked_at = 0;
        } else if pages >= self.asked_at + AGAIN_AFTER {
            self.asked_at = pages;
            match pages < LONGEST {
                true => self.copy_beside(),
                false => told(copy(connection)),
            }
        }
    }

    fn copy_beside(&self) {
        if self.is_copied.swap(true, Ordering::AcqRel) {
            return;
        }
        let (place, is_copied) = (Arc::clone(&self.place), Arc::clone(&self.is_copied));
        tokio::task::spawn_blocking(move || {
            told(beside(&place).and_then(|connection| copy(&connection)));
            is_copied.store(false, Ordering::Release);
        });
    }
}

/// Copies the pages that no reader needs any more, without waiting.
fn copy(connection: &Connection) -> Outcome<()> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
}

/// Lets the log lie when the connection is closed as the last one: it is not of the file that is at the path now.
pub(super) fn leave_log(connection: &Connection) {
    if let Err(error) = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) {
        tracing::warn!("the log of the database may be lost: {error}");
    }
}

/// The log stays whole when it cannot be copied, and is tried again.
fn told(copied: Outcome<()>) {
    if let Err(error) = copied {
        tracing::warn!("the log of the database could not be copied into its file: {error}");
    }
}
