//! What a connection is doing, as its own task notes it and the sweep of all connections reads it.
//!
//! The task only stores numbers: no timer is set or reset for a read or a write. Its time is the coarse clock of the
//! sweep, so that nothing here asks the system for the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::task::Waker;

use futures_util::task::AtomicWaker;

/// The clock of the sweep: milliseconds since the listener started, as of its last round.
#[derive(Debug, Default)]
pub(super) struct Ticks(AtomicU32);

impl Ticks {
    pub(super) fn now(&self) -> u32 {
        self.0.load(Relaxed)
    }

    pub(super) fn set(&self, millis: u32) {
        self.0.store(millis, Relaxed);
    }
}

/// What a connection is in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The last response is out and nothing of the next request has come.
    Idle,
    /// The head of a request is on its way. A new connection begins here.
    Head,
    /// The server works on a request: this time does not count against the client.
    Serving,
    /// The handler waits for more of the request's body.
    Body,
    /// Everything is sent; what still arrives is thrown away.
    Closing,
}

impl Stage {
    const ALL: [Self; 5] = [Self::Idle, Self::Head, Self::Serving, Self::Body, Self::Closing];
}

/// The state of one connection. Only its own task writes, but for `expire`.
#[derive(Debug)]
pub(super) struct Activity {
    ticks: Arc<Ticks>,
    stage: AtomicU8,
    since: AtomicU32,
    turns: AtomicU32,
    progress: AtomicU32,
    moved: AtomicU64,
    is_blocked: AtomicBool,
    is_answered: AtomicBool,
    has_bare_line: AtomicBool,
    is_expired: AtomicBool,
    waker: AtomicWaker,
}

impl Activity {
    pub(super) fn new(ticks: Arc<Ticks>) -> Self {
        let now = ticks.now();
        Self {
            ticks,
            stage: AtomicU8::new(Stage::Head as u8),
            since: AtomicU32::new(now),
            turns: AtomicU32::new(0),
            progress: AtomicU32::new(now),
            moved: AtomicU64::new(0),
            is_blocked: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
            has_bare_line: AtomicBool::new(false),
            is_expired: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        }
    }

    pub(super) fn stage(&self) -> Stage {
        Stage::ALL[usize::from(self.stage.load(Relaxed)) % Stage::ALL.len()]
    }

    fn enter(&self, stage: Stage) {
        self.stage.store(stage as u8, Relaxed);
    }

    /// A new head, request or wait for one begins: what the client has to move is counted anew.
    fn turn(&self, stage: Stage) {
        self.since.store(self.ticks.now(), Relaxed);
        self.turns
            .store(self.turns.load(Relaxed).wrapping_add(1), Relaxed);
        self.enter(stage);
    }

    /// The first byte of a head has come.
    pub(super) fn head_begins(&self) {
        self.turn(Stage::Head);
    }

    /// A head is complete and its request goes to the service.
    pub(super) fn request_begins(&self) {
        self.is_answered.store(false, Relaxed);
        self.turn(Stage::Serving);
    }

    /// The response has no more bytes than those that were handed to the connection.
    pub(super) fn answered(&self) {
        self.is_answered.store(true, Relaxed);
    }

    /// Everything handed to the connection is written. Returns whether that ended a response.
    pub(super) fn flushed(&self) -> bool {
        let ends = matches!(self.stage(), Stage::Serving | Stage::Body) && self.is_answered.load(Relaxed);
        if ends {
            self.turn(Stage::Idle);
        }
        ends
    }

    /// The handler waits for the body, or no longer.
    pub(super) fn awaits_body(&self, waits: bool) {
        match (self.stage(), waits) {
            (Stage::Serving, true) => self.enter(Stage::Body),
            (Stage::Body, false) => self.enter(Stage::Serving),
            _ => {}
        }
    }

    pub(super) fn closes(&self) {
        self.turn(Stage::Closing);
    }

    /// The socket took or gave that many bytes.
    pub(super) fn moves(&self, bytes: usize) {
        self.moved.store(self.moved.load(Relaxed) + bytes as u64, Relaxed);
        self.progress.store(self.ticks.now(), Relaxed);
    }

    /// Whether there are bytes that the socket does not take.
    pub(super) fn blocks(&self, is_blocked: bool) {
        if self.is_blocked.load(Relaxed) != is_blocked {
            self.is_blocked.store(is_blocked, Relaxed);
        }
    }

    /// A line of the head ended in a bare LF.
    pub(super) fn bare_line(&self) {
        self.has_bare_line.store(true, Relaxed);
    }

    /// Whether a line of the head that is complete now ended in a bare LF.
    pub(super) fn take_bare_line(&self) -> bool {
        self.has_bare_line.load(Relaxed) && self.has_bare_line.swap(false, Relaxed)
    }

    /// The client's time is over; wakes the task that waits for its bytes, to send the response.
    pub(super) fn expire(&self) {
        self.is_expired.store(true, Relaxed);
        self.waker.wake();
    }

    pub(super) fn is_expired(&self) -> bool {
        self.is_expired.load(Relaxed)
    }

    /// Whom [`Activity::expire`] wakes.
    pub(super) fn wake_on_expiry(&self, waker: &Waker) {
        self.waker.register(waker);
    }

    pub(super) fn is_blocked(&self) -> bool {
        self.is_blocked.load(Relaxed)
    }

    /// When the stage `Idle` or `Head` began.
    pub(super) fn since(&self) -> u32 {
        self.since.load(Relaxed)
    }

    pub(super) fn turns(&self) -> u32 {
        self.turns.load(Relaxed)
    }

    pub(super) fn moved(&self) -> u64 {
        self.moved.load(Relaxed)
    }

    /// When the last byte moved.
    pub(super) fn progress(&self) -> u32 {
        self.progress.load(Relaxed)
    }
}
