//! Brings a comment under its published root. A comment is one call without a handle: its ledger row before the
//! call is all there is, so an answer that never came is settled by a person.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::id::SubmissionId;
use playout_domain::job::Job;
use playout_domain::platform::Platform;
use playout_domain::post::{Post, PostState, Verdict};
use playout_domain::provider::{Fate, Grant, ProviderError};
use playout_domain::secret::Secret;
use playout_domain::submission::{SubmissionOutcome, Transfer};
use playout_store::{AttemptDetail, NewSubmission, Settlement};

use super::publish::settle;
use super::verdicts;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};
use crate::chance;

/// How long to wait for the root's ID before looking again.
const WAIT_FOR_ROOT: Duration = Duration::from_secs(30);

/// Runs a `PublishComment` job once.
pub async fn run(app: &Arc<App>, job: &Job) -> Result<(), AppError> {
    let group = match job.post_id {
        Some(post_id) => app.store.find_group(job.workspace_id, post_id).await?,
        None => None,
    };
    let Some(group) = group.map(|found| found.group) else {
        return finish(app, job).await;
    };
    let Some(comment) = group.children.iter().find(|child| Some(child.id) == job.post_id) else {
        return finish(app, job).await;
    };
    if comment.state != PostState::Queue || group.root.state != PostState::Published {
        return finish(app, job).await;
    }
    if let Some(lost) = app.store.open_submission_of(comment.id).await? {
        return settle(app, job, unknown(lost.id, AttemptDetail::default())).await;
    }
    match (
        &group.root.release_id,
        app.store
            .find_platform(job.workspace_id, comment.platform_id)
            .await?,
    ) {
        (_, None) => settle(app, job, unavailable()).await,
        (_, Some(platform)) if platform.disabled => settle(app, job, unavailable()).await,
        (None, Some(_)) => wait_for_root(app, job).await,
        (Some(release_id), Some(platform)) => post(app, job, (comment, &platform, release_id)).await,
    }
}

async fn finish(app: &App, job: &Job) -> Result<(), AppError> {
    app.store.finish(job).await?;
    Ok(())
}

async fn wait_for_root(app: &App, job: &Job) -> Result<(), AppError> {
    let at = app.now().plus(WAIT_FOR_ROOT);
    let text = "The provider never revealed the ID of the post, so that nothing could be commented under it."
        .to_owned();
    let verdict = match at <= job.deadline_at {
        true => Verdict::Again {
            at,
            text: None,
            failed: false,
        },
        false => Verdict::Error { text },
    };
    settle(app, job, verdicts::settlement(verdict, AttemptDetail::default())).await
}

async fn post(app: &Arc<App>, job: &Job, target: (&Post, &Platform, &str)) -> Result<(), AppError> {
    let (comment, platform, release_id) = target;
    let Some(provider) = app.provider(&platform.provider) else {
        return settle(app, job, unavailable()).await;
    };
    let submission = chance::id(app.now());
    let new = NewSubmission {
        id: submission,
        transfer: Transfer::Text,
        token_hash: None,
        reason: None,
    };
    app.reach("comment.before_open");
    if !app.store.open_submission(job, &new, app.now()).await? {
        return Ok(());
    }
    app.reach("comment.after_open");
    let text = comment.content.as_str();
    let call = |access: Secret| async move {
        provider
            .comment(
                Grant {
                    platform,
                    access: &access,
                },
                release_id,
                text,
            )
            .await
    };
    let answer = app.with_token(provider, platform, call).await;
    app.reach("comment.after_call");
    let settlement = match answer {
        Ok(id) => {
            let verdict = Verdict::Published {
                release_id: Some(id),
                release_url: None,
            };
            verdicts::closing(
                submission,
                SubmissionOutcome::Published,
                verdict,
                AttemptDetail::default(),
            )
        }
        Err(CallError::Provider(error)) if error.fate == Fate::Unknown => {
            unknown(submission, verdicts::detail(&error))
        }
        Err(CallError::Provider(error)) => failed(app, job, (platform, &error, submission)).await?,
        Err(CallError::Internal(error)) => return Err(error),
    };
    settle(app, job, settlement).await
}

async fn failed(
    app: &App,
    job: &Job,
    (platform, error, submission): (&Platform, &ProviderError, SubmissionId),
) -> Result<Settlement, AppError> {
    if error.fate == Fate::Reauthorize {
        app.store.mark_refresh_needed(platform.id, app.now()).await?;
    }
    let ending = verdicts::ending(job, error, app.now());
    Ok(verdicts::closing(
        submission,
        ending.outcome,
        ending.verdict,
        verdicts::detail(error),
    ))
}

fn unknown(submission: SubmissionId, detail: AttemptDetail) -> Settlement {
    verdicts::closing(
        submission,
        SubmissionOutcome::Unknown,
        verdicts::unconfirmed(),
        detail,
    )
}

fn unavailable() -> Settlement {
    verdicts::settlement(verdicts::account_unavailable(), AttemptDetail::default())
}
