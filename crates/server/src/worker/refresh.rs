//! Buys an account's next tokens before the present ones end, so that publishing finds them fresh.

use std::sync::Arc;

use playout_domain::job::{Job, retry_at};
use playout_domain::provider::{Fate, ProviderError};

use playout_store::Release;

use crate::app::tokens::CallError;
use crate::app::{App, AppError};
use crate::chance;

/// Runs a `RefreshPlatform` job once.
pub async fn run(app: &Arc<App>, job: &Job) -> Result<(), AppError> {
    let platform = app.store.find_platform(job.workspace_id, job.platform_id).await?;
    let platform = platform.filter(|platform| !platform.refresh_needed);
    let provider = platform.as_ref().and_then(|platform| app.provider_of(platform));
    let (Some(platform), Some(provider)) = (&platform, provider) else {
        app.store.finish(job).await?;
        return Ok(());
    };
    let Some(tokens) = app.store.tokens(platform.id).await? else {
        app.store.finish(job).await?;
        return Ok(());
    };
    let version = tokens.version;
    match app.refresh_tokens(provider, platform, version).await {
        // Storing the new pair has put the job to its next time.
        Ok(_) => Ok(()),
        Err(CallError::Provider(error)) => not_refreshed(app, job, &error).await,
        Err(CallError::Internal(error)) => Err(error),
    }
}

/// A hiccup is retried for hours; only a clear refusal means that the user must reconnect (lessons C3.23).
async fn not_refreshed(app: &App, job: &Job, error: &ProviderError) -> Result<(), AppError> {
    tracing::warn!(platform = %job.platform_id, "could not refresh the tokens of {}: {error}", job.platform_id);
    if error.fate == Fate::Reauthorize {
        app.store.mark_refresh_needed(job.platform_id, app.now()).await?;
        return Ok(());
    }
    let now = app.now();
    let far = now.plus(playout_domain::job::RETRY_WINDOW);
    let at = retry_at(now, job.failures + 1, far, chance::fraction()).unwrap_or(far);
    let release = Release {
        run_at: at,
        failures: job.failures + 1,
        checks: job.checks,
    };
    app.store.release(job, release).await?;
    Ok(())
}
