//! Connecting an account: OAuth with PKCE from the link to the stored tokens.
//!
//! 1. `start_connecting` stores a one-time state with the verifier and answers the provider's address.
//! 2. The user agrees there; the provider sends them to `/oauth/{provider}/callback`.
//! 3. `finish_connecting` takes the state (once), trades the code, asks who it is, and stores account and tokens.

use std::sync::Arc;

use playout_domain::error::{Code, Refusal};
use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::provider::{AuthorizationRequest, Provider, ProviderError};
use playout_domain::secret::Secret;
use playout_domain::workspace::Workspace;
use playout_store::{Authorization, ConnectPlatform, NewConnection};
use serde_json::Map;
use sha2::{Digest, Sha256};
use std::time::Duration;

use super::usage::quota_details;
use super::{App, AppError};
use crate::chance;
use crate::config::plan_of;

/// How long a person may take at the provider.
const AUTHORIZATION_LASTS: Duration = Duration::from_secs(15 * 60);

impl App {
    /// Begins to connect an account of `provider`: the address to send the user to.
    pub async fn start_connecting(&self, workspace: WorkspaceId, provider: &str) -> Result<String, AppError> {
        let provider = self.configured(provider)?;
        let (state, verifier) = (chance::token(), Secret::new(hex::encode(chance::bytes::<32>())));
        let authorization = Authorization {
            workspace_id: workspace,
            user_id: None,
            session_hash: None,
            provider: provider.id().to_owned(),
            verifier,
            expires_at: self.now().plus(AUTHORIZATION_LASTS),
        };
        self.store
            .create_authorization(state_hash(&state), &authorization, self.now())
            .await?;
        let redirect_uri = self.redirect_uri(provider.id());
        let request = AuthorizationRequest {
            state: &state,
            verifier: &authorization.verifier,
            redirect_uri: &redirect_uri,
        };
        Ok(provider.authorization_url(&request))
    }

    /// Ends what `start_connecting` began.
    pub async fn finish_connecting(
        &self,
        provider: &str,
        state: &str,
        code: &str,
    ) -> Result<PlatformId, AppError> {
        let provider = Arc::clone(self.configured(provider)?);
        let taken = self
            .store
            .take_authorization(state_hash(state), self.now())
            .await?;
        let authorization = taken
            .filter(|taken| taken.provider == provider.id())
            .ok_or_else(unknown_state)?;
        let redirect_uri = self.redirect_uri(provider.id());
        let request = AuthorizationRequest {
            state,
            verifier: &authorization.verifier,
            redirect_uri: &redirect_uri,
        };
        let tokens = provider
            .exchange(&request, code)
            .await
            .map_err(|error| refused(&error))?;
        let profile = provider.profile(&tokens).await.map_err(|error| refused(&error))?;
        let workspace = self
            .store
            .find_workspace(authorization.workspace_id)
            .await?
            .ok_or_else(unknown_state)?;
        let account_limit = plan_of(&self.config, &workspace.plan).connected_accounts;
        let connection = NewConnection {
            provider: provider.id().to_owned(),
            profile,
            tokens,
            default_settings: Map::new(),
            account_limit,
        };
        self.store_connection(&workspace, &connection).await
    }

    async fn store_connection(
        &self,
        workspace: &Workspace,
        connection: &NewConnection,
    ) -> Result<PlatformId, AppError> {
        match self
            .store
            .connect_platform(workspace.id, connection, self.now())
            .await?
        {
            ConnectPlatform::Connected { id, requeued, .. } => {
                tracing::info!(workspace = %workspace.id, platform = %id, "connected {id}; {requeued} posts go on");
                Ok(id)
            }
            ConnectPlatform::LimitReached { limit, used } => {
                let message = format!("The plan allows {limit} connected accounts; {used} are connected.");
                Err(Refusal::new(Code::AccountLimitReached, message)
                    .with_details(quota_details(limit, used, None))
                    .into())
            }
        }
    }

    fn configured(&self, provider: &str) -> Result<&Arc<dyn Provider>, Refusal> {
        self.provider(provider).ok_or_else(|| {
            Refusal::new(
                Code::ProviderNotConfigured,
                "This provider is not configured on this server.",
            )
        })
    }

    fn redirect_uri(&self, provider: &str) -> String {
        format!("{}/oauth/{provider}/callback", self.config.base_url)
    }
}

fn state_hash(state: &str) -> [u8; 32] {
    Sha256::digest(state.as_bytes()).into()
}

fn unknown_state() -> Refusal {
    Refusal::new(
        Code::InvalidRequest,
        "This connection was already finished, or took too long. Start again.",
    )
}

fn refused(error: &ProviderError) -> Refusal {
    Refusal::new(Code::ProviderUnavailable, error.message.clone())
}
