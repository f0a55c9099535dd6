//! Brings a root post to its provider. The protocol and its recovery are `domain/src/submission.rs`; the steps here carry its numbers.
//!
//! What is known of the post is read once, `decide` returns the first step, and each step returns what follows: another step, or
//! how the run ends its job. Steps do not call one another. Every write is fenced by the job's attempt: a run that lost its lease
//! changes nothing.

mod begin;
mod check;
mod decide;
mod endings;
mod lateness;
pub mod listed;
pub mod pull_urls;
mod reconcile;
mod revoke_pull;
mod search;
mod unavailable;
mod upload;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use playout_domain::job::{Job, JobQueue};
use playout_domain::media::Media;
use playout_domain::platform::Platform;
use playout_domain::post::{Group, Post, PostState};
use playout_domain::provider::{Progress, Provider, ProviderError};
use playout_domain::submission::Submission;
use playout_store::{HoldMark, Settlement, Start};

use super::job_end::JobEnd;
use crate::app::account::Account;
use crate::app::limits::Place;
use crate::app::{App, AppError};

/// A post on its way: everything a run needs.
struct Run<'a> {
    app: &'a Arc<App>,
    /// The claimed job: the fence.
    job: &'a Job,
    group: Group,
    platform: Platform,
    provider: Arc<dyn Provider>,
    /// The media of the group, in any order.
    media: Vec<Media>,
    /// Whether to search for the post before it is handed over.
    mark: Option<HoldMark>,
    /// Its place in the account's window, once it is handed over: others count it until this run ends, because they may have read the
    /// ledger before it was in there.
    place: OnceLock<Place<'a>>,
}

/// What a run does next. The provider is called in at most one way in each.
enum Step {
    /// Leave the post to a person if it is overdue.
    JudgeLateness,
    /// Judge the post once more against what the account allows now, and hand it over (steps 0 to 3 of a submission).
    Begin,
    /// Send what is missing of an upload (step 4).
    Upload(Submission),
    /// Ask what became of a submission (step 5).
    Check(Submission),
    /// Apply the provider's status of a submission, from a request or a notification.
    Learn(Submission, Progress),
    /// Close an upload that does not go on with this, unless the provider's status shows that something can come of it.
    Abandon(Submission, Abandoned),
    /// Search the account's posts for a submission that has no handle.
    Search(Submission),
    /// Revoke the addresses of a pull whose answer is missing.
    RevokePull(Submission),
    /// Cancel a pull that the provider does not fetch; ask again after the pause if it was fetched meanwhile (step 6).
    CancelPull(Submission, Duration),
    /// Close a submission of which it is certain that nothing came out.
    Close(Submission, ProviderError),
    /// Ask about a try with an unknown outcome before another is begun; then search, where a hold has marked the post.
    Reconcile(Submission, Option<HoldMark>),
    /// Search for a post that may have come out without this database's knowledge, before it is handed over.
    SearchFirst(HoldMark),
    /// Leave the post to a person because its account is disabled; nothing can come of the submission, if there is one.
    GiveUp(Option<Submission>),
}

/// Why an upload does not go on.
enum Abandoned {
    /// The provider, or what is missing here, ended it.
    Failed(ProviderError),
    /// The provider refused its last chunk in an earlier run.
    Refused,
    /// Its account is disabled.
    Disabled,
}

/// What follows a step.
enum Next {
    Step(Box<Step>),
    End(JobEnd),
}

impl From<Step> for Next {
    fn from(step: Step) -> Self {
        Self::Step(Box::new(step))
    }
}

impl From<JobEnd> for Next {
    fn from(end: JobEnd) -> Self {
        Self::End(end)
    }
}

impl From<Settlement> for Next {
    fn from(settlement: Settlement) -> Self {
        Self::End(settlement.into())
    }
}

/// Runs a `PublishPost` job once. What is known of its post may have been looked up with that of others.
pub(super) async fn run(app: &Arc<App>, job: &Job, known: Option<Start>) -> Result<JobEnd, AppError> {
    let _start = (job.queue == JobQueue::Start).then(|| app.starts.begin(job.id));
    let known = match known {
        Some(known) => Some(known),
        None => look_up(app, job).await?,
    };
    let unsettled = known.as_ref().and_then(|known| known.unsettled.clone());
    match prepare(app, job, known).await? {
        Prepared::Run(run) => {
            let first = decide::first(run.platform.disabled, unsettled, job.checks, run.mark.clone());
            run.go(first.into()).await
        }
        Prepared::End(end) => Ok(end),
    }
}

/// Ends a job with the provider's notification about a submission.
pub(super) async fn learn(
    app: &Arc<App>,
    job: &Job,
    submission: &Submission,
    progress: Progress,
) -> Result<JobEnd, AppError> {
    let known = look_up(app, job).await?;
    match prepare(app, job, known).await? {
        Prepared::Run(run) => run.go(Step::Learn(submission.clone(), progress).into()).await,
        Prepared::End(end) => Ok(end),
    }
}

/// Asks the provider whether something can come of an upload that does not go on; `None` if not, else how that ends the job.
pub(super) async fn ask_of_incomplete(
    app: &Arc<App>,
    job: &Job,
    submission: &Submission,
) -> Result<Option<JobEnd>, AppError> {
    let known = look_up(app, job).await?;
    let run = match prepare(app, job, known).await? {
        Prepared::Run(run) => run,
        Prepared::End(end) => return Ok(Some(end)),
    };
    match check::incomplete(&run, submission).await? {
        Some(next) => run.go(next).await.map(Some),
        None => Ok(None),
    }
}

async fn look_up(app: &App, job: &Job) -> Result<Option<Start>, AppError> {
    let Some(post) = job.post_id else { return Ok(None) };
    Ok(app.store.find_starts(&[post]).await?.remove(&post))
}

/// What is known of a post, or that it cannot go out at all.
enum Prepared<'a> {
    Run(Box<Run<'a>>),
    End(JobEnd),
}

async fn prepare<'a>(
    app: &'a Arc<App>,
    job: &'a Job,
    known: Option<Start>,
) -> Result<Prepared<'a>, AppError> {
    let known = known.filter(|known| known.group.root.state == PostState::Queue);
    let Some(known) = known else {
        return Ok(Prepared::End(JobEnd::Finish));
    };
    let Some(platform) = known.platform else {
        let end = unavailable::removed(app, known.group.root.id).await?;
        return Ok(Prepared::End(end));
    };
    let provider = Arc::clone(app.configured_provider_of(&platform)?);
    Ok(Prepared::Run(Box::new(Run {
        app,
        job,
        group: known.group,
        platform,
        provider,
        media: known.media,
        mark: known.mark,
        place: OnceLock::new(),
    })))
}

impl Run<'_> {
    /// Takes one step after the other until the job's end is known.
    async fn go(&self, mut next: Next) -> Result<JobEnd, AppError> {
        loop {
            next = match next {
                Next::Step(step) => self.take(*step).await?,
                Next::End(end) => return Ok(end),
            };
        }
    }

    async fn take(&self, step: Step) -> Result<Next, AppError> {
        match step {
            Step::JudgeLateness => lateness::judge(self).await,
            Step::Begin => Box::pin(begin::begin(self)).await,
            Step::Upload(submission) => Box::pin(upload::upload(self, submission)).await,
            Step::Check(submission) => check::check(self, &submission).await,
            Step::Learn(submission, progress) => check::learn(self, &submission, progress).await,
            Step::Abandon(submission, why) => check::abandon(self, &submission, why).await,
            Step::Search(submission) => search::search(self, &submission).await,
            Step::RevokePull(submission) => revoke_pull::revoke(self, submission).await,
            Step::CancelPull(submission, pause) => revoke_pull::cancel(self, &submission, pause).await,
            Step::Close(submission, error) => self.close_failed(&submission, &error).await,
            Step::Reconcile(submission, mark) => reconcile::reconcile(self, &submission, mark).await,
            Step::SearchFirst(mark) => reconcile::search_first(self, &mark).await,
            Step::GiveUp(submission) => Ok(unavailable::given_up(submission.as_ref()).into()),
        }
    }

    /// The root post.
    fn post(&self) -> &Post {
        &self.group.root
    }

    fn account(&self) -> Account<'_> {
        Account::new(self.app, &self.provider, &self.platform)
    }

    /// What is uploaded.
    fn source(&self) -> Option<&Media> {
        let first = self.post().media_ids.first()?;
        self.media.iter().find(|media| media.id == *first)
    }
}
