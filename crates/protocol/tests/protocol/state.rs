//! What a state of the model is: the database, the provider, two workers, and the faults that may still come.

use playout_domain::post::PostState;
use playout_domain::submission::{SubmissionOutcome, Transfer};

use crate::database::{Change, Database, Submission};
use crate::provider::{Provider, Request};

/// What a worker knows of the job that it claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Claim {
    None,
    /// The job has the attempt that the worker claimed.
    Current,
    /// Another claim came later. Attempts are only ever compared, so that they need no numbers.
    Stale,
    /// The database went back to before the claim, so that a later one may be given the same number.
    Lost,
}

/// How a settlement leaves the post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
    Again,
    Published,
    Error,
    /// A person must look.
    Person,
}

/// What a run writes at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Settlement {
    /// The submission that it closes.
    pub(crate) closed: Option<(u8, SubmissionOutcome)>,
    pub(crate) ending: Ending,
    /// A pull was taken back: what follows is an upload.
    pub(crate) is_uploaded_next: bool,
}

/// Why the provider is queried for what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// Step 5.
    Check,
    /// Whether an upload that does not go on may be closed; the error after it was final if `is_final`.
    NothingCame { is_final: bool },
}

/// An unfenced change of a pull's addresses, and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Revocation {
    /// The answer to `begin` is missing.
    LostHandle,
    /// Step 6.
    TakeBack,
    /// A run failed inside, at the end of the time for retries.
    GiveUp,
}

/// What a run remembers while it sends an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Memory {
    /// As in `SentChunk`.
    pub(crate) may_be_complete: bool,
    /// Whether this run has noted that the last chunk is about to be sent.
    pub(crate) has_noted: bool,
}

/// What a worker does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Idle,
    /// Read the post and its submission.
    Read,
    /// Step 1: insert a submission.
    Open(Transfer),
    /// A request is under way.
    Wait {
        request: Request,
        submission: Submission,
        memory: Memory,
    },
    /// A statement that changes the submission; `passed` is what its fence read when it began, if it has begun.
    Write {
        change: Change,
        submission: Submission,
        memory: Memory,
        passed: Option<bool>,
    },
    Ask(Submission, Question),
    Revoke(Submission, Revocation),
    Cancel(Submission),
    /// Search the account's posts.
    Look(Submission),
    /// Search them before anything is begun, for a post that a hold left to go out.
    LookFirst(Transfer),
    Settle(Settlement),
    /// Give the job back, to be run again later.
    Release,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Worker {
    pub(crate) claim: Claim,
    /// Whether the copy of the database has the job with the attempt of this claim.
    pub(crate) is_in_copy: bool,
    pub(crate) step: Step,
}

impl Worker {
    pub(crate) const IDLE: Self = Self {
        claim: Claim::None,
        is_in_copy: false,
        step: Step::Idle,
    };

    pub(crate) const fn claimed(step: Step) -> Self {
        Self {
            claim: Claim::Current,
            is_in_copy: false,
            step,
        }
    }
}

/// How many faults of each kind may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Faults {
    /// A worker dies.
    pub(crate) crashes: u8,
    /// A worker, or a statement of it, stalls for longer than its lease lasts.
    pub(crate) stalls: u8,
    /// A request has no answer; it may have arrived, may still arrive, or never.
    pub(crate) lost_answers: u8,
    /// The address of an upload expires.
    pub(crate) expiries: u8,
    /// The provider gives up on what it took.
    pub(crate) refusals: u8,
    /// A run fails inside: the database, the storage, a panic.
    pub(crate) failures: u8,
    /// A worker finds the post's media gone.
    pub(crate) missing_media: u8,
    /// The database is restored from a copy.
    pub(crate) restores: u8,
    /// The database goes back to the copy under running workers, as in a failover to a standby that lagged.
    pub(crate) failovers: u8,
}

impl Faults {
    pub(crate) const NONE: Self = Self {
        crashes: 0,
        stalls: 0,
        lost_answers: 0,
        expiries: 0,
        refusals: 0,
        failures: 0,
        missing_media: 0,
        restores: 0,
        failovers: 0,
    };

    /// Whether the database may be copied, and go back to the copy.
    pub(crate) const fn go_back(&self) -> bool {
        self.restores > 0 || self.failovers > 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) database: Database,
    /// A copy of the database, to be restored.
    pub(crate) backup: Option<Database>,
    /// The database went back, and was not compared yet with what is noted outside: until then nothing is claimed, fetched or taken in.
    pub(crate) is_behind: bool,
    pub(crate) provider: Provider,
    pub(crate) workers: [Worker; 2],
    /// The next submission's ID; IDs are never given twice, not even after a restore.
    pub(crate) next_submission: u8,
    /// Whether the time for which the post was planned is over.
    pub(crate) is_time_over: bool,
    pub(crate) faults: Faults,
}

impl State {
    pub(crate) const fn is_due(&self) -> bool {
        self.is_time_over || self.database.is_asked_for_now
    }

    pub(crate) const fn has_outcome(&self) -> bool {
        !matches!(self.database.post, PostState::Queue)
    }

    pub(crate) const fn is_published(&self) -> bool {
        matches!(self.database.post, PostState::Published)
    }

    pub(crate) const fn is_with_a_person(&self) -> bool {
        matches!(self.database.post, PostState::ActionRequired)
    }

    /// The worker whose attempt the job has.
    pub(crate) fn holder(&self) -> Option<usize> {
        self.workers
            .iter()
            .position(|worker| matches!(worker.claim, Claim::Current))
    }

    /// The job has a new attempt, or is gone: what anyone claimed before is stale.
    pub(crate) fn outdate(&mut self) {
        for worker in &mut self.workers {
            if worker.claim == Claim::Current {
                worker.claim = Claim::Stale;
            }
        }
    }
}
