//! Obtains an account's next tokens before the present ones expire, so that publishing finds them fresh.

use std::sync::Arc;

use playout_domain::job::{Job, JobQueue, Release, retry_at};
use playout_domain::platform::Platform;
use playout_domain::provider::{Fate, Provider, ProviderError};

use super::job_end::JobEnd;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};
use crate::chance;

/// Runs a `RefreshPlatform` job once.
pub(super) async fn run(app: &Arc<App>, job: &Job) -> Result<JobEnd, AppError> {
    let platform = app.store.find_platform(job.workspace_id, job.platform_id).await?;
    let platform = platform.filter(|platform| !platform.refresh_needed);
    let Some(platform) = &platform else {
        return Ok(JobEnd::Finish);
    };
    let provider = app.configured_provider_of(platform)?;
    let Some(tokens) = app.store.tokens(platform.id).await? else {
        return Ok(JobEnd::Finish);
    };
    let version = tokens.version;
    match app.refresh_tokens(provider, platform, version).await {
        Ok(_) => {
            hear(app, platform, provider).await?;
            Ok(JobEnd::AlreadyWritten)
        }
        Err(CallError::Provider(error)) => Ok(not_refreshed(app, job, &error)),
        Err(CallError::Internal(error)) => Err(error),
    }
}

/// Requests the account's options once with each pair of tokens: the options shown for an account are never older than
/// its tokens, and what keeps it from posting shows before a post is due. Nothing waits for the answer.
async fn hear(app: &App, platform: &Platform, provider: &Arc<dyn Provider>) -> Result<(), AppError> {
    match app.hear_options(provider, platform).await {
        Ok(_) => Ok(()),
        Err(CallError::Provider(error)) => {
            tracing::info!(platform = %platform.id, "the options of {} were not heard: {error}", platform.id);
            app.note_dead_access(platform, &error).await
        }
        Err(CallError::Internal(error)) => Err(error),
    }
}

/// A temporary failure is retried for hours; only a clear refusal means that the user must reconnect
/// (`docs/contract.md#reconnecting`).
fn not_refreshed(app: &App, job: &Job, error: &ProviderError) -> JobEnd {
    tracing::warn!(platform = %job.platform_id, "could not refresh the tokens of {}: {error}", job.platform_id);
    if error.fate == Fate::Reauthorize {
        return JobEnd::AlreadyWritten;
    }
    let now = app.now();
    let far = now.plus(playout_domain::job::RETRY_WINDOW);
    let at = retry_at(now, job.failures + 1, far, chance::fraction()).unwrap_or(far);
    JobEnd::Release(Release {
        run_at: at,
        failures: job.failures + 1,
        checks: job.checks,
        queue: JobQueue::of(job.kind),
    })
}
