//! Finds out what a provider reveals late: the public page of a post that is out, or that the creator has finished
//! a post from the inbox. Asks about one try at a time, less and less often, for three days.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::job::{Job, JobQueue, Release};
use playout_domain::post::{Post, PostState, Waiting};
use playout_domain::provider::Progress;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::time::Time;
use playout_store::Released;

use super::job_end::{JobEnd, missing_post};
use crate::app::account::Account;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};

/// How long a link is asked for.
const WINDOW: Duration = Duration::from_secs(3 * 86_400);

/// Runs a `ResolveLink` job once.
pub(super) async fn run(app: &Arc<App>, job: &Job) -> Result<JobEnd, AppError> {
    let Some(post) = job.post_id else {
        return Ok(JobEnd::Finish);
    };
    let found = app.store.find_group(job.workspace_id, post).await?;
    let post = found.ok_or_else(|| missing_post(post))?.group.root;
    if !waits(&post) {
        return Ok(JobEnd::Finish);
    }
    let tries = app.store.submissions_of(job.workspace_id, post.id).await?;
    let followed = followed(&tries, job.checks);
    let platform = app
        .store
        .find_platform(job.workspace_id, post.platform_id)
        .await?;
    let (Some((submission, handle)), Some((platform, provider))) = (followed, app.ready(platform)) else {
        return Ok(again(app, job, &post));
    };
    match Account::new(app, provider, &platform).check(handle).await {
        Ok(Progress::Published {
            release_id,
            release_url,
        }) if post.state == PostState::ActionRequired => {
            let revealed = release_id.is_some();
            let released = Released {
                release_id: release_id.as_deref(),
                release_url: release_url.as_deref(),
            };
            app.store.publish_late(submission, released, app.now()).await?;
            Ok(match revealed {
                true => JobEnd::Finish,
                false => again(app, job, &post),
            })
        }
        Ok(Progress::Published {
            release_id: Some(release_id),
            release_url,
        }) => {
            let released = Released {
                release_id: Some(&release_id),
                release_url: release_url.as_deref(),
            };
            app.store.set_release(post.id, released, app.now()).await?;
            Ok(JobEnd::Finish)
        }
        Ok(_) | Err(CallError::Provider(_)) => Ok(again(app, job, &post)),
        Err(CallError::Internal(error)) => Err(error),
    }
}

/// The try to ask about, with its handle: the one that was published; else those that may be out or can still be published, in turn, the
/// last one first: they arrived in the creator's inbox, or their outcome is unknown; else the last one.
fn followed(tries: &[Submission], turn: u32) -> Option<(&Submission, &str)> {
    const OPEN: &[SubmissionOutcome] = &[SubmissionOutcome::InInbox, SubmissionOutcome::Unknown];
    let open = ended_in(tries, OPEN).count().max(1);
    let turn = usize::try_from(turn).unwrap_or(0) % open;
    let chosen = ended_in(tries, &[SubmissionOutcome::Published])
        .next()
        .or_else(|| ended_in(tries, OPEN).nth(turn))
        .or_else(|| tries.iter().rfind(|tried| tried.handle.is_some()))?;
    Some((chosen, chosen.handle.as_deref()?))
}

/// The tries of a known handle that ended in one of these ways, the last one first.
fn ended_in<'a>(
    tries: &'a [Submission],
    outcomes: &'static [SubmissionOutcome],
) -> impl Iterator<Item = &'a Submission> {
    let is_one = move |outcome: SubmissionOutcome| outcomes.contains(&outcome);
    let ended = move |tried: &&Submission| tried.handle.is_some() && tried.outcome.is_some_and(is_one);
    tries.iter().rev().filter(ended)
}

fn waits(post: &Post) -> bool {
    match post.state {
        PostState::Published => post.release_id.is_none() || post.release_url.is_none(),
        PostState::ActionRequired => post.waiting == Some(Waiting::Inbox),
        PostState::Draft | PostState::Queue | PostState::Error => false,
    }
}

fn again(app: &App, job: &Job, post: &Post) -> JobEnd {
    let at = next_question(app.now(), job.checks);
    if at > post.updated_at.plus(WINDOW) {
        return JobEnd::Finish;
    }
    JobEnd::Release(Release {
        run_at: at,
        failures: job.failures,
        checks: job.checks + 1,
        queue: JobQueue::of(job.kind),
    })
}

/// 10 s, then half as long again each time, up to an hour.
fn next_question(now: Time, asked: u32) -> Time {
    let pause = Duration::from_secs(10).mul_f64(1.5f64.powi(i32::try_from(asked.min(20)).unwrap_or(20)));
    now.plus(pause.min(Duration::from_secs(3600)))
}
