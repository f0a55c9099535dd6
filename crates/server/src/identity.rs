//! Whether this node belongs to its database: what the service knows of it (`worker/keeper.rs` finds it out).

pub mod copies;
pub(crate) mod key_file;
pub mod marker;
pub mod messages;
pub(crate) mod pulse;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use playout_domain::time::Time;
use tokio::sync::watch;

/// How long a request waits for a node that has just started.
const PATIENCE: Duration = Duration::from_secs(5);
/// Searches at the provider begin this much earlier than a time of ours: its clock may differ.
pub(crate) const SLACK: Duration = Duration::from_secs(300);
/// Searches for what was submitted minutes ago begin this much earlier, when our clock was most likely what it is now: the provider's dates are whole seconds, and
/// differences of the clocks below a minute are not corrected. What is dated earlier is another post.
pub(crate) const DATING_ERROR: Duration = Duration::from_secs(62);

/// How far back posts are searched for where it is not known when their database was last written to.
const LONG_AGO: Duration = Duration::from_secs(30 * 86_400);
/// How much the clocks of nodes and database may differ, beyond which a time in the future shows that the clock of the copy was fast.
const CLOCK_DIFFERENCE: Duration = Duration::from_secs(60);

/// From when on the posts of a copy may have gone out, which was written to last at `written_at`. Where that has not come yet, the clock
/// that it was written by was fast, by how much is not known.
pub(crate) fn since_copy(written_at: Option<Time>, now: Time) -> Time {
    let known = written_at.filter(|at| *at <= now.plus(CLOCK_DIFFERENCE));
    known.unwrap_or(now.minus(LONG_AGO)).minus(SLACK)
}

/// Whether a node belongs to its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It was not compared yet.
    Unknown,
    /// It does.
    Fits,
    /// Its key does not.
    WrongKey,
    /// Its key does, but something is encrypted under another one that it does not have.
    MissingKey,
    /// Its storage does not.
    WrongStorage,
    /// Its storage is missing.
    MissingStorage,
    /// The database is not complete: a dump is being loaded into it. Nothing was compared.
    Incomplete,
}

/// What is known of this node's place.
#[derive(Debug)]
pub struct Identity {
    fit: watch::Sender<Fit>,
    is_held: AtomicBool,
    last_hold: AtomicI64,
}

/// The last hold's time before it was read.
const NOT_READ: i64 = i64::MIN;

impl Default for Identity {
    fn default() -> Self {
        Self {
            fit: watch::Sender::new(Fit::Unknown),
            is_held: AtomicBool::new(false),
            last_hold: AtomicI64::new(NOT_READ),
        }
    }
}

impl Identity {
    /// Whether this node belongs to its database.
    pub fn fit(&self) -> Fit {
        *self.fit.borrow()
    }

    /// Notes whether this node belongs to its database; returns what was known before.
    pub(crate) fn set_fit(&self, fit: Fit) -> Fit {
        self.fit.send_replace(fit)
    }

    /// Waits until this node belongs to its database.
    pub async fn fits(&self) {
        // It fails when the sender is gone, which this holds.
        let mut changed = self.fit.subscribe();
        drop(changed.wait_for(|fit| *fit == Fit::Fits).await);
    }

    /// Whether requests may be served; waits a little for a node that has just started.
    pub async fn may_serve(&self) -> bool {
        if self.fit() == Fit::Unknown {
            let mut changed = self.fit.subscribe();
            let compared = changed.wait_for(|fit| *fit != Fit::Unknown);
            drop(tokio::time::timeout(PATIENCE, compared).await);
        }
        self.fit() == Fit::Fits
    }

    /// Whether publications are held, as far as this node knows.
    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// When the last hold began that this node knows of, in microseconds: of one that is over too. `None` before it was read.
    pub fn last_hold(&self) -> Option<i64> {
        Some(self.last_hold.load(Ordering::Relaxed)).filter(|last| *last != NOT_READ)
    }

    /// Notes when the last hold began, if there was one.
    pub fn set_last_hold(&self, began: Option<Time>) {
        let began = began.map_or(0, Time::as_micros);
        self.last_hold.store(began, Ordering::Relaxed);
    }

    /// Notes whether publications are held.
    pub fn set_held(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::Relaxed);
    }
}
