//! A connected account and the calls that the service makes to its provider: each once. Where the provider refuses the access token it is
//! renewed, except for `begin` and `comment`, which use the tokens that they are given.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use playout_domain::platform::Platform;
use playout_domain::provider::{
    Accepted, AccountOptions, Commented, Grant, Handover, OwnComments, Progress, Provider, ProviderError,
    RecentPosts, Sighting,
};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_store::{TokenVersion, Tokens};

use super::App;
use super::tokens::{CallError, FailedCall, call_once, call_renewed};

/// A connected account, with what it takes to call its provider.
#[derive(Clone, Copy)]
pub struct Account<'a> {
    /// Where tokens are read and renewed.
    pub app: &'a App,
    /// The provider that the calls go to.
    pub provider: &'a Arc<dyn Provider>,
    /// The account that they are made for.
    pub platform: &'a Platform,
}

impl<'a> Account<'a> {
    /// An account of `provider`.
    pub const fn new(app: &'a App, provider: &'a Arc<dyn Provider>, platform: &'a Platform) -> Self {
        Self {
            app,
            provider,
            platform,
        }
    }

    /// Its tokens, renewed if they end soon.
    ///
    /// # Errors
    /// When they must be renewed and are not.
    pub async fn fresh_tokens(&self) -> Result<Tokens, CallError> {
        self.app.fresh_tokens(self.provider, self.platform).await
    }

    /// Its next tokens, if it still has those of `version`; else those that it has by now.
    ///
    /// # Errors
    /// When the provider grants none.
    pub async fn refresh_tokens(&self, version: TokenVersion) -> Result<Tokens, CallError> {
        self.app
            .refresh_tokens(self.provider, self.platform, version)
            .await
    }

    /// Hands a post over, with these tokens and no others.
    ///
    /// # Errors
    /// What the provider answered.
    pub async fn begin(&self, tokens: &Tokens, handover: &Handover<'_>) -> Result<Accepted, FailedCall> {
        call_once(tokens, &self.begins(handover)).await
    }

    /// The same with tokens that were renewed because the earlier ones were refused.
    ///
    /// # Errors
    /// What the provider answered; a refusal of these tokens too means that the account must be reconnected.
    pub async fn begin_renewed(
        &self,
        tokens: &Tokens,
        handover: &Handover<'_>,
    ) -> Result<Accepted, FailedCall> {
        call_renewed(tokens, &self.begins(handover)).await
    }

    fn begins<'b>(
        &'b self,
        handover: &'b Handover<'_>,
    ) -> impl Fn(Secret) -> BoxFuture<'b, Result<Accepted, ProviderError>> {
        move |access| Box::pin(async move { self.provider.begin(self.grant(&access), handover).await })
    }

    /// What has become of a submission.
    ///
    /// # Errors
    /// When the provider returns no status.
    pub async fn check(&self, handle: &str) -> Result<Progress, CallError> {
        let call = |access: Secret| async move { self.provider.check(self.grant(&access), handle).await };
        self.call(call).await
    }

    /// Asks the provider to drop a submission that it has not fetched.
    ///
    /// # Errors
    /// When the provider does not confirm it.
    pub async fn cancel(&self, handle: &str) -> Result<(), CallError> {
        let call = |access: Secret| async move { self.provider.cancel(self.grant(&access), handle).await };
        self.call(call).await
    }

    /// Its public posts since `since`, or the newest of them; `None` where the grant does not allow to list them.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn recent_posts(&self, since: Time) -> Result<Option<RecentPosts>, CallError> {
        let call =
            |access: Secret| async move { self.provider.recent_posts(self.grant(&access), since).await };
        self.call(call).await
    }

    /// Whether the account shows the post of this ID to the public.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn sight(&self, release_id: &str) -> Result<Sighting, CallError> {
        let call = |access: Secret| async move { self.provider.sight(self.grant(&access), release_id).await };
        self.call(call).await
    }

    /// Writes a comment under one of its posts, with these tokens and no others.
    ///
    /// # Errors
    /// When the provider does not confirm the comment.
    pub async fn comment(
        &self,
        tokens: &Tokens,
        release_id: &str,
        text: &str,
    ) -> Result<Commented, FailedCall> {
        let call = |access: Secret| async move {
            let grant = self.grant(&access);
            self.provider.comment(grant, release_id, text).await
        };
        call_once(tokens, &call).await
    }

    /// Its own comments under one of its posts since `since`; `None` where the grant does not allow to list them.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn own_comments(
        &self,
        release_id: &str,
        since: Time,
    ) -> Result<Option<OwnComments>, CallError> {
        let call = |access: Secret| async move {
            let grant = self.grant(&access);
            self.provider.own_comments(grant, release_id, since).await
        };
        self.call(call).await
    }

    /// What the account allows right now. `tokens` are replaced where they were renewed.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub async fn options(&self, tokens: &mut Tokens) -> Result<AccountOptions, CallError> {
        let call = |access: Secret| async move { self.provider.options(self.grant(&access)).await };
        self.app
            .with_tokens(self.provider, self.platform, tokens, call)
            .await
    }

    async fn call<T, F: Future<Output = Result<T, ProviderError>>>(
        &self,
        call: impl Fn(Secret) -> F,
    ) -> Result<T, CallError> {
        self.app.with_token(self.provider, self.platform, call).await
    }

    fn grant<'g>(&'g self, access: &'g Secret) -> Grant<'g> {
        Grant {
            platform: self.platform,
            access,
        }
    }
}
