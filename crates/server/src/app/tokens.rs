//! Provider tokens: fresh when needed, refreshed once at a time for an account, also across nodes.
//!
//! 1. Read the pair and its version.
//! 2. If it ends soon, or the provider refused it: take the account's lock on this node, then the lease in the database. A caller
//!    that finds a newer version meanwhile uses it.
//! 3. Ask the provider; store the new pair; only then use it.
//!
//! An error of the provider applies only to the tokens that its call was made with, so it names them ([`FailedCall`]).

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::explanation::{REFRESH_IN_PROGRESS, REFRESH_TOKEN_MISSING};
use playout_domain::platform::Platform;
use playout_domain::provider::{Fate, Provider, ProviderError, TokenSet};
use playout_domain::secret::Secret;
use playout_store::{RefreshClaim, TokenVersion, Tokens};

use super::{App, AppError};

/// A token that ends sooner than this is refreshed before it is used.
const MARGIN: Duration = Duration::from_secs(5 * 60);
/// How long a refresh may take before another node may try.
const REFRESH_LEASE: Duration = Duration::from_secs(60);

/// A provider's error, and the tokens that it is about: it concerns the account only while the account has them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct FailedCall {
    error: ProviderError,
    version: Option<TokenVersion>,
}

impl FailedCall {
    fn new(error: ProviderError, version: TokenVersion) -> Self {
        Self {
            error,
            version: Some(version),
        }
    }

    /// The same error where something else follows from it.
    pub fn with_fate(mut self, fate: Fate) -> Self {
        self.error.fate = fate;
        self
    }

    /// The account has no tokens: it was removed.
    fn without_tokens() -> Self {
        Self {
            error: REFRESH_TOKEN_MISSING.error(),
            version: None,
        }
    }
}

impl Deref for FailedCall {
    type Target = ProviderError;

    fn deref(&self) -> &ProviderError {
        &self.error
    }
}

/// Why a provider call with a token did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The provider rejected the call, or did not answer.
    #[error(transparent)]
    Provider(#[from] FailedCall),
    /// We failed.
    #[error(transparent)]
    Internal(#[from] AppError),
}

impl From<playout_store::StoreError> for CallError {
    fn from(error: playout_store::StoreError) -> Self {
        Self::Internal(error.into())
    }
}

impl App {
    /// Calls the provider with a fresh token. A refused token is refreshed and the call made once more; a second
    /// refusal means that the user must reconnect.
    pub async fn with_token<T, F: Future<Output = Result<T, ProviderError>>>(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        call: impl Fn(Secret) -> F,
    ) -> Result<T, CallError> {
        let mut tokens = self.fresh_tokens(provider, platform).await?;
        self.with_tokens(provider, platform, &mut tokens, call).await
    }

    /// [`App::with_token`] with tokens that were read a moment ago; newer ones take their place.
    pub async fn with_tokens<T, F: Future<Output = Result<T, ProviderError>>>(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        tokens: &mut Tokens,
        call: impl Fn(Secret) -> F,
    ) -> Result<T, CallError> {
        match call_once(tokens, &call).await {
            Err(failed) if failed.fate == Fate::StaleToken => {}
            other => return Ok(other?),
        }
        *tokens = Box::pin(self.refresh_tokens(provider, platform, tokens.version)).await?;
        Ok(call_renewed(tokens, &call).await?)
    }

    /// Marks an account as needing to be reconnected, if the error means that and the account still has the tokens that it is
    /// about.
    pub async fn note_dead_access(&self, platform: &Platform, failed: &FailedCall) -> Result<(), AppError> {
        if let (Fate::Reauthorize, Some(version)) = (failed.fate, failed.version) {
            self.store
                .mark_refresh_needed(platform.id, version, &failed.code, self.now())
                .await?;
        }
        Ok(())
    }

    /// An account's tokens, renewed if they end soon.
    ///
    /// # Errors
    /// When they must be renewed and are not.
    pub async fn fresh_tokens(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
    ) -> Result<Tokens, CallError> {
        let tokens = self.stored_tokens(platform).await?;
        if tokens.access_expires_at > self.now().plus(MARGIN) {
            return Ok(tokens);
        }
        match Box::pin(self.refresh_tokens(provider, platform, tokens.version)).await {
            // A token that is still valid is used on while the provider renews nothing.
            Err(CallError::Provider(failed))
                if failed.fate != Fate::Reauthorize && tokens.access_expires_at > self.now() =>
            {
                tracing::info!(platform = %platform.id, "using the present tokens of {}: {failed}", platform.id);
                Ok(tokens)
            }
            other => other,
        }
    }

    /// Replaces the pair of that version, unless someone else already did.
    pub async fn refresh_tokens(
        &self,
        provider: &Arc<dyn Provider>,
        platform: &Platform,
        version: TokenVersion,
    ) -> Result<Tokens, CallError> {
        let lock = self.refresh_lock(platform.id.0);
        let _only_one = lock.lock().await;
        let stored = self.stored_tokens(platform).await?;
        if stored.version != version {
            return Ok(stored);
        }
        let Some(refresh) = stored.refresh.as_ref() else {
            return self
                .not_refreshed(platform, version, REFRESH_TOKEN_MISSING.error())
                .await;
        };
        let claim = RefreshClaim {
            platform: platform.id,
            version,
            owner: &self.node.name,
            lease: REFRESH_LEASE,
        };
        if !self.store.claim_refresh(claim, self.now()).await? {
            return Err(FailedCall::new(REFRESH_IN_PROGRESS.error(), version).into());
        }
        self.failpoint("refresh.before_call");
        let answer = provider.refresh(refresh).await;
        self.failpoint("refresh.after_call");
        match answer {
            Ok(set) => self.store_refreshed(platform, &stored, &set).await,
            Err(error) => {
                self.store.release_refresh(platform.id, &self.node.name).await?;
                self.not_refreshed(platform, version, error).await
            }
        }
    }

    /// Tokens that were stored while the provider was asked go on being used. A refusal concerns those of `version` alone:
    /// another node may have obtained the next pair with the same refresh token, and stored it after a stall.
    async fn not_refreshed(
        &self,
        platform: &Platform,
        version: TokenVersion,
        error: ProviderError,
    ) -> Result<Tokens, CallError> {
        if error.fate == Fate::Reauthorize {
            self.store
                .mark_refresh_refused(platform.id, version, &error.code, self.now())
                .await?;
        }
        match self.store.tokens(platform.id).await? {
            Some(stored) if stored.version != version => Ok(stored),
            _ => Err(FailedCall::new(error, version).into()),
        }
    }

    async fn store_refreshed(
        &self,
        platform: &Platform,
        made_from: &Tokens,
        set: &TokenSet,
    ) -> Result<Tokens, CallError> {
        let saved = self
            .store
            .save_tokens(platform.id, made_from, set, self.now())
            .await?;
        if saved.is_none() && self.store.tokens(platform.id).await?.is_none() {
            // The account was removed meanwhile, and the access that went with it was the one before.
            self.give_back(platform.provider_connection(), set).await?;
        }
        self.failpoint("refresh.after_save");
        tracing::info!(platform = %platform.id, "refreshed the tokens of {}", platform.id);
        self.stored_tokens(platform).await
    }

    async fn stored_tokens(&self, platform: &Platform) -> Result<Tokens, CallError> {
        let tokens = self.store.tokens(platform.id).await?;
        tokens.ok_or_else(|| FailedCall::without_tokens().into())
    }
}

/// Calls the provider with these tokens, once.
pub async fn call_once<T, F: Future<Output = Result<T, ProviderError>>>(
    tokens: &Tokens,
    call: &impl Fn(Secret) -> F,
) -> Result<T, FailedCall> {
    let answer = call(tokens.access.clone()).await;
    answer.map_err(|error| FailedCall::new(error, tokens.version))
}

/// [`call_once`] with tokens that were just renewed: where they are refused too, the user must reconnect.
pub async fn call_renewed<T, F: Future<Output = Result<T, ProviderError>>>(
    tokens: &Tokens,
    call: &impl Fn(Secret) -> F,
) -> Result<T, FailedCall> {
    call_once(tokens, call).await.map_err(|failed| match failed.fate {
        Fate::StaleToken => failed.with_fate(Fate::Reauthorize),
        _ => failed,
    })
}
