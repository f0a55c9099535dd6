//! Revokes access at the providers. Code that removes tokens from an account, or receives tokens that no account is to
//! keep, leaves them to this job, so that no request waits for a provider, and a provider that cannot be reached is called
//! again.
//!
//! 1. Claim what is due; what a connected account still needs has been forgotten by then.
//! 2. Call the provider. If the access token has expired, obtain another with the refresh token and store it before it is
//!    used.
//! 3. Done when the provider has revoked it, or answers that it is invalid already; else tried again later, until it
//!    expires.

use std::time::Duration;

use playout_domain::job::retry_at;
use playout_domain::platform::ProviderConnection;
use playout_domain::provider::{Fate, Provider, ProviderError, TokenSet};
use playout_domain::time::Time;
use playout_store::Revocation;
use tokio_util::sync::CancellationToken;

use super::{App, AppError};
use crate::chance;

/// How long one try may take before another node may: three calls to the provider, each bounded by its client.
const LEASE: Duration = Duration::from_secs(120);

impl App {
    /// Stores access that no account is to have, for the job to revoke.
    pub(super) async fn give_back(
        &self,
        from: ProviderConnection<'_>,
        tokens: &TokenSet,
    ) -> Result<(), AppError> {
        self.store.queue_revocation(from, tokens, self.now()).await?;
        self.revoking.notify_one();
        Ok(())
    }

    /// Revokes all that is due, until `stop`; returns when the next is due.
    pub async fn revoke_due(&self, stop: &CancellationToken) -> Result<Option<Time>, AppError> {
        while !stop.is_cancelled()
            && let Some(held) = self.store.claim_revocation(LEASE, self.now()).await?
        {
            self.revoke(held).await?;
        }
        Ok(self.store.next_revocation_at().await?)
    }

    async fn revoke(&self, held: Revocation) -> Result<(), AppError> {
        let ending = match self.provider(&held.provider, held.connection) {
            Some(provider) => self.end(provider.as_ref(), &held).await?,
            None => Ending::Uncertain(format!("{} is not configured", held.provider)),
        };
        let account = &held.provider_account_id;
        let Ending::Uncertain(reason) = ending else {
            tracing::info!("{} has ended what {account} had granted", held.provider);
            self.store.finish_revocation(&held).await?;
            return Ok(());
        };
        let again = retry_at(self.now(), held.failures + 1, held.dies_at, chance::fraction());
        match again {
            Some(at) => {
                tracing::warn!(
                    "{} is asked again to end what {account} had granted: {reason}",
                    held.provider
                );
                self.store.put_off_revocation(&held, at).await?;
            }
            None => {
                tracing::warn!("what {account} had granted has ended by itself; at last: {reason}");
                self.store.finish_revocation(&held).await?;
            }
        }
        Ok(())
    }

    /// Asks the provider to end the grant. An access token that has ended is renewed first.
    async fn end(&self, provider: &dyn Provider, held: &Revocation) -> Result<Ending, AppError> {
        match provider.revoke(&held.access).await {
            Ok(()) => return Ok(Ending::Ended),
            Err(error) if !is_dead(&error) => return Ok(Ending::Uncertain(error.to_string())),
            Err(_) => {}
        }
        let Some(refresh) = &held.refresh else {
            return Ok(Ending::Ended);
        };
        let pair = match provider.refresh(refresh).await {
            Ok(pair) => pair,
            Err(error) if is_dead(&error) => return Ok(Ending::Ended),
            Err(error) => return Ok(Ending::Uncertain(error.to_string())),
        };
        self.store.renew_revocation(held, &pair).await?;
        Ok(match provider.revoke(&pair.access).await {
            Ok(()) => Ending::Ended,
            Err(error) => Ending::Uncertain(error.to_string()),
        })
    }
}

/// What is known of a grant after the provider was asked to end it.
enum Ending {
    /// None of its tokens is valid any more.
    Ended,
    /// Why that is not certain.
    Uncertain(String),
}

/// Whether the provider answers that the token is invalid.
fn is_dead(error: &ProviderError) -> bool {
    matches!(error.fate, Fate::StaleToken | Fate::Reauthorize)
}
