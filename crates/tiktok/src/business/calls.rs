//! What every call of the business API has in common: the token in a header of its own, the account named in the request,
//! `{code, message, request_id, data}` with HTTP 200 also on errors, and 40 calls a minute for each account and endpoint.

use playout_domain::provider::{Fate, Grant, ProviderError, TokenSet};
use playout_domain::secret::Secret;
use reqwest::RequestBuilder;
use serde_json::Value;
use url::form_urlencoded;

use super::client::TikTokBusiness;
use crate::envelope::{self, Reply};
use crate::http;
use crate::limits::Call;

/// Below it is every path of this API.
const ROOT: &str = "/open_api/v1.3";

/// An account's identifier for this app, and its access token.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a> {
    /// The `open_id` of its tokens, called `business_id` in requests.
    pub(super) business_id: &'a str,
    access: &'a Secret,
}

impl<'a> From<Grant<'a>> for Caller<'a> {
    fn from(grant: Grant<'a>) -> Self {
        Self {
            business_id: &grant.platform.provider_account_id,
            access: grant.access,
        }
    }
}

impl<'a> From<&'a TokenSet> for Caller<'a> {
    fn from(tokens: &'a TokenSet) -> Self {
        Self {
            business_id: &tokens.provider_account_id,
            access: &tokens.access,
        }
    }
}

impl TikTokBusiness {
    /// Sends a GET of `path` for the caller's account. Lists in the query are JSON.
    pub(super) async fn get(
        &self,
        caller: Caller<'_>,
        path: &'static str,
        query: &[(&str, &str)],
    ) -> Result<Reply, ProviderError> {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("business_id", caller.business_id)
            .extend_pairs(query)
            .finish();
        let url = format!("{}?{query}", self.url(path));
        self.ask(caller, path, self.base.http.get(&url)).await
    }

    /// Sends `body` to `path`, with the caller's account in it.
    pub(super) async fn post(
        &self,
        caller: Caller<'_>,
        path: &'static str,
        mut body: Value,
    ) -> Result<Reply, ProviderError> {
        body["business_id"] = caller.business_id.into();
        let request = self.base.http.post(&self.url(path)).json(&body);
        self.ask(caller, path, request).await
    }

    async fn ask(
        &self,
        caller: Caller<'_>,
        path: &'static str,
        request: RequestBuilder,
    ) -> Result<Reply, ProviderError> {
        self.base.brake(caller.business_id, Some(Call::Business(path)))?;
        let request = request.header("Access-Token", caller.access.expose());
        let answer = http::call(request).await?;
        self.base.compare_clocks(answer.date);
        envelope::read_business(&answer).map_err(|error| self.base.paced(caller.business_id, error))
    }

    pub(super) fn url(&self, path: &str) -> String {
        self.base.config.business(&format!("{ROOT}{path}"))
    }
}

/// Where a call reads nothing but the account's own data, "no permission" is due to the grant.
pub(super) fn of_the_grant(error: ProviderError) -> ProviderError {
    match error.code.as_str() {
        "business_40001" => ProviderError {
            fate: Fate::Reauthorize,
            ..error
        },
        _ => error,
    }
}
