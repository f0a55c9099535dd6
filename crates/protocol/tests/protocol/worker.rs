//! The worker: what it does next, step by step as in `crates/server/src/worker`. What may follow is decided by
//! `playout_domain::submission`; nothing of that rule is repeated here.

use playout_domain::job::{RETRY_WINDOW, retry_at};
use playout_domain::post::PostState;
use playout_domain::provider::{ChunkAnswer, Fate};
use playout_domain::submission::{
    AfterChunk, Recovery, SentChunk, SubmissionOutcome, Transfer, UploadSession,
};
use playout_domain::time::Time;

use crate::database::{CHUNK, Change, Database, SIZE, Submission};
use crate::model::Guards;
use crate::provider::{Provider, Request, Stage};
use crate::state::{Ending, Memory, Question, Revocation, Settlement, Step};

/// What a run sees of the world besides its own memory.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) provider: &'a Provider,
    pub(crate) guards: Guards,
    /// Whether the time is over for whatever the run would wait for: retries, questions, looks, a fetch. Time is not modelled: at
    /// any decision it may be over or not.
    pub(crate) is_late: bool,
}

impl Run<'_> {
    /// `publish::run`: what is stored decides.
    pub(crate) fn read(self, database: &Database, way: Transfer) -> Step {
        if database.post != PostState::Queue {
            return Step::Idle;
        }
        let Some(open) = database.open else {
            let transfer = if database.is_uploaded_next {
                Transfer::Upload
            } else {
                way
            };
            return match database.is_marked && self.guards.searches_marked_posts {
                true => Step::LookFirst(transfer),
                false => Step::Open(transfer),
            };
        };
        match open.facts.recovery() {
            Recovery::BeginAgain => self.close_failed(open, Fate::Unavailable),
            Recovery::ResumeUpload => {
                let memory = Memory {
                    may_be_complete: open.facts.is_last_byte_noted,
                    has_noted: false,
                };
                self.upload(open, memory)
            }
            Recovery::Check => Step::Ask(open, Question::Check),
            Recovery::Revoke => Step::Revoke(open, Revocation::LostHandle),
            Recovery::Search => Step::Look(open),
        }
    }

    /// `submit::upload`: the next chunk.
    pub(crate) fn upload(self, submission: Submission, memory: Memory) -> Step {
        let Some(chunk) = session().chunk_at(submission.facts.sent_bytes) else {
            return Step::Release;
        };
        let is_noted = match self.guards.last_chunk_is_fenced {
            true => memory.has_noted,
            false => submission.facts.is_last_byte_noted,
        };
        if chunk.is_last && !is_noted {
            return write(Change::MarkLastByte, submission, memory);
        }
        let handle = submission.handle.expect("the handle of an upload");
        let is_admitted = self
            .provider
            .handles()
            .any(|(known, this)| known == handle && !this.is_expired);
        let request = Request::Chunk {
            handle,
            offset: chunk.offset,
            is_admitted,
        };
        Step::Wait {
            request,
            submission,
            memory,
        }
    }

    /// The provider answered a chunk, or did not.
    pub(crate) fn answered(
        self,
        submission: Submission,
        memory: Memory,
        answer: Result<ChunkAnswer, Fate>,
    ) -> Step {
        let chunk = session()
            .chunk_at(submission.facts.sent_bytes)
            .expect("the chunk that was sent");
        let sent = SentChunk {
            chunk,
            size_bytes: SIZE,
            may_be_complete: memory.may_be_complete,
            may_be_corrected: true,
        };
        match sent.follow(answer) {
            AfterChunk::Sent(bytes) | AfterChunk::Corrected(bytes) => {
                write(Change::RecordSent(bytes), submission.sent(bytes), memory)
            }
            AfterChunk::BreakOff => self.broken_off(submission, Fate::Unavailable),
            AfterChunk::Unclear => self.chunk_failed(submission),
        }
    }

    fn chunk_failed(self, submission: Submission) -> Step {
        match self.retry() {
            Ending::Again => settle_as(Ending::Again),
            _ if !submission.facts.is_last_byte_noted => self.broken_off(submission, Fate::Unavailable),
            _ => close(submission, SubmissionOutcome::Unknown, Ending::Person),
        }
    }

    /// The start of `submit::upload`, where there is nothing to send.
    pub(crate) fn media_missing(self, submission: Submission) -> Step {
        match submission.facts.may_be_out() {
            false => self.broken_off(submission, Fate::Rejected),
            true => Step::Ask(submission, Question::Check),
        }
    }

    /// `submit::broken_off`: asks what the provider has, then closes.
    pub(crate) fn broken_off(self, submission: Submission, fate: Fate) -> Step {
        if !self.guards.asks_before_beginning_again {
            return self.close_failed(submission, fate);
        }
        let is_final = fate == Fate::Rejected;
        Step::Ask(submission, Question::NothingCame { is_final })
    }

    /// A statement that changes the submission was committed, and changed it.
    pub(crate) fn written(
        self,
        submission: Submission,
        change: Change,
        was_noted: bool,
        memory: Memory,
    ) -> Step {
        match change {
            Change::SaveHandle(handle) => {
                let submission = submission.accepted(handle);
                match submission.facts.transfer {
                    Transfer::Upload => self.upload(submission, Memory::default()),
                    Transfer::Pull | Transfer::Text => Step::Release,
                }
            }
            Change::RecordSent(_) => self.upload(submission, memory),
            Change::MarkLastByte => {
                let mut submission = submission;
                submission.facts.is_last_byte_noted = true;
                let was_noted = was_noted && self.guards.mark_reports_what_was_there;
                let memory = Memory {
                    may_be_complete: memory.may_be_complete || was_noted,
                    has_noted: true,
                };
                self.upload(submission, memory)
            }
            Change::HasAllBytes => self.wait(submission),
        }
    }

    /// `begin` had no clear answer, or its run failed.
    pub(crate) fn not_accepted(self, submission: Submission) -> Step {
        match submission.facts.transfer {
            Transfer::Pull => Step::Revoke(submission, Revocation::LostHandle),
            Transfer::Upload | Transfer::Text => self.close_failed(submission, Fate::Unknown),
        }
    }

    /// The provider answered a question.
    pub(crate) fn learned(self, submission: Submission, question: Question) -> Step {
        let handle = submission.handle.expect("a handle to ask by");
        let (_, this) = self
            .provider
            .handles()
            .find(|(known, _)| *known == handle)
            .expect("a known handle");
        match (this.stage, question) {
            (Stage::Published, _) => close(submission, SubmissionOutcome::Published, Ending::Published),
            (Stage::Failed(_), _) if submission.facts.is_taken_back() => taken_back(submission),
            (Stage::Failed(true), _) => self.close_failed(submission, Fate::Repeatable),
            (Stage::Failed(false), _) => self.close_failed(submission, Fate::Rejected),
            (Stage::Waiting | Stage::Processing, Question::NothingCame { is_final }) => {
                match submission.facts.lacks_bytes(Some(this.received_bytes)) {
                    true if is_final => self.close_failed(submission, Fate::Rejected),
                    true => self.close_failed(submission, Fate::Unavailable),
                    false => write(Change::HasAllBytes, submission, Memory::default()),
                }
            }
            (Stage::Waiting | Stage::Processing, Question::Check) => self.ask_again(submission),
        }
    }

    /// The question had no answer.
    pub(crate) fn unanswered(self, submission: Submission, question: Question) -> Step {
        match (question, self.retry()) {
            (Question::Check, _) => self.ask_again(submission),
            (Question::NothingCame { .. }, Ending::Again) => settle_as(Ending::Again),
            (Question::NothingCame { .. }, _) => {
                close(submission, SubmissionOutcome::Unknown, Ending::Person)
            }
        }
    }

    fn ask_again(self, submission: Submission) -> Step {
        let facts = submission.facts;
        let is_patience_over = self.is_late && facts.transfer == Transfer::Pull && !facts.is_fetched;
        if is_patience_over && !facts.is_revoked {
            return Step::Revoke(submission, Revocation::TakeBack);
        }
        self.wait(submission)
    }

    /// `Run::wait`: asks again later, until the window is over.
    pub(crate) fn wait(self, submission: Submission) -> Step {
        match self.is_late {
            false => Step::Release,
            true if submission.facts.is_taken_back() => taken_back(submission),
            true => close(submission, SubmissionOutcome::Unknown, Ending::Person),
        }
    }

    /// The addresses of a pull were revoked, which `was_fetched` before or not.
    pub(crate) fn revoked(self, submission: Submission, revocation: Revocation, was_fetched: bool) -> Step {
        match (revocation, was_fetched) {
            (Revocation::LostHandle, true) => Step::Look(submission),
            (Revocation::LostHandle, false) => self.close_failed(submission, Fate::Unavailable),
            (Revocation::TakeBack, true) => self.wait(submission),
            (Revocation::TakeBack, false) => Step::Cancel(submission),
            (Revocation::GiveUp, true) => close(submission, SubmissionOutcome::Unknown, Ending::Person),
            (Revocation::GiveUp, false) => close(submission, SubmissionOutcome::Abandoned, Ending::Error),
        }
    }

    /// `internal::of_post`: a run failed inside.
    pub(crate) fn failed_inside(self, open: Option<Submission>) -> Step {
        match (self.retry(), open) {
            (Ending::Again, Some(open)) if !open.facts.may_be_out() && open.facts.has_handle => {
                Step::Ask(open, Question::NothingCame { is_final: false })
            }
            (Ending::Again, Some(open)) if !open.facts.may_be_out() => {
                close(open, SubmissionOutcome::Abandoned, Ending::Again)
            }
            (Ending::Again, _) => settle_as(Ending::Again),
            (failed, None) => settle_as(failed),
            (failed, Some(open)) => match (open.facts.recovery(), open.facts.may_be_out()) {
                (Recovery::Revoke, _) => Step::Revoke(open, Revocation::GiveUp),
                (_, false) => close(open, SubmissionOutcome::Abandoned, failed),
                (_, true) => close(open, SubmissionOutcome::Unknown, Ending::Person),
            },
        }
    }

    /// `verdicts::retry`.
    fn retry(self) -> Ending {
        let start = Time::from_secs(0);
        let deadline = start.plus(RETRY_WINDOW);
        let now = if self.is_late { deadline } else { start };
        match retry_at(now, 1, deadline, 0.5) {
            Some(_) => Ending::Again,
            None => Ending::Error,
        }
    }

    /// `Run::close_failed`: nothing came of the submission, for certain.
    fn close_failed(self, submission: Submission, fate: Fate) -> Step {
        match fate.is_retried() {
            true => close(submission, SubmissionOutcome::Abandoned, self.retry()),
            false => close(submission, SubmissionOutcome::Rejected, Ending::Error),
        }
    }
}

/// Step 6 is done: an upload follows.
pub(crate) fn taken_back(submission: Submission) -> Step {
    Step::Settle(Settlement {
        closed: Some((submission.id, SubmissionOutcome::Abandoned)),
        ending: Ending::Again,
        is_uploaded_next: true,
    })
}

pub(crate) fn close(submission: Submission, outcome: SubmissionOutcome, ending: Ending) -> Step {
    settle(Some((submission.id, outcome)), ending)
}

/// A settlement that closes nothing.
pub(crate) fn settle_as(ending: Ending) -> Step {
    settle(None, ending)
}

fn settle(closed: Option<(u8, SubmissionOutcome)>, ending: Ending) -> Step {
    Step::Settle(Settlement {
        closed,
        ending,
        is_uploaded_next: false,
    })
}

/// A statement that has not begun.
pub(crate) fn write(change: Change, submission: Submission, memory: Memory) -> Step {
    Step::Write {
        change,
        submission,
        memory,
        passed: None,
    }
}

fn session() -> UploadSession {
    UploadSession {
        url: String::new(),
        content_type: String::new(),
        size_bytes: SIZE,
        chunk_bytes: CHUNK,
        chunk_count: SIZE / CHUNK,
    }
}
