//! What becomes of a job whose run failed inside: an error of the database or the storage, a row that cannot be read, a panic. Each
//! such run is counted and tried again later, as after a failure of the provider; when the time for that is over the post gets an
//! outcome: ERROR where nothing can have come out or can still be published, else a person must look.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::explanation::INTERNAL_FAILURE;
use playout_domain::id::{PostId, SubmissionId};
use playout_domain::job::{Job, JobKind, JobQueue, Release, retry_at};
use playout_domain::post::Waiting;
use playout_domain::provider::ProviderError;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::verdict::Verdict;
use playout_media::BlobError;
use playout_store::{Settlement, StoreError};

use super::earlier_tries::{as_earlier_tries_are, may_come_out};
use super::job_end::JobEnd;
use super::{comment, publish, verdicts};
use crate::app::{App, AppError};
use crate::chance;

/// How often chores that must not end, such as renewing an account's access, are tried once their time for retries is over.
const SELDOM: Duration = Duration::from_secs(1800);

/// What a post's `errorText` and its attempt say of a run that failed inside: which file it is where one is missing or is not whole, otherwise
/// that the log has the cause.
pub(super) fn explained(error: &AppError) -> ProviderError {
    let what = match error {
        AppError::Blob(BlobError::NotFound { key }) => {
            format!("A file of this post is missing in the storage ({key}).")
        }
        AppError::Blob(BlobError::Size {
            key,
            size_bytes,
            expected_bytes,
        }) => format!(
            "A file of this post is not whole in the storage ({key}): it has {size_bytes} bytes instead of {expected_bytes}."
        ),
        _ => return INTERNAL_FAILURE.error(),
    };
    let next_step = format!(
        "Put it back, or replace it in the post. {}",
        INTERNAL_FAILURE.next_step
    );
    ProviderError {
        message: format!("{what} {next_step}"),
        next_step: next_step.into(),
        ..INTERNAL_FAILURE.error()
    }
}

/// Settles a job whose run failed inside, with what its post says of that; `false` if it was taken over or deleted meanwhile, which may be
/// why. If this fails too, the job is claimed again when its lease ends.
pub(super) async fn after_failure(
    app: &Arc<App>,
    job: &Job,
    error: &ProviderError,
) -> Result<bool, AppError> {
    app.failpoint("internal.before_settle");
    match (job.kind, job.post_id) {
        // Where no post takes an outcome, because it is not there, the job is still this run's, and is run again.
        (JobKind::PublishPost | JobKind::PublishComment, Some(post)) => {
            Ok(of_post(app, job, post, error).await? || of_chore(app, job).await?)
        }
        _ => of_chore(app, job).await,
    }
}

async fn of_post(app: &Arc<App>, job: &Job, post: PostId, error: &ProviderError) -> Result<bool, AppError> {
    let unsettled = app.store.unsettled_submission_of(post).await;
    let now = app.now();
    let detail = verdicts::detail(error);
    let mut settlement = match (verdicts::retry(job, error, now), unsettled) {
        (again @ Verdict::Again { .. }, Ok(Some(open)))
            if open.is_open() && !open.may_be_out() && job.kind == JobKind::PublishPost =>
        {
            match let_go(app, job, &open).await {
                Ok(None) => verdicts::closing(open.id, SubmissionOutcome::Abandoned, again, detail),
                Ok(Some(end)) => {
                    end.write(app, job).await?;
                    return Ok(true);
                }
                // It stays open, and the post cannot be changed until the next try.
                Err(_) => verdicts::settlement(again, detail),
            }
        }
        (again @ Verdict::Again { .. }, _) => verdicts::settlement(again, detail),
        (failed, Ok(None)) => verdicts::settlement(unless_marked(app, post, failed).await, detail),
        // The outcome of an earlier try was unknown, or it is in the creator's inbox, and it could not be asked for since.
        (failed, Ok(Some(doubtful))) if !doubtful.is_open() => {
            verdicts::settlement(after_earlier_tries(app, job, failed, None).await, detail)
        }
        (failed, Ok(Some(open))) => match may_come_out(app, &open).await? {
            false => {
                let verdict = after_earlier_tries(app, job, failed, Some(open.id)).await;
                verdicts::closing(open.id, SubmissionOutcome::Abandoned, verdict, detail)
            }
            true => verdicts::closing(
                open.id,
                SubmissionOutcome::Unknown,
                verdicts::unconfirmed(),
                detail,
            ),
        },
        // How far it came cannot be read. The post must not stay on its way, or it could neither be changed nor deleted.
        (_, Err(_)) => match app.store.open_submission_id(post).await? {
            Some(id) => verdicts::closing(id, SubmissionOutcome::Unknown, verdicts::unconfirmed(), detail),
            None => verdicts::settlement(verdicts::unconfirmed(), detail),
        },
    };
    match settlement.verdict {
        Verdict::ActionRequired {
            waiting: Waiting::Inbox,
            ..
        } => settlement.follow_link = Some(now.plus(verdicts::FOLLOW_AFTER)),
        // Unlike a post it is not sent again.
        Verdict::ActionRequired {
            waiting: Waiting::Unconfirmed,
            ..
        } if job.kind == JobKind::PublishComment => settlement.verdict = comment::unconfirmed(),
        _ => {}
    }
    settle(app, job, settlement).await
}

/// How a failure ends the post after its earlier tries; where those cannot be read, one of them may be out.
async fn after_earlier_tries(app: &App, job: &Job, failed: Verdict, but: Option<SubmissionId>) -> Verdict {
    let Some(post) = job.post_id else { return failed };
    match as_earlier_tries_are(app, job, post, failed, but).await {
        Ok(verdict) => unless_marked(app, post, verdict).await,
        Err(_) => verdicts::unconfirmed(),
    }
}

/// A post that a hold has marked may be out since before the database was restored: no run got as far as the search.
async fn unless_marked(app: &App, post: PostId, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Error { .. } if app.store.is_marked(post).await.unwrap_or(true) => verdicts::restored(),
        verdict => verdict,
    }
}

/// Ends an upload that lacks bytes, so that its post can be changed and deleted until the next try. `None` if nothing can come of
/// it, else how the provider's status ends the job.
async fn let_go(app: &Arc<App>, job: &Job, open: &Submission) -> Result<Option<JobEnd>, AppError> {
    if open.handle.is_none() {
        return Ok(None);
    }
    let (app, job, open) = (Arc::clone(app), job.clone(), open.clone());
    // It reads the same rows as the run that failed: where they make both panic, the failure must be counted all the same.
    tokio::spawn(async move { publish::ask_of_incomplete(&app, &job, &open).await }).await?
}

/// Writes the outcome; without reading the post's row if that cannot be read.
async fn settle(app: &App, job: &Job, settlement: Settlement) -> Result<bool, AppError> {
    match app.store.settle(job, &settlement, app.now()).await {
        Err(StoreError::BadRow { .. } | StoreError::Sealed { .. }) => {
            Ok(app.store.settle_unread(job, &settlement, app.now()).await?)
        }
        settled => Ok(settled?),
    }
}

/// Runs the job again later, if it was not taken over. A public address that was not found is not looked for any more after a day; all
/// other jobs go on.
async fn of_chore(app: &Arc<App>, job: &Job) -> Result<bool, AppError> {
    let (now, failures) = (app.now(), job.failures.saturating_add(1));
    let run_at = match retry_at(now, failures, job.deadline_at, chance::fraction()) {
        Some(at) => at,
        None if job.kind == JobKind::ResolveLink => return Ok(app.store.finish(job).await?),
        None => now.plus(SELDOM),
    };
    let release = Release {
        run_at,
        failures,
        checks: job.checks,
        queue: JobQueue::of(job.kind),
    };
    Ok(app.store.release(job, release, now).await?)
}
