//! The present handles of the accounts that a workspace has connected in another way. They are what shows that the account to be
//! connected is one of them, and they can be changed at any time.

use futures_util::{StreamExt, TryStreamExt};
use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;
use playout_domain::platform::{Platform, ProviderConnection};
use playout_domain::provider::{Fate, TokenSet};
use playout_domain::secret::Secret;

use super::refusals;
use crate::app::tokens::CallError;
use crate::app::{App, AppError};

/// How many accounts are asked about at once.
const AT_ONCE: usize = 8;

impl App {
    /// Requests the handles of the accounts that are connected otherwise than `wanted`, and stores them. Where one is not returned, for
    /// whatever reason, its account may be the one to be connected, and the stored handle may be an earlier one. Only an account that
    /// must be reconnected keeps its handle: nothing is published for it before it is connected again, which compares it.
    pub(super) async fn renew_handles(
        &self,
        workspace: WorkspaceId,
        wanted: ProviderConnection<'_>,
    ) -> Result<Result<(), Refusal>, AppError> {
        let mut others = self.store.list_platforms(workspace).await?;
        others.retain(|platform| {
            platform.provider == wanted.provider
                && platform.connection != wanted.connection
                && !platform.refresh_needed
        });
        let unanswered: Vec<Option<Refusal>> = futures_util::stream::iter(others)
            .map(|platform| async move { self.renew_handle(workspace, &platform).await })
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await?;
        Ok(unanswered.into_iter().flatten().next().map_or(Ok(()), Err))
    }

    /// Why the handle could not be requested.
    async fn renew_handle(
        &self,
        workspace: WorkspaceId,
        platform: &Platform,
    ) -> Result<Option<Refusal>, AppError> {
        let Some(provider) = self.provider_of(platform) else {
            return Ok(Some(refusals::not_compared(platform.shown_name())));
        };
        let state = self.store.token_state(workspace, platform.id).await?;
        let scopes = &state.map(|state| state.scopes).unwrap_or_default();
        let call = |access: Secret| async move {
            let tokens = TokenSet {
                provider_account_id: platform.provider_account_id.clone(),
                access,
                access_expires_at: self.now(),
                refresh: None,
                refresh_expires_at: None,
                scopes: scopes.clone(),
            };
            provider.profile(&tokens).await
        };
        match self.with_token(provider, platform, call).await {
            Ok(profile) => {
                let Some(handle) = &profile.display_handle else {
                    return Ok(Some(refusals::handle_unknown(platform.shown_name())));
                };
                self.store.see_handle(platform.id, handle, self.now()).await?;
                Ok(None)
            }
            Err(CallError::Provider(failed)) => {
                self.note_dead_access(platform, &failed).await?;
                let present = self.store.find_platform(workspace, platform.id).await?;
                let present = present.filter(|present| !present.refresh_needed);
                Ok(present.map(|present| not_returned(&present, failed.fate)))
            }
            Err(CallError::Internal(error)) => Err(error),
        }
    }
}

/// Why an account cannot be compared, about which the provider answered with an error of this fate.
fn not_returned(platform: &Platform, fate: Fate) -> Refusal {
    match fate {
        Fate::Rejected => refusals::handle_unknown(platform.shown_name()),
        _ => refusals::not_compared(platform.shown_name()),
    }
}
