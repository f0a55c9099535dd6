//! What a provider tells us unasked. News only ever makes us look sooner or settles what was open; it never submits.

use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::platform::Platform;
use playout_domain::provider::{Fate, Grant, Progress, ProviderEvent, ProviderEventKind};
use playout_domain::secret::Secret;
use playout_store::Released;

use super::tokens::CallError;
use super::{App, AppError};

impl App {
    /// Takes in one genuine notification of `provider`.
    pub async fn take_event(&self, provider: &str, event: &ProviderEvent) -> Result<(), AppError> {
        let accounts = self
            .store
            .find_by_provider_account(provider, &event.provider_account_id)
            .await?;
        for (workspace, platform) in accounts {
            match &event.kind {
                ProviderEventKind::Ignored => {}
                ProviderEventKind::Revoked => self.account_revoked(&platform).await?,
                ProviderEventKind::Submission { handle, progress } => {
                    self.news_of(workspace, platform.id, (handle, progress)).await?;
                }
            }
        }
        Ok(())
    }

    /// The notice may be old, and the account reconnected since: only the tokens themselves can tell.
    async fn account_revoked(&self, platform: &Platform) -> Result<(), AppError> {
        let Some(provider) = self.provider_of(platform) else {
            return Ok(());
        };
        let ask = |access: Secret| async move {
            provider
                .options(Grant {
                    platform,
                    access: &access,
                })
                .await
        };
        match self.with_token(provider, platform, ask).await {
            Err(CallError::Provider(error)) if error.fate == Fate::Reauthorize => {
                self.store.mark_refresh_needed(platform.id, self.now()).await?;
                Ok(())
            }
            Err(CallError::Internal(error)) => Err(error),
            Ok(_) | Err(CallError::Provider(_)) => Ok(()),
        }
    }

    async fn news_of(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
        (handle, progress): (&str, &Progress),
    ) -> Result<(), AppError> {
        let now = self.now();
        let known = match self.store.find_by_handle(platform, handle).await? {
            Some(submission) => Some(submission),
            // A failure may be that of an earlier try, whose addresses were revoked: it says nothing of the present one.
            None if matches!(progress, Progress::Failed(_)) => None,
            // Only a handover of ours whose answer was lost has a handle that we do not know.
            None => self.store.adopt_handle(platform, handle, now).await?,
        };
        let Some(submission) = known else {
            tracing::info!(%workspace, %platform, "news of {handle}, which is not known here");
            return Ok(());
        };
        if submission.closed_at.is_none() {
            self.store.poke_job_of(submission.post_id, now).await?;
            return Ok(());
        }
        if let Progress::Published {
            release_id,
            release_url,
        } = progress
        {
            let released = Released {
                release_id: release_id.as_deref(),
                release_url: release_url.as_deref(),
            };
            // The news names no page: that is asked for.
            if self.store.publish_late(submission.post_id, released, now).await? {
                self.store.follow_link(submission.post_id, now).await?;
            }
        }
        Ok(())
    }
}
