//! Connected accounts.

use std::sync::Arc;

use playout_domain::error::{Code, Refusal};
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::platform::{Platform, PlatformSchema};
use playout_domain::provider::Provider;

use super::{App, AppError};

impl App {
    /// The accounts that can be posted to, with their providers.
    pub async fn list_platforms(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Vec<(Platform, &'static str)>, AppError> {
        let platforms = self.store.list_ready_platforms(workspace).await?;
        let with_provider = |platform: Platform| {
            Some((self.provider(&platform.provider)?.name(), platform)).map(|(n, p)| (p, n))
        };
        Ok(platforms.into_iter().filter_map(with_provider).collect())
    }

    /// An account that can be posted to, and what it accepts.
    pub async fn platform_schema(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
    ) -> Result<(Platform, &'static str, PlatformSchema), AppError> {
        let platform = self.store.find_platform(workspace, id).await?;
        let (platform, provider) = self.ready(platform).ok_or_else(platform_not_found)?;
        let schema = provider.schema(&platform);
        Ok((platform, provider.name(), schema))
    }

    /// The account with its provider, if it is there, enabled and connected.
    pub(crate) fn ready(&self, platform: Option<Platform>) -> Option<(Platform, &Arc<dyn Provider>)> {
        let platform = platform.filter(Platform::is_ready)?;
        let provider = self.provider(&platform.provider)?;
        Some((platform, provider))
    }
}

/// The refusal for an account that is missing, disabled or needs reconnecting: they look the same (seed).
pub(crate) fn platform_not_found() -> Refusal {
    Refusal::new(
        Code::PlatformNotFound,
        "No connected account with this ID can be posted to in this workspace.",
    )
}
