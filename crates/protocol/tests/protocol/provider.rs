//! The provider: what it was handed, and what came out of it. Requests that are under way may arrive late or never.

use playout_domain::provider::ChunkAnswer;
use playout_domain::submission::Transfer;

use crate::database::{CHUNK, SIZE};

/// How often a post may be handed over in a run of the model.
pub(crate) const MOST_TRIES: usize = 8;
/// How many requests may be under way without anyone who waits for their answer.
pub(crate) const MOST_ORPHANS: usize = 8;

/// How far a try has come at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// Waits for bytes, or for itself to fetch them.
    Waiting,
    /// Has all bytes, and may publish at any time.
    Processing,
    Published,
    /// Given up for good. `true` if another try may succeed.
    Failed(bool),
}

/// What the provider holds under one handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Try {
    pub(crate) transfer: Transfer,
    /// The submission whose addresses a pull has.
    pub(crate) submission: u8,
    pub(crate) stage: Stage,
    pub(crate) received_bytes: u64,
    /// The address of the upload takes no new request.
    pub(crate) is_expired: bool,
}

/// A request that is under way to the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    Begin {
        submission: u8,
        transfer: Transfer,
    },
    /// `is_admitted` if the address worked when the request began: it may be taken although the address has expired since.
    Chunk {
        handle: u8,
        offset: u64,
        is_admitted: bool,
    },
}

/// The fields of [`Request::Chunk`].
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) handle: u8,
    pub(crate) offset: u64,
    pub(crate) is_admitted: bool,
}

impl Request {
    const fn order(self) -> (u8, u8, u64, bool) {
        match self {
            Self::Begin { submission, .. } => (0, submission, 0, false),
            Self::Chunk {
                handle,
                offset,
                is_admitted,
            } => (1, handle, offset, is_admitted),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Provider {
    pub(crate) tries: [Option<Try>; MOST_TRIES],
    /// Requests whose sender has died or given up waiting, in the order of [`Request::order`].
    pub(crate) orphans: [Option<Request>; MOST_ORPHANS],
}

impl Provider {
    pub(crate) const fn new() -> Self {
        Self {
            tries: [None; MOST_TRIES],
            orphans: [None; MOST_ORPHANS],
        }
    }

    pub(crate) fn handles(&self) -> impl Iterator<Item = (u8, Try)> + '_ {
        (0u8..)
            .zip(self.tries)
            .filter_map(|(handle, this)| Some((handle, this?)))
    }

    pub(crate) fn publications(&self) -> usize {
        let is_out = |(_, this): &(u8, Try)| this.stage == Stage::Published;
        self.handles().filter(is_out).count()
    }

    /// # Panics
    /// When nothing was handed over under this handle.
    pub(crate) fn of(&mut self, handle: u8) -> &mut Try {
        self.tries[usize::from(handle)]
            .as_mut()
            .expect("a handle of this provider")
    }

    /// Takes a post in, and returns its handle.
    pub(crate) fn begin(&mut self, submission: u8, transfer: Transfer) -> u8 {
        let free = self
            .tries
            .iter()
            .position(Option::is_none)
            .expect("room for a try");
        self.tries[free] = Some(Try {
            transfer,
            submission,
            stage: Stage::Waiting,
            received_bytes: 0,
            is_expired: false,
        });
        u8::try_from(free).expect("a small number")
    }

    /// Takes a chunk, or not. What is answered where everything is there, or where the address has expired while the request was
    /// under way, is open: `is_refused` decides.
    pub(crate) fn put(&mut self, chunk: Chunk, is_refused: bool) -> ChunkAnswer {
        let Chunk {
            handle,
            offset,
            is_admitted,
        } = chunk;
        let this = self.of(handle);
        match this.stage {
            Stage::Failed(_) => return ChunkAnswer::Gone,
            Stage::Processing | Stage::Published if is_refused => return ChunkAnswer::Gone,
            Stage::Processing | Stage::Published => return ChunkAnswer::Complete,
            Stage::Waiting => {}
        }
        if this.is_expired && (is_refused || !is_admitted) {
            return ChunkAnswer::Gone;
        }
        if offset != this.received_bytes {
            return ChunkAnswer::Expected(Some(this.received_bytes));
        }
        this.received_bytes += CHUNK;
        if this.received_bytes < SIZE {
            return ChunkAnswer::Stored;
        }
        this.stage = Stage::Processing;
        ChunkAnswer::Complete
    }

    /// Leaves a request under way without anyone who waits for it. The `begin` of an upload is dropped: under a handle that no one
    /// knows no byte arrives, so that nothing depends on whether it arrives.
    pub(crate) fn abandon(&mut self, request: Request) {
        if matches!(
            request,
            Request::Begin {
                transfer: Transfer::Upload,
                ..
            }
        ) {
            return;
        }
        let free = self.orphans.iter_mut().find(|orphan| orphan.is_none());
        *free.expect("room for a request") = Some(request);
        self.orphans
            .sort_by_key(|orphan| orphan.map_or((u8::MAX, 0, 0, false), Request::order));
    }

    /// A request arrives, and no one waits for its answer.
    pub(crate) fn arrive(&mut self, orphan: usize) {
        match self.orphans[orphan] {
            Some(Request::Begin { submission, transfer }) => {
                self.begin(submission, transfer);
            }
            Some(Request::Chunk {
                handle,
                offset,
                is_admitted,
            }) => {
                let chunk = Chunk {
                    handle,
                    offset,
                    is_admitted,
                };
                self.put(chunk, false);
            }
            None => {}
        }
        self.forget(orphan);
    }

    /// A request never arrives.
    pub(crate) fn forget(&mut self, orphan: usize) {
        self.orphans[orphan..].rotate_left(1);
        self.orphans[MOST_ORPHANS - 1] = None;
    }
}
