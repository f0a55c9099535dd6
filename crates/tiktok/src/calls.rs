//! What every call has in common: our own rate limit before it, and a jittered pause after a "too many requests".

use std::sync::atomic::Ordering;

use playout_domain::provider::{Fate, Grant, ProviderError};
use playout_domain::time::Time;
use reqwest::RequestBuilder;
use serde_json::Value;

use crate::client::TikTok;
use crate::dating::Ahead;
use crate::envelope::{self, Reply};
use crate::limits::{self, Call};
use crate::{errors, http};

impl TikTok {
    /// Posts `body` to `path` of the API as `grant`, within the limits of `limit`.
    pub(crate) async fn post_api(
        &self,
        grant: Grant<'_>,
        limit: Option<Call>,
        path: &str,
        body: &Value,
    ) -> Result<Reply, ProviderError> {
        let account = &grant.platform.provider_account_id;
        self.brake(account, limit)?;
        let request = self.http.post(&self.config.api(path));
        let request = request.bearer_auth(grant.access.expose()).json(body);
        self.read_api(account, request).await
    }

    /// Sends a request to the API and reads its envelope.
    pub(crate) async fn read_api(
        &self,
        account: &str,
        request: RequestBuilder,
    ) -> Result<Reply, ProviderError> {
        let answer = http::call(request).await?;
        self.compare_clocks(answer.date);
        envelope::read_api(&answer).map_err(|error| self.paced(account, error))
    }

    /// By how much the provider's clock, which dated an answer just now, is ahead of ours.
    pub(crate) fn ahead(&self, dated: Option<Time>) -> Ahead {
        Ahead::of(dated, self.clock.now())
    }

    /// Warns the operator once that the clocks differ.
    pub(crate) fn compare_clocks(&self, dated: Option<Time>) {
        let difference = self.ahead(dated).difference();
        let was_told = self.clocks_differ.swap(difference.is_some(), Ordering::Relaxed);
        if let (Some((by, is_ours_ahead)), false) = (difference, was_told) {
            let (way, then) = match is_ours_ahead {
                true => ("ahead of", "early"),
                false => ("behind", "late"),
            };
            let seconds = by.as_secs();
            tracing::warn!(
                "the clock of this service is {seconds} s {way} TikTok's, and posts go out as much too {then}: synchronise it (NTP)"
            );
        }
    }

    /// Refuses a call that the provider would throttle anyway, without sending it.
    pub(crate) fn brake(&self, account: &str, limit: Option<Call>) -> Result<(), ProviderError> {
        let Some(call) = limit.filter(|_| self.config.rate_limits) else {
            return Ok(());
        };
        let taken = self.limiter.take(account, call, self.clock.now());
        taken.map_err(|wait| ProviderError {
            fate: Fate::Throttled(wait),
            ..errors::ours("rate_limit_exceeded")
        })
    }

    /// Spreads the return of a throttled crowd.
    pub(crate) fn paced(&self, account: &str, error: ProviderError) -> ProviderError {
        match error.fate {
            Fate::Throttled(wait) => ProviderError {
                fate: Fate::Throttled(limits::spread(wait, account, self.clock.now())),
                ..error
            },
            _ => error,
        }
    }
}
