//! Brings a root post to its provider. The protocol is `domain/src/submission.rs`, whose numbers the steps here carry; what may follow an
//! open submission is `domain/src/recovery.rs`.
//!
//! What is known of the post is read once, `decide` returns the first step, and each step returns what follows: another step, or
//! how the run ends its job. Every write is fenced by the job's attempt: a run that lost its lease changes nothing. The one exception is
//! that the addresses of a pull are revoked (`store/src/delivery/fetches.rs`): that only keeps bytes from the provider, and who revokes them
//! next learns whether any were fetched.

mod begin;
mod check;
mod context;
mod decide;
mod endings;
mod evidence;
mod last_chunk;
mod lateness;
pub mod listed;
mod others;
pub mod pull_urls;
mod reconcile;
mod revoke_pull;
mod search;
mod search_first;
mod step;
mod unavailable;
mod upload;

use std::sync::{Arc, OnceLock};

use playout_domain::job::{Job, JobQueue};
use playout_domain::post::PostState;
use playout_domain::provider::Progress;
use playout_domain::submission::Submission;
use playout_store::Start;

use self::context::Run;
use self::step::{Next, Step};
use super::job_end::{JobEnd, missing_post};
use crate::app::{App, AppError};

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
            let first = decide::first(run.platform.disabled, unsettled, run.mark.clone());
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
    match check::incomplete(&run, submission, 0).await? {
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
    let known = match (known, job.post_id) {
        (Some(known), _) if known.group.root.state == PostState::Queue => known,
        (None, Some(post)) => return Err(missing_post(post)),
        _ => return Ok(Prepared::End(JobEnd::Finish)),
    };
    let Some(platform) = known.platform else {
        let end = unavailable::removed(app, job, known.group.root.id).await?;
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
        given_up: app.slots.given_up(job),
        place: OnceLock::new(),
        known_at: OnceLock::new(),
    })))
}

impl Run<'_> {
    /// Takes one step after the other until the job's end is known. What earlier tries change about an end is applied here, to all ends.
    async fn go(&self, mut next: Next) -> Result<JobEnd, AppError> {
        loop {
            next = match next {
                Next::Step(step) => self.take(*step).await?,
                Next::End(JobEnd::Settle(end)) => return Ok(self.as_earlier_tries_are(*end).await?.into()),
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
            Step::SearchFirst(mark) => search_first::search_first(self, &mark).await,
            Step::GiveUp(submission) => Ok(unavailable::given_up(submission.as_ref()).into()),
        }
    }
}
