//! Brings a comment under its published root. A comment is one call without a handle: its ledger row before the call is
//! all there is. Where the answer did not come, the comments under the post are looked through; what is not found there
//! may be there all the same, so it is never written again, and a person decides.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::explanation::UNCONFIRMED;
use playout_domain::id::SubmissionId;
use playout_domain::job::{Job, JobQueue, RETRY_WINDOW, Release};
use playout_domain::listing::is_listed_as;
use playout_domain::platform::Platform;
use playout_domain::post::{Group, Post, PostState, Waiting};
use playout_domain::provider::{Commented, Fate, OwnComment, Provider, ProviderError};
use playout_domain::submission::{Submission, SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use playout_store::{AttemptDetail, NewSubmission, Opening, Settlement};

use super::job_end::{JobEnd, missing_post};
use super::verdicts;
use crate::app::account::Account;
use crate::app::tokens::{CallError, FailedCall};
use crate::app::{App, AppError};
use crate::chance;
use crate::identity::SLACK;

/// How long to wait for the root's ID before looking again.
const WAIT_FOR_ROOT: Duration = Duration::from_secs(30);
/// How long after an unclear answer, and after each look in vain, to look for the comment.
const LOOKS: [Duration; 4] = [
    Duration::from_secs(2),
    Duration::from_secs(8),
    Duration::from_secs(20),
    Duration::from_secs(60),
];

/// How long after it was written a comment may be missing from the list: as long as is looked for one without an answer. A refused one is
/// neither written again before nor ends in ERROR.
const LISTED_WITHIN: Duration = Duration::from_secs(90);

/// How long after the job was found to be held the comment may be written.
const ANSWER_IS_FRESH_FOR: Duration = Duration::from_secs(10);

/// A comment on its way: everything a run needs.
struct Run<'a> {
    app: &'a Arc<App>,
    job: &'a Job,
    group: &'a Group,
    comment: &'a Post,
    platform: &'a Platform,
    provider: &'a Arc<dyn Provider>,
    /// The post under which it goes.
    release_id: &'a str,
}

/// Which of the listed comments may be the one that is looked for.
enum Same {
    None,
    One(Commented),
    Several,
}

/// Runs a `PublishComment` job once.
pub(super) async fn run(app: &Arc<App>, job: &Job) -> Result<JobEnd, AppError> {
    let Some(post) = job.post_id else {
        return Ok(JobEnd::Finish);
    };
    let found = app.store.find_group(job.workspace_id, post).await?;
    let found = found.ok_or_else(|| missing_post(post))?;
    let group = &found.group;
    let Some(comment) = due_in(group, job) else {
        return Ok(JobEnd::Finish);
    };
    let open = app.store.open_submission_of(comment.id).await?;
    let platform = app
        .store
        .find_platform(job.workspace_id, comment.platform_id)
        .await?;
    let platform = platform.filter(|platform| !platform.disabled);
    let Some(platform) = &platform else {
        return Ok(unavailable(open.as_ref()).into());
    };
    let provider = app.configured_provider_of(platform)?;
    let Some(release_id) = &group.root.release_id else {
        return Ok(wait_for_root(app, job, &group.root).await?.into());
    };
    let run = Run {
        app,
        job,
        group,
        comment,
        platform,
        provider,
        release_id,
    };
    match open {
        Some(lost) => run.look(&lost).await,
        None => run.write().await,
    }
}

/// The comment of a job, if it is still to be written and its root is out.
fn due_in<'a>(group: &'a Group, job: &Job) -> Option<&'a Post> {
    let comment = group
        .children
        .iter()
        .find(|child| Some(child.id) == job.post_id)?;
    let is_due = comment.state == PostState::Queue && group.root.state == PostState::Published;
    is_due.then_some(comment)
}

/// Without the ID of its root a comment cannot be written. It waits as long as a try of the root may reveal it, for a day after the root was
/// published; all comments of the root wait for the same time.
async fn wait_for_root(app: &App, job: &Job, root: &Post) -> Result<Settlement, AppError> {
    let tries = app.store.submissions_of(job.workspace_id, root.id).await?;
    let can_be_asked_about = tries.iter().any(|tried| tried.handle.is_some());
    let (at, until) = (app.now().plus(WAIT_FOR_ROOT), root.updated_at.plus(RETRY_WINDOW));
    let verdict = match can_be_asked_about {
        true if at <= until => Verdict::Again {
            at,
            text: Some(format!(
                "The ID of the post is not known yet, and no comment can be written without it. This one waits for it until {until}."
            )),
            failed: false,
        },
        true => never_written("The provider did not report the ID of the post within a day"),
        false => never_written("The post was marked as published without its address"),
    };
    Ok(verdicts::settlement(verdict, AttemptDetail::default()))
}

fn never_written(why: &str) -> Verdict {
    Verdict::Error {
        text: format!("{why}, so that this comment could not be written. Write it in the provider's app."),
    }
}

impl Run<'_> {
    /// Writes it, once: the ledger row is committed before the call.
    async fn write(&self) -> Result<JobEnd, AppError> {
        let (store, workspace) = (&self.app.store, self.job.workspace_id);
        let tries = store.begun_submissions_of(workspace, self.comment.id).await?;
        if let Some(end) = self.look_for_earlier(&tries).await? {
            return Ok(end);
        }
        let submission = chance::id(self.app.now());
        let new = NewSubmission {
            id: submission,
            content: &self.comment.content,
            transfer: Transfer::Text,
            token_hash: None,
            reason: None,
        };
        self.app.failpoint("comment.before_open");
        let opening = store.open_submission_within(self.job, &new, None, self.app.now());
        match opening.await? {
            Opening::Opened => {}
            // Disabled or removed since the claim: the next run says so.
            Opening::NoAccount => return Ok(self.decide_anew()),
            Opening::Lost | Opening::Full(_) => return Ok(JobEnd::TakenOver),
        }
        self.app.failpoint("comment.after_open");
        let answer = self.call(submission, &tries).await;
        self.app.failpoint("comment.after_call");
        let settlement = match answer {
            Ok(Some(commented)) => published(submission, commented),
            Ok(None) => return Ok(JobEnd::TakenOver),
            Err(CallError::Provider(error)) if error.fate == Fate::Unknown => {
                self.look_later(0, verdicts::detail(&error), submission)
            }
            Err(CallError::Provider(error)) => self.failed(&error, submission).await?,
            Err(CallError::Internal(error)) => return Err(error),
        };
        Ok(settlement.into())
    }

    /// Gives the job back before anything was written.
    fn decide_anew(&self) -> JobEnd {
        JobEnd::Release(Release {
            run_at: self.app.now(),
            failures: self.job.failures,
            checks: self.job.checks,
            queue: JobQueue::of(self.job.kind),
        })
    }

    /// Calls the provider. Where it refuses the access, that is renewed, and the comment is written later: the provider may have taken it
    /// all the same. A refusal of the renewed access too means that the account must be reconnected. `None`, and nothing is written, if
    /// the job was lost meanwhile.
    async fn call(
        &self,
        submission: SubmissionId,
        tries: &[Submission],
    ) -> Result<Option<Commented>, CallError> {
        let (account, text) = (self.account(), self.comment.content.as_str());
        let tokens = account.fresh_tokens().await?;
        if !self.still_holds(submission).await? {
            return Ok(None);
        }
        let refusal = match account.comment(&tokens, self.release_id, text).await {
            Err(failed) if failed.fate == Fate::StaleToken => failed,
            answer => return Ok(Some(answer?)),
        };
        let before = tries.last().and_then(|earlier| earlier.code.as_deref());
        if before == Some(refusal.code.as_str()) {
            return Err(refusal.with_fate(Fate::Reauthorize).into());
        }
        account.refresh_tokens(tokens.version).await?;
        Err(refusal.with_fate(Fate::Repeatable).into())
    }

    /// Whether the job is this run's right before the comment is written. Renewing the access takes a while, and where the machine stood
    /// still, as a virtual one does while it is moved, another run may have looked for the comment meanwhile.
    async fn still_holds(&self, submission: SubmissionId) -> Result<bool, AppError> {
        loop {
            let now = self.app.now();
            if !self.app.store.holds_submission(self.job, submission).await? {
                return Ok(false);
            }
            if self.app.now().since(now) < ANSWER_IS_FRESH_FOR {
                return Ok(true);
            }
        }
    }

    /// Whether an earlier try is there although the provider refused it: it may have taken what it answered with too many requests, or
    /// with an error. Where the account does not list its comments, or not all of them, a person is asked. If it is not there, a
    /// refusal for good ends it in ERROR; `None` if it is to be written.
    async fn look_for_earlier(&self, tries: &[Submission]) -> Result<Option<JobEnd>, AppError> {
        let first = tries.iter().map(|earlier| earlier.started_at).min();
        let last = tries
            .iter()
            .map(|earlier| earlier.closed_at.unwrap_or(earlier.started_at))
            .max();
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(None);
        };
        let refusal = self.refusal_for_good(tries);
        let (account, since) = (self.account(), first.minus(SLACK));
        // The list is as old as the request.
        let asked_at = self.app.now();
        let settlement = match account.own_comments(self.release_id, since).await {
            Ok(Some(listed)) => match (self.the_same(listed.comments), listed.is_whole) {
                (Same::One(found), _) => {
                    let (verdict, detail) = as_published(found);
                    verdicts::settlement(verdict, detail)
                }
                (Same::Several, _) => left_to_a_person(),
                (Same::None, _) if last.plus(LISTED_WITHIN) > asked_at => {
                    let at = last.plus(LISTED_WITHIN).max(self.app.now());
                    verdicts::settlement(again_at(at), AttemptDetail::default())
                }
                (Same::None, true) => match refusal {
                    Some((verdict, detail)) => verdicts::settlement(verdict, detail),
                    None => return Ok(None),
                },
                (Same::None, false) => left_to_a_person(),
            },
            Ok(None) => left_to_a_person(),
            Err(CallError::Provider(error)) => self.could_not_look(&error).await?,
            Err(CallError::Internal(error)) => return Err(error),
        };
        Ok(Some(settlement.into()))
    }

    /// Without an answer it is not written again: it is looked for later, and after a day a person is asked.
    async fn could_not_look(&self, error: &FailedCall) -> Result<Settlement, AppError> {
        self.app.note_dead_access(self.platform, error).await?;
        let verdict = match verdicts::ending(self.job, error, self.app.now()).verdict {
            Verdict::Error { .. } => unconfirmed(),
            verdict => verdict,
        };
        Ok(verdicts::settlement(verdict, verdicts::detail(error)))
    }

    fn account(&self) -> Account<'_> {
        Account::new(self.app, self.provider, self.platform)
    }

    /// Ends a try that the provider refused. Before the comment ends in ERROR it is looked for, as before it is written again.
    async fn failed(&self, error: &FailedCall, submission: SubmissionId) -> Result<Settlement, AppError> {
        self.app.note_dead_access(self.platform, error).await?;
        let ending = verdicts::ending(self.job, error, self.app.now());
        let verdict = match ending.verdict {
            Verdict::Error { text } => Verdict::Again {
                at: self.app.now().plus(LISTED_WITHIN),
                text: Some(text),
                failed: false,
            },
            verdict => verdict,
        };
        let detail = verdicts::detail(error);
        Ok(verdicts::closing(submission, ending.outcome, verdict, detail))
    }

    /// How the comment ends if no try is there, because one was refused for good, or the last one so late that no other follows; with
    /// what the provider answered then. `None` if it is to be written again.
    fn refusal_for_good(&self, tries: &[Submission]) -> Option<(Verdict, AttemptDetail)> {
        let was_refused = |earlier: &&Submission| earlier.outcome == Some(SubmissionOutcome::Rejected);
        let is_abandoned = |last: &&Submission| last.outcome == Some(SubmissionOutcome::Abandoned);
        let refused = tries.iter().find(was_refused);
        let refused = refused.or_else(|| tries.last().filter(is_abandoned))?;
        let recalled = self.provider.recall(refused.code.as_deref()?);
        let error = ProviderError {
            message: refused.message.clone().unwrap_or(recalled.message),
            log_id: refused.log_id.clone(),
            ..recalled
        };
        let verdict = verdicts::ending(self.job, &error, refused.closed_at?).verdict;
        matches!(verdict, Verdict::Error { .. }).then(|| (verdict, verdicts::detail(&error)))
    }

    /// The answer of an earlier call did not come, or was unclear: is the comment there? Looking may be repeated freely.
    async fn look(&self, lost: &Submission) -> Result<JobEnd, AppError> {
        let since = lost.started_at.minus(SLACK);
        let settlement = match self.account().own_comments(self.release_id, since).await {
            Ok(None) => unknown(lost.id, AttemptDetail::default()),
            Ok(Some(listed)) => match self.the_same(listed.comments) {
                Same::One(found) => published(lost.id, found),
                Same::None | Same::Several => {
                    self.look_later(self.job.checks, AttemptDetail::default(), lost.id)
                }
            },
            Err(CallError::Provider(error)) => {
                self.look_later(self.job.checks, verdicts::detail(&error), lost.id)
            }
            Err(CallError::Internal(error)) => return Err(error),
        };
        Ok(settlement.into())
    }

    /// Looks again later, the submission still open; after the last look a person decides.
    fn look_later(&self, looked: u32, detail: AttemptDetail, submission: SubmissionId) -> Settlement {
        let pause = usize::try_from(looked).ok().and_then(|looked| LOOKS.get(looked));
        match pause {
            Some(pause) => verdicts::settlement(again_at(self.app.now().plus(*pause)), detail),
            None => unknown(submission, detail),
        }
    }

    /// The listed comments with this text that no other comment of the group is known to be.
    fn the_same(&self, listed: Vec<OwnComment>) -> Same {
        let text = self.comment.content.as_str();
        let mut same = Same::None;
        for OwnComment { comment, .. } in listed.into_iter().filter(|own| is_listed_as(text, &own.text)) {
            same = match same {
                _ if self.is_known(&comment.release_id) => same,
                Same::None => Same::One(comment),
                // A list that shifts between its pages may name one twice.
                Same::One(found) if found.release_id == comment.release_id => Same::One(found),
                Same::One(_) | Same::Several => Same::Several,
            };
        }
        match same {
            Same::One(_) if self.may_be_of_another() => Same::Several,
            same => same,
        }
    }

    /// Whether another comment of the group has this text, and may have been written without an ID.
    fn may_be_of_another(&self) -> bool {
        let may_be_out = |other: &&Post| other.state != PostState::Queue && other.release_id.is_none();
        let mut others = self
            .group
            .children
            .iter()
            .filter(|other| other.id != self.comment.id);
        others.any(|other| may_be_out(&other) && is_listed_as(&other.content, &self.comment.content))
    }

    fn is_known(&self, release_id: &str) -> bool {
        let mut others = self.group.children.iter();
        others.any(|other| other.release_id.as_deref() == Some(release_id))
    }
}

/// Runs again then; nothing has failed.
const fn again_at(at: Time) -> Verdict {
    Verdict::Again {
        at,
        text: None,
        failed: false,
    }
}

fn published(submission: SubmissionId, commented: Commented) -> Settlement {
    let (verdict, detail) = as_published(commented);
    verdicts::closing(submission, SubmissionOutcome::Published, verdict, detail)
}

fn as_published(commented: Commented) -> (Verdict, AttemptDetail) {
    let notice = commented.notice;
    let detail = AttemptDetail {
        code: notice.as_ref().map(|notice| notice.code.to_owned()),
        message: notice.map(|notice| notice.message),
        log_id: None,
    };
    let verdict = Verdict::Published {
        release_id: Some(commented.release_id),
        release_url: None,
    };
    (verdict, detail)
}

/// Where it cannot be searched for, or not among all that may be it.
fn left_to_a_person() -> Settlement {
    verdicts::settlement(unconfirmed(), verdicts::detail(&UNCONFIRMED.error()))
}

/// The outcome is unknown and left to a person. A comment is not sent again here.
pub(super) fn unconfirmed() -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: "It is unknown whether the provider wrote this comment. Look at the post: if the comment is there, mark it as published; if it \
               is not, write it in the provider's app and mark it as published."
            .to_owned(),
    }
}

fn unknown(submission: SubmissionId, detail: AttemptDetail) -> Settlement {
    verdicts::closing(submission, SubmissionOutcome::Unknown, unconfirmed(), detail)
}

/// The error text of a comment whose account was disabled or removed when it was due.
const WITHOUT_ACCOUNT: &str = "The account was disabled or removed before this comment was written. \
    Enable the account or connect it again; the comment then follows by itself.";

/// The account is disabled or removed: nothing is written, and an earlier try is not looked for.
fn unavailable(open: Option<&Submission>) -> Settlement {
    match open {
        Some(lost) => unknown(lost.id, AttemptDetail::default()),
        None => {
            let verdict = Verdict::ActionRequired {
                waiting: Waiting::AccountUnavailable,
                text: WITHOUT_ACCOUNT.to_owned(),
            };
            verdicts::settlement(verdict, AttemptDetail::default())
        }
    }
}
