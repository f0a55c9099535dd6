//! Connecting an account: OAuth with PKCE from the link to the stored tokens.
//!
//! 1. `start_connecting` stores a one-time state with the verifier and answers the provider's address. A person's state
//!    belongs to their session; the operator's, who prints the link at the machine itself, to none.
//! 2. The user agrees there; the provider sends them to `/oauth/{provider}/callback`.
//! 3. `finish_connecting` takes the state (once), looks whether the same session has come back and may still connect,
//!    trades the code, requests the handles of accounts that may be the same one, and stores account and tokens. Access that
//!    connects nothing is given back.

mod present_handles;
mod refusals;

use std::sync::Arc;
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::error::Refusal;
use playout_domain::id::{PlatformId, UserId, WorkspaceId};
use playout_domain::platform::{Platform, ProviderConnection};
use playout_domain::provider::{AccountProfile, AuthorizationRequest, Permission, Provider, TokenSet};
use playout_domain::secret::Secret;
use playout_domain::workspace::Role;
use playout_store::{Authorization, ConnectPlatform, NewConnection};
use serde_json::Map;
use sha2::{Digest, Sha256};

use super::opaque_token::hash_of;
use super::refusals::{provider_not_configured, role_too_low};
use super::{App, AppError};
use crate::chance;

/// How long a person may take at the provider.
const AUTHORIZATION_LASTS: Duration = Duration::from_secs(15 * 60);
/// The lowest role that may connect an account, checked at the start and at the callback.
const CONNECTS: Role = Role::Admin;

/// A user with a session who starts a connection, or returns from the provider.
#[derive(Debug, Clone)]
pub struct Connector {
    /// The user.
    pub user: UserId,
    /// Their session's token.
    pub token: Secret,
    /// The actor that the audit trail records.
    pub actor: Actor,
}

/// An account that was connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connected {
    /// Its identifier.
    pub id: PlatformId,
    /// How many posts that waited for it go on; `None` where the account is new here.
    pub requeued: Option<u64>,
}

impl App {
    /// Begins to connect an account for the operator: the address to send a person to.
    pub async fn start_connecting(
        &self,
        workspace: WorkspaceId,
        wanted: ProviderConnection<'_>,
    ) -> Result<String, AppError> {
        self.authorize(workspace, wanted, None).await
    }

    /// The same for a user who must return in the same session.
    pub async fn start_connecting_for(
        &self,
        workspace: WorkspaceId,
        wanted: ProviderConnection<'_>,
        connector: &Connector,
    ) -> Result<String, AppError> {
        self.authorize(workspace, wanted, Some(connector)).await
    }

    async fn authorize(
        &self,
        workspace: WorkspaceId,
        wanted: ProviderConnection<'_>,
        connector: Option<&Connector>,
    ) -> Result<String, AppError> {
        let provider = self.requested_provider(wanted)?;
        let (state, verifier) = (chance::token(), Secret::new(hex::encode(chance::bytes::<32>())));
        let authorization = Authorization {
            workspace_id: workspace,
            user_id: connector.map(|connector| connector.user),
            session_hash: connector.map(|connector| hash_of(&connector.token)),
            provider: provider.id().to_owned(),
            connection: provider.connection(),
            verifier,
            expires_at: self.now().plus(AUTHORIZATION_LASTS),
        };
        self.store
            .create_authorization(state_hash(&state), &authorization, self.now())
            .await?;
        let redirect_uri = self.redirect_uri(provider.as_ref());
        let request = AuthorizationRequest {
            state: &state,
            verifier: &authorization.verifier,
            redirect_uri: &redirect_uri,
        };
        Ok(provider.authorization_url(&request))
    }

    /// Finishes what `start_connecting` or `start_connecting_for` began. The state is consumed in any case.
    pub async fn finish_connecting(
        &self,
        provider: &str,
        (state, code): (&str, &str),
        connector: Option<&Connector>,
    ) -> Result<Connected, AppError> {
        if !self.providers().any(|known| known.id() == provider) {
            return Err(provider_not_configured().into());
        }
        let authorization = self.take_back(provider, state, connector).await?;
        let wanted = ProviderConnection {
            provider,
            connection: authorization.connection,
        };
        let provider = Arc::clone(self.requested_provider(wanted)?);
        let redirect_uri = self.redirect_uri(provider.as_ref());
        let request = AuthorizationRequest {
            state,
            verifier: &authorization.verifier,
            redirect_uri: &redirect_uri,
        };
        let tokens = provider
            .exchange(&request, code)
            .await
            .map_err(|error| refusals::refused(&error))?;
        let profile = match who_is_it(provider.as_ref(), &tokens).await {
            Ok(profile) => self
                .renew_handles(authorization.workspace_id, wanted)
                .await?
                .map(|()| profile),
            Err(refusal) => Err(refusal),
        };
        let profile = match profile {
            Ok(profile) => profile,
            Err(refusal) => {
                self.give_back(wanted, &tokens).await?;
                return Err(refusal.into());
            }
        };
        let actor = connector.filter(|_| authorization.user_id.is_some());
        let actor = actor.map_or_else(Actor::operator, |connector| connector.actor.clone());
        self.store_connection(&authorization, profile, tokens, &actor)
            .await
    }

    /// Consumes the state of a connection that the provider, or the user there, refused.
    pub async fn drop_connecting(&self, state: &str) -> Result<(), AppError> {
        self.store
            .take_authorization(state_hash(state), self.now())
            .await?;
        Ok(())
    }

    /// Takes the authorization of that state, if `connector` is the one that started it and may still connect.
    async fn take_back(
        &self,
        provider: &str,
        state: &str,
        connector: Option<&Connector>,
    ) -> Result<Authorization, AppError> {
        let taken = self
            .store
            .take_authorization(state_hash(state), self.now())
            .await?;
        let authorization = taken
            .filter(|taken| taken.provider == provider)
            .ok_or_else(refusals::unknown_state)?;
        let Some(user) = authorization.user_id else {
            return Ok(authorization);
        };
        let is_same = |connector: &&Connector| {
            connector.user == user && authorization.session_hash == Some(hash_of(&connector.token))
        };
        connector.filter(is_same).ok_or_else(refusals::another_session)?;
        let role = self.store.role_of(authorization.workspace_id, user).await?;
        match role.is_some_and(|role| role.covers(CONNECTS)) {
            true => Ok(authorization),
            false => Err(role_too_low().into()),
        }
    }

    async fn store_connection(
        &self,
        authorization: &Authorization,
        profile: AccountProfile,
        tokens: TokenSet,
        actor: &Actor,
    ) -> Result<Connected, AppError> {
        let id = authorization.workspace_id;
        let workspace = self.store.find_workspace(id).await?;
        let plan = workspace.map(|workspace| workspace.plan).unwrap_or_default();
        let connection = NewConnection {
            provider: authorization.provider.clone(),
            connection: authorization.connection,
            profile,
            tokens,
            default_settings: Map::new(),
            account_limit: self.plan_of(&plan).connected_accounts,
            by: authorization.user_id.map(|user| (user, CONNECTS)),
        };
        let outcome = self
            .store
            .connect_platform(id, &connection, actor, self.now())
            .await?;
        // What was not connected is to be given back.
        self.revoking.notify_one();
        if let ConnectPlatform::NotCompared(other) = outcome {
            let other = self.store.find_platform(id, other).await?;
            let name = other.as_ref().map_or("An account", Platform::shown_name);
            return Err(refusals::handle_unknown(name).into());
        }
        told(id, outcome)
    }

    fn redirect_uri(&self, provider: &dyn Provider) -> String {
        format!("{}{}", self.config.base_url, provider.callback_path())
    }
}

/// Requests the profile of the tokens' account, if their scopes suffice to post.
async fn who_is_it(provider: &dyn Provider, tokens: &TokenSet) -> Result<AccountProfile, Refusal> {
    let is_missing = |needed: &&Permission| !tokens.scopes.iter().any(|granted| granted == needed.scope);
    let missing: Vec<&Permission> = provider.needed_permissions().iter().filter(is_missing).collect();
    if !missing.is_empty() {
        return Err(refusals::permissions_missing(&missing));
    }
    provider
        .profile(tokens)
        .await
        .map_err(|error| refusals::refused(&error))
}

fn told(workspace: WorkspaceId, outcome: ConnectPlatform) -> Result<Connected, AppError> {
    let refusal = match outcome {
        ConnectPlatform::Connected { id, is_new, requeued } => {
            tracing::info!(%workspace, platform = %id, "connected {id}; {requeued} posts go on");
            let requeued = (!is_new).then_some(requeued);
            return Ok(Connected { id, requeued });
        }
        ConnectPlatform::LimitReached { limit, used } => refusals::limit_reached(limit, used),
        ConnectPlatform::NotAllowed => role_too_low(),
        ConnectPlatform::BeingRevoked => refusals::being_revoked(),
        ConnectPlatform::Otherwise(connection) => refusals::connected_otherwise(connection),
        ConnectPlatform::NotCompared(_) => refusals::handle_unknown("An account"),
    };
    Err(refusal.into())
}

fn state_hash(state: &str) -> [u8; 32] {
    Sha256::digest(state.as_bytes()).into()
}
