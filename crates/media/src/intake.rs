//! Gathers the bytes of an upload in parts, hashes them, and writes them, all at the same time.
//!
//! One thread at a time copies what has come into the memory of a part and hashes it, a few KiB at a time: the copy
//! brings it into that processor's cache, where hashing is a third faster than over memory that another processor
//! filled. It works as long as there is anything to do, so a fast upload keeps one thread busy and wakes no thread for
//! each piece, and a slow one holds none meanwhile. Nothing here blocks a thread to wait for another one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::runtime::Handle;
use tokio::sync::Notify;

use crate::filler::Filler;
use crate::pages::Pages;
use crate::parts::Parts;

/// Parts in memory: one is filled, the others are written. A disk now and then takes a while for one.
const PARTS: usize = 8;
/// When so much waits to be copied, `Intake::take` waits; …
const MOST_WAITING: usize = 2 << 20;
/// … until no more than this does: woken for each piece, the caller would spend as much time on waking as on reading.
const FEW_WAITING: usize = 1 << 20;
/// However short a piece, it holds the memory that it was read into, all of it.
const LEAST_WAITING: usize = 128 << 10;

/// Takes the bytes of one upload.
#[derive(Debug)]
pub(crate) struct Intake(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    runtime: Handle,
    state: Mutex<State>,
    /// Notified when there is room again, and when all is done.
    changed: Notify,
}

#[derive(Debug)]
struct State {
    waiting: VecDeque<Bytes>,
    /// The memory that these hold.
    waiting_bytes: usize,
    /// `None` while a thread works with it.
    filler: Option<Filler>,
    free: Vec<Pages>,
    /// Memory in existence, in parts.
    made: usize,
    writing: usize,
    /// Nothing more will come: the last part need not be full.
    is_ended: bool,
    /// Writing a part failed, or the upload was abandoned.
    is_broken: bool,
    /// The error that broke it off, until `check` returns it.
    failure: Option<object_store::Error>,
}

/// What a filler is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Fill,
    Write,
    Rest,
}

/// All parts that were written, and the hash of what is in them.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) parts: Box<dyn Parts>,
    pub(crate) sha256: [u8; 32],
}

impl Intake {
    /// An intake that writes parts of `part_bytes` to `parts`. It works on the runtime it is made on.
    pub(crate) fn new(parts: Box<dyn Parts>, part_bytes: usize) -> Self {
        Self(Arc::new(Shared {
            runtime: Handle::current(),
            state: Mutex::new(State::new(Filler::new(parts, part_bytes))),
            changed: Notify::new(),
        }))
    }

    /// Takes the next piece; waits while too much is on its way. An error is that of a part before.
    pub(crate) async fn take(&self, piece: Bytes) -> object_store::Result<()> {
        let mut piece = Some(piece).filter(|piece| !piece.is_empty());
        while piece.is_some() {
            if !self.0.push(&mut piece)? {
                self.0.changed.notified().await;
            }
        }
        Ok(())
    }

    /// Waits until all that was taken is written.
    pub(crate) async fn end(self) -> object_store::Result<Gathered> {
        self.0.end();
        let filler = self.at_rest().await;
        self.0.lock().check()?;
        Ok(Gathered {
            sha256: filler.sha256(),
            parts: filler.parts,
        })
    }

    /// Takes no more; waits until nothing is being written, and gives the parts back to be removed.
    pub(crate) async fn stop(self) -> Box<dyn Parts> {
        self.forget();
        self.at_rest().await.parts
    }

    /// Takes no more, and lets what waits go.
    pub(crate) fn forget(&self) {
        self.0.lock().break_off(None);
    }

    async fn at_rest(&self) -> Filler {
        loop {
            let filler = self.0.lock().at_rest();
            if let Some(filler) = filler {
                return filler;
            }
            self.0.changed.notified().await;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the piece if there is room.
    fn push(self: &Arc<Self>, piece: &mut Option<Bytes>) -> object_store::Result<bool> {
        let mut state = self.lock();
        state.check()?;
        if state.waiting_bytes >= MOST_WAITING {
            return Ok(false);
        }
        if let Some(piece) = piece.take() {
            state.waiting_bytes += held(&piece);
            state.waiting.push_back(piece);
        }
        self.go_on(&mut state);
        Ok(true)
    }

    fn end(self: &Arc<Self>) {
        let mut state = self.lock();
        state.is_ended = true;
        self.go_on(&mut state);
    }

    /// Gives the filler a thread if it is at rest and has something to do.
    fn go_on(self: &Arc<Self>, state: &mut State) {
        let Some(mut filler) = state.filler.take() else {
            return;
        };
        match state.provide(&mut filler) {
            Next::Rest => state.filler = Some(filler),
            next => {
                let shared = Arc::clone(self);
                // `Shared::work` notifies `changed` itself when it is done.
                drop(self.runtime.spawn_blocking(move || shared.work(filler, next)));
            }
        }
    }

    /// Works until there is nothing to do.
    fn work(self: Arc<Self>, mut filler: Filler, mut next: Next) {
        loop {
            if next == Next::Write || filler.fill() {
                self.write(&mut filler);
            }
            let mut state = self.lock();
            let before = state.waiting_bytes;
            next = state.provide(&mut filler);
            let has_room = before > FEW_WAITING && state.waiting_bytes <= FEW_WAITING;
            if next == Next::Rest {
                state.filler = Some(filler);
                drop(state);
                return self.changed.notify_one();
            }
            drop(state);
            if has_room {
                self.changed.notify_one();
            }
        }
    }

    /// Begins to write the part that was filled.
    fn write(self: &Arc<Self>, filler: &mut Filler) {
        let Some(pages) = filler.filling.take() else {
            return;
        };
        self.lock().writing += 1;
        let (shared, pages) = (Arc::clone(self), Arc::new(pages));
        let part = Bytes::from_owner(Part(Arc::clone(&pages)));
        let done = move |written: object_store::Result<()>| shared.note_written(pages, written.err());
        filler.parts.put(part, Box::new(done));
    }

    fn note_written(self: Arc<Self>, pages: Arc<Pages>, failure: Option<object_store::Error>) {
        let mut state = self.lock();
        state.writing -= 1;
        state.take_back(pages);
        if failure.is_some() {
            state.break_off(failure);
        }
        self.go_on(&mut state);
        if state.is_ended || state.is_broken {
            self.changed.notify_one();
        }
    }
}

impl State {
    fn new(filler: Filler) -> Self {
        Self {
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            filler: Some(filler),
            free: Vec::new(),
            made: 0,
            writing: 0,
            is_ended: false,
            is_broken: false,
            failure: None,
        }
    }

    /// Hands the filler what it needs next, if it is there.
    fn provide(&mut self, filler: &mut Filler) -> Next {
        if self.is_broken {
            return Next::Rest;
        }
        if filler.piece.is_empty() {
            match self.waiting.pop_front() {
                Some(piece) => {
                    self.waiting_bytes -= held(&piece);
                    filler.piece = piece;
                }
                None if self.is_ended && filler.filling.is_some() => return Next::Write,
                None => return Next::Rest,
            }
        }
        if filler.filling.is_none() {
            filler.filling = self.memory(filler.part_bytes);
        }
        match filler.filling {
            Some(_) => Next::Fill,
            None => Next::Rest,
        }
    }

    fn memory(&mut self, part_bytes: usize) -> Option<Pages> {
        if self.free.is_empty() && self.made < PARTS {
            match Pages::new(part_bytes) {
                Ok(pages) => {
                    self.made += 1;
                    return Some(pages);
                }
                Err(error) => self.break_off(Some(generic(error))),
            }
        }
        self.free.pop()
    }

    /// Takes back the memory of a part that is written.
    fn take_back(&mut self, pages: Arc<Pages>) {
        match Arc::try_unwrap(pages) {
            Ok(mut pages) => {
                pages.clear();
                self.free.push(pages);
            }
            // Another owner still holds the memory; it is no longer counted here.
            Err(_) => self.made -= 1,
        }
    }

    fn break_off(&mut self, failure: Option<object_store::Error>) {
        self.is_broken = true;
        self.failure = self.failure.take().or(failure);
        self.waiting.clear();
        self.waiting_bytes = 0;
    }

    /// The failure that broke it off, if any did.
    fn check(&mut self) -> object_store::Result<()> {
        if !self.is_broken {
            return Ok(());
        }
        let failure = self.failure.take();
        Err(failure.unwrap_or_else(|| generic("an earlier part was not written")))
    }

    /// The filler, when no thread works with it, no part is being written, and nothing is left to do (or it is broken).
    fn at_rest(&mut self) -> Option<Filler> {
        let is_broken = self.is_broken;
        self.filler.take_if(|filler| {
            self.writing == 0 && (is_broken || (filler.is_empty() && self.waiting.is_empty()))
        })
    }
}

/// A part on its way to the disk.
struct Part(Arc<Pages>);

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        self.0.filled()
    }
}

/// How much memory a piece keeps.
fn held(piece: &Bytes) -> usize {
    piece.len().max(LEAST_WAITING)
}

fn generic(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> object_store::Error {
    object_store::Error::Generic {
        store: "upload",
        source: source.into(),
    }
}

#[cfg(test)]
mod tests;
