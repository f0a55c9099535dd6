//! What follows from the end of a run: the state of the post, the try in the ledger, the next run of the job. The store only writes it.

use crate::job::{Job, JobKind, JobQueue, Release};
use crate::post::{Post, PostState, Waiting};
use crate::submission::SubmissionOutcome;
use crate::time::Time;

/// How a run of the engine leaves a post. Every run ends in exactly one of these.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It is out.
    Published {
        /// The provider's ID, once it is revealed.
        release_id: Option<String>,
        /// The public page, if there is one.
        release_url: Option<String>,
    },
    /// A person must act.
    ActionRequired {
        /// What it waits for.
        waiting: Waiting,
        /// What the person should do.
        text: String,
    },
    /// Refused for good, until it is edited.
    Error {
        /// Why.
        text: String,
    },
    /// Still in QUEUE; the same job runs again then.
    Again {
        /// When.
        at: Time,
        /// Why not yet, if something went wrong.
        text: Option<String>,
        /// Whether this counts as a failed try.
        failed: bool,
    },
}

/// What a verdict leaves a post with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftAs {
    /// Its state.
    pub state: PostState,
    /// What it waits for.
    pub waiting: Option<Waiting>,
    /// The text for a person.
    pub error_text: Option<String>,
}

impl Verdict {
    /// What it leaves a post with.
    pub fn left_as(&self) -> LeftAs {
        let (state, waiting, error_text) = match self {
            Self::Published { .. } => (PostState::Published, None, None),
            Self::ActionRequired { waiting, text } => {
                (PostState::ActionRequired, Some(*waiting), Some(text.clone()))
            }
            Self::Error { text } => (PostState::Error, None, Some(text.clone())),
            Self::Again { text, .. } => (PostState::Queue, None, text.clone()),
        };
        LeftAs {
            state,
            waiting,
            error_text,
        }
    }

    /// When the job runs again; `None` if it ends.
    pub const fn next_run(&self) -> Option<Time> {
        match self {
            Self::Again { at, .. } => Some(*at),
            Self::Published { .. } | Self::ActionRequired { .. } | Self::Error { .. } => None,
        }
    }

    /// How a try that never began a submission goes into the ledger; `None` if the run did not fail.
    pub const fn outcome_without_submission(&self) -> Option<SubmissionOutcome> {
        match self {
            Self::Published { .. } | Self::Again { failed: false, .. } => None,
            Self::Again { failed: true, .. } => Some(SubmissionOutcome::Abandoned),
            Self::Error { .. } => Some(SubmissionOutcome::Rejected),
            Self::ActionRequired { waiting, .. } => Some(match waiting {
                Waiting::Reconnect => SubmissionOutcome::Reauthorize,
                Waiting::Inbox => SubmissionOutcome::InInbox,
                Waiting::Unconfirmed => SubmissionOutcome::Unknown,
                Waiting::AccountUnavailable | Waiting::Overdue => SubmissionOutcome::Abandoned,
            }),
        }
    }
}

impl Waiting {
    /// Whether a post that waits for this is requeued by itself once its account is reconnected or enabled.
    pub fn ends_with_the_account(self, kind: JobKind) -> bool {
        match self {
            Self::Reconnect => true,
            Self::AccountUnavailable => kind == JobKind::PublishComment,
            Self::Inbox | Self::Unconfirmed | Self::Overdue => false,
        }
    }
}

impl Post {
    /// Moves the post to the state of the verdict. What is known of where it is out stays known.
    pub fn apply(&mut self, verdict: &Verdict, now: Time) {
        if let Verdict::Published {
            release_id,
            release_url,
        } = verdict
        {
            self.release_id = release_id.clone().or(self.release_id.take());
            self.release_url = release_url.clone().or(self.release_url.take());
        }
        let left_as = verdict.left_as();
        self.state = left_as.state;
        self.waiting = left_as.waiting;
        self.error_text = left_as.error_text;
        self.updated_at = now;
    }

    /// Whether the next comment of its group may follow. Comments need their root; a comment that failed, or whose
    /// outcome is unknown, does not keep those after it for ever.
    pub fn lets_the_next_go(&self) -> bool {
        lets_the_next_go(self.state, self.waiting, self.is_root())
    }
}

impl LeftAs {
    /// [`Post::lets_the_next_go`] of a post that is left so.
    pub fn lets_the_next_go(&self, is_root: bool) -> bool {
        lets_the_next_go(self.state, self.waiting, is_root)
    }
}

fn lets_the_next_go(state: PostState, waiting: Option<Waiting>, is_root: bool) -> bool {
    match (state, waiting) {
        (PostState::Published, _) => true,
        (PostState::Error, _) | (PostState::ActionRequired, Some(Waiting::Unconfirmed)) => !is_root,
        _ => false,
    }
}

/// What a run did to the submission of its post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterRun {
    /// It closed it.
    Closed,
    /// It left it open.
    Open,
    /// There was none.
    None,
}

impl Job {
    /// The next run at `at`. A failed run counts as a failure; a patient one, which only checked an open submission, as a check.
    pub fn again(&self, at: Time, failed: bool, submission: AfterRun) -> Release {
        let checks = match (submission, failed) {
            (AfterRun::Closed, _) => 0,
            (AfterRun::Open, false) => self.checks.saturating_add(1),
            (AfterRun::Open, true) | (AfterRun::None, _) => self.checks,
        };
        Release {
            run_at: at,
            failures: self.failures.saturating_add(u32::from(failed)),
            checks,
            queue: self.queue_after(submission == AfterRun::Open, checks),
        }
    }

    /// Whose budget the next run takes: of a post with an open submission that was not checked yet, that is most likely bytes.
    pub const fn queue_after(&self, is_open: bool, checks: u32) -> JobQueue {
        match (self.kind, is_open, checks) {
            (JobKind::PublishPost, true, 0) => JobQueue::Upload,
            (JobKind::PublishPost, true, _) => JobQueue::Check,
            (kind, _, _) => JobQueue::of(kind),
        }
    }
}
