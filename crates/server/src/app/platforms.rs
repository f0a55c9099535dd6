//! Connected accounts.

use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::listing::is_listed;
use playout_domain::media::MediaType;
use playout_domain::platform::{ListedPlatform, Platform, PlatformSchema, Strictness, check_settings};
use playout_domain::provider::Provider;
use playout_store::{PlatformChanges, PlatformUpdate};
use playout_wire::platforms::{PlatformBody, UpdatePlatform};
use serde_json::{Map, Value};

use super::expected::Expected;
use super::{App, AppError};

impl App {
    /// The accounts with the names of their providers: those that can be posted to, or all that were not removed.
    pub async fn list_platforms(
        &self,
        workspace: WorkspaceId,
        all: bool,
    ) -> Result<Vec<(ListedPlatform, &'static str)>, AppError> {
        let mut platforms = self.store.list_shown_platforms(workspace).await?;
        platforms.retain(|platform| all || platform.is_ready());
        let with_provider = |platform: ListedPlatform| {
            let name = self.provider_of(&platform)?.name();
            Some((platform, name))
        };
        Ok(platforms.into_iter().filter_map(with_provider).collect())
    }

    /// An account, in whatever state.
    pub async fn get_platform(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
    ) -> Result<(Platform, &'static str), AppError> {
        let platform = self.store.find_platform(workspace, id).await?;
        let platform = platform.ok_or_else(no_platform)?;
        let name = self.requested_provider(platform.provider_connection())?.name();
        Ok((platform, name))
    }

    /// Changes what a person may change of an account. Its defaults are checked against the account's last stored
    /// options, as a post's settings are.
    pub async fn update_platform(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        request: UpdatePlatform,
        actor: &Actor,
        expected: &Expected,
    ) -> Result<(Platform, &'static str), AppError> {
        let (platform, name) = self.get_platform(workspace, id).await?;
        let allows = |platform: &Platform| expected.allows(&PlatformBody::new(platform.clone(), name));
        expected.check(&PlatformBody::new(platform.clone(), name))?;
        if let Some(settings) = &request.settings {
            let schema = self
                .requested_provider(platform.provider_connection())?
                .schema(&platform);
            let issues = check_settings(&schema.fields, settings, Strictness::Full);
            if !issues.is_empty() {
                return Err(Refusal::invalid(issues).into());
            }
        }
        let changes = PlatformChanges {
            disabled: request.disabled,
            settings: request.settings,
        };
        let update = PlatformUpdate {
            changes: &changes,
            only_if: expected.only_if(&allows),
            lists_not_all: &|platform| self.lists_not_all(platform, &platform.settings),
        };
        let updated = self
            .store
            .update_platform_if(workspace, id, update, actor, self.now())
            .await?;
        Ok((updated.ok_or_else(no_platform)?, name))
    }

    /// Whether the account may not list a post with these settings: photos, or a video.
    pub(super) fn lists_not_all(&self, platform: &Platform, settings: &Map<String, Value>) -> bool {
        self.provider_of(platform).is_none_or(|provider| {
            let is_listed = |kind| is_listed(provider.as_ref(), platform, Some(kind), settings);
            !is_listed(MediaType::Image) || !is_listed(MediaType::Video)
        })
    }

    /// Removes an account for certain. Its access is given back to the provider afterwards, however long that takes.
    pub async fn remove_platform(
        &self,
        workspace: WorkspaceId,
        id: PlatformId,
        actor: &Actor,
        expected: &Expected,
    ) -> Result<(), AppError> {
        // Without a condition an account is removed although its provider is no longer configured here.
        let name = match expected {
            Expected::Any => "",
            Expected::OneOf(_) => self.get_platform(workspace, id).await?.1,
        };
        let allows = |platform: &Platform| expected.allows(&PlatformBody::new(platform.clone(), name));
        let removed = self
            .store
            .remove_platform_if(workspace, id, actor, self.now(), expected.only_if(&allows))
            .await?;
        self.revoking.notify_one();
        match removed {
            true => Ok(()),
            false => Err(no_platform().into()),
        }
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
        let provider = self.provider_of(&platform)?;
        Some((platform, provider))
    }
}

/// The refusal for an account that is missing, disabled or needs reconnecting: they look the same
/// (`docs/contract.md#platforms`).
pub(crate) fn platform_not_found() -> Refusal {
    Refusal::new(
        Code::PlatformNotFound,
        "No connected account with this ID can be posted to in this workspace.",
    )
}

/// The refusal for an account that does not exist, on routes that show every account that does.
pub fn no_platform() -> Refusal {
    Refusal::new(
        Code::PlatformNotFound,
        "No account with this ID is connected to this workspace.",
    )
}
